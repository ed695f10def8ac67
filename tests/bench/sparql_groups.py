"""What people and groups add to the made-up workspace: decisions, themes, campaigns, summaries."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, select

from db.models import (
    Campaign,
    CampaignMember,
    Codebook,
    CodebookVersion,
    Document,
    GroupSummary,
    GroupSummarySentence,
    ReviewDecision,
    Theme,
    ThemeAssignment,
    ThemeState,
)
from db.models import Tag as TagTable
from db.store.access import insert_all

THEMES = 30
STANCES = ("for", "against", "mixed", "neither", "")
REVIEWERS = ("A. Carver", "B. Mason", "C. Weaver")
WHEN = datetime(2025, 6, 2, 9, tzinfo=UTC)
_EVERY, _SIZE = 100, 10


def campaign_of(document: int) -> int:
    """Return the number of the campaign that ``document`` belongs to, 0 for none.

    The first ten of every hundred documents are one campaign; every fourth one is of plain copies.
    """
    return 1 + (document - 1) // _EVERY if (document - 1) % _EVERY < _SIZE else 0


def fill(connection: Connection, documents: int, chance: random.Random) -> None:
    """Insert a tenth of the documents in decisions and as many coded statements as documents."""
    _decisions(connection, documents, chance)
    _themes(connection, documents, chance)
    _campaigns(connection, documents, chance)
    _summaries(connection, documents, chance)


def _decisions(connection: Connection, documents: int, chance: random.Random) -> None:
    """Decide about the first tag of the current result of every tenth document."""
    columns = (TagTable.ontology, TagTable.iri, TagTable.start, TagTable.end, TagTable.text)
    rows = []
    for id, document in enumerate(range(1, documents + 1, 10), 1):
        first = 2 * document * 6 - 5  # the tags of result 2 * document are numbered from here
        query = select(*columns).where(TagTable.id == first)
        scheme, item, start, end, text = connection.execute(query).one()
        (verdict,) = chance.choices(("accepted", "rejected", "corrected"), (6, 3, 1))
        replacement: dict[str, Any] = {"scheme": scheme, "item": item[:-4] + "0007"}
        replacement |= {"start": start, "end": end, "text": text}
        rows.append(
            {
                "id": id, "collection_id": 1, "document_id": document, "kind": "tag", "scheme": scheme, "item": item,
                "start": start, "end": end, "text": text, "verdict": verdict,
                "replacement": replacement if verdict == "corrected" else {},
                "reviewer": REVIEWERS[id % 3], "reason": "" if verdict == "accepted" else "as read",
                "created_at": WHEN + timedelta(minutes=id), "current": True, "result_id": 2 * document,
                "run_id": 2,
            }
        )  # fmt: skip
    insert_all(connection, ReviewDecision, rows)


def _themes(connection: Connection, documents: int, chance: random.Random) -> None:
    insert_all(
        connection,
        Codebook,
        [
            {
                "id": 1,
                "collection_id": 1,
                "name": "matters",
                "question": None,
                "version": 1,
                "created_at": WHEN,
            }
        ],
    )
    insert_all(
        connection,
        CodebookVersion,
        [
            {"codebook_id": 1, "number": 1, "action": "found", "detail": {}, "author": "A. Carver"}
            | {"created_at": WHEN, "signed_off_by": ""}
        ],
    )
    kinds = ["theme"] * (THEMES - 2) + ["other", "no-reason"]
    insert_all(
        connection,
        Theme,
        [
            {"id": n, "codebook_id": 1, "key": f"t{n}", "kind": kind}
            for n, kind in enumerate(kinds, 1)
        ],
    )
    insert_all(
        connection,
        ThemeState,
        [
            {
                "theme_id": n,
                "since": 1,
                "until": None,
                "label": f"Matter {n}",
                "description": f"About {n}",
            }
            | {"parent_id": 1 + n % 5 if 5 < n <= THEMES - 2 else None, "concept": ""}
            | {"origin": "found", "details": {}}
            for n in range(1, THEMES + 1)
        ],
    )
    insert_all(connection, ThemeAssignment, list(_coded(connection, documents, chance)))


def _coded(
    connection: Connection, documents: int, chance: random.Random
) -> Iterator[dict[str, Any]]:
    """Code the first sentence of every document, as the summary of the texts' own words."""
    for id, text in connection.execute(select(Document.id, Document.text).order_by(Document.id)):
        end = text.index(".") + 1
        yield {
            "id": id, "theme_id": 1 + chance.randrange(THEMES), "document_id": id, "start": 0, "end": end,
            "text": text[:end], "score": round(0.4 + chance.random() / 2, 4),
            "stance": chance.choice(STANCES), "method": "found", "since": 1, "until": None,
        }  # fmt: skip


def _campaigns(connection: Connection, documents: int, chance: random.Random) -> None:
    last = campaign_of(1 + (documents - 1) // _EVERY * _EVERY)
    insert_all(
        connection,
        Campaign,
        [
            {"id": n, "collection_id": 1, "kind": "campaign" if n % 4 else "copy", "question": None}
            | {"template": f"Template {n}", "method": "shingles", "details": {}, "created_at": WHEN}
            for n in range(1, last + 1)
        ],
    )
    insert_all(
        connection,
        CampaignMember,
        [
            {
                "campaign_id": campaign,
                "document_id": n,
                "likeness": 1.0 if campaign % 4 == 0 else 0.7,
            }
            | {"exact": campaign % 4 == 0, "own": []}
            for n in range(1, documents + 1)
            if (campaign := campaign_of(n))
        ],
    )


def _summaries(connection: Connection, documents: int, chance: random.Random) -> None:
    """Summarise the collection and each theme in five sentences."""
    subjects = [("collection", ""), *(("theme", f"t{n}") for n in range(1, THEMES + 1))]
    insert_all(
        connection,
        GroupSummary,
        [
            {
                "id": n,
                "collection_id": 1,
                "kind": kind,
                "subject": subject,
                "query": "",
                "details": {},
            }
            | {"created_at": WHEN}
            for n, (kind, subject) in enumerate(subjects, 1)
        ],
    )
    rows = []
    for summary in range(1, len(subjects) + 1):
        for rank in range(1, 6):
            document = 1 + chance.randrange(documents)
            text = connection.execute(
                select(Document.text).where(Document.id == document)
            ).scalar_one()
            end = text.index(".") + 1
            rows.append(
                {
                    "summary_id": summary,
                    "rank": rank,
                    "document_id": document,
                    "start": 0,
                    "end": end,
                }
                | {"text": text[:end], "score": 0.5, "stance": "", "role": "summary"}
            )
    insert_all(connection, GroupSummarySentence, rows)
