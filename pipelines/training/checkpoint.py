"""Save and restore everything a run needs to go on as if it had not stopped."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch.optim import Optimizer
from transformers import AlbertModel

from pipelines.training.batches import Position
from pipelines.training.errors import BadCheckpoint


@dataclass(slots=True)
class Progress:
    """How far a run has come: steps, real tokens seen, seconds spent, the next batch."""

    step: int = 0
    tokens: int = 0
    seconds: float = 0.0
    position: Position = field(default_factory=Position)


def flat(settings: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the settings' leaves with dotted names."""
    for key, value in settings.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def save(
    path: Path,
    *,
    settings: dict[str, Any],
    progress: Progress,
    student: AlbertModel,
    optimiser: Optimizer,
    average: AlbertModel | None = None,
) -> None:
    """Write a checkpoint so that a reader finds the old one or the new one, never a torn one.

    ``average`` is the moving average of the student's weights, where the run keeps one.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    torch.save(
        {
            "settings": settings,
            "progress": asdict(progress),
            "student": student.state_dict(),
            "average": None if average is None else average.state_dict(),
            "optimiser": optimiser.state_dict(),
            "random_state": torch.get_rng_state(),
        },
        partial,
    )
    partial.replace(path)


def restore(
    path: Path,
    *,
    settings: dict[str, Any],
    student: AlbertModel,
    optimiser: Optimizer,
    average: AlbertModel | None = None,
    may_change: Collection[str] = (),
) -> Progress:
    """Load a checkpoint into the student and the optimiser; return how far it had come.

    Raises BadCheckpoint if it was written under other settings, those in ``may_change`` (dotted
    names) left aside.
    """
    state = torch.load(path, map_location="cpu", weights_only=True)
    ours, theirs = dict(flat(settings)), dict(flat(state["settings"]))
    differing = sorted(
        key
        for key in (ours.keys() | theirs.keys()) - set(may_change)
        if ours.get(key) != theirs.get(key)
    )
    if differing:
        found = ", ".join(f"{key}={theirs.get(key)!r}, not {ours.get(key)!r}" for key in differing)
        raise BadCheckpoint(
            f"{path} was written with {found}; give the same settings, or another --out to start anew"
        )
    student.load_state_dict(state["student"])
    optimiser.load_state_dict(state["optimiser"])
    if average is not None:
        average.load_state_dict(state["average"])
    torch.set_rng_state(state["random_state"])
    progress = state["progress"]
    return Progress(
        step=progress["step"],
        tokens=progress["tokens"],
        seconds=progress["seconds"],
        position=Position(**progress["position"]),
    )
