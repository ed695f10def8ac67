"""``florilegium ontology check``: all problems of a vocabulary file at once."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from app.cli.options import global_options, json_option
from app.cli.output import print_json
from app.cli.text_input import is_file
from app.errors import UsageError

SHOWN = 10
"""So many problems of a kind are printed; ``--json`` has all."""

branch_option = click.option(
    "--branch",
    "branches",
    multiple=True,
    metavar="IRI-or-CURIE",
    help="Keep only this concept and what is under it; repeat for more.",
)
overlay_option = click.option(
    "--overlay",
    type=click.Path(path_type=Path),
    help="TOML or Turtle file with branches, extra and stop labels, and rules of matching.",
)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@branch_option
@overlay_option
@json_option
@global_options
def check(file: Path, branches: tuple[str, ...], overlay: Path | None, as_json: bool) -> None:
    """Load FILE as ``add`` would and list all its problems; nothing is stored.

    Looked for: labels of several concepts, labels that are everyday words, cycles, hierarchies of
    more than 100 levels, missing parents, empty labels, concepts without label, several preferred
    labels in one language, live concepts under deprecated ones, missing imports, asserted
    disjointness that is violated, and lines that could not be read. Problems are warnings: the exit
    code is 0.
    """
    from app.workspace import read_ontology
    from ontology.check import check as find_problems

    if not is_file(str(file)):
        raise UsageError(f"No such file: {str(file)!r}. Expected a vocabulary (OWL, SKOS, OBO …).")
    vocabulary, _ = read_ontology(file, file.stem, overlay=overlay, branches=branches)
    concepts = list(vocabulary.concepts.values())
    problems = find_problems(vocabulary)
    by_kind: dict[str, list[str]] = {}
    for problem in problems:
        by_kind.setdefault(problem.kind, []).append(f"{problem.subject}: {problem.detail}")
    answer = {
        "format": vocabulary.format,
        "title": vocabulary.title,
        "version": vocabulary.version,
        "licence": vocabulary.licence,
        "concepts": len(concepts),
        "labels": sum(len(concept.labels) for concept in concepts),
        "deprecated": sum(concept.deprecated for concept in concepts),
        "sha256": vocabulary.sha256,
        "without_definition": sum(not concept.definition for concept in concepts),
        "shared_labels": [each.subject for each in problems if each.kind == "duplicate-label"],
        "missing_parents": [each.subject for each in problems if each.kind == "missing-parent"],
        "problems": [asdict(each) for each in problems],
    }
    if as_json:
        print_json(answer)
        return
    for key, value in answer.items():
        if not isinstance(value, list):
            click.echo(f"{key.replace('_', ' '):20} {value}")
    for kind, lines in by_kind.items():
        click.echo(f"\n{kind.replace('-', ' ')}: {len(lines):,}")
        for line in lines[:SHOWN]:
            click.echo(f"  {line}")
        if len(lines) > SHOWN:
            click.echo(f"  and {len(lines) - SHOWN:,} more; all of them with --json")
    if not problems:
        click.echo("\nNo problems found.")
