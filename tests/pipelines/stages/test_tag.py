"""Tags: one for every concept of every match, scored by the kind of label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from ontology.index import LabelIndex, Match, MatchedConcept, Mechanisms
from ontology.model import Concept, Label, Ontology
from pipelines.stages.tag import KIND_SCORES, tag

TEXT = "Shortness of breath, then breath again."


class Found:
    """An index that has found these matches."""

    def __init__(self, *matches: Match) -> None:
        self.matches = matches

    def find(
        self, text: str, mechanisms: Mechanisms, *, short_forms: Mapping[str, str] | None = None
    ) -> Sequence[Match]:
        return self.matches

    def gloss(self, ontology: str, iri: str) -> str:
        return ""

    def concepts(self) -> Sequence[MatchedConcept]:
        return ()


def concept(name: str, kind: str = "pref", ontology: str = "o") -> MatchedConcept:
    return MatchedConcept(ontology, f"urn:{name}", f"x:{name}", name.title(), kind)


def test_tag_quotes_the_words_it_was_found_in() -> None:
    (found,) = tag(TEXT, Found(Match(0, 19, (concept("dyspnoea", "alt"),), True)))
    assert (found.text, found.label, found.curie) == (
        "Shortness of breath",
        "Dyspnoea",
        "x:dyspnoea",
    )
    assert (found.score, found.method, found.ontology) == (0.9, "label", "o")


def test_attributes_are_not_assessed() -> None:
    (found,) = tag(TEXT, Found(Match(0, 19, (concept("dyspnoea"),), True)))
    assert found.negated is None
    assert found.possible is found.historical is found.hypothetical is None
    assert found.experiencer is found.cue is None


@pytest.mark.parametrize(
    ("better", "worse"), [("pref", "alt"), ("alt", "hidden"), ("hidden", "broad")]
)
def test_nearer_kind_of_label_scores_higher(better: str, worse: str) -> None:
    assert KIND_SCORES[better] > KIND_SCORES[worse]


def test_ambiguous_words_give_a_tag_for_each_concept() -> None:
    found = tag(TEXT, Found(Match(0, 19, (concept("b"), concept("a")), True)))
    assert [t.iri for t in found] == ["urn:a", "urn:b"]


def test_one_concept_by_two_labels_counts_once_with_the_better_kind() -> None:
    match = Match(0, 19, (concept("a", "hidden"), concept("a"), concept("a", "alt")), True)
    (found,) = tag(TEXT, Found(match))
    assert found.score == 1.0


def test_nested_tags_are_kept_and_marked() -> None:
    long = Match(0, 19, (concept("dyspnoea"),), True)
    short = Match(13, 19, (concept("breath"),), False)
    found = tag(TEXT, Found(short, long))
    assert [(t.text, t.displayed) for t in found] == [
        ("Shortness of breath", True),
        ("breath", False),
    ]


def test_real_index_finds_every_occurrence() -> None:
    breath = Concept("urn:b", "x:b", "Breath", (Label("breath", "en", "pref"),))
    index = LabelIndex.build([Ontology("o", "", "", "", "turtle", "0", {"urn:b": breath})])
    found = tag(TEXT, index)
    assert [(t.start, t.end) for t in found] == [(13, 19), (26, 32)]
    assert all(TEXT[t.start : t.end] == t.text for t in found)


def test_score_is_lower_the_further_the_words_are_from_the_label() -> None:
    near = Match(0, 19, (concept("a"),), True, "label", 1.0)
    far = Match(26, 32, (concept("a"),), True, "order", 0.85)
    found = tag(TEXT, Found(near, far))
    assert [(t.method, t.score) for t in found] == [("label", 1.0), ("order", 0.85)]


def test_abbreviations_that_the_text_defines_are_spelt_out() -> None:
    breath = Concept("urn:b", "x:b", "Shortness of breath", (Label("dyspnoea", "en", "alt"),))
    index = LabelIndex.build([Ontology("o", "", "", "", "turtle", "0", {"urn:b": breath})])
    text = "Dyspnoea on exertion (DOE). Dyspnoea (DY) again; DY since."
    found = tag(text, index)
    assert [(t.text, t.method) for t in found] == [
        ("Dyspnoea", "label"),
        ("Dyspnoea", "label"),
        ("DY", "abbreviation"),
        ("DY", "abbreviation"),
    ]
