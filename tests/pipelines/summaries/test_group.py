"""Sentences of a group are verbatim, balanced, about the query, permitted, and the same in any order."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from pipelines.recipes import SummariseParameters
from pipelines.segment import segment
from pipelines.stages.encode import Encoder
from pipelines.summaries import GroupSummary, Kind, Length, Said
from pipelines.summaries import rules as rules_module
from pipelines.summaries.group import summarise_group

PARKING = (
    "The car park is always full.",
    "Please build a second car park.",
    "Parking costs too much.",
)
STAFF = (
    "The staff were kind and patient.", "All the staff were kind to my mother.",
    "Staff were friendly and kind.", "The staff were kind but far too few.",
)  # fmt: skip
PARAMETERS = SummariseParameters()


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder(threads=1)


def said(number: int, text: str, stance: str = "", **more: str) -> Said:
    spans = tuple((one.start, one.end) for one in segment(text))
    return Said(
        number, f"k{number:03}", text, spans, (stance,) * len(spans) if stance else (), **more
    )


GROUP = [said(n, text) for n, text in enumerate((*STAFF, *PARKING))]


def summary(encoder: Encoder, group: list[Said], length: Length, **more: object) -> GroupSummary:
    return summarise_group(lambda: group, encoder, PARAMETERS, length, **more)  # type: ignore[arg-type]


def test_sentences_are_verbatim_and_counted(encoder: Encoder) -> None:
    found = summary(encoder, GROUP, Length(sentences=3), quotes=2)
    texts = {one.document: one.text for one in GROUP}
    assert all(texts[one.document][one.start : one.end] == one.text for one in found.sentences)
    assert (found.documents, found.statements) == (7, 7)
    assert [one.rank for one in found.sentences if one.kind is Kind.SUMMARY] == [1, 2, 3]


def test_the_order_of_documents_does_not_matter(encoder: Encoder) -> None:
    first = summary(encoder, GROUP, Length(sentences=4), quotes=2)
    for seed in range(3):
        shuffled = GROUP[:]
        random.Random(seed).shuffle(shuffled)
        assert summary(encoder, shuffled, Length(sentences=4), quotes=2) == first


def test_a_query_gets_only_what_is_about_it(encoder: Encoder) -> None:
    found = summary(encoder, GROUP, Length(sentences=5), query="What do they say about parking?")
    assert {one.text for one in found.sentences} == set(PARKING)
    nothing = summary(encoder, GROUP, Length(sentences=5), query="quantum chromodynamics")
    assert nothing.sentences == ()
    assert nothing.reason == "nothing is said about it"


@pytest.mark.parametrize(("length", "most"), [(Length(words=9), 9), (Length(share=0.3), 13)])
def test_words_and_share_bound_the_length(encoder: Encoder, length: Length, most: int) -> None:
    found = summary(encoder, GROUP, length)
    assert 0 < sum(len(one.text.split()) for one in found.sentences) <= most


def test_a_divided_group_hears_both_sides(encoder: Encoder) -> None:
    favour = [said(n, text, "for") for n, text in enumerate(STAFF * 2)]
    against = [said(20 + n, text, "against") for n, text in enumerate(PARKING)]
    found = summary(encoder, [*favour, *against], Length(sentences=2))
    assert {one.stance for one in found.sentences} == {"for", "against"}
    one_sided = summary(encoder, [*favour, said(30, "Bins smell.", "against")], Length(sentences=2))
    assert {one.stance for one in one_sided.sentences} == {"for"}


def test_what_is_not_permitted_is_left_out_and_counted(encoder: Encoder) -> None:
    found = summary(
        encoder,
        GROUP,
        Length(sentences=7),
        permits=lambda one: "refused" if one.document < 3 else "",
    )
    assert {one.document for one in found.sentences} == {3, 4, 5, 6}
    assert found.left_out == {"refused": 3}


def test_a_campaigns_copies_are_one_voice(encoder: Encoder) -> None:
    letter = "Stop the incinerator at Ashby now."
    copies = [said(100 + n, letter, voice="campaign 1") for n in range(30)]
    own = [replace(one, voice="") for one in copies]
    alone = summary(encoder, [*GROUP, *copies], Length(sentences=1))
    many = summary(encoder, [*GROUP, *own], Length(sentences=1))
    assert "staff" in alone.sentences[0].text
    assert many.sentences[0].text == letter


def test_notes_come_in_time_order(encoder: Encoder) -> None:
    notes = [
        said(1, "Chest pain has settled.", time="2024-03-02"),
        said(2, "Admitted with chest pain.", time="2024-03-01"),
        said(3, "Discharged home on aspirin.", time="2024-03-04"),
    ]
    found = summary(encoder, notes, Length(sentences=3), by_time=True)
    assert [one.document for one in found.sentences] == [2, 1, 3]


def test_a_long_text_is_heard_part_by_part(
    encoder: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = replace(rules_module.group_rules(), part=10, part_sends=2, candidates=12)
    monkeypatch.setattr("pipelines.summaries.group.group_rules", lambda: small)
    text = " ".join(f"Point {n} is that road {n} floods in spring." for n in range(60))
    found = summary(encoder, [said(0, text)], Length(sentences=6))
    assert found.statements == 60
    assert all(text[one.start : one.end] == one.text for one in found.sentences)
    assert len({one.start // (len(text) // 6 + 1) for one in found.sentences}) >= 3


def test_no_text_gives_a_reason(encoder: Encoder) -> None:
    assert summary(encoder, [], Length()).reason == "there is no statement"
