"""Assertion against cases that somebody else wrote before the rules (see ``gold/README.md``).

Of the held-out part only counts are ever shown.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict

import pytest

from pipelines.segment import segment
from pipelines.stages.assertion import assert_tags
from pipelines.types import Tag
from tests.pipelines.stages.gold import AssertionCase, assertion_cases

BAR = 0.95


def wrong_cases(part: str | None) -> tuple[int, list[tuple[AssertionCase, Tag]]]:
    """Return how many cases there are and those answered wrongly; a text's terms at once."""
    texts: dict[str, list[AssertionCase]] = defaultdict(list)
    cases = assertion_cases(part)
    for case in cases:
        texts[case.text].append(case)
    wrong = []
    for text, some in texts.items():
        tags = [
            Tag("urn:x", "x", "x", c.start, c.end, text[c.start : c.end], 1.0, "label", "o")
            for c in some
        ]
        for case, tag in zip(some, assert_tags(text, segment(text), tags), strict=True):
            if case.wrong(asdict(tag)):
                wrong.append((case, tag))
    return len(cases), wrong


def test_all_cases_reach_the_bar() -> None:
    count, wrong = wrong_cases(None)
    assert count >= 150
    assert 1 - len(wrong) / count >= BAR, f"{count - len(wrong)} of {count} right"


def test_cases_for_development_reach_the_bar() -> None:
    count, wrong = wrong_cases("dev")
    told = [f"{case.id}: {case.wrong(asdict(tag))} by {tag.cue!r}" for case, tag in wrong]
    assert 1 - len(wrong) / count >= BAR, "\n".join(told)


@pytest.mark.parametrize("hard", [True, False])
def test_hard_and_plain_cases_are_judged_apart(hard: bool) -> None:
    count = sum(case.hard == hard for case in assertion_cases())
    wrong = sum(case.hard == hard for case, _ in wrong_cases(None)[1])
    floor = 0.85 if hard else 0.93
    assert 1 - wrong / count >= floor, f"{count - wrong} of {count} right"
