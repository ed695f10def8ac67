"""Campaigns and group summaries are stored whole, replaced whole, and counted on both bases."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import func, select

from db.models import Document
from db.rows import CampaignMemberRow, CampaignRow, GroupSentenceRow, GroupSummaryRow
from db.store import Store
from db.store.groups import counted_as
from db.types import utc_now
from tests.db.samples import collection, full, put, run_all

TEXTS = {"a": "Keep the park.", "b": "Keep the park!", "c": "Close it.", "d": "Keep the park…"}


def filled(store: Store) -> tuple[int, dict[str, int]]:
    here = collection(store).id
    put(store, here, TEXTS)
    run_all(store, here, result=lambda row: full(row.text))
    return here, {row.key: row.id for row in store.group_documents(here)}


def campaign(here: int, kind: str, *members: CampaignMemberRow) -> CampaignRow:
    return CampaignRow(
        0, here, kind, None, "Keep the park", "by hand", {"n": 2}, utc_now(), members
    )


def member(document: int, *own: tuple[int, int]) -> CampaignMemberRow:
    return CampaignMemberRow(document, 0.9, False, own)


def test_documents_come_with_their_sentences(store: Store) -> None:
    here, _ = filled(store)
    rows = list(store.group_documents(here))
    assert [(row.key, row.sentences) for row in rows] == [
        (key, ((0, len(text)),)) for key, text in TEXTS.items()
    ]


def test_campaigns_are_replaced_whole_and_keep_own_words(store: Store) -> None:
    here, ids = filled(store)
    store.save_campaigns(here, [campaign(here, "copy", member(ids["c"]), member(ids["d"]))])
    (row,) = store.save_campaigns(
        here, [campaign(here, "campaign", member(ids["a"], (0, 4)), member(ids["b"]))]
    )
    assert row.members[0].own == ((0, 4),)
    assert store.campaigns(here) == [row]
    assert store.campaigns(here, kind="copy") == []


def test_a_campaign_counts_once_and_a_respondent_does_not(store: Store) -> None:
    here, ids = filled(store)
    store.save_campaigns(
        here,
        [
            campaign(here, "campaign", member(ids["a"]), member(ids["b"]), member(ids["d"])),
            campaign(here, "respondent", member(ids["a"]), member(ids["c"])),
        ],
    )
    counted = store.counted_once(ids.values())
    assert len(set(counted.values())) == 2
    assert counted[ids["a"]] == counted[ids["b"]] == counted[ids["d"]] < 0
    assert counted[ids["c"]] == ids["c"]
    with store.reading() as connection:
        number = connection.scalar(select(func.count(counted_as(Document.id).distinct())))
    assert number == 2


def test_a_summary_replaces_that_of_the_same_subject_and_query(store: Store) -> None:
    here, ids = filled(store)
    sentence = GroupSentenceRow(1, ids["a"], 0, 14, TEXTS["a"], 0.5, "for", "summary")
    row = GroupSummaryRow(0, here, "theme", "parks", "", {"documents": 4}, utc_now(), (sentence,))
    first = store.save_group_summary(row)
    other = store.save_group_summary(replace(row, query="benches", sentences=()))
    second = store.save_group_summary(replace(row, details={"documents": 5}))
    assert first.sentences == second.sentences == (sentence,)
    assert store.group_summaries(here, kind="theme") == [second, other]
    assert store.group_summaries(here, subject="none") == []
