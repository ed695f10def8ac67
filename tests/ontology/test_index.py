"""Labels found in texts: every occurrence, whole words, exact offsets."""

from __future__ import annotations

import pytest

from ontology.index import LabelIndex, Match
from ontology.load import loads
from ontology.model import Concept, Label, Ontology
from tests.ontology.vocabularies import OWL_XML, SKOS_TURTLE


def ontology(*labels: str, id: str = "t", kind: str = "pref") -> Ontology:
    concepts = {
        f"urn:x:{number}": Concept(
            f"urn:x:{number}", f"x:{number}", label, (Label(label, "en", kind),)
        )
        for number, label in enumerate(labels)
    }
    return Ontology(id, id, "", "", "turtle", "0", concepts)


def found(text: str, *labels: str) -> list[str]:
    """Return the words matched in ``text``, checking their offsets."""
    matches = LabelIndex.build([ontology(*labels)]).find(text)
    assert all(0 <= match.start < match.end <= len(text) for match in matches)
    return [text[match.start : match.end] for match in matches]


def shown(text: str, *labels: str) -> list[str]:
    matches = LabelIndex.build([ontology(*labels)]).find(text)
    return [text[match.start : match.end] for match in matches if match.displayed]


def test_every_occurrence_is_found_whatever_its_case() -> None:
    assert found("Bus, bus and BUS.", "bus") == ["Bus", "bus", "BUS"]


def test_words_are_matched_whole() -> None:
    assert found("busy minibus bus2 busés", "bus") == []


def test_the_index_does_not_stop_at_an_apostrophe_after_the_word() -> None:
    assert found("the bus's doors", "bus") == ["bus"]


def test_a_contraction_is_not_its_first_half() -> None:
    assert found("I can't and won’t", "can", "won") == []


@pytest.mark.parametrize(
    "text", ["night bus", "night  bus", "night\nbus", "night-bus", "night\r\n bus"]
)
def test_space_newline_and_hyphen_between_words_are_one(text: str) -> None:
    assert found(f"A {text}!", "night bus") == [text]


def test_a_hyphen_in_the_label_is_met_by_a_space() -> None:
    assert found("an x ray", "x-ray") == ["x ray"]


@pytest.mark.parametrize("text", ["night, bus", "night. Bus", "night\n\nbus", "night (bus"])
def test_punctuation_and_blank_lines_end_a_label(text: str) -> None:
    assert found(text, "night bus") == []


def test_apostrophes_are_matched_straight_or_curly() -> None:
    assert found("children’s services", "children's services") == ["children’s services"]


def test_the_longest_of_nested_labels_is_displayed_and_all_are_listed() -> None:
    text = "the night bus stop"
    assert found(text, "bus", "night bus", "bus stop", "stop", "night bus stop") == [
        "night bus stop",
        "night bus",
        "bus stop",
        "bus",
        "stop",
    ]
    assert shown(text, "bus", "night bus", "bus stop", "night bus stop") == ["night bus stop"]


def test_of_overlapping_labels_the_longer_is_displayed() -> None:
    assert shown("the night bus station", "night bus", "bus station") == ["bus station"]


def test_of_equally_long_overlapping_labels_the_left_is_displayed() -> None:
    assert shown("aaa bbb ccc", "aaa bbb", "bbb ccc") == ["aaa bbb"]


def test_two_displayed_labels_may_share_a_cluster() -> None:
    text = "crimson blue green silver"
    assert shown(text, "crimson blue", "blue green", "green silver") == [
        "crimson blue",
        "green silver",
    ]


def test_capital_labels_match_only_capitals() -> None:
    labels = ("MI", "AIDS", "attack", "heart", "angina", "stroke")
    assert found("MI and AIDS", *labels) == ["MI", "AIDS"]
    assert found("mi aids", *labels) == []


def test_capitals_mean_nothing_in_a_vocabulary_written_in_capitals() -> None:
    assert found("an axe head", "AXE HEAD", "BROOCH", "Coin") == ["axe head"]


def test_short_labels_and_numbers_are_not_matched() -> None:
    assert found("a to it 12 1918", "a", "to", "it", "12", "1918", "words") == []


def test_offsets_hold_where_case_folding_changes_length() -> None:
    text = "Straße ΐ İstanbul ﬁsh bus"
    assert found(text, "bus", "strasse", "fish") == ["Straße", "ﬁsh", "bus"]


def test_the_long_s_is_an_s() -> None:
    assert found("the ſhip ſails", "ship") == ["ſhip"]


def test_composed_and_decomposed_letters_meet() -> None:
    assert found("a cafe\u0301 here", "café") == ["cafe\u0301"]
    assert found("a cafe\u0301 here", "cafe") == []


def test_marks_of_a_label_have_to_stand_in_the_text() -> None:
    assert found("written in C++ or c", "C++ x", "pump (water)") == []
    assert found("a pump (water) and a pump", "pump (water)") == ["pump (water)"]


def test_a_match_names_concept_ontology_and_kind_of_label() -> None:
    index = LabelIndex.build([loads(SKOS_TURTLE.encode(), id="transport")])
    (match,) = index.find("An omnibus.")
    assert match == Match(3, 10, match.concepts, True)
    (concept,) = match.concepts
    assert concept == ("transport", "https://example.org/transport#bus", "ex:bus", "bus", "alt")


def test_one_label_of_two_ontologies_gives_both_concepts() -> None:
    index = LabelIndex.build([ontology("bus", id="a"), ontology("Bus", id="b")])
    (match,) = index.find("bus")
    assert [concept.ontology for concept in match.concepts] == ["a", "b"]


def test_deprecated_concepts_are_never_found() -> None:
    index = LabelIndex.build([loads(SKOS_TURTLE.encode(), id="t"), loads(OWL_XML.encode(), id="d")])
    assert index.find("a charabanc with obsolete vapours") == []


def test_other_languages_are_matched_only_where_there_is_no_english() -> None:
    index = LabelIndex.build([loads(SKOS_TURTLE.encode(), id="t")])
    assert index.find("liikenne") == []
    assert len(index.find("raitiovaunu")) == 1


def test_an_empty_index_finds_nothing() -> None:
    assert LabelIndex.build([]).find("bus") == []
    assert LabelIndex.build([ontology("bus")]).find("") == []


def test_long_and_repetitive_texts_are_read_to_their_end() -> None:
    index = LabelIndex.build([ontology("a b a b a b a b c", "night bus", "bus")])
    for text in ("night " * 200_000, "-" * 1_000_000, "a b " * 200_000, "x" * 1_000_000):
        found = index.find(text + " night bus")
        assert [text_of for text_of in found if text_of.displayed][-1].end == len(text) + 10


def test_of_two_labels_of_a_concept_the_one_met_first_gives_the_kind() -> None:
    labels = (Label("AIDS", "en", "pref"), Label("aids", "en", "alt"), Label("Aids", "", "hidden"))
    concept = Concept("urn:x:1", "x:1", "AIDS", labels)
    others = {
        f"urn:y:{n}": Concept(f"urn:y:{n}", "y", w, (Label(w, "", "pref"),))
        for n, w in enumerate(("fever", "cough"))
    }
    index = LabelIndex.build(
        [Ontology("t", "t", "", "", "turtle", "0", {"urn:x:1": concept, **others})]
    )
    assert [match.concepts[0].kind for match in index.find("AIDS and aids")] == ["pref", "alt"]
