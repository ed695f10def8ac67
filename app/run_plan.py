"""What a run will do: how it reads files, its recipe, its vocabularies and the fingerprint of these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.errors import UsageError
from app.jobs import RunRequest
from app.kept_ontologies import ontology_rows
from app.label_sets import also_by, trained_by
from app.settings import Settings
from app.workspace import engine_in_force
from db.errors import NotFound
from db.rows import CollectionRow, OntologyRow
from db.store import Store
from pipelines.engines import FLOAT32
from pipelines.installed import find_model
from pipelines.models import embedded_spec
from pipelines.readers import ReadOptions
from pipelines.recipes import Fingerprint, Recipe, fingerprint, load_recipe, recipe_names

MAX_NAME = 200


@dataclass(frozen=True, slots=True)
class RunPlan:
    """Recipe, the name the collection knows it by, ontologies, fingerprint, trained label set."""

    recipe: Recipe
    recipe_reference: str
    ontologies: Sequence[OntologyRow]
    fingerprint: Fingerprint
    trained: Path | None = None


@dataclass(frozen=True, slots=True)
class ReadPlan:
    """How a collection's files are read: what was asked for, else what the collection remembers.

    ``remembered`` says in words what was not asked for now.
    """

    questions: tuple[str, ...] = ()
    mapping: str = ""
    ocr: bool | None = None
    remembered: tuple[str, ...] = ()

    def options(self, settings: Settings) -> ReadOptions:
        """Return the readers' options; raises MappingError (78) with every problem at once."""
        mapping = None
        if self.mapping:
            from pipelines.readers.tables.mapping import Mapping

            mapping = Mapping.from_text(self.mapping)
        return ReadOptions(
            questions=self.questions,
            mapping=mapping,
            limits=settings.limits,
            ocr=settings.ocr if self.ocr is None else self.ocr,
        )

    def kept(self) -> dict[str, Any]:
        """Return what the collection remembers of it, as JSON values; nothing where all is usual."""
        values: dict[str, Any] = {"questions": list(self.questions), "mapping": self.mapping}
        if self.ocr is not None:
            values["ocr"] = self.ocr
        return values if any(values.values()) or self.ocr is not None else {}


def plan_reading(request: RunRequest, known: CollectionRow | None) -> ReadPlan:
    """Settle how files are read: as asked, else as the collection remembers it, else as usual."""
    before = known.reading if known else {}
    questions = request.questions
    mapping, ocr = request.mapping, request.ocr
    remembered = []
    if not questions and (questions := tuple(before.get("questions") or ())):
        names = ", ".join(map(repr, questions))
        remembered.append(f"text column {names} (forget it with --question '')")
    if mapping is None and (mapping := str(before.get("mapping") or "")):
        remembered.append("a mapping file (forget it with --no-mapping)")
    if ocr is None and (ocr := before.get("ocr")) is not None:
        remembered.append(f"--{'ocr' if ocr else 'no-ocr'}")
    questions = tuple(question for question in questions if question.strip())
    return ReadPlan(questions, mapping or "", ocr, tuple(remembered))


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


def plan_run(
    settings: Settings, store: Store | None, request: RunRequest, known: CollectionRow | None
) -> RunPlan:
    """Settle a run in this workspace: with its engine and the label sets that were trained in it."""
    return make_plan(
        store,
        request,
        known,
        engine=engine_in_force(settings),
        trained_sets=settings.labels_dir,
        models=settings.home / "models",
    )


def make_plan(
    store: Store | None,
    request: RunRequest,
    known: CollectionRow | None,
    *,
    engine: str = FLOAT32,
    trained_sets: Path | None = None,
    models: Path = Path(),
) -> RunPlan:
    """Settle recipe and ontologies: as asked, else the collection's own, else the defaults.

    ``engine`` is the one that the run's encoder will use, ``trained_sets`` the folder of the label
    sets that were trained in the workspace, ``models`` that of its models: a recipe may name one.
    """
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
    trained = trained_by(recipe, trained_sets)
    model = find_model(recipe.model, models)
    mark = fingerprint(
        recipe,
        model,
        [(row.name, row.sha256) for row in rows],
        label_set=trained or recipe.label_set(),
        also=also_by(recipe, trained_sets),
        engine=engine if model.sha256 == embedded_spec().sha256 else FLOAT32,
    )
    return RunPlan(recipe, reference, rows, mark, trained.folder if trained else None)
