"""What people and groups might add to any workspace, as rows: for tests of the graph."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from db.models import (
    Campaign,
    CampaignMember,
    Codebook,
    CodebookVersion,
    GroupSummary,
    GroupSummarySentence,
    ReviewDecision,
    Theme,
    ThemeAssignment,
    ThemeState,
)
from db.rows import GraphDocumentRow
from db.store import Store
from db.store.access import insert_all

WHEN = datetime(2026, 4, 1, 9, 30, tzinfo=UTC)
VERDICTS = ("accepted", "rejected", "corrected")


def add_people(store: Store) -> None:
    """Add, to every collection, decisions, a codebook with codings, a campaign and a summary."""
    with store.graph_view() as view:
        owners = {row.id: row for row in view.collections}
        documents = list(view.documents)
    rows: dict[type[Any], list[dict[str, Any]]] = {}
    for number, id in enumerate(sorted(owners), 1):
        own = [row for row in documents if row.collection_id == id]
        _codebook(rows, number, id)
        for document in own:
            _decisions(rows, number, document)
            _coding(rows, number, document)
        _groups(rows, number, id, own)
    with store.writing() as connection:
        for model, found in rows.items():
            insert_all(connection, model, found)


def _codebook(rows: dict[type[Any], list[dict[str, Any]]], number: int, collection: int) -> None:
    rows.setdefault(Codebook, []).append(
        {"id": number, "collection_id": collection, "name": "matters", "question": None}
        | {"version": 2, "created_at": WHEN}
    )
    for version, action in ((1, "found"), (2, "renamed")):
        rows.setdefault(CodebookVersion, []).append(
            {"codebook_id": number, "number": version, "action": action, "detail": {}}
            | {"author": "A. Carver", "created_at": WHEN, "signed_off_by": ""}
        )
    for place, kind in enumerate(("theme", "theme", "other")):
        id = 3 * number + place
        rows.setdefault(Theme, []).append(
            {"id": id, "codebook_id": number, "key": f"t{place}", "kind": kind}
        )
        for since, until in ((1, 2), (2, None)):
            rows.setdefault(ThemeState, []).append(
                {"theme_id": id, "since": since, "until": until, "label": f"Matter {id}/{since}"}
                | {"description": "", "parent_id": 3 * number if place == 1 else None}
                | {"concept": "", "origin": "found", "details": {}}
            )


def _decisions(
    rows: dict[type[Any], list[dict[str, Any]]], number: int, document: GraphDocumentRow
) -> None:
    """Decide about the first three tags, the first label and one coding, and add a tag."""
    found = rows.setdefault(ReviewDecision, [])
    current = [result for result in document.results if result.current]
    if not current:
        return
    result = current[0]
    about: list[tuple[str, str, str, int, int, str, str]] = [
        ("tag", tag.ontology, tag.iri, tag.start, tag.end, tag.text, VERDICTS[place])
        for place, tag in enumerate(result.tags[:3])
    ]
    about += [
        ("label", x.set, x.label, x.start, x.end, x.text, "accepted") for x in result.labels[:1]
    ]
    about += [("summary", "", "", s.start, s.end, s.text, "rejected") for s in result.summary[:1]]
    about += [
        ("theme", "matters", "t1", s.start, s.end, s.text, "added") for s in result.summary[:1]
    ]
    for kind, scheme, item, start, end, text, verdict in about:
        replacement = {"scheme": scheme, "item": item, "start": start, "end": end, "text": text}
        found.append(
            {"id": len(found) + 1, "collection_id": document.collection_id, "kind": kind}
            | {"document_id": document.id, "scheme": scheme, "item": item, "start": start}
            | {"end": end, "text": text, "verdict": verdict, "reviewer": "A. Carver"}
            | {"replacement": replacement if verdict == "corrected" else {}}
            | {"reason": "as read", "created_at": WHEN, "current": len(found) % 7 != 6}
            | {"result_id": result.id, "run_id": result.run_id}
        )


def _coding(
    rows: dict[type[Any], list[dict[str, Any]]], number: int, document: GraphDocumentRow
) -> None:
    found = rows.setdefault(ThemeAssignment, [])
    for result in document.results:
        for place, sentence in enumerate(result.summary[:2]):
            found.append(
                {"id": len(found) + 1, "theme_id": 3 * number + place, "start": sentence.start}
                | {"document_id": document.id, "end": sentence.end, "text": sentence.text}
                | {"score": 0.6, "stance": ("for", "")[place], "method": "found", "since": 1}
                | {"until": None}
            )


def _groups(
    rows: dict[type[Any], list[dict[str, Any]]],
    number: int,
    collection: int,
    documents: list[GraphDocumentRow],
) -> None:
    """Make the first three documents a campaign, the first of them alone another."""
    for id, kind, size in ((2 * number, "campaign", 3), (2 * number + 1, "copy", 1)):
        rows.setdefault(Campaign, []).append(
            {"id": id, "collection_id": collection, "kind": kind, "question": None}
            | {"template": "Dear council,", "method": "shingles", "details": {}}
            | {"created_at": WHEN}
        )
        for document in documents[:size]:
            rows.setdefault(CampaignMember, []).append(
                {"campaign_id": id, "document_id": document.id, "likeness": 0.75}
                | {"exact": False, "own": []}
            )
    said = [
        (document.id, sentence)
        for document in documents
        for result in document.results
        for sentence in result.summary[:1]
    ][:4]
    for id, kind, subject in ((2 * number, "theme", "t0"), (2 * number + 1, "series", "R1")):
        rows.setdefault(GroupSummary, []).append(
            {"id": id, "collection_id": collection, "kind": kind, "subject": subject}
            | {"query": "", "details": {}, "created_at": WHEN}
        )
        for rank, (document_id, sentence) in enumerate(said, 1):
            rows.setdefault(GroupSummarySentence, []).append(
                {"summary_id": id, "rank": rank, "document_id": document_id, "score": 0.5}
                | {"start": sentence.start, "end": sentence.end, "text": sentence.text}
                | {"stance": "", "role": "summary"}
            )
