"""Two hashes that decide what is pending: what a stage saw, and what it would do with it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from pipelines.engines import FLOAT32
from pipelines.models import ModelSpec
from pipelines.recipes.recipe import Recipe
from pipelines.types import Document

# Raise it whenever a change of code changes a result: every document becomes pending again.
PIPELINE_VERSION = "3"


class IdentifiedSet(Protocol):
    """A label set, bundled, of one's own or trained: what of it a fingerprint needs."""

    @property
    def id(self) -> str: ...

    @property
    def sha256(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What produced a result: a short hash, and the parts it was computed from."""

    value: str
    details: Mapping[str, Any]

    def __str__(self) -> str:
        return self.value


def fingerprint(
    recipe: Recipe,
    model: ModelSpec,
    ontologies: Iterable[tuple[str, str]] = (),
    *,
    label_set: IdentifiedSet | None = None,
    also: Iterable[IdentifiedSet] = (),
    engine: str = FLOAT32,
) -> Fingerprint:
    """Return the fingerprint of ``recipe`` run with these files.

    ``ontologies`` are (id, sha256) pairs, in any order; ``also`` are label sets beside
    ``label_set``. Titles and descriptions do not count: only what can change a result does. An
    ``engine`` other than the reference can.
    """
    details: dict[str, Any] = {
        "pipeline_version": PIPELINE_VERSION,
        "recipe": recipe.id,
        "parameters": recipe.parameters(),
        "model": {"id": model.id, "revision": model.revision, "sha256": model.sha256},
        "ontologies": [{"id": name, "sha256": digest} for name, digest in sorted(set(ontologies))],
        "label_sets": [
            {"id": one.id, "sha256": one.sha256} for one in (label_set, *also) if one is not None
        ],
    }
    if engine != FLOAT32:
        details["engine"] = engine
    # Where a model came from is provenance; its bytes are what decides a result.
    decisive = details | {"model": model.sha256}
    return Fingerprint(_digest(decisive)[:16], details)


def input_hash(document: Document, recipe: Recipe) -> str:
    """Return the hash of what the stages see of a document: text, question, whether it is
    kept apart, and the metadata the recipe uses."""
    seen = {
        "text": document.sha256,
        "question": document.question or "",
        "aside": document.aside,
        "metadata": {name: document.metadata.get(name, "") for name in recipe.metadata},
    }
    return _digest(seen)


def _digest(value: Mapping[str, Any]) -> str:
    canonical = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()
