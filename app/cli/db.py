"""``florilegium db upgrade`` and ``db check``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from app.cli.options import global_options, json_option, settings
from app.cli.output import print_json, print_table
from app.errors import ConfigError

if TYPE_CHECKING:
    from app.graph_check import GraphCheck


@click.group()
@global_options
def db() -> None:
    """Upgrade and check the database."""


@db.command("upgrade")
@json_option
@global_options
def upgrade(as_json: bool) -> None:
    """Create the tables, or bring them to the version this program needs."""
    from db.engine import create_engine_for
    from db.migrate import current
    from db.migrate import upgrade as upgrade_tables

    here = settings()
    if not here.database_url:
        here.home.mkdir(parents=True, exist_ok=True)
    engine = create_engine_for(here.db_url)
    changed = upgrade_tables(engine)
    revision = current(engine)
    if as_json:
        print_json({"revision": revision, "changed": changed})
        return
    click.echo(f"The database is at revision {revision}" + (" now." if changed else " already."))


@db.command("check")
@json_option
@global_options
def check(as_json: bool) -> None:
    """Say whether the tables are those this program needs, and the graph says the same as they do.

    Compared are, by collection, documents, sentences, tags, labels, summaries, decisions, codebooks,
    codings and campaigns: their number, and what each is about, where it stands and its score.
    Exit code 78: the graph is out of step.
    """
    from app.graph_check import check_graph, report
    from app.workspace import open_store
    from db.migrate import current

    here = settings()
    store = open_store(here)
    revision = current(store.engine)
    checked = check_graph(here, store)
    if as_json:
        print_json({"revision": revision, "ok": checked.ok, "graph": report(checked)})
    else:
        click.echo(f"The database is at revision {revision}, as this program needs.")
        _say(checked)
    if not checked.ok:
        raise ConfigError(
            f"The graph is out of step with the database: {'; '.join(checked.differences)}. "
            "Repair it with: florilegium graph rebuild"
        )


def _say(checked: GraphCheck) -> None:
    if checked.counts:
        print_table(
            ("collection", "kind", "database", "graph"),
            [(c.collection, c.kind, f"{c.sql:,}", f"{c.graph:,}") for c in checked.counts],
        )
    if checked.state == "none":
        click.echo("There is no graph, and nothing to build one from.")
    elif checked.ok:
        click.echo(f"The graph says the same ({checked.seconds:.1f} s).")
