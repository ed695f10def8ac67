"""Labels found in other forms than their own: each mechanism, and what it must not do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ontology.index import LabelIndex, Mechanisms
from tests.ontology.test_index import ontology

ALL = Mechanisms(fuzzy=True)


def found(text: str, *labels: str, mechanisms: Mechanisms = ALL, **short: str) -> list[str]:
    """Return "method: words = label" of every match."""
    matches = LabelIndex.build([ontology(*labels)]).find(text, mechanisms, short_forms=short)
    return [
        f"{each.method}: {text[each.start : each.end]} = {each.concepts[0].label}"
        for each in matches
    ]


@pytest.mark.parametrize(
    ("text", "label", "expected"),
    [
        ("two seizures", "seizure", "lemma: seizures = seizure"),
        ("bus fares", "bus fare", "lemma: bus fares = bus fare"),
        ("a park", "parks", "lemma: park = parks"),
        ("parked cars", "parking", "lemma: parked = parking"),
        ("other callings", "calling", "lemma: callings = calling"),
        ("a seizure", "seizures", "lemma: seizure = seizures"),
        ("the vertebrae", "vertebra", "lemma: vertebrae = vertebra"),
        ("middle phalanges", "middle phalanx", "lemma: middle phalanges = middle phalanx"),
        ("brooches", "brooch", "lemma: brooches = brooch"),
        ("it had GPs", "GP", "lemma: GPs = GP"),
        ("a cafe here", "café", "spelling: cafe = café"),
        ("an edema", "oedema", "spelling: edema = oedema"),
        ("anaemia", "anemia", "spelling: anaemia = anemia"),
        ("nonprogressive", "non-progressive", "spelling: nonprogressive = non-progressive"),
        ("pneu-\nmonia", "pneumonia", "spelling: pneu-\nmonia = pneumonia"),
        ("Downs syndrome", "Down's syndrome", "lemma: Downs syndrome = Down's syndrome"),
        ("Down syndrome", "Down's syndrome", "label: Down syndrome = Down's syndrome"),
        ("a hypotonic child", "hypotonia", "derivation: hypotonic = hypotonia"),
        ("a pump", "pump (water)", "qualifier: pump = pump (water)"),
        ("motor (gross) delay", "motor delay", "qualifier: motor (gross) delay = motor delay"),
        ("failure of the heart", "heart failure", "order: failure of the heart = heart failure"),
        ("cardiac anomalies", "abnormality of the heart", "order: cardiac anomalies ="),
        ("bifid right thumb", "bifid thumb", "order: bifid right thumb = bifid thumb"),
        ("pnuemonia", "pneumonia", "fuzzy: pnuemonia = pneumonia"),
    ],
)
def test_another_form_of_a_label_is_found(text: str, label: str, expected: str) -> None:
    assert [each for each in found(text, label) if each.startswith(expected)]


@pytest.mark.parametrize(
    ("text", "labels", "expected"),
    [
        ("heart and kidney failure", ("heart failure", "kidney failure"), 2),
        ("short, broad and flat thumbs", ("short thumb", "broad thumb", "flat thumb"), 3),
        ("cleft lip and palate", ("cleft palate", "cleft lip"), 2),
        ("type 1 and type 2 diabetes", ("type 1 diabetes", "type 2 diabetes"), 2),
        ("low ears and short neck", ("low neck",), 0),
        ("heart pain and later failure", ("heart failure",), 0),
        ("a heart that was sound and failure", ("heart failure",), 0),
    ],
)
def test_coordinated_parts_share_a_word(text: str, labels: tuple[str, ...], expected: int) -> None:
    assert len(found(text, *labels)) == expected


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("hypotension", "hypertension"),
        ("atypical cells", "typical cells"),
        ("arthrosis", "arthritis"),
        ("colotomy", "colostomy"),
        ("the mouth", "mouthing"),
        ("a fall", "falls"),
        ("prostrate", "prostate"),
        ("type 12 thing", "type 13 thing"),
        ("failure of heart valves", "heart failure"),
        ("brachydactyly type B", "type A brachydactyly"),
        ("AIDS", "aid"),
        ("the bus far away", "bus fare"),
        ("parked cars", "car park"),
        ("chest pain or shortness of breath", "short chest"),
        ("a parked car", "parks"),
        ("that would be fine", "fines"),
        ("a mill called Harden", "calling"),
    ],
)
def test_words_of_another_meaning_are_not_a_form(text: str, label: str) -> None:
    assert found(text, label) == []


def test_an_abbreviation_stands_for_what_the_text_says() -> None:
    assert found("VHL disease", "von Hippel-Lindau disease", VHL="von Hippel-Lindau") == [
        "abbreviation: VHL disease = von Hippel-Lindau disease"
    ]


def test_a_defined_abbreviation_is_no_other_label() -> None:
    matches = found("the BO syndrome", "BO", "xyz", "abc", BO="branchio-otic")
    assert matches == []


def test_of_several_concepts_the_nearest_label_counts() -> None:
    assert found("heart failure", "heart failure", "cardiac failure") == [
        "label: heart failure = heart failure"
    ]


@pytest.mark.parametrize(
    ("name", "text", "label"),
    [
        ("spelling", "an edema", "oedema"),
        ("lemma", "two seizures", "seizure"),
        ("qualifier", "a pump", "pump (water)"),
        ("derivation", "a hypotonic child", "hypotonia"),
        ("order", "failure of the heart", "heart failure"),
        ("coordination", "heart and kidney failure", "heart failure"),
        ("fuzzy", "pnuemonia", "pneumonia"),
    ],
)
def test_each_mechanism_can_be_left_out(name: str, text: str, label: str) -> None:
    assert found(text, label)
    assert found(text, label, mechanisms=replace(ALL, **{name: False})) == []


def test_offsets_are_those_of_the_text_as_it_was_written() -> None:
    text = "ﬁrst \u00e9 e\u0301 \U0001f600 the Heart\u00a0— and\r\nkidney failures"
    index = LabelIndex.build([ontology("kidney failure")])
    (match,) = index.find(text, ALL)
    assert text[match.start : match.end] == "kidney failures"


def test_a_root_that_only_says_the_kind_is_not_found() -> None:
    from ontology.model import Concept, Label, Ontology

    root = Concept("urn:r", "x:r", "Symptom", (Label("Symptom", "en", "pref"),), kind="class")
    child = Concept(
        "urn:c", "x:c", "Cough", (Label("Cough", "en", "pref"),), broader=("urn:r",), kind="class"
    )
    index = LabelIndex.build(
        [Ontology("o", "", "", "", "obo", "0", {each.iri: each for each in (root, child)})]
    )
    assert [each.concepts[0].label for each in index.find("a symptom: cough", ALL)] == ["Cough"]
