"""``florilegium sparql`` and ``graph rebuild``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from app.cli.options import global_options, json_option, settings
from app.cli.output import line_width, note, print_json
from app.errors import UsageError

FORMATS = ("table", "csv", "tsv", "json", "xml", "ttl", "nt", "rdfxml", "jsonld", "nq")


@click.command()
@click.argument("query", required=False)
@click.option("--file", "file", type=click.Path(path_type=Path), help="Read the query from a file.")
@click.option(
    "--ready",
    metavar="NAME",
    is_flag=False,
    flag_value="",
    help="A ready question; without NAME they are listed.",
)
@click.option("--show", is_flag=True, help="Print the SPARQL of the ready question, and stop.")
@click.option("--param", "params", multiple=True, metavar="k=v", help="Value of a parameter.")
@click.option("--format", "format_", type=click.Choice(FORMATS), help="[default: table or ttl]")
@click.option("--timeout", type=click.FloatRange(0.1, 3600), help="Seconds.  [default: 20]")
@click.option("--with-text", is_flag=True, help="Show quotes of private collections too.")
@global_options
def sparql(
    query: str | None,
    file: Path | None,
    ready: str | None,
    show: bool,
    params: tuple[str, ...],
    format_: str | None,
    timeout: float | None,
    with_text: bool,
) -> None:
    """Ask SPARQL over the results: SELECT, ASK, CONSTRUCT or DESCRIBE.

    The manual is the help page sparql. Examples:

        florilegium sparql --ready counts-by-top-concept

        florilegium sparql --ready documents-about --param concept="On-street parking"

        florilegium sparql --ready documents-about --show

        florilegium sparql 'SELECT ?d WHERE { ?tag flo:inDocument ?d } LIMIT 5' --format csv
    """
    given = _params(params)
    if ready == "":
        _list()
        return
    if sum(source is not None for source in (query, file, ready)) != 1:
        raise UsageError(
            "Give one query: as an argument, with --file FILE, or with --ready NAME. "
            "The ready ones: florilegium sparql --ready"
        )
    if show and ready is None:
        raise UsageError("--show prints a ready question. Try: florilegium sparql --ready")
    if ready is not None and show:
        _show(ready, given)
    elif ready is not None:
        _ask_ready(ready, given, format_ or "table", timeout, with_text)
    else:
        _ask(query if file is None else _read(file), given, format_, timeout, with_text)


def _list() -> None:
    """Print the ready questions with their parameters, optional ones in brackets."""
    from ontology.queries import ready_queries

    for each in ready_queries():
        params = " ".join(
            each.name + "=…" if each.needed else f"[{each.name}]" for each in each.params
        )
        click.echo(f"{each.name}  {params}\n    {each.title}. {each.about}.")
    note("Ask one: florilegium sparql --ready NAME --param name=value")


def _show(name: str, given: dict[str, str]) -> None:
    """Print the question's SPARQL: with its head, or with the values given in place."""
    from app.questions import settle
    from app.workspace import open_store
    from ontology.queries import named, with_prefixes

    query = named(name)
    text = query.written(settle(open_store(settings()), query, given)) if given else query.text
    click.echo(with_prefixes(text), nl=False)


def _ask_ready(
    name: str, given: dict[str, str], shape: str, timeout: float | None, with_text: bool
) -> None:
    from app.questions import ask, reshaped
    from app.workspace import open_store

    here = settings()
    answer = ask(
        here,
        open_store(here),
        name,
        given,
        timeout=timeout or here.sparql_timeout,
        with_text=with_text,
    )
    _write(reshaped(answer.body, shape, width=line_width()))
    if answer.reached:
        note(answer.note)


def _ask(
    query: str | None,
    given: dict[str, str],
    shape: str | None,
    timeout: float | None,
    with_text: bool,
) -> None:
    from app.questions import reshaped
    from ontology.formats import is_rows
    from ontology.sparql import prepare, run_query

    here, text = settings(), query or ""
    rows = is_rows(prepare(text, params=given).form)
    table = rows and shape in (None, "table")
    answer = run_query(
        here.graph_dir,
        text,
        format="json" if table else shape or "ttl",
        params=given,
        timeout=timeout or here.sparql_timeout,
        with_text=with_text,
    )
    _write(reshaped(answer.body, "table", width=line_width()) if table else answer.body)


def _write(body: bytes) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.write(body)
    if not body.endswith(b"\n"):
        sys.stdout.buffer.write(b"\n")
    sys.stdout.buffer.flush()


@click.group()
@global_options
def graph() -> None:
    """Rebuild the graph from SQL."""


@graph.command("rebuild")
@click.option(
    "--wait",
    type=click.FloatRange(0),
    metavar="SECONDS",
    is_flag=False,
    flag_value=3600.0,
    help="Wait for another process that writes to the graph; without SECONDS up to an hour.",
)
@json_option
@global_options
def rebuild(wait: float | None, as_json: bool) -> None:
    """Build the graph of everything in the database and switch readers to it."""
    from app.projection import rebuild_graph
    from app.workspace import open_store

    here = settings()
    built = rebuild_graph(here, open_store(here), wait=wait or 0.0)
    if as_json:
        print_json({"quads": built.manifest.quads, "seconds": round(built.manifest.seconds, 3)})
        return
    click.echo(f"{built.manifest.quads:,} quads in {built.manifest.seconds:.1f} s")


def _params(pairs: tuple[str, ...]) -> dict[str, str]:
    given = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not name or not equals:
            raise UsageError(f"--param {pair!r}: expected name=value, as in --param concept=IRI")
        given[name] = value
    return given


def _read(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The query file {str(file)!r} cannot be read: {error}") from error
