"""What ``models compare`` found, kept in the workspace for later looking: JSON, one file a gold file.

Light: nothing here imports numpy or torch, so that a page can read it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from pipelines.errors import ModelError

FOLDER = ".comparisons"
"""Beside the models, hidden from their list."""


@dataclass(frozen=True, slots=True)
class Row:
    """One model. Scores 0 to 1, memory and size in bytes; ``per_million`` in points of 100.

    ``parameters`` are those that make a vector (embeddings and layers): the head of a task does
    not count. ``error`` says why a model has no figures.
    """

    id: str
    kind: str
    parameters: int
    bytes: int
    licence: str
    scores: dict[str, float] | None = None
    interval: tuple[float, float] | None = None
    score: float | None = None
    per_million: float | None = None
    tokens_per_second: float | None = None
    peak_memory: int | None = None
    load_seconds: float | None = None
    error: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Models compared on one file of coded texts. ``made`` is the time in ISO 8601, UTC.

    ``rows`` and ``labels`` are counts; ``floor`` is what runs without any model.
    """

    name: str
    made: str
    rows: int
    labels: int
    single: bool
    threads: int
    floor: Row
    models: tuple[Row, ...]


def save_comparison(models: Path, comparison: Comparison) -> Path:
    """Write a comparison into the folder of models, in place of an older one of its name."""
    folder = models / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^\w.-]+", "-", comparison.name).strip(".-") or "gold"
    path = folder / f"{name}.json"
    partial = path.with_suffix(".partial")
    partial.write_text(json.dumps(asdict(comparison), indent=1) + "\n", "utf-8")
    partial.replace(path)
    return path


def read_comparisons(models: Path) -> Iterator[Comparison | ModelError]:
    """Yield the comparisons, newest first; a file that cannot be read as the error that says why."""
    found: list[Comparison] = []
    for path in sorted((models / FOLDER).glob("*.json")):
        try:
            found.append(_parsed(json.loads(path.read_text("utf-8"))))
        except (OSError, ValueError, TypeError, KeyError) as error:
            yield ModelError(
                f"{path} is not a readable comparison ({type(error).__name__}: {error}); make it "
                "again with: florilegium models compare --gold FILE"
            )
    yield from sorted(found, key=lambda one: one.made, reverse=True)


def _parsed(values: Any) -> Comparison:
    known = {field.name for field in fields(Comparison)}
    if not isinstance(values, dict) or set(values) != known:
        raise ValueError(f"expected the keys {', '.join(sorted(known))}")
    return Comparison(
        **values
        | {"floor": _row(values["floor"]), "models": tuple(_row(one) for one in values["models"])}
    )


def _row(values: dict[str, Any]) -> Row:
    interval = values.get("interval")
    return Row(**values | {"interval": tuple(interval) if interval else None})
