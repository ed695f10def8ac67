"""The label sets of a workspace: trained ones in ``labels/`` of its folder, and the bundled ones.

A bundled set is trained (``pipelines/bundled``) or a list of descriptions (``pipelines/labels``). Of
sets of one name the workspace's own goes first, then the bundled trained one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.errors import UsageError

if TYPE_CHECKING:
    from app.settings import Settings
    from pipelines.learn.evaluate import ScoredSet
    from pipelines.learn.labeller import Labeller
    from pipelines.learn.shared import SharedVectors
    from pipelines.learn.types import Codes, Floats
    from pipelines.recipes import Recipe
    from pipelines.stages.encode import Encoder

_NAME = re.compile(r"\w[\w .-]{0,63}")


@dataclass(frozen=True, slots=True)
class TrainedReference:
    """A trained set that a recipe names: enough to plan a run, without loading it."""

    id: str
    sha256: str
    folder: Path


def trained_by(recipe: Recipe, folder: Path | None) -> TrainedReference | None:
    """Return the trained set, of ``folder`` or bundled, that ``recipe`` names; None without one."""
    name = recipe.classify.label_set
    if "classify" not in recipe.stages or not _NAME.fullmatch(name):
        return None
    return _reference(name, folder)


def also_by(recipe: Recipe, folder: Path | None) -> tuple[TrainedReference, ...]:
    """Return the trained sets that judge beside the recipe's own. Raises UsageError for none such."""
    if "classify" not in recipe.stages:
        return ()
    found = []
    for name in recipe.classify.also:
        reference = _reference(name, folder) if _NAME.fullmatch(name) else None
        if reference is None:
            from pipelines.bundled import bundled_names

            raise UsageError(
                f"The recipe {recipe.id!r} names the trained set {name!r} in classify.also, which "
                f"there is not; bundled: {', '.join(bundled_names())}. "
                f"Train it: florilegium train {name} --labels FILE"
            )
        found.append(reference)
    return tuple(found)


def _reference(name: str, folder: Path | None) -> TrainedReference | None:
    """Return the trained set of this name: the workspace's, else the bundled one."""
    from pipelines.bundled import bundled_folder, bundled_names

    if folder is not None and (folder / name).is_dir():
        path = folder / name
    elif name in bundled_names():
        path = bundled_folder(name)
    else:
        return None
    from pipelines.learn.folders import trained_sha256

    return TrainedReference(name, trained_sha256(path), path)


def trained_folder(settings: Settings, name: str) -> Path:
    """Return where the trained set ``name`` lives. Raises UsageError for a name that is no name."""
    if not _NAME.fullmatch(name) or name != name.strip() or ".." in name:
        raise UsageError(
            f"{name!r} cannot name a label set: expected letters, digits, spaces, '-', '_' or '.', "
            "at most 64. For example: florilegium train themes --labels FILE"
        )
    return settings.labels_dir / name


def is_trained(settings: Settings, name: str) -> bool:
    """Tell whether there is a trained set of this name, in the workspace or bundled."""
    from pipelines.bundled import bundled_names

    own = _NAME.fullmatch(name) is not None and (settings.labels_dir / name).is_dir()
    return own or name in bundled_names()


def known_sets(settings: Settings) -> str:
    """Return the names of all sets, for a message."""
    from pipelines.bundled import bundled_names
    from pipelines.labels import label_set_names
    from pipelines.learn.folders import trained_names

    trained = ", ".join(trained_names(settings.labels_dir)) or "none yet"
    bundled = sorted({*label_set_names(), *bundled_names()})
    return f"trained: {trained}; bundled: {', '.join(bundled)}"


def load_labeller(settings: Settings, name: str, encoder: Encoder | SharedVectors) -> Labeller:
    """Load a trained set with its encoder; raises TrainedSetError where they do not fit."""
    from pipelines.bundled import bundled_names, load_bundled
    from pipelines.learn.labeller import Labeller
    from pipelines.learn.shared import SharedVectors
    from pipelines.learn.trained import load_trained

    folder = trained_folder(settings, name)
    if not isinstance(encoder, SharedVectors):
        encoder = SharedVectors(encoder)
    if name in bundled_names() and not folder.is_dir():
        return Labeller(load_bundled(name, encoder=encoder.spec.sha256), encoder)
    return Labeller(load_trained(folder, encoder=encoder.spec.sha256), encoder)


def load_scored_set(settings: Settings, name: str, encoder: Encoder) -> ScoredSet:
    """Load a trained or bundled set, ready to be compared with codes."""
    import numpy as np

    from pipelines.labels import load_label_set
    from pipelines.learn.evaluate import ScoredSet
    from pipelines.learn.labeller import Item
    from pipelines.recipes import load_recipe
    from pipelines.segment import segment
    from pipelines.stages.classify import ZeroShot

    if is_trained(settings, name):
        labeller = load_labeller(settings, name, encoder)

        def trained(texts: Sequence[str], questions: Sequence[str]) -> tuple[Floats, Codes]:
            values = labeller.probabilities(texts, questions)
            return values, labeller.trained.rule.assign(values)

        by = labeller.trained
        return ScoredSet(by.labels, trained, band=by.band, seen=by.seen)
    if not is_bundled(name):
        raise UsageError(
            f"No label set {name!r}; there are {known_sets(settings)}. "
            f"Train it: florilegium train {name} --labels FILE"
        )
    labels = load_label_set(name)
    zero_shot = ZeroShot(labels, encoder, load_recipe("general").classify)
    place = {label.label: column for column, label in enumerate(labels.labels)}

    def described(texts: Sequence[str], _: Sequence[str]) -> tuple[Floats, Codes]:
        values = np.zeros((len(texts), len(place)), dtype=np.float32)
        found = np.zeros(values.shape, dtype=np.bool_)
        for row, text in enumerate(texts):
            item = Item(text, list(segment(text)))
            vectors = encoder.encode([text[s.start : s.end] for s in item.segments])
            for label in zero_shot.score(text, item.segments, vectors):
                values[row, place[label.label]] = label.score
                found[row, place[label.label]] = label.assigned
        return values, found

    return ScoredSet(tuple(place), described)


def is_bundled(name: str) -> bool:
    """Tell whether a set of this name comes with the program."""
    from pipelines.labels import label_set_names

    return name in label_set_names()
