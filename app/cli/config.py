"""``florilegium config show``."""

from __future__ import annotations

import click

from app.cli.options import flags, global_options, json_option
from app.cli.output import print_json, print_table


@click.group()
@global_options
def config() -> None:
    """Show each setting and where it came from."""


@config.command("show")
@json_option
@global_options
def show(as_json: bool) -> None:
    """Print each setting's value and its origin: flag, environment, secrets, file or default."""
    from app.settings import config_path, origins

    rows = origins(**flags())
    if as_json:
        print_json({"settings": rows, "config_file": config_path()})
        return
    print_table(
        ("setting", "value", "from", "meaning"),
        [(row.name, row.value, row.origin, row.description) for row in rows],
    )
    click.echo(f"\nConfiguration file: {config_path()}")
