"""``florilegium db upgrade`` and ``db check``."""

from __future__ import annotations

import click

from app.cli.options import global_options, json_option, settings
from app.cli.output import print_json


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
    """Say whether the tables are those this program needs."""
    from app.workspace import open_store
    from db.migrate import current

    revision = current(open_store(settings()).engine)
    if as_json:
        print_json({"revision": revision, "ok": True})
        return
    click.echo(f"The database is at revision {revision}, as this program needs.")
