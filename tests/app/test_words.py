"""What people are told of outcomes, of what was noticed, and of what a file says."""

from __future__ import annotations

from app.words import (
    FLAGS,
    OUTCOMES,
    SHORT_FLAGS,
    assertion_words,
    facts_from_file,
    noticed,
    outcome_words,
)
from pipelines.types import Flag, Outcome


def test_every_outcome_and_flag_has_words() -> None:
    assert {str(outcome) for outcome in Outcome} <= set(OUTCOMES)
    assert {str(flag) for flag in Flag} == set(FLAGS) == set(SHORT_FLAGS)


def test_an_outcome_without_words_is_told_as_it_is() -> None:
    assert outcome_words("brand_new") == "brand new"
    assert outcome_words(None) == "not processed yet"


def test_what_was_noticed_is_one_phrase() -> None:
    assert noticed(()) == ""
    assert noticed(("ocr", "cut"), short=True) == "OCR; probably cut"
    assert noticed(("ocr",)) == "read from a picture"


def test_facts_of_a_file_leave_out_what_is_for_programs_and_what_is_blank() -> None:
    metadata = {"file": "a.pdf", "folder": "", "page_starts": "0 90", "pages": 2, "ward": "North"}
    assert facts_from_file(metadata) == [("Pages", "2"), ("ward", "North")]


def test_what_a_text_says_of_a_tag_is_told_with_its_cue() -> None:
    plain = dict.fromkeys(("negated", "possible", "hypothetical", "historical"), False)
    none = dict.fromkeys(plain)
    assert assertion_words({**plain, "experiencer": "patient", "cue": None}) == ""
    assert assertion_words({**none, "experiencer": None, "cue": None}) == ""
    denied = {**plain, "negated": True, "experiencer": "family", "cue": "no\n  history"}
    assert assertion_words(denied) == "negated, of family (no history)"
    assert assertion_words(denied, cue=False) == "negated, of family"
    assert assertion_words({**plain, "experiencer": "other", "cue": "a friend has"}) == (
        "of someone else (a friend has)"
    )
