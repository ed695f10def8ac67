"""Write the command reference from ``--help``: ``python -m tests.docs.cli_reference``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from app.cli.main import COMMANDS, cli

PATH = Path(__file__).parents[2] / "app" / "help" / "commands.md"
_HEAD = """# Commands

Written from `--help` by `make docs`; a test fails when it is out of date. Exit codes: 0 done or nothing to do,
1 unexpected error, 2 wrong usage, 3 finished but something failed in this run, 69 database or model unavailable,
75 locked, 78 configuration, model or ontology invalid, 130 interrupted.
"""


def reference() -> str:
    """Return the whole page."""
    return _HEAD + "".join(
        f"\n## florilegium {name}\n\n```\n{text}\n```\n" for name, text in _helps()
    )


def _helps() -> Iterator[tuple[str, str]]:
    root = click.Context(
        cli,
        info_name="florilegium",
        terminal_width=100,
        max_content_width=100,
        **cli.context_settings,
    )
    for name in COMMANDS:
        command = cli.get_command(root, name)
        assert command is not None
        yield from _walk(command, root, name)


def _walk(command: click.Command, parent: click.Context, name: str) -> Iterator[tuple[str, str]]:
    context = click.Context(
        command, info_name=command.name, parent=parent, terminal_width=100, max_content_width=100
    )
    yield name, command.get_help(context).rstrip()
    if isinstance(command, click.Group):
        for child in command.list_commands(context):
            found = command.get_command(context, child)
            assert found is not None
            yield from _walk(found, context, f"{name} {child}")


if __name__ == "__main__":
    PATH.write_text(reference(), "utf-8")
