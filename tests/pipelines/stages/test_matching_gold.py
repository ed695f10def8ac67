"""Matching against the gold cases, which somebody else wrote before the rules."""

from __future__ import annotations

import pytest

from ontology.index import LabelIndex
from ontology.model import Concept, Label, Ontology
from pipelines.recipes.tagging import TagParameters
from pipelines.stages.tag import tag
from tests.pipelines.stages.gold import MatchingCase, matching_cases

PARAMETERS = TagParameters(fuzzy=True)


def spans(case: MatchingCase) -> set[tuple[int, int, str]]:
    """Return what is tagged in the text of ``case``."""
    concepts = {
        f"urn:x:{number}": Concept(
            f"urn:x:{number}",
            f"x:{number}",
            label,
            (Label(label, "en", "pref"), *(Label(also, "en", "alt") for also in others)),
        )
        for number, (label, others) in enumerate(case.vocabulary.items())
    }
    index = LabelIndex.build([Ontology("g", "", "", "", "turtle", "0", concepts)])
    return {(each.start, each.end, each.label) for each in tag(case.text, index, PARAMETERS)}


@pytest.mark.parametrize("case", matching_cases(), ids=lambda case: case.id)
def test_spans_of_matched_text_are_exact(case: MatchingCase) -> None:
    found = spans(case)
    assert all(0 <= start < end <= len(case.text) for start, end, _ in found)


def test_nineteen_cases_in_twenty_are_right() -> None:
    cases = matching_cases()
    wrong = [case for case in cases if case.wrong(spans(case))]
    assert len(wrong) <= len(cases) / 20, [case.id for case in wrong if case.part == "dev"]
