"""``documents`` and ``document``: what is in a collection."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from app.cli.options import global_options, json_option, settings
from app.cli.output import line_width, note, plain, print_json, print_table, table_lines
from app.words import (
    TAG_COLUMNS,
    UNTOUCHED,
    facts_from_file,
    noticed,
    outcome_words,
    tag_rows,
)

if TYPE_CHECKING:
    from db.rows import DecisionRow, DocumentSummary

TEXT = 60
"""Columns of text of a listing where there is room for them."""
LEAST_TEXT = 20
QUESTION = 30
REASON = 48
OUTCOMES = ("processed", "partial", "empty", "other_language", "skipped", "failed")


@click.command()
@click.argument("collection")
@click.option("--concept", metavar="IRI", help="Only those tagged with it or anything narrower.")
@click.option("--label", help="Only those with this label.")
@click.option("--outcome", type=click.Choice(OUTCOMES), help="Only those that ended so.")
@click.option("--containing", metavar="TEXT", help="Only those whose text contains TEXT.")
@click.option("--offset", default=0, show_default=True, type=click.IntRange(0, 2**31))
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1, 10_000))
@json_option
@global_options
def documents(
    collection: str,
    concept: str | None,
    label: str | None,
    outcome: str | None,
    containing: str | None,
    offset: int,
    limit: int,
    as_json: bool,
) -> None:
    """List the documents of a collection."""
    from app.workspace import open_store

    store = open_store(settings())
    page = store.documents_page(
        store.collection(collection).id,
        offset=offset,
        limit=limit,
        concept_iri=concept,
        label=label,
        outcome=outcome,
        text_like=containing,
    )
    if as_json:
        print_json({"documents": page.rows, "total": page.total, "offset": offset})
        return
    for line in document_lines(page.rows):
        click.echo(line)
    if not page.rows:
        note(f"No document to show: {page.total:,} in {collection!r} fit what was asked for.")
    if page.total > offset + len(page.rows):
        click.echo(f"{page.total:,} in all; the next ones: --offset {offset + len(page.rows)}")


@click.command()
@click.argument("identifier", metavar="ID")
@click.option("--collection", help="Collection, where the key occurs in several.")
@json_option
@global_options
def document(identifier: str, collection: str | None, as_json: bool) -> None:
    """Show a document with its summary, labels and tags (ID: its key or number)."""
    from app.workspace import open_store

    store = open_store(settings())
    detail = store.document(
        int(identifier) if identifier.isdecimal() else identifier, collection=collection
    )
    shown = document_json(detail, store.decisions(document_id=detail.document.id))
    if as_json:
        print_json(shown)
        return
    place = shown["locator"].split(", column")[0] if shown["question"] else shown["locator"]
    head = f"{shown['document']}  ({shown['collection']}, {shown['path']}, {place})"
    click.echo(plain(" ".join(head.split("\n"))))
    for name, value in document_facts(shown):
        click.echo(plain(f"{' '.join(name.split())}: {' '.join(value.split())}"))
    if from_file := facts_from_file(shown["metadata"]):
        click.echo("From the file:")
    for name, value in from_file:
        click.echo(plain(f"  {' '.join(name.split())}: {' '.join(value.split())}"))
    click.echo(f"\n{plain(shown['text'])}\n")
    for name, columns in (
        ("summary", ("rank", "start", "end", "text")),
        ("labels", ("label", "score", "assigned", "start", "end", "text")),
        ("tags", TAG_COLUMNS),
    ):
        if shown[name]:
            click.echo(f"{name}:")
            rows = tag_rows(shown[name]) if name == "tags" else shown[name]
            print_table(columns, [[entry[column] for column in columns] for entry in rows])
            click.echo("")
    if shown["decisions"]:
        click.echo("decisions:")
        names = ("kind", "item", "start", "end", "verdict", "reviewer", "reason")
        print_table(names, [[each[name] for name in names] for each in shown["decisions"]])
        click.echo("")


def document_lines(rows: Sequence[DocumentSummary]) -> Iterator[str]:
    """Yield a listing; keys are whole, to be copied, and the rest fits the terminal if it can.

    Columns that say nothing of these documents are left out, and on a narrow terminal the reasons
    and the questions: ``document`` and --json have them.
    """
    columns: list[tuple[str, list[str] | list[int], int]] = [
        ("document", [row.key for row in rows], 0),
        ("outcome", [outcome_words(row.outcome) for row in rows], 0),
    ]
    if any(row.respondent and row.respondent not in row.key for row in rows):
        columns.append(("respondent", [row.respondent for row in rows], QUESTION))
    if len({row.question for row in rows}) > 1:
        columns.append(("question", [row.question or "" for row in rows], QUESTION))
    if any(row.reason for row in rows):
        columns.append(("why", [row.reason for row in rows], REASON))
    if any(row.flags for row in rows):
        columns.append(("noticed", [noticed(row.flags, short=True) for row in rows], 0))
    width = line_width()
    columns += [
        ("labels", [", ".join(row.labels) for row in rows], width // 5 if width else TEXT),
        ("tags", [row.tags for row in rows], 0),
    ]
    most = max((len(row.key) for row in rows), default=TEXT)
    room = TEXT
    for spared in ("", "why", "question"):
        if width is None:
            break
        columns = [column for column in columns if column[0] != spared]
        room = width - sum(2 + _widest(*column) for column in columns)
        if room >= LEAST_TEXT:
            break
    columns.append(("text", [row.excerpt for row in rows], min(TEXT, max(LEAST_TEXT, room))))
    yield from table_lines(
        [name for name, _, _ in columns],
        zip(*(cells for _, cells, _ in columns), strict=True),
        width=[limit or most for _, _, limit in columns],
    )


def _widest(name: str, cells: Sequence[Any], limit: int) -> int:
    widest = max([len(name), *(len(str(cell)) for cell in cells)])
    return min(widest, limit) if limit else widest


def document_facts(shown: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what is known of a document beside its text, by name: one line each."""
    if shown["question"]:
        yield "Question", shown["question"]
    if shown["respondent"]:
        yield "Respondent", shown["respondent"]
    outcome, reason = shown["outcome"], shown["reason"] or shown["aside"]
    told = outcome_words(outcome) + (f" ({reason})" if reason else "")
    repeats = "; it repeats an earlier text" if shown["duplicate"] else ""
    untouched = f". {UNTOUCHED[outcome]}" if outcome in UNTOUCHED else ""
    yield "Outcome", f"{told}{repeats}{untouched}"
    if shown["flags"]:
        yield "Noticed", noticed(shown["flags"])


def document_json(detail: Any, decisions: Sequence[DecisionRow] = ()) -> dict[str, Any]:
    """Return the JSON form of a document: the keys of the command-line contract.

    Beside a tag, label or sentence that was decided about stands the newest ``decision``; all of
    them, with what was added, are in ``decisions``.
    """
    row, result = detail.document, detail.result
    newest = {_about(each): each for each in decisions}

    def decided(kind: str, scheme: str, item: str, part: Any) -> dict[str, Any]:
        place = (0, 0) if kind == "label" else (part.start, part.end)
        found = newest.get((kind, scheme, item, *place))
        return asdict(part) | {"decision": _decision(found) if found else None}

    return {
        "id": row.id,
        "document": row.key,
        "collection": detail.collection.name,
        "path": detail.path,
        "locator": row.locator,
        "question": row.question,
        "respondent": row.respondent,
        "flags": list(row.flags),
        "aside": row.aside,
        "metadata": dict(row.metadata),
        "sha256": row.sha256,
        "outcome": result.outcome if result else None,
        "reason": result.reason if result else "",
        "duplicate": bool(result and result.duplicate),
        "run": result.run_id if result else None,
        "fingerprint": result.fingerprint if result else None,
        "text": row.text,
        "summary": [decided("summary", "", "", x) for x in result.summary] if result else [],
        "labels": [decided("label", x.set, x.label, x) for x in result.labels] if result else [],
        "tags": [decided("tag", x.ontology, x.iri, x) for x in result.tags] if result else [],
        "decisions": [
            {name: getattr(each, name) for name in ("id", "kind", "scheme", "item", "start", "end")}
            | {"text": each.text, "replacement": dict(each.replacement)}
            | _decision(each)
            for each in decisions
        ],
    }


def _about(decision: DecisionRow) -> tuple[str, str, str, int, int]:
    """Return what a decision is about; one about a label is about the whole document."""
    place = (0, 0) if decision.kind == "label" else (decision.start, decision.end)
    return decision.kind, decision.scheme, decision.item, *place


def _decision(decision: DecisionRow) -> dict[str, Any]:
    return {
        "verdict": decision.verdict,
        "reviewer": decision.reviewer,
        "reason": decision.reason,
        "at": decision.created_at,
    }
