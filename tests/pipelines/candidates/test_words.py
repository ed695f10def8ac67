"""Runs of words: what parts them, what may stand where, and which numbers belong to a term."""

from __future__ import annotations

import pytest

from pipelines.candidates.words import ngrams, runs, singulars


def found(text: str) -> list[str]:
    return [" ".join(token.form for token in run.tokens) for run in runs(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The floating bus stop by the canal bridge.", ["floating bus stop", "canal bridge"]),
        ("kerbs, ramps; stairs", ["kerbs", "ramps", "stairs"]),
        ("zebra\ncrossing", ["zebra crossing"]),
        ("zebra\n\ncrossing", ["zebra", "crossing"]),
        ("type 2 diabetes", ["type 2 diabetes"]),
        ("12 buses and 3 trams", ["buses", "trams"]),
        ("blue-badge holders", ["blue-badge holders"]),
        ("the women’s refuge", ["women's refuge"]),
        ("we don’t park", ["park"]),
        ("a diſtenſion", ["distension"]),
        ("the loss of consciousness", ["loss of consciousness"]),
        ("loss of the key, loss of, of loss", ["loss", "key", "loss", "loss"]),
        ("", []),
    ],
)
def test_stop_words_marks_and_numbers_part_runs(text: str, expected: list[str]) -> None:
    assert found(text) == expected


def test_a_token_points_at_its_characters() -> None:
    text = "😀 the œdema clinic"
    (run,) = runs(text)
    assert [text[token.start : token.end] for token in run.tokens] == ["œdema", "clinic"]
    assert (run.before, run.after) == ("the", "")


def test_a_possessive_does_not_end_and_a_verb_like_word_only_ends_a_stretch() -> None:
    (run,) = runs("council's bus stop sign")
    forms = [" ".join(t.form for t in run.tokens[a:b]) for a, b in ngrams(run)]
    assert "council's" not in forms
    assert "council's bus" in forms
    assert "bus stop" in forms
    assert not any(form.startswith("bus stop ") for form in forms)


def test_plurals_are_looked_at_in_more_than_one_way() -> None:
    assert "bus" in singulars("buses")
    assert "charge" in singulars("charges")
    assert "library" in singulars("libraries")
    assert singulars("glass") == singulars("bus") == singulars("diagnosis") == ()
