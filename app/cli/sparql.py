"""``florilegium sparql``, ``graph rebuild`` and ``sparql-server``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from app.cli.options import global_options, json_option, settings
from app.cli.output import note, print_json, print_table
from app.cli.ports import must_be_free
from app.errors import UsageError

FORMATS = ("table", "csv", "tsv", "json", "xml", "ttl", "nt", "rdfxml", "jsonld")


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
@click.option("--param", "params", multiple=True, metavar="k=v", help="Value of a parameter.")
@click.option("--format", "format_", type=click.Choice(FORMATS), help="[default: table or ttl]")
@click.option("--timeout", type=click.FloatRange(0.1, 3600), help="Seconds.  [default: 20]")
@click.option("--with-text", is_flag=True, help="Show quotes of private collections too.")
@global_options
def sparql(
    query: str | None,
    file: Path | None,
    ready: str | None,
    params: tuple[str, ...],
    format_: str | None,
    timeout: float | None,
    with_text: bool,
) -> None:
    """Ask SPARQL over the results: SELECT, ASK, CONSTRUCT or DESCRIBE.

    Examples:

        florilegium sparql --ready tagged-with --param concept=IRI

        florilegium sparql 'SELECT ?d WHERE { ?tag flo:inDocument ?d } LIMIT 5' --format csv
    """
    from ontology.formats import is_rows
    from ontology.queries import ready as ready_query
    from ontology.queries import ready_queries
    from ontology.sparql import prepare, run_query

    if ready == "":
        print_table(
            ("name", "question", "parameters"),
            [(q.name, q.title, ", ".join(q.params)) for q in ready_queries()],
        )
        return
    given = _params(params)
    if sum(source is not None for source in (query, file, ready)) != 1:
        raise UsageError(
            "Give one query: as an argument, with --file FILE, or with --ready NAME. "
            "The ready ones: florilegium sparql --ready"
        )
    text = query or ""
    if file is not None:
        text = _read(file)
    elif ready is not None:
        text = ready_query(ready, given).text
    here = settings()
    shape = format_ or ("table" if is_rows(prepare(text, params=given).form) else "ttl")
    answer = run_query(
        here.graph_dir,
        text,
        format=shape,
        params=given,
        timeout=timeout or here.sparql_timeout,
        with_text=with_text,
    )
    sys.stdout.flush()
    sys.stdout.buffer.write(answer.body)
    if not answer.body.endswith(b"\n"):
        sys.stdout.buffer.write(b"\n")
    sys.stdout.buffer.flush()


@click.group()
@global_options
def graph() -> None:
    """Rebuild the graph from SQL."""


@graph.command("rebuild")
@json_option
@global_options
def rebuild(as_json: bool) -> None:
    """Build the graph of everything in the database and switch readers to it."""
    from app.projection import rebuild_graph
    from app.workspace import open_store

    here = settings()
    built = rebuild_graph(here, open_store(here))
    if as_json:
        print_json({"quads": built.manifest.quads, "seconds": round(built.manifest.seconds, 3)})
        return
    click.echo(f"{built.manifest.quads:,} quads in {built.manifest.seconds:.1f} s")


@click.command("sparql-server")
@click.option("--port", type=click.IntRange(1, 65_535), help="Port.  [default: 8502]")
@click.option("--with-text", is_flag=True, help="Show quotes of private collections too.")
@global_options
def sparql_server(port: int | None, with_text: bool) -> None:
    """Serve the SPARQL 1.1 Protocol on 127.0.0.1, read-only, until told to stop."""
    from app.endpoint import EndpointSettings, serve
    from ontology.sparql import Limits

    here = settings()
    port = port or here.port + 1
    must_be_free(port)
    note(f"SPARQL endpoint: http://127.0.0.1:{port}/sparql")
    limits = Limits(timeout=here.sparql_timeout)
    serve(here.graph_dir, port=port, settings=EndpointSettings(limits=limits, with_text=with_text))


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
