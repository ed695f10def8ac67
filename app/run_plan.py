"""What a run will do with a document: its recipe, vocabularies and the fingerprint of all of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.errors import UsageError
from app.jobs import RunRequest
from app.workspace import ontology_rows
from db.errors import NotFound
from db.rows import CollectionRow, OntologyRow
from db.store import Store
from pipelines.models import embedded_spec
from pipelines.recipes import Fingerprint, Recipe, fingerprint, load_recipe, recipe_names

MAX_NAME = 200


@dataclass(frozen=True, slots=True)
class RunPlan:
    """Recipe, the name the collection knows it by, ontologies, fingerprint."""

    recipe: Recipe
    recipe_reference: str
    ontologies: Sequence[OntologyRow]
    fingerprint: Fingerprint


def check_name(name: str) -> None:
    """Raise UsageError where ``name`` cannot be told apart or typed as a collection's name."""
    if name.strip() != name or not name or not name.isprintable() or len(name) > MAX_NAME:
        raise UsageError(
            f"The collection name {name!r} does not fit: expected 1 to {MAX_NAME} printable "
            "characters without white space around them. Choose one with --collection."
        )


def known_collection(store: Store | None, name: str) -> CollectionRow | None:
    """Return the collection called ``name``, or ``None``."""
    if store is None:
        return None
    try:
        return store.collection(name)
    except NotFound:
        return None


def make_plan(store: Store | None, request: RunRequest, known: CollectionRow | None) -> RunPlan:
    """Settle recipe and ontologies: as asked, else the collection's own, else the defaults."""
    reference = request.recipe or (known.recipe if known else "general")
    if reference not in recipe_names():
        reference = str(Path(reference).expanduser().resolve())
    recipe = load_recipe(reference)
    names = request.ontologies
    if names is None:
        names = ()
        if store is not None and known is not None:
            finished = [run for run in store.runs(known.id) if run.details.get("ontologies")]
            names = tuple(o["id"] for o in finished[-1].details["ontologies"]) if finished else ()
    if names and store is None:
        raise UsageError(
            f"No ontology called {names[0]!r}: the workspace has no database yet. "
            "Add one with: florilegium ontology add FILE --id ID"
        )
    rows = ontology_rows(store, names) if store is not None else []
    label_set = recipe.label_set()
    mark = fingerprint(
        recipe, embedded_spec(), [(row.name, row.sha256) for row in rows], label_set=label_set
    )
    return RunPlan(recipe, reference, rows, mark)
