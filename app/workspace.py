"""The workspace: its database, its vocabularies and the pipeline made from them."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.errors import ConfigError, UsageError
from app.kept_ontologies import check_ontologies, load_ontologies
from app.settings import Settings
from db.engine import create_engine_for
from db.migrate import check, current, upgrade
from db.rows import ConceptInput, OntologyInput, OntologyRow
from db.store import Store

if TYPE_CHECKING:
    from ontology.index import LabelIndex
    from ontology.model import Ontology
    from ontology.overlay import Overlay
    from pipelines.pipeline import Pipeline
    from pipelines.recipes import Recipe
    from pipelines.stages.encode import Encoder

log = logging.getLogger(__name__)


def open_store(settings: Settings, *, create: bool = False) -> Store:
    """Open the workspace's database.

    With ``create`` the folder and the tables are made where there are none; without it a missing
    database is an error that says what to type. Raises SchemaError for tables of another version.
    """
    path = _sqlite_path(settings)
    if path is not None and not path.exists():
        if not create:
            raise UsageError(
                f"There is no database at {path}. Make a workspace with "
                "`florilegium demo` or `florilegium run PATH`, or name another with --home DIR."
            )
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(
                f"The workspace {path.parent} cannot be made: {error.strerror}. "
                "Name a folder that you may write to with --home DIR."
            ) from error
    engine = create_engine_for(settings.db_url)
    if create and current(engine) is None:
        upgrade(engine)
    else:
        check(engine)
    return Store(engine)


def read_ontology(
    file: Path, name: str, *, overlay: Path | None = None, branches: Sequence[str] = ()
) -> tuple[Ontology, Overlay]:
    """Return a vocabulary file as an overlay and ``branches`` want it, and the two as one overlay.

    Raises UsageError for a file that is not there and OntologyError for one that is not usable.
    """
    from ontology.load import load
    from ontology.overlay import Overlay, apply
    from ontology.overlay_file import read_overlay

    if not file.is_file():
        raise UsageError(f"No such file: {str(file)!r}. Expected a vocabulary (OWL, SKOS, OBO …).")
    changes = (read_overlay(overlay) if overlay else Overlay()).with_branches(branches)
    return apply(load(file, id=name), changes), changes


def add_ontology(
    settings: Settings,
    store: Store,
    file: Path,
    name: str,
    *,
    overlay: Path | None = None,
    branches: Sequence[str] = (),
) -> OntologyRow:
    """Check a vocabulary, keep a copy in the workspace and register it as the current ``name``.

    Its hash covers the file, what it imports, the overlay and the branches. Its label index is
    made here, so that every later start maps it.
    """
    from ontology.hierarchy import closure
    from ontology.index import cached_index
    from ontology.kept import keep

    vocabulary, changes = read_ontology(file, name, overlay=overlay, branches=branches)
    kept = keep(vocabulary, file, changes, settings.ontologies_dir / name)
    cached_index(kept.parent, [(name, vocabulary.sha256)], lambda: [vocabulary])
    concepts = list(vocabulary.concepts.values())
    return store.add_ontology(
        OntologyInput(
            name=name,
            sha256=vocabulary.sha256,
            path=str(kept),
            original_path=str(file.resolve()),
            format=vocabulary.format,
            title=vocabulary.title,
            version=vocabulary.version,
            labels=sum(len(concept.labels) for concept in concepts),
            deprecated=sum(concept.deprecated for concept in concepts),
            concepts=[
                ConceptInput(c.iri, c.curie, c.label, c.definition, c.deprecated) for c in concepts
            ],
            closure=closure(vocabulary),
        )
    )


def build_index(rows: Sequence[OntologyRow]) -> LabelIndex | None:
    """Map the label index of these ontologies, made once for their hashes; ``None`` without any."""
    from ontology.index import cached_index

    if not rows:
        return None
    check_ontologies(rows)
    return cached_index(
        Path(rows[0].path).parent,
        [(row.name, row.sha256) for row in rows],
        lambda: load_ontologies(rows),
    )


def build_encoder(settings: Settings, model: str = "") -> Encoder:
    """Load the embedded ALBERT, or ``model``, with the settings' threads and the engine in force."""
    import os

    from pipelines.installed import find_model
    from pipelines.stages.encode import Encoder

    spec = find_model(model, settings.home / "models")
    return Encoder(
        spec,
        threads=settings.threads or os.cpu_count() or 1,
        engine=engine_in_force(settings, spec.sha256),
        folder=settings.home / "models",
    )


def engine_in_force(settings: Settings, model: str = "") -> str:
    """Return the engine that ``models tune`` wrote down for this workspace, else the reference.

    It counts for the weights that it was measured with: ``model`` is the sha256 of those to be
    used, by default the embedded model's.
    """
    from pipelines.engines import read_choice
    from pipelines.models import embedded_spec

    return read_choice(settings.home / "models", model or embedded_spec().sha256)


def build_pipeline(
    settings: Settings,
    recipe: Recipe,
    rows: Sequence[OntologyRow],
    *,
    trained: Path | None = None,
) -> Pipeline:
    """Put the recipe's stages together: encoder, label set (or the trained one) and label index."""
    from app.label_sets import load_labeller
    from pipelines.learn.shared import SharedVectors
    from pipelines.pipeline import Pipeline

    encoder = SharedVectors(build_encoder(settings, recipe.model))
    also = recipe.classify.also if "classify" in recipe.stages else ()
    return Pipeline(
        recipe,
        encoder,
        label_set=recipe.label_set() if trained is None else None,
        labeller=load_labeller(settings, trained.name, encoder) if trained is not None else None,
        also=[load_labeller(settings, name, encoder) for name in also],
        index=build_index(rows),
    )


def _sqlite_path(settings: Settings) -> Path | None:
    scheme, _, path = settings.db_url.partition("///")
    if not scheme.startswith("sqlite") or not path or path == ":memory:":
        return None
    return Path(path)
