"""A small workspace for the ready questions: sample answers tagged twice, and what people add."""

from __future__ import annotations

import csv
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, delete, select

from db.models import (
    Campaign,
    CampaignMember,
    Codebook,
    CodebookVersion,
    Result,
    ReviewDecision,
    Theme,
    ThemeAssignment,
    ThemeState,
)
from db.models import Tag as TagTable
from db.store import Store
from db.store.access import insert_all

WHEN = datetime(2026, 5, 4, 9, tzinfo=UTC)
CARVER, MASON = "A. Carver", "B. Mason"
MOST = 14
SAMPLES = files("app") / "samples"


def make_workspace(florilegium: Callable[..., Any], folder: Path) -> None:
    """Tag a few answers of the sample consultation with its vocabulary, by two recipes."""
    vocabulary = folder / "council.ttl"
    vocabulary.write_bytes((SAMPLES / "ontologies" / "council-services.ttl").read_bytes())
    source = SAMPLES / "consultation" / "active-travel-consultation.csv"
    rows = list(csv.reader(source.read_text("utf-8").splitlines()))
    reason = len(rows[0]) - 1
    answers = folder / "answers.csv"
    with answers.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["Respondent ID", "Date submitted", "Please give your reason"])
        written = [row for row in rows[1:] if len(row[reason]) > 60][:MOST]
        for number, row in enumerate(written):
            writer.writerow([row[0], f"{4 + number:02d}/11/{2023 + number % 3}", row[reason]])
    commands = (
        ("ontology", "add", vocabulary, "--id", "council"),
        ("run", answers, "--collection", "answers", "--ontology", "council"),
        ("run", "--collection", "answers", "--recipe", "consultation"),
    )
    for command in commands:
        answer = florilegium(*command)
        assert answer.code == 0, answer.err


def add_people(store: Store) -> None:
    """Decide about tags, code statements with themes, and make two campaigns."""
    with store.writing() as connection:
        tags = connection.execute(
            select(
                TagTable.result_id, Result.document_id, TagTable.ontology, TagTable.iri,
                TagTable.start, TagTable.end, TagTable.text,
            )
            .join(Result, Result.id == TagTable.result_id)
            .where(Result.current, TagTable.displayed)
            .order_by(TagTable.id)
        ).all()  # fmt: skip
        _forget_some(connection)
        documents = sorted({tag.document_id for tag in tags})
        assert len(documents) > 5, documents
        _decisions(connection, tags)
        _themes(connection, documents)
        for id, kind in enumerate(("campaign", "copy", "respondent"), 1):
            campaign: dict[str, Any] = {"id": id, "collection_id": 1, "kind": kind, "method": "x"}
            campaign |= {"question": None, "template": "T", "details": {}, "created_at": WHEN}
            insert_all(connection, Campaign, [campaign])
            members = documents[3 * id - 3 : 3 * id] if kind != "respondent" else documents[:2]
            for document in members:
                member = {"campaign_id": id, "document_id": document, "likeness": 0.9}
                insert_all(connection, CampaignMember, [member | {"exact": False, "own": []}])


def _forget_some(connection: Connection) -> None:
    """Take every third tag of the first run away, so that the two runs disagree."""
    first = select(Result.id).where(Result.run_id == 1)
    tags = select(TagTable.id).where(TagTable.result_id.in_(first)).order_by(TagTable.id)
    gone = connection.scalars(tags).all()[::3]
    connection.execute(delete(TagTable).where(TagTable.id.in_(gone)))


def _decisions(connection: Connection, tags: Any) -> None:
    """Accept, reject and correct tags in turn; one tag has two opinions, one an earlier one."""
    verdicts = ("accepted", "rejected", "accepted", "corrected")
    for id, tag in enumerate(tags[:9], 1):
        verdict = verdicts[id % 4]
        new = {"scheme": tag.ontology, "item": tags[-1].iri, "text": tag.text}
        new |= {"start": tag.start, "end": tag.end}
        _decide(
            connection, id, tag, "tag", tag.ontology, tag.iri, verdict,
            replacement=new if verdict == "corrected" else {},
        )  # fmt: skip
    _decide(connection, 10, tags[0], "tag", tags[0].ontology, tags[0].iri, "rejected", MASON)
    _decide(
        connection, 11, tags[4], "tag", tags[4].ontology, tags[4].iri, "rejected", current=False
    )
    _decide(connection, 12, tags[5], "tag", tags[5].ontology, tags[-1].iri, "added")
    _decide(connection, 13, tags[0], "theme", "matters", "t2", "rejected", at=(0, 20))


def _decide(
    connection: Connection,
    id: int,
    tag: Any,
    kind: str,
    scheme: str,
    item: str,
    verdict: str,
    reviewer: str = CARVER,
    *,
    current: bool = True,
    replacement: dict[str, Any] | None = None,
    at: tuple[int, int] | None = None,
) -> None:
    start, end = at or (tag.start, tag.end)
    row = {
        "id": id, "collection_id": 1, "document_id": tag.document_id, "kind": kind,
        "scheme": scheme, "item": item, "start": start, "end": end, "text": tag.text,
        "verdict": verdict, "replacement": replacement or {}, "reviewer": reviewer, "reason": "",
        "created_at": WHEN, "current": current, "result_id": tag.result_id, "run_id": None,
    }  # fmt: skip
    insert_all(connection, ReviewDecision, [row])


def _themes(connection: Connection, documents: list[int]) -> None:
    """Code the beginning of every document; theme 3 is under theme 1."""
    book = {"id": 1, "collection_id": 1, "name": "matters", "question": None, "version": 1}
    insert_all(connection, Codebook, [book | {"created_at": WHEN}])
    version = {"codebook_id": 1, "number": 1, "action": "found", "detail": {}, "author": CARVER}
    insert_all(connection, CodebookVersion, [version | {"created_at": WHEN, "signed_off_by": ""}])
    for id, parent in ((1, None), (2, None), (3, 1)):
        theme = {"id": id, "codebook_id": 1, "key": f"t{id}", "kind": "theme"}
        insert_all(connection, Theme, [theme])
        state = {"theme_id": id, "since": 1, "until": None, "label": f"Matter {id}"}
        state |= {"description": "", "parent_id": parent, "concept": "", "origin": "found"}
        insert_all(connection, ThemeState, [state | {"details": {}}])
    stances = ("for", "against", "")
    rows = [
        {"id": id, "theme_id": theme, "document_id": document, "start": 0, "end": 20,
         "text": "x", "score": 0.5, "stance": stances[id % 3], "method": "found", "since": 1,
         "until": None}
        for id, (document, theme) in enumerate(
            ((document, 1 + (document + more) % 3) for document in documents for more in (0, 1)), 1
        )
    ]  # fmt: skip
    insert_all(connection, ThemeAssignment, rows)
