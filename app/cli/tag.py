"""``florilegium tag``: every concept of a text, with its characters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from app.cli.options import global_options, json_option, settings
from app.cli.output import print_json, print_table
from app.errors import UsageError
from app.words import TAG_COLUMNS, tag_rows

if TYPE_CHECKING:
    from ontology.index import LabelIndex
    from ontology.model import Ontology
    from pipelines.stages.assertion import Rules
    from pipelines.types import Tag

TERMS = "terms"


@click.command()
@click.argument("text", metavar="TEXT|-", required=False)
@click.option("--ontology", "ontologies", multiple=True, metavar="ID", help="Tag against ID.")
@click.option(
    "--rules",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Assertion rules of your own (TOML) over the bundled ones.",
)
@click.option("--batch", "source", metavar="FILE", help="NDJSON file, - for stdin.")
@json_option
@global_options
def tag(
    text: str | None,
    ontologies: tuple[str, ...],
    rules: Path | None,
    source: str | None,
    as_json: bool,
) -> int:
    """Tag a text against ontologies of the workspace; nothing is stored.

    Every tag says whether the text negates it, leaves it open, makes it a condition, puts it in the
    past, and of whom it speaks, with the words that say so.

    In a batch a record may carry ``terms``: labels of its own to find beside the ontologies, or
    instead of them.
    """
    from app.cli.batch import Record, require_one, run_batch
    from app.cli.text_input import read_text
    from app.kept_ontologies import ontology_rows
    from app.workspace import build_index, open_store

    require_one(text, source, name="TEXT")
    if source is None and not ontologies:
        raise UsageError(
            "No ontology named. Add one with `florilegium ontology add FILE --id ID`, then: "
            "florilegium tag TEXT --ontology ID"
        )
    from pipelines.stages.assertion import load_rules

    used = load_rules(rules)
    index = None
    if ontologies:
        index = build_index(ontology_rows(open_store(settings()), ontologies))

    def work(records: Sequence[Record]) -> list[Record]:
        return [
            {
                "id": record.get("id"),
                "tags": [asdict(found) for found in _tags(record, index, used)],
            }
            for record in records
        ]

    if source is not None:
        return run_batch(source, work)
    shown = work([{"text": read_text(text or "-", literal=True)}])[0]
    if as_json:
        print_json({"tags": shown["tags"]})
    else:
        rows = tag_rows(shown["tags"])
        print_table(TAG_COLUMNS, [[row[column] for column in TAG_COLUMNS] for row in rows])
    return 0


def _tags(record: dict[str, Any], index: Any, rules: Rules) -> list[Tag]:
    from pipelines.recipes.tagging import as_written
    from pipelines.segment import segment
    from pipelines.stages.assertion import assert_tags
    from pipelines.stages.tag import tag as find_tags

    found = list(find_tags(record["text"], index)) if index is not None else []
    terms = record.get("terms") or []
    if not isinstance(terms, list) or not all(isinstance(t, str) and t.strip() for t in terms):
        raise ValueError(f"terms are {terms!r}, expected a list of non-empty strings")
    for term in terms:
        if not any(map(str.isalnum, term)) or any("\ud800" <= char <= "\udfff" for char in term):
            raise ValueError(
                f"the term {term!r} cannot be found, expected a letter or a digit in it"
            )
    if terms:
        found += find_tags(record["text"], _terms_index(tuple(dict.fromkeys(terms))), as_written())
    if not found:
        return []
    assessed = assert_tags(record["text"], segment(record["text"]), found, rules=rules)
    return sorted(assessed, key=lambda x: (x.start, -x.end, x.iri))


@lru_cache(maxsize=256)
def _terms_index(terms: tuple[str, ...]) -> LabelIndex:
    """Return the index of ad-hoc terms; records of a batch mostly share theirs."""
    from ontology.index import LabelIndex

    return LabelIndex.build([_vocabulary(terms)], every_label=True)


def _vocabulary(terms: Sequence[str]) -> Ontology:
    """Return a vocabulary of ad-hoc terms; lower case, so that any case of the text matches."""
    from urllib.parse import quote

    from ontology.model import Concept, Label, Ontology

    concepts = {}
    for term in dict.fromkeys(terms):
        iri = f"urn:florilegium:term:{quote(term.strip())}"
        label = Label(term.strip().lower(), "", "pref")
        concepts[iri] = Concept(iri, f"term:{term.strip()}", term.strip(), (label,))
    return Ontology(TERMS, "Ad-hoc terms", "", "", "terms", "", concepts)
