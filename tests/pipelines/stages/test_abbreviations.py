"""Abbreviations that a text defines, after Schwartz and Hearst (2003)."""

from __future__ import annotations

import pytest

from pipelines.stages.matching.abbreviations import definitions


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("von Hippel-Lindau (VHL) disease", "VHL", "von Hippel-Lindau"),
        (
            "multiple endocrine neoplasia type 1 (MEN1).",
            "MEN1",
            "multiple endocrine neoplasia type 1",
        ),
        (
            "GORD (gastro-oesophageal reflux disease) again",
            "GORD",
            "gastro-oesophageal reflux disease",
        ),
        ("irritable bowel syndrome (IBS, for years)", "IBS", "irritable bowel syndrome"),
        ("the Park and Ride (P&R) site", "P&R", "Park and Ride"),
    ],
)
def test_short_form_is_what_the_words_before_or_inside_spell(
    text: str, short: str, long: str
) -> None:
    assert definitions(text) == {short: long}


@pytest.mark.parametrize(
    "text",
    [
        "seen by Dr Smith (GP)",
        "a fall (55 years)",
        "the clinic (see below)",
        "It was cold. (COPD)",
        "()",
        "(" * 50_000,
    ],
)
def test_other_brackets_define_nothing(text: str) -> None:
    assert definitions(text) == {}


def test_the_first_definition_counts() -> None:
    text = "Bus rapid transit (BRT) and later big red tram (BRT)."
    assert definitions(text) == {"BRT": "Bus rapid transit"}
