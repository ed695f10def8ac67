"""British and American forms, and words that only look as if they had two."""

from __future__ import annotations

import pytest

from ontology.spelling import american, british, variants


@pytest.mark.parametrize(
    ("gb", "us"),
    [
        ("haemorrhage", "hemorrhage"),
        ("oedema", "edema"),
        ("lymphoedema", "lymphedema"),
        ("anaemia", "anemia"),
        ("leukaemia", "leukemia"),
        ("dyspnoea", "dyspnea"),
        ("diarrhoea", "diarrhea"),
        ("oesophagus", "esophagus"),
        ("paediatric", "pediatric"),
        ("tumours", "tumors"),
        ("coeliac", "celiac"),
        ("behaviour", "behavior"),
        ("organisation", "organization"),
        ("labelled", "labeled"),
        ("fibres", "fibers"),
        ("grey", "gray"),
        ("Haemolytic Anaemia", "Hemolytic Anemia"),
        ("ISCHAEMIA", "ISCHEMIA"),
    ],
)
def test_pairs_go_both_ways(gb: str, us: str) -> None:
    assert (american(gb), british(us)) == (us, gb)
    assert (british(gb), american(us)) == (gb, us)


@pytest.mark.parametrize(
    "word",
    [
        "thrombocytopenia",
        "neutropenia",
        "angioedema",
        "systemic",
        "academia",
        "chemotherapy",
        "laboratory",
        "colorectal",
        "diameter",
        "literature",
        "humoral",
        "label",
        "exercise",
        "paralysis",
        "hemiplegia",
        "anemone",
    ],
)
def test_words_with_one_form_are_left_alone(word: str) -> None:
    assert variants(word) == ()


def test_a_label_has_at_most_two_other_forms() -> None:
    assert variants("anaemia with edema") == ("anaemia with oedema", "anemia with edema")
