"""The ``florilegium`` command: a lazy group, global options, exit codes and error printing.

Commands are imported only when called, so that ``--help`` stays cheap; their one-line helps stand
in the table below.
"""

from __future__ import annotations

import errno
import gc
import importlib
import sys
from typing import Any

import click

from app import __version__
from app.cli.options import global_options

COMMANDS: dict[str, tuple[str, str]] = {
    "demo": ("app.cli.demo:demo", "Build a workspace from the sample collections and look at it."),
    "run": ("app.cli.run:run", "Read new files and process what is pending (for cron)."),
    "ingest": ("app.cli.ingest:ingest", "Read files only and print the import report."),
    "collections": ("app.cli.collections:collections", "List the collections; describe one."),
    "documents": ("app.cli.show:documents", "List the documents of a collection."),
    "document": ("app.cli.show:document", "Show a document with its summary, labels and tags."),
    "review": ("app.cli.review:review", "Accept, reject, correct or add; list decisions."),
    "campaigns": ("app.cli.campaigns:campaigns", "Find copies of campaign letters; list them."),
    "themes": ("app.cli.themes:themes", "Find themes, map a codebook, and change both."),
    "export": ("app.cli.export:export", "Write a report, table, coding project or RDF dump."),
    "ask": ("app.cli.ask:ask", "Answer a question from a collection; nothing is stored."),
    "ontology": ("app.cli.ontology:ontology", "Add, list, show and check vocabularies."),
    "tag": ("app.cli.tag:tag", "Tag a text against ontologies; nothing is stored."),
    "summarise": ("app.cli.summarise:summarise", "Summarise a text; nothing is stored."),
    "classify": ("app.cli.classify:classify", "Label a text; nothing is stored."),
    "train": ("app.cli.train:train", "Learn a label set from examples, with honest scores."),
    "evaluate": ("app.cli.evaluate:evaluate", "Compare a label set with codes people gave."),
    "embed": ("app.cli.embed:embed", "Write one vector a text; nothing is stored."),
    "sparql": ("app.cli.sparql:sparql", "Ask SPARQL over the results."),
    "graph": ("app.cli.sparql:graph", "Rebuild the graph from SQL."),
    "sparql-server": (
        "app.cli.sparql_server:sparql_server",
        "Serve the SPARQL 1.1 Protocol, read-only.",
    ),
    "serve": ("app.cli.serve:serve", "Start dashboard, worker and SPARQL endpoint."),
    "worker": ("app.cli.serve:worker", "Claim and do jobs from the queue."),
    "models": ("app.cli.models:models", "List, show, fetch and compare the models."),
    "runs": ("app.cli.runs:runs", "List the runs of a collection; withdraw one."),
    "forget": ("app.cli.forget:forget", "Erase a document, or all of one person's, for good."),
    "db": ("app.cli.db:db", "Upgrade and check the database."),
    "doctor": ("app.cli.doctor:doctor", "Check that this installation can do its work."),
    "config": ("app.cli.config:config", "Show each setting and where it came from."),
}


_UNUSABLE = {
    errno.EACCES,
    errno.EPERM,
    errno.EROFS,
    errno.ENOTDIR,
    errno.ENOSPC,
    errno.EDQUOT,
    errno.ENAMETOOLONG,
}
"""What a disk or a folder answers that is no fault of the program."""


class LazyGroup(click.Group):
    """A group that imports a command's module when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command."""
        if cmd_name not in COMMANDS:
            return None
        module, attribute = COMMANDS[cmd_name][0].split(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table of commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, help_) for name, (_, help_) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="florilegium")
@global_options
def cli() -> None:
    """Summarise, classify and tag thousands of documents offline.

    Every tag, label and summary line points at the exact characters that earned it.
    """


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and leave with the exit code of the contract."""
    sys.exit(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code; errors become sentences on stderr."""
    # Importing makes a great many objects that stay; looking for garbage among them is a seventh of
    # the start.
    gc.set_threshold(50_000)
    arguments = sys.argv[1:] if arguments is None else arguments
    debug = "--debug" in arguments
    try:
        outcome: Any = cli.main(args=arguments, prog_name="florilegium", standalone_mode=False)
        return outcome if isinstance(outcome, int) else 0
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo(
            "Interrupted. What was finished stays; the same command does the rest.", err=True
        )
        return 130
    except SystemExit as leave:
        if leave.code != 1:
            raise
        return 0  # click's way out when the reader has gone: ``florilegium … | head``
    except Exception as error:
        if debug:
            raise
        if isinstance(error, OSError) and error.errno in _UNUSABLE:
            where = repr(str(error.filename)) if error.filename else "a file or folder"
            click.echo(
                f"Error: {where} cannot be used: {error.strerror}. Expected a place that can be "
                "read and written to; name another workspace with --home DIR",
                err=True,
            )
            return 78
        code = getattr(error, "exit_code", 1)
        known = hasattr(error, "exit_code")
        text = str(error) if known else f"Unexpected error ({type(error).__name__}): {error}"
        click.echo(f"Error: {text}", err=True)
        if not known:
            click.echo("Run again with --debug for the traceback.", err=True)
        return int(code)


if __name__ == "__main__":
    main()
