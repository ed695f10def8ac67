"""A trained label set on disk: JSON and safetensors, every file's hash checked, no pickle.

    labels/NAME/set.json             labels, decisions, scores, hashes of the other files
    labels/NAME/vocabulary.json      n-grams in the order of their weights
    labels/NAME/weights.safetensors  arrays

The same examples give the same bytes. A set belongs to the encoder whose vectors it was learnt from.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load as load_arrays
from safetensors.numpy import save as save_arrays

from pipelines.learn.calibrate import Curves
from pipelines.learn.errors import TrainedSetError, TrainedSetMissing
from pipelines.learn.packing import pack, unpack
from pipelines.learn.prototypes import Prototypes
from pipelines.learn.scorer import Scorer
from pipelines.learn.thresholds import Rule

FORMAT = 1
_SET, _VOCABULARY, _WEIGHTS = "set.json", "vocabulary.json", "weights.safetensors"


@dataclass(frozen=True, slots=True)
class TrainedSet:
    """A label set that has learnt: how to score, how sure that is, and when a label is assigned.

    ``encoder`` is the sha256 of the model whose vectors it needs. ``nearest`` are the labels
    without an example, scored by their distance to ``prototypes``. ``questions`` says whether it
    was learnt with them. ``band`` are the probabilities between which a person should look.
    ``report`` is what was measured when it was trained.
    """

    id: str
    labels: tuple[str, ...]
    scorer: Scorer
    curves: Curves
    rule: Rule
    encoder: str
    prototypes: Prototypes
    nearest: tuple[int, ...] = ()
    questions: bool = False
    band: tuple[float, float] = (0.0, 1.0)
    descriptions: tuple[str, ...] = ()
    report: dict[str, Any] = field(default_factory=dict)
    sha256: str = ""


def trained_names(folder: Path) -> tuple[str, ...]:
    """Return the names of the trained sets in ``folder``, sorted."""
    return tuple(sorted(path.parent.name for path in folder.glob(f"*/{_SET}")))


def trained_sha256(folder: Path) -> str:
    """Return the sha256 that stands for the set in ``folder``: its head holds those of its files."""
    head = _bytes(folder / _SET, f"Train it again: florilegium train {folder.name} --labels FILE")
    return hashlib.sha256(head).hexdigest()


def save_trained(trained: TrainedSet, folder: Path) -> str:
    """Write the set to ``folder`` in one step, in place of what was there; return its sha256."""
    values, vocabulary, arrays = pack(trained.scorer)
    arrays |= {
        "curve_slopes": trained.curves.slopes,
        "curve_offsets": trained.curves.offsets,
        "prototypes": trained.prototypes.points,
    }
    files = {
        _VOCABULARY: _json(vocabulary),
        _WEIGHTS: save_arrays({name: np.ascontiguousarray(a) for name, a in arrays.items()}),
    }
    head = {
        "format": FORMAT,
        "id": trained.id,
        "labels": trained.labels,
        "descriptions": trained.descriptions,
        "scorer": values,
        "rule": asdict(trained.rule),
        "nearest": trained.nearest,
        "questions": trained.questions,
        "encoder": trained.encoder,
        "band": trained.band,
        "report": trained.report,
        "files": {name: hashlib.sha256(data).hexdigest() for name, data in files.items()},
    }
    files[_SET] = _json(head)
    new = folder.with_name(f".{folder.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    for name, data in files.items():
        (new / name).write_bytes(data)
    old = folder.with_name(f".{folder.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        folder.replace(old)
    new.replace(folder)
    shutil.rmtree(old, ignore_errors=True)
    return hashlib.sha256(files[_SET]).hexdigest()


def load_trained(folder: Path, *, encoder: str | None = None) -> TrainedSet:
    """Load a set; ``encoder`` is the sha256 of the model in force, checked where it is given.

    Raises ``TrainedSetMissing`` where there is none, ``TrainedSetError`` for a file that is missing
    or changed, another format, or a set learnt from another model's vectors.
    """
    again = f"Train it again: florilegium train {folder.name} --labels FILE"
    if not folder.is_dir():
        known = ", ".join(trained_names(folder.parent)) or "none yet"
        raise TrainedSetMissing(
            f"no trained set {folder.name!r}; there are: {known}. "
            f"Train one: florilegium train {folder.name} --labels FILE"
        )
    head_bytes = _bytes(folder / _SET, again)
    try:
        head = json.loads(head_bytes)
        found, expected = head["format"], dict(head["files"])
    except (ValueError, KeyError, TypeError) as error:
        raise TrainedSetError(
            f"{folder / _SET} is not the head of a trained set: {error}. {again}"
        ) from error
    if found != FORMAT:
        raise TrainedSetError(f"{folder} has format {found!r}, expected {FORMAT}. {again}")
    data = {name: _bytes(folder / name, again) for name in (_VOCABULARY, _WEIGHTS)}
    for name, content in data.items():
        digest = hashlib.sha256(content).hexdigest()
        if digest != expected.get(name):
            raise TrainedSetError(
                f"{folder / name} has sha256 {digest}, expected {expected.get(name)}: the file is "
                f"not the one that was trained. {again}"
            )
    if encoder is not None and head["encoder"] != encoder:
        raise TrainedSetError(
            f"the trained set {folder.name!r} was learnt from the vectors of model "
            f"{head['encoder'][:12]}…, expected {encoder[:12]}…. {again}"
        )
    try:
        return _built(
            head,
            json.loads(data[_VOCABULARY]),
            load_arrays(data[_WEIGHTS]),
            hashlib.sha256(head_bytes).hexdigest(),
        )
    except (KeyError, TypeError, ValueError, SafetensorError) as error:
        raise TrainedSetError(f"{folder} does not fit together: {error}. {again}") from error


def _built(
    head: dict[str, Any], vocabulary: dict[str, list[str]], arrays: dict[str, Any], sha256: str
) -> TrainedSet:
    rule = dict(head["rule"])
    return TrainedSet(
        id=head["id"],
        labels=tuple(head["labels"]),
        scorer=unpack(head["scorer"], vocabulary, arrays),
        curves=Curves(arrays["curve_slopes"], arrays["curve_offsets"]),
        rule=Rule(**rule | {"thresholds": tuple(rule["thresholds"]), "rare": tuple(rule["rare"])}),
        encoder=head["encoder"],
        prototypes=Prototypes(arrays["prototypes"]),
        nearest=tuple(head["nearest"]),
        questions=head["questions"],
        band=(head["band"][0], head["band"][1]),
        descriptions=tuple(head["descriptions"]),
        report=head["report"],
        sha256=sha256,
    )


def _json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=True, sort_keys=True, indent=1) + "\n").encode()


def _bytes(path: Path, again: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise TrainedSetError(f"{path} cannot be read: {error.strerror}. {again}") from error
