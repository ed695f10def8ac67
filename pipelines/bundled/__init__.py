"""Trained label sets that come with the program: a folder and a card each.

They have the files of any trained set and belong to the embedded model; when that changes, all are
made again by ``python -m pipelines.training.train_sets FOLDER``. None holds a text, or a word, of the
data it was learnt from.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipelines.learn.trained import TrainedSet

_FOLDER = Path(__file__).parent


def bundled_names() -> tuple[str, ...]:
    """Return the names of the bundled trained sets, sorted; reads no file."""
    return tuple(sorted(path.parent.name for path in _FOLDER.glob("*/set.json")))


def bundled_folder(name: str) -> Path:
    """Return the folder of a bundled trained set."""
    return _FOLDER / name


def load_bundled(name: str, *, encoder: str | None = None) -> TrainedSet:
    """Load a bundled trained set; ``encoder`` is the sha256 of the model in force.

    Raises ``TrainedSetError`` where the set was made for another model or a file is not as it was.
    """
    from pipelines.learn.errors import TrainedSetError
    from pipelines.learn.trained import load_trained

    trained = load_trained(bundled_folder(name))
    if encoder is not None and trained.encoder != encoder:
        raise TrainedSetError(
            f"the bundled set {name!r} was learnt from the vectors of model "
            f"{trained.encoder[:12]}…, expected {encoder[:12]}…: use the embedded model, or make "
            "the set again: python -m pipelines.training.train_sets FOLDER"
        )
    return trained
