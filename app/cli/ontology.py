"""``florilegium ontology add|list|show|check|export``."""

from __future__ import annotations

import re
import time
from dataclasses import asdict
from pathlib import Path

import click

from app.cli.ontology_check import branch_option, check, overlay_option
from app.cli.options import global_options, json_option, settings
from app.cli.output import print_json, print_table
from app.errors import UsageError

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@click.group()
@global_options
def ontology() -> None:
    """Add, list, show, check and export vocabularies (OWL, SKOS, OBO or term lists)."""


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


@ontology.command("show")
@click.argument("iri", metavar="IRI-or-CURIE")
@json_option
@global_options
def show(iri: str, as_json: bool) -> None:
    """Show a concept: names, definition, broader and narrower concepts, where it comes from."""
    from app.workspace import load_ontologies, open_store
    from ontology.export import concept_axioms
    from ontology.hierarchy import narrower

    cards = []
    for row in open_store(settings()).ontologies():
        vocabulary = load_ontologies([row])[0]
        below = narrower(vocabulary)
        for concept in vocabulary.concepts.values():
            if iri in (concept.iri, concept.curie):
                cards.append(
                    asdict(concept)
                    | {
                        "axioms": concept_axioms(concept),
                        "narrower": list(below.get(concept.iri, ())),
                        "ontology": row.name,
                        "file": row.original_path,
                        "version": row.version,
                        "sha256": row.sha256,
                    }
                )
    if not cards:
        raise UsageError(
            f"No concept {iri!r} in the ontologies of this workspace: expected an IRI or CURIE. "
            "See: florilegium ontology list"
        )
    if as_json:
        print_json({"concepts": cards})
        return
    for card in cards:
        click.echo(f"{card['label']}  ({card['curie']}, {card['ontology']})\n{card['iri']}")
        if card["deprecated"]:
            click.echo(f"Deprecated; replaced by: {', '.join(card['replaced_by']) or 'nothing'}")
        click.echo(f"\n{card['definition'] or 'No definition.'}\n")
        names = [_name(label) for label in card["labels"]]
        for name, values in (
            ("names", names),
            ("broader", card["broader"]),
            ("narrower", card["narrower"]),
            ("related", card["related"]),
            ("notation", card["notations"]),
            ("example", card["examples"]),
            ("note", card["notes"]),
            ("xref", card["xrefs"]),
            ("axiom", card["axioms"]),
        ):
            for value in values:
                click.echo(f"{name:10} {value}")


def _name(label: dict[str, str]) -> str:
    language = f"@{label['language']}" if label["language"] else ""
    kind = f"{label['kind']}, {label['type']}" if label["type"] else label["kind"]
    return f"{label['text']}{language} ({kind})"


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
    from app.workspace import load_ontologies, ontology_rows, open_store
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


ontology.add_command(check)
