"""``florilegium ontology add|list|show|check``."""

from __future__ import annotations

import re
import time
from dataclasses import asdict
from pathlib import Path

import click

from app.cli.options import global_options, json_option, settings
from app.cli.output import print_json, print_table
from app.cli.text_input import is_file
from app.errors import UsageError

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@click.group()
@global_options
def ontology() -> None:
    """Add, list, show and check vocabularies (OWL or SKOS)."""


@ontology.command("add")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--id", "name", help="Name to use it by.  [default: the file's name]")
@json_option
@global_options
def add(file: Path, name: str | None, as_json: bool) -> None:
    """Check FILE and register it; the same id again replaces it.

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
    row = add_ontology(here, open_store(here, create=True), file, name)
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
        names = [f"{x['text']}@{x['language']} ({x['kind']})" for x in card["labels"]]
        for name, values in (
            ("names", names),
            ("broader", card["broader"]),
            ("narrower", card["narrower"]),
            ("related", card["related"]),
        ):
            for value in values:
                click.echo(f"{name:10} {value}")


@ontology.command("check")
@click.argument("file", type=click.Path(path_type=Path))
@json_option
@global_options
def check(file: Path, as_json: bool) -> None:
    """Load FILE as ``add`` would and say what is in it; nothing is stored."""
    from ontology.load import load

    if not is_file(str(file)):
        raise UsageError(f"No such file: {str(file)!r}. Expected an OWL or SKOS vocabulary.")
    vocabulary = load(file, id=file.stem)
    concepts = list(vocabulary.concepts.values())
    owners: dict[str, set[str]] = {}
    for concept in concepts:
        if not concept.deprecated:
            for label in concept.labels:
                owners.setdefault(label.text.casefold(), set()).add(concept.iri)
    shared = sorted(text for text, iris in owners.items() if len(iris) > 1)
    missing = sorted(
        {parent for c in concepts for parent in c.broader if parent not in vocabulary.concepts}
    )
    answer = {
        "format": vocabulary.format,
        "title": vocabulary.title,
        "concepts": len(concepts),
        "labels": sum(len(concept.labels) for concept in concepts),
        "deprecated": sum(concept.deprecated for concept in concepts),
        "sha256": vocabulary.sha256,
        "without_definition": sum(not concept.definition for concept in concepts),
        "shared_labels": shared,
        "missing_parents": missing,
    }
    if as_json:
        print_json(answer)
        return
    for key, value in answer.items():
        text = f"{len(value)}: {', '.join(value[:10])}" if isinstance(value, list) else value
        click.echo(f"{key.replace('_', ' '):20} {text}")
