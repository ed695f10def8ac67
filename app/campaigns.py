"""Campaigns of a collection: found, stored, told, and counted once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from app.settings import Settings

if TYPE_CHECKING:
    from db.rows import CampaignRow, CollectionRow
    from db.store import Store


def voices(campaigns: Iterable[CampaignRow]) -> dict[int, int]:
    """Return for each document of a campaign or of copies the campaign that counts once."""
    from db.store.groups import COUNTED_ONCE

    return {
        member.document_id: campaign.id
        for campaign in campaigns
        if campaign.kind in COUNTED_ONCE
        for member in campaign.members
    }


def voice_of(campaigns: Mapping[int, int], document: int) -> str:
    """Return the voice that a document speaks with in a summary: its campaign's, or "" for its own."""
    return f"campaign {campaigns[document]}" if document in campaigns else ""


@dataclass(frozen=True, slots=True)
class Counts:
    """How many responses there are on both bases."""

    all_responses: int
    counted_once: int


@dataclass(frozen=True, slots=True)
class Found:
    """The campaigns of a collection, how they were found, and the counts on both bases."""

    collection: str
    method: str
    counts: Counts
    campaigns: tuple[CampaignRow, ...]
    warnings: tuple[str, ...] = ()


def find(settings: Settings, store: Store, collection: CollectionRow) -> Found:
    """Find the campaigns of a collection and put them in place of those stored before.

    The same texts give the same campaigns. Loads no model.
    """
    from app.reviews import graph_follows
    from db.rows import CampaignMemberRow, CampaignRow
    from db.types import utc_now
    from pipelines.campaigns import Answer, find_campaigns, method_text

    answers = [
        Answer(row.id, row.key, row.text, row.question or "", row.respondent)
        for row in store.group_documents(collection.id)
    ]
    made, method = utc_now(), method_text()
    rows = [
        CampaignRow(
            id=0,
            collection_id=collection.id,
            kind=campaign.kind,
            question=campaign.question or None,
            template=campaign.template,
            method=method,
            details={
                "documents": len(campaign.members),
                "exact": sum(member.exact for member in campaign.members),
                "with_own_words": sum(bool(member.own) for member in campaign.members),
                "respondent": campaign.respondent,
                "likely_one_person": campaign.likely_one_person,
            },
            created_at=made,
            members=tuple(
                CampaignMemberRow(member.document, member.likeness, member.exact, member.own)
                for member in campaign.members
            ),
        )
        for campaign in find_campaigns(answers)
    ]
    saved, warnings = graph_follows(
        settings, store, lambda: store.save_campaigns(collection.id, rows)
    )
    counts = count(store, [answer.document for answer in answers])
    return Found(collection.name, method, counts, tuple(saved), tuple(warnings))


def listed(store: Store, collection: CollectionRow) -> Found:
    """Return the campaigns that are stored, with the counts on both bases."""
    ids = [row.id for row in store.group_documents(collection.id)]
    rows = tuple(store.campaigns(collection.id))
    method = rows[0].method if rows else ""
    return Found(collection.name, method, count(store, ids), rows)


def count(store: Store, document_ids: Sequence[int]) -> Counts:
    """Return how many responses these documents are: all, and with campaigns counted once."""
    counted = store.counted_once(document_ids)
    return Counts(len(counted), len(set(counted.values())))


def own_words(row: CampaignRow) -> dict[int, tuple[tuple[int, int], ...]]:
    """Return, by document, (start, end) of what its sender added to the template: coded apart."""
    return {member.document_id: member.own for member in row.members}


def as_dict(found: Found, texts: dict[int, tuple[str, str]] | None = None) -> dict[str, Any]:
    """Return JSON-ready values; ``texts`` (document → key and text) adds keys and own words."""
    known = texts or {}
    campaigns = []
    for row in found.campaigns:
        values = asdict(row)
        values.pop("method")
        for member in values["members"]:
            key, text = known.get(member["document_id"], ("", ""))
            member["document"] = key
            member["own"] = [
                {"start": start, "end": end, "text": text[start:end]}
                for start, end in member["own"]
            ]
        campaigns.append(values)
    return {
        "collection": found.collection,
        "method": found.method,
        **asdict(found.counts),
        "campaigns": campaigns,
    }
