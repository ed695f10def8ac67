from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.training.errors import MissingSource
from pipelines.training.lexicon import Lexicon, Reading, inflect


@pytest.mark.parametrize(
    ("lemma", "form", "expected"),
    [
        ("city", "s", "cities"),
        ("box", "s", "boxes"),
        ("boy", "s", "boys"),
        ("slice", "ing", "slicing"),
        ("chop", "ed", "chopped"),
        ("carry", "ed", "carried"),
        ("see", "ing", "seeing"),
        ("pick up", "ing", "picking up"),
        ("bus stop", "s", "bus stops"),
        ("road", "", "road"),
    ],
)
def test_regular_forms(lemma: str, form: str, expected: str) -> None:
    assert inflect(lemma, form) == expected


def test_a_form_is_read_back_to_its_lemma(lexicon: Lexicon) -> None:
    assert lexicon.reading("roads") == Reading("road", "n", "s")
    assert lexicon.reading("children") == Reading("child", "n", "s")
    assert lexicon.reading("repairing") == Reading("repair", "v", "ing")
    assert lexicon.reading("broken") == Reading("break", "v", "ed")
    assert lexicon.reading("xylophone") is None


def test_irregular_forms_prefer_the_past_tense_to_the_participle(lexicon: Lexicon) -> None:
    assert lexicon.inflected("break", "ed") == "broke"
    assert lexicon.inflected("child", "s") == "children"
    assert lexicon.inflected("mend", "ed") == "mended"


def test_relations_of_the_first_sense(lexicon: Lexicon) -> None:
    assert lexicon.related(Reading("teacher", "n", "")) == {
        "same": ["instructor"],
        "wider": ["person"],
        "sister": ["farmer", "child"],
    }
    assert lexicon.related(Reading("repair", "v", ""))["opposite"] == ["break"]
    assert lexicon.related(Reading("old", "a", "")) == {
        "narrower": ["senile"],
        "opposite": ["young"],
    }


def test_words_of_a_topic_come_with_their_counts(lexicon: Lexicon) -> None:
    assert lexicon.of_topic(18) == {"child": 7, "farmer": 4, "person": 50, "teacher": 9}
    assert lexicon.of_topic(18, used=8) == {"person": 50, "teacher": 9}


def test_a_folder_without_wordnet_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingSource, match=r"data\.noun"):
        Lexicon(tmp_path)
