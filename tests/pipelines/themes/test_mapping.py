"""Codebook first, corrections, stance and the queue, with the embedded model and bundled set."""

from __future__ import annotations

import pytest

from pipelines.bundled import load_bundled
from pipelines.learn.labeller import Labeller
from pipelines.themes.mapping import Correction, Mapper, missed
from pipelines.themes.queue import review_queue
from pipelines.themes.stance import count_stances, with_stance
from pipelines.themes.types import (
    NO_REASON,
    OTHER,
    Assignment,
    CodebookEntry,
    Method,
    Side,
)
from tests.pipelines.themes.collection import QUESTION, answers, encoder, said

CODEBOOK = (
    CodebookEntry("parking", "Parking charges", "Paying for parking in the town"),
    CodebookEntry("buses", "Bus services", "Buses, fares and timetables"),
)


@pytest.fixture(scope="module")
def mapped() -> list[Assignment]:
    return Mapper(CODEBOOK, encoder()).map(*said())


def test_statements_go_to_the_themes_of_the_codebook(mapped: list[Assignment]) -> None:
    best = {}
    for one in mapped:
        best.setdefault((one.document, one.start), one)
    right = sum(
        one.theme == ("parking" if one.document <= 10 else "buses")
        for one in best.values()
        if one.document <= 20
    )
    assert right >= 17
    assert {one.theme for one in mapped if one.document > 30} == {NO_REASON}
    assert all(one.method is Method.MAPPED for one in mapped)


def test_what_the_codebook_misses_is_left_for_discovery(mapped: list[Assignment]) -> None:
    statements, _ = said()
    left = missed(mapped, statements)
    trees = [row for row in left if 20 < statements[row].document <= 30]
    assert len(trees) >= 7
    assert len(trees) > 0.7 * len(left)


def test_a_correction_holds_for_its_words_and_bends_its_surroundings() -> None:
    statements, vectors = said()
    text = "Keep the park and its trees for wildlife"
    like = next(row for row, one in enumerate(statements) if "flowers and trees" in one.text)
    far = next(row for row, one in enumerate(statements) if "Sundays" in one.text)
    before = Mapper(CODEBOOK, encoder())
    after = Mapper(CODEBOOK, encoder(), [Correction(text, "parking", True)])
    rows = [like, far, next(r for r, one in enumerate(statements) if one.text == text)]
    texts, asked = [statements[r].text for r in rows], [QUESTION] * 3
    old = before.probabilities(texts, asked, vectors[rows])
    new = after.probabilities(texts, asked, vectors[rows])
    assert new[2, 0] == 1.0
    assert new[0, 0] > old[0, 0]
    assert new[1, 0] == pytest.approx(old[1, 0], abs=0.02)
    assert (new[:, 1] == old[:, 1]).all()
    refused = Mapper(CODEBOOK, encoder(), [Correction(statements[far].text, "buses", False)])
    assert refused.probabilities(texts, asked, vectors[rows])[1, 1] == 0.0


def test_an_example_draws_its_like() -> None:
    statements, vectors = said()
    plain = CodebookEntry("green", "Nature")
    shown = CodebookEntry("green", "Nature", examples=("More trees and flowers in the park",))
    row = next(r for r, one in enumerate(statements) if "flowers and trees" in one.text)
    values = [
        Mapper([*CODEBOOK, entry], encoder()).probabilities(
            [statements[row].text], [QUESTION], vectors[[row]]
        )[0, 2]
        for entry in (plain, shown)
    ]
    assert values[1] > values[0]


def test_an_empty_codebook_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Mapper([], encoder())


def test_stance_is_counted_by_answer_with_a_quote_of_each_side(mapped: list[Assignment]) -> None:
    labeller = Labeller(load_bundled("stance"), encoder())
    questions = {one.document: one.question for one in answers()}
    found = with_stance(mapped, questions, labeller)
    counts = count_stances(found)
    parking = counts["parking"]
    members = {one.document for one in found if one.theme == "parking"}
    assert sum(parking.counts.values()) == len(members)
    assert parking.counts[Side.AGAINST] > 0
    assert parking.counts[Side.FOR] > 0
    text = {one.document: one.text for one in answers()}
    for quote in parking.quotes.values():
        assert text[quote.document][quote.start : quote.end] == quote.text
    assert {one.stance for one in found if one.theme in (OTHER, NO_REASON)} == {""}
    assert {one.stance for one in with_stance(mapped, {}, labeller)} == {""}


def test_the_queue_shows_the_unsure_first_and_nothing_decided(mapped: list[Assignment]) -> None:
    vectors = encoder().encode([one.text for one in mapped])
    queue = review_queue(mapped, vectors, most=8)
    assert len(queue) == 8
    shown = [mapped[one.row] for one in queue]
    assert all(one.theme != NO_REASON for one in shown)
    assert queue[0].uncertainty > 0.3
    decided = [
        Assignment(*(getattr(one, f) for f in Assignment.__slots__[:6]), Method.PERSON)
        for one in mapped
    ]
    assert review_queue(decided, vectors) == []
