"""Made-up answers judged by hand before the rules were written: answer, empty or reference.

The cases are rows of ``answers_gold.csv``: id, question, text, expected. In ``text`` a backslash
escapes tab, return, line feed, no-break space, zero-width space and itself. An empty ``question``
is a text with no question known.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from pipelines.answers import assess

GOLD = Path(__file__).parents[1] / "data" / "answers_gold.csv"
ESCAPES = {"\\\\": "\\", "\\t": "\t", "\\r": "\r", "\\n": "\n", "\\u00a0": "\u00a0"}
ESCAPES["\\u200b"] = "\u200b"


@dataclass(frozen=True)
class Case:
    """One judged answer."""

    id: str
    question: str | None
    text: str
    expected: str


def cases() -> list[Case]:
    with GOLD.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    return [
        Case(row["id"], row["question"] or None, _plain(row["text"]), row["expected"])
        for row in rows
    ]


def _plain(text: str) -> str:
    return re.sub(r"\\(?:u[0-9a-f]{4}|.)", lambda found: ESCAPES[found[0]], text)


def judged(text: str, question: str | None) -> str:
    verdict = assess(text, question)
    if verdict.answers:
        return "answer"
    return "reference" if verdict.rule == "reference" else "empty"


CASES = cases()


@pytest.mark.parametrize("case", [pytest.param(case, id=case.id) for case in CASES])
def test_an_answer_is_judged_as_a_careful_reader_would(case: Case) -> None:
    found = judged(case.text, case.question)
    assert found == case.expected, (
        f"{case.text!r} under {case.question!r}: judged {found} by rule "
        f"{assess(case.text, case.question).rule!r}, expected {case.expected}"
    )


@pytest.mark.parametrize("case", [pytest.param(case, id=case.id) for case in CASES])
def test_whoever_is_set_aside_is_told_why(case: Case) -> None:
    verdict = assess(case.text, case.question)
    assert verdict.answers or (verdict.rule and verdict.reason)


def test_the_cases_are_distinct_and_of_all_three_kinds() -> None:
    assert len({case.id for case in CASES}) == len(CASES)
    assert len({(case.question, case.text) for case in CASES}) == len(CASES)
    assert {case.expected for case in CASES} == {"answer", "empty", "reference"}


def test_the_same_words_are_judged_by_the_question() -> None:
    improve, good = "How could we improve?", "What was good?"
    assert (judged("Nothing", improve), judged("Nothing", good)) == ("answer", "empty")
    assert judged("No", "Should the clinic open on Saturdays?") == "answer"
    assert judged("No", "Any other comments?") == "empty"
