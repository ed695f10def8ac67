"""``florilegium ontology add|list|export``; check, show and candidates have their own modules."""

from __future__ import annotations

import re
import time
from dataclasses import asdict
from pathlib import Path

import click

from app.cli.ontology_candidates import candidates
from app.cli.ontology_check import branch_option, check, overlay_option
from app.cli.ontology_show import show
from app.cli.options import global_options, json_option, settings
from app.cli.output import print_json, print_table
from app.errors import UsageError

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@click.group()
@global_options
def ontology() -> None:
    """Add, list, show, check and export vocabularies; propose terms for them."""


@ontology.command("add")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--id", "name", help="Name to use it by.  [default: the file's name]")
@branch_option
@overlay_option
@json_option
@global_options
def add(
    file: Path,
    name: str | None,
    branches: tuple[str, ...],
    overlay: Path | None,
    as_json: bool,
) -> None:
    """Check FILE and register it; the same id again replaces it.

    The syntax is told from the content: RDF/XML, Turtle, N-Triples, JSON-LD, OWL functional,
    OWL/XML and Manchester syntax, OBO, OBO Graphs JSON, or a CSV term list. Imports are read from
    files beside FILE only.

    Example: florilegium ontology add thesaurus.ttl --id thesaurus
    """
    from app.workspace import add_ontology, open_store

    name = name or file.stem
    if not _ID.fullmatch(name):
        raise UsageError(
            f"The id {name!r} does not fit: expected letters, digits, '.', '_' and '-', up to 64, "
            "beginning with a letter or digit. Choose one with --id."
        )
    began = time.monotonic()
    here = settings()
    store = open_store(here, create=True)
    row = add_ontology(here, store, file, name, overlay=overlay, branches=branches)
    answer = {
        "id": row.name,
        "format": row.format,
        "concepts": row.concepts,
        "labels": row.labels,
        "deprecated": row.deprecated,
        "sha256": row.sha256,
        "title": row.title,
        "version": row.version,
        "seconds": round(time.monotonic() - began, 3),
    }
    if as_json:
        print_json(answer)
        return
    click.echo(
        f"Added {row.name}: {row.concepts:,} concepts, {row.labels:,} labels, "
        f"{row.deprecated:,} deprecated ({row.format}). "
        f"Use it with: florilegium run PATH --ontology {row.name}"
    )


@ontology.command("list")
@json_option
@global_options
def list_(as_json: bool) -> None:
    """List the ontologies of the workspace."""
    from app.workspace import open_store

    rows = open_store(settings()).ontologies()
    if as_json:
        print_json({"ontologies": [asdict(row) | {"id": row.name} for row in rows]})
        return
    print_table(
        ("id", "title", "concepts", "labels", "deprecated", "format"),
        [(r.name, r.title, r.concepts, r.labels, r.deprecated, r.format) for r in rows],
    )


@ontology.command("export")
@click.argument("name", metavar="ID")
@click.option(
    "--format",
    "syntax",
    default="turtle",
    show_default=True,
    type=click.Choice(["turtle", "rdf-xml", "json-ld", "n-triples", "owl-functional"]),
)
@click.option("--out", type=click.Path(path_type=Path), help="File to write.  [default: stdout]")
@json_option
@global_options
def export(name: str, syntax: str, out: Path | None, as_json: bool) -> None:
    """Write the ontology ID, its overlay applied, in another syntax.

    Example: florilegium ontology export thesaurus --format owl-functional --out thesaurus.ofn
    """
    from app.kept_ontologies import load_ontologies, ontology_rows
    from app.workspace import open_store
    from ontology.export import export as write

    (vocabulary,) = load_ontologies(ontology_rows(open_store(settings()), [name]))
    text = write(vocabulary, syntax)
    if out is None:
        click.echo(text, nl=False)
        return
    try:
        out.write_text(text, "utf-8")
    except OSError as error:
        raise UsageError(
            f"Cannot write {str(out)!r}: {error.strerror}. Expected a file in a folder that you "
            "may write to; choose another with --out."
        ) from error
    answer = {"path": str(out), "format": syntax, "concepts": len(vocabulary.concepts)}
    if as_json:
        print_json(answer)
    else:
        click.echo(f"Wrote {len(vocabulary.concepts):,} concepts to {out} ({syntax}).")


for command in (check, show, candidates):
    ontology.add_command(command)
