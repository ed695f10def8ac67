"""Discovery, description and what follows from them, on answers about three things."""

from __future__ import annotations

import numpy as np
import pytest

from ontology.index import LabelIndex
from ontology.model import Concept, Label, Ontology
from pipelines.themes.assign import coverage, found_assignments
from pipelines.themes.crosspoints import QuestionThemes, cross_points
from pipelines.themes.describe import concept_of, describe_themes
from pipelines.themes.discover import Found, find_themes
from pipelines.themes.saturation import saturation
from pipelines.themes.stability import stability
from pipelines.themes.types import NO_REASON, OTHER, Assignment, Method, Statement
from tests.pipelines.themes.collection import answers, encoder, said, shuffled


@pytest.fixture(scope="module")
def found() -> Found:
    return find_themes(*said(), themes=3)


def test_three_things_are_three_themes(found: Found) -> None:
    statements, _ = said()
    assert found.themes == 3
    kinds = {1: [], 2: [], 3: []}  # type: dict[int, list[int]]
    for one, theme in zip(statements, found.theme.tolist(), strict=True):
        if one.document <= 30:
            kinds[(one.document + 9) // 10].append(theme)
    most = [max(set(of_kind), key=of_kind.count) for of_kind in kinds.values()]
    assert len(set(most)) == 3
    right = sum(of_kind.count(theme) for of_kind, theme in zip(kinds.values(), most, strict=True))
    assert right >= 0.85 * sum(map(len, kinds.values()))


def test_every_statement_is_somewhere_with_a_confidence(found: Found) -> None:
    statements, _ = said()
    assert len(found.theme) == len(statements)
    assert set(found.theme.tolist()) <= {-2, -1, 0, 1, 2}
    assert ((found.score >= 0) & (found.score <= 1)).all()
    assert [one.document for one, t in zip(statements, found.theme, strict=True) if t == -2] == [
        31,
        32,
        33,
    ]
    assert found.coverage.silent == 3
    assert found.coverage.share >= 0.9


def test_the_order_of_statements_does_not_matter() -> None:
    statements, vectors = said()
    first = find_themes(statements, vectors)
    by_place = dict(zip(statements, zip(first.theme, first.score, strict=True), strict=True))
    for seed in (1, 2):
        other, moved = shuffled(seed)
        again = find_themes(other, moved)
        found = dict(zip(other, zip(again.theme, again.score, strict=True), strict=True))
        assert found == by_place
        assert describe_themes(other, moved, again) == describe_themes(statements, vectors, first)


def test_beyond_the_sample_others_follow_and_like_words_go_together() -> None:
    statements, vectors = said()
    twice = [
        *statements,
        *(
            Statement(one.document + 50, one.start, one.end, one.text, one.question, one.silent)
            for one in statements
        ),
    ]
    found = find_themes(twice, np.concatenate([vectors, vectors]), themes=3, sample=40)
    half = len(statements)
    assert found.theme[:half].tolist() == found.theme[half:].tolist()
    assert found.coverage.share >= 0.9


def test_titles_take_no_side_and_words_are_the_documents_own(found: Found) -> None:
    statements, vectors = said()
    themes = describe_themes(statements, vectors, found)
    everything = " ".join(one.text.lower() for one in statements)
    for theme in themes:
        assert all(phrase in everything for phrase in theme.phrases)
        assert theme.medoid.text in {one.text for one in statements}
        assert theme.description == f"About {', '.join(theme.phrases)}."
    titles = " ".join(theme.label.lower() for theme in themes)
    assert "parking" in titles
    assert "bus" in titles
    assert "tree" in titles
    assert not {"unfair", "disgrace", "friendly"} & set(titles.replace(",", "").split())
    assert len({theme.label for theme in themes}) == 3


def test_a_title_in_use_is_not_given_again_and_a_concept_is_looked_up(found: Found) -> None:
    statements, vectors = said()
    first = describe_themes(statements, vectors, found)[0]
    again = describe_themes(
        statements, vectors, found, taken=[first.label], concept=lambda p: f"urn:{p.split()[0]}"
    )[0]
    assert again.label != first.label
    assert again.concept == f"urn:{first.phrases[0].split()[0]}"


def test_the_nearest_concept_of_a_vocabulary_is_named(found: Found) -> None:
    labels = {"urn:parking": "parking charge", "urn:bus": "bus", "urn:tree": "tree"}
    concepts = {
        iri: Concept(iri, iri, label, (Label(label, "en", "pref"),))
        for iri, label in labels.items()
    }
    index = LabelIndex.build([Ontology("o", "", "", "", "turtle", "0", concepts)])
    look_up = concept_of(index)
    assert look_up("parking charges") == "urn:parking"
    assert look_up("the moon") == ""
    themes = describe_themes(*said(), found, concept=look_up)
    assert {theme.concept for theme in themes} >= {"urn:bus", "urn:tree"}


def test_assignments_are_verbatim_and_cover_all(found: Found) -> None:
    statements, vectors = said()
    themes = describe_themes(statements, vectors, found)
    assigned = found_assignments(statements, found, themes)
    text = {one.document: one.text for one in answers()}
    assert all(text[one.document][one.start : one.end] == one.text for one in assigned)
    assert coverage(assigned) == found.coverage
    assert {one.theme for one in assigned} <= {*(t.key for t in themes), OTHER, NO_REASON}


def test_few_and_none() -> None:
    statements, vectors = said()
    assert find_themes([], vectors[:0]).themes == 0
    assert find_themes(statements[-1:], vectors[-1:]).coverage.silent == 1
    assert find_themes(statements[:1], vectors[:1]).theme.tolist() == [0]
    assert find_themes(statements[:2], vectors[:2]).coverage.silent == 0


def test_stability_is_repeatable_and_high_for_clear_themes(found: Found) -> None:
    first = stability(*said(), found, runs=3)
    assert first == stability(*said(), found, runs=3)
    assert len(first.survival) == 3
    assert first.mean_rand > 0.5
    assert set(first.fragile) == {n for n, value in enumerate(first.survival) if value < 0.5}


def test_the_saturation_curve_rises_to_all_themes() -> None:
    def one(document: int, theme: str) -> Assignment:
        return Assignment(document, 0, 1, "x", theme, 1.0, Method.FOUND)

    rows = [one(n, "a") for n in range(50)] + [one(0, "b"), one(3, NO_REASON)]
    found = saturation(rows, 100)
    assert found.curve[0] == (0, 0.0)
    assert found.curve[-1] == (100, 2.0)
    # "a" after one answer with a chance of a half, "b" of a hundredth
    assert dict(found.curve)[50] == pytest.approx(1.5, abs=0.01)
    assert found.enough == 90
    with pytest.raises(ValueError, match="expected 50"):
        saturation(rows, 10)


def test_a_point_made_under_another_question_is_named() -> None:
    statements, vectors = said()
    parking = [n for n, one in enumerate(statements) if one.document <= 10]
    buses = [n for n, one in enumerate(statements) if 10 < one.document <= 20]

    def part(question: str, rows: list[int], theme: str) -> QuestionThemes:
        assigned = [
            Assignment(
                statements[n].document,
                statements[n].start,
                statements[n].end,
                statements[n].text,
                theme,
                0.9,
                Method.FOUND,
            )
            for n in rows
        ]
        return QuestionThemes(question, assigned, vectors[rows])

    stray = buses[2]
    found = cross_points(
        [
            part("Q3", [*parking, stray], "parking"),
            part("Q7", [n for n in buses if n != stray], "buses"),
        ]
    )
    assert stray in [
        n for n, one in enumerate(statements) if one.document == found[0].assignment.document
    ]
    assert (found[0].question, found[0].theme) == ("Q7", "buses")
    assert cross_points([]) == []


def test_vectors_are_those_of_the_encoder() -> None:
    from pipelines.themes.known import KnownVectors

    statements, vectors = said()
    texts = [one.text for one in statements]
    known = KnownVectors(encoder(), texts, vectors)
    asked = ["A new text", texts[4], texts[0]]
    assert np.allclose(known.encode(asked), encoder().encode(asked), atol=1e-5)
    assert known.dimensions == encoder().dimensions
