"""The workspace: its database, its vocabularies and the pipeline made from them."""

from __future__ import annotations

import hashlib
import logging
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.errors import ConfigError, UsageError
from app.settings import Settings
from db.engine import create_engine_for
from db.errors import NotFound
from db.migrate import check, current, upgrade
from db.rows import ConceptInput, OntologyInput, OntologyRow
from db.store import Store

if TYPE_CHECKING:
    from ontology.index import LabelIndex
    from ontology.model import Ontology
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


def add_ontology(settings: Settings, store: Store, file: Path, name: str) -> OntologyRow:
    """Check a vocabulary, keep a copy in the workspace and register it as the current ``name``."""
    from ontology.hierarchy import closure
    from ontology.load import load

    if not file.is_file():
        raise UsageError(f"No such file: {str(file)!r}. Expected an OWL or SKOS vocabulary.")
    vocabulary = load(file, id=name)
    kept = settings.ontologies_dir / name / f"{vocabulary.sha256[:16]}{file.suffix}"
    kept.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, kept)
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


def ontology_rows(store: Store, names: Sequence[str]) -> list[OntologyRow]:
    """Return the registered ontologies called ``names``; all unknown ones are named at once."""
    rows, unknown = [], []
    for name in dict.fromkeys(names):
        try:
            rows.append(store.ontology(name))
        except NotFound:
            unknown.append(name)
    if unknown:
        known = ", ".join(row.name for row in store.ontologies()) or "none yet"
        raise UsageError(
            f"No ontology called {', '.join(map(repr, unknown))}; there are: {known}. "
            "Add one with: florilegium ontology add FILE --id ID"
        )
    return rows


def load_ontologies(rows: Sequence[OntologyRow]) -> list[Ontology]:
    """Load the workspace's copies, and refuse one whose bytes have changed."""
    from ontology.load import load

    loaded = []
    for row in rows:
        path = Path(row.path)
        again = f"Add it again with: florilegium ontology add {row.original_path} --id {row.name}"
        if not path.is_file():
            raise ConfigError(f"The ontology {row.name!r} has gone from {path}. {again}")
        found = hashlib.sha256(path.read_bytes()).hexdigest()
        if found != row.sha256:
            raise ConfigError(
                f"The ontology {row.name!r} at {path} has sha256 {found}, expected {row.sha256}. "
                f"{again}"
            )
        loaded.append(load(path, id=row.name))
    return loaded


def build_index(rows: Sequence[OntologyRow]) -> LabelIndex | None:
    """Build the label index of these ontologies; ``None`` without any."""
    from ontology.index import LabelIndex

    return LabelIndex.build(load_ontologies(rows)) if rows else None


def build_encoder(settings: Settings) -> Encoder:
    """Load the embedded ALBERT with the threads of the settings."""
    import os

    from pipelines.stages.encode import Encoder

    return Encoder(threads=settings.threads or os.cpu_count() or 1)


def build_pipeline(settings: Settings, recipe: Recipe, rows: Sequence[OntologyRow]) -> Pipeline:
    """Put the recipe's stages together: encoder, label set and label index."""
    from pipelines.pipeline import Pipeline

    return Pipeline(
        recipe,
        build_encoder(settings),
        label_set=recipe.label_set(),
        index=build_index(rows),
    )


def _sqlite_path(settings: Settings) -> Path | None:
    scheme, _, path = settings.db_url.partition("///")
    if not scheme.startswith("sqlite") or not path or path == ":memory:":
        return None
    return Path(path)
