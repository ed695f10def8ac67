"""The vocabularies that a workspace keeps: found by id, checked, loaded. No model is near."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.errors import ConfigError, UsageError
from db.errors import NotFound

if TYPE_CHECKING:
    from db.rows import OntologyRow
    from db.store import Store
    from ontology.model import Ontology


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
    from ontology.kept import reopen

    check_ontologies(rows)
    return [reopen(Path(row.path), id=row.name, sha256=row.sha256) for row in rows]


def check_ontologies(rows: Sequence[OntologyRow]) -> None:
    """Raise ConfigError for a copy that has gone or whose bytes have changed."""
    from ontology.kept import verify

    for row in rows:
        again = f"Add it again with: florilegium ontology add {row.original_path} --id {row.name}"
        try:
            found = verify(Path(row.path))
        except OSError as error:
            raise ConfigError(
                f"The ontology {row.name!r} has gone from {row.path}. {again}"
            ) from error
        if found != row.sha256:
            raise ConfigError(
                f"The ontology {row.name!r} at {row.path} has sha256 {found}, "
                f"expected {row.sha256}. {again}"
            )
