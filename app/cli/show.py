"""``collections``, ``documents``, ``document`` and ``runs``: what is in the workspace."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from app.cli.options import global_options, json_option, settings
from app.cli.output import note, plain, print_json, print_table

OUTCOMES = ("processed", "partial", "empty", "other_language", "skipped", "failed")


@click.command()
@json_option
@global_options
def collections(as_json: bool) -> None:
    """List the collections with what became of their documents."""
    from app.workspace import open_store

    store = open_store(settings())
    rows = [
        {
            "name": row.name,
            "recipe": row.recipe,
            "private": row.text_private,
            **asdict(store.totals(row.id)),
            "last_run": row.last_run.finished_at if row.last_run else None,
        }
        for row in store.collections()
    ]
    if as_json:
        print_json({"collections": rows})
        return
    names = ("name", "recipe", "documents", "processed", "empty", "failed", "labels", "tags")
    print_table(names, [[row[name] for name in names] for row in rows])


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
    print_table(
        ("document", "outcome", "labels", "tags", "text"),
        [
            (row.key, row.outcome or "pending", ", ".join(row.labels), row.tags, row.excerpt)
            for row in page.rows
        ],
    )
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

    detail = open_store(settings()).document(
        int(identifier) if identifier.isdecimal() else identifier, collection=collection
    )
    shown = document_json(detail)
    if as_json:
        print_json(shown)
        return
    head = f"{shown['document']}  ({shown['collection']}, {shown['path']}, {shown['locator']})"
    click.echo(plain(" ".join(head.split("\n"))))
    reason = f" ({shown['reason']})" if shown["reason"] else ""
    click.echo(f"Outcome: {shown['outcome'] or 'pending'}{reason}\n\n{plain(shown['text'])}\n")
    for name, columns in (
        ("summary", ("rank", "start", "end", "text")),
        ("labels", ("label", "score", "assigned", "start", "end", "text")),
        ("tags", ("curie", "label", "text", "start", "end", "score", "method", "displayed")),
    ):
        if shown[name]:
            click.echo(f"{name}:")
            print_table(columns, [[entry[column] for column in columns] for entry in shown[name]])
            click.echo("")


def document_json(detail: Any) -> dict[str, Any]:
    """Return the JSON form of a document: the keys of the command-line contract."""
    row, result = detail.document, detail.result
    return {
        "id": row.id,
        "document": row.key,
        "collection": detail.collection.name,
        "path": detail.path,
        "locator": row.locator,
        "question": row.question,
        "metadata": dict(row.metadata),
        "sha256": row.sha256,
        "outcome": result.outcome if result else None,
        "reason": result.reason if result else "",
        "duplicate": bool(result and result.duplicate),
        "run": result.run_id if result else None,
        "fingerprint": result.fingerprint if result else None,
        "text": row.text,
        "summary": [asdict(sentence) for sentence in result.summary] if result else [],
        "labels": [asdict(label) for label in result.labels] if result else [],
        "tags": [asdict(tag) for tag in result.tags] if result else [],
    }


@click.group()
@global_options
def runs() -> None:
    """List the runs of a collection."""


@runs.command("list")
@click.argument("collection", required=False)
@json_option
@global_options
def runs_list(collection: str | None, as_json: bool) -> None:
    """List the runs, oldest first."""
    from app.workspace import open_store

    store = open_store(settings())
    names = {row.id: row.name for row in store.collections()}
    wanted = store.collection(collection).id if collection else None
    rows = store.runs(wanted)
    if as_json:
        print_json(
            {"runs": [asdict(row) | {"collection": names[row.collection_id]} for row in rows]}
        )
        return
    print_table(
        ("run", "collection", "recipe", "state", "started", "processed", "failed"),
        [
            (
                str(row.id),
                names[row.collection_id],
                row.recipe,
                row.state,
                f"{row.started_at:%Y-%m-%d %H:%M}",
                row.counts.get("processed", 0),
                row.counts.get("failed", 0),
            )
            for row in rows
        ],
    )
