"""``florilegium ingest``: read only, and print the import report."""

from __future__ import annotations

from dataclasses import asdict

import click

from app.cli.options import global_options, json_option, settings
from app.cli.output import print_json, print_table


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path())
@click.option("--collection", required=True, help="Collection to fill.")
@click.option("--recipe", help="Recipe of the collection.  [default: its own, else general]")
@click.option("--question", "questions", multiple=True, metavar="COL", help="Text column.")
@click.option("--dry-run", is_flag=True, help="Print the report; store nothing.")
@json_option
@global_options
def ingest(
    paths: tuple[str, ...],
    collection: str,
    recipe: str | None,
    questions: tuple[str, ...],
    dry_run: bool,
    as_json: bool,
) -> int:
    """Read files into a collection and print what each became; nothing is processed."""
    from app.jobs import RunRequest
    from app.runs import ingest_only
    from pipelines.types import FileOutcome

    request = RunRequest(collection=collection, paths=paths, recipe=recipe, questions=questions)
    ingested = ingest_only(settings(), request, dry_run=dry_run)
    if as_json:
        print_json(
            {
                "collection": collection,
                "documents": ingested.documents,
                "unchanged": ingested.unchanged,
                "files": [asdict(report) for report in ingested.reports],
                "failures": [asdict(failure) for failure in ingested.failures],
                "dry_run": dry_run,
            }
        )
    else:
        print_table(
            ("file", "kind", "outcome", "rows", "documents", "reason"),
            [
                (r.path, r.kind, r.outcome, r.rows, r.documents, "; ".join([r.reason, *r.warnings]))
                for r in ingested.reports
            ],
            width=80,
        )
        click.echo(f"{ingested.documents:,} documents; {ingested.unchanged:,} files unchanged")
    failed = ingested.count(FileOutcome.FAILED) or ingested.rejected
    return 3 if failed and not dry_run else 0
