"""``florilegium runs list|withdraw``: what was run over a collection, and taking a run back."""

from __future__ import annotations

from dataclasses import asdict

import click

from app.cli.options import global_options, json_option, settings
from app.cli.output import note, print_json, print_table


@click.group()
@global_options
def runs() -> None:
    """List the runs of a collection; withdraw one."""


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


@runs.command("withdraw")
@click.argument("collection")
@click.argument("run", type=int)
@click.option("--reason", default="", help="Why, in your own words.")
@json_option
@global_options
def runs_withdraw(collection: str, run: int, reason: str, as_json: bool) -> None:
    """Remove the results of RUN; those that they replaced are current again.

    The run stays listed. Its documents are pending for its settings: the same `run` command makes
    the same results again. What people decided stays.

    Example: florilegium runs withdraw consultation 12 --reason "wrong vocabulary"
    """
    from app.erasing import withdraw_run
    from app.workspace import open_store

    here = settings()
    done, warnings = withdraw_run(here, open_store(here), collection, run, reason=reason)
    if as_json:
        print_json({**asdict(done), "counts": dict(done.counts), "warnings": warnings})
        return
    click.echo(
        f"Withdrew run {run} of {collection}: {done.counts['results']:,} results removed, "
        f"{done.counts['current_again']:,} earlier ones are current again."
    )
    for warning in warnings:
        note(warning)
