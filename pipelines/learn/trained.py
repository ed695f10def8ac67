"""A trained label set on disk: JSON and safetensors, every file's hash checked, no pickle.

    labels/NAME/set.json             labels, decisions, scores, hashes of the other files
    labels/NAME/vocabulary.json      n-grams in the order of their weights
    labels/NAME/weights.safetensors  arrays
    labels/NAME/CARD.md              the same for people; nothing reads it

The same examples give the same bytes. A set belongs to the encoder whose vectors it was learnt from.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load as load_arrays
from safetensors.numpy import save as save_arrays

from pipelines.learn.calibrate import Curves
from pipelines.learn.card import About, card
from pipelines.learn.errors import TrainedSetError, TrainedSetMissing
from pipelines.learn.folders import HEAD, put_folder, read_bytes, trained_names
from pipelines.learn.groups import Marks
from pipelines.learn.packing import pack, unpack
from pipelines.learn.prototypes import Prototypes
from pipelines.learn.scorer import Scorer
from pipelines.learn.thresholds import Rule

FORMAT = 1
_VOCABULARY, _WEIGHTS = "vocabulary.json", "weights.safetensors"
_CARD = "CARD.md"


@dataclass(frozen=True, slots=True)
class TrainedSet:
    """A label set that has learnt: how to score, how sure that is, and when a label is assigned.

    ``encoder`` is the sha256 of the model whose vectors it needs. ``nearest`` are the labels
    without an example, scored by their distance to ``prototypes``. ``questions`` says whether it
    was learnt with them. ``band`` are the probabilities between which a person should look.
    ``seen`` are the marks of the texts it was learnt from. ``report`` is what was measured when it
    was trained.
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
    seen: Marks = field(default_factory=lambda: np.zeros(0, dtype=np.uint32))
    report: dict[str, Any] = field(default_factory=dict)
    sha256: str = ""


def save_trained(trained: TrainedSet, folder: Path, about: About | None = None) -> str:
    """Write the set to ``folder`` in one step, in place of what was there; return its sha256.

    ``about`` is what the card says beside the figures.
    """
    values, vocabulary, arrays = pack(trained.scorer)
    arrays |= {
        "curve_slopes": trained.curves.slopes,
        "curve_offsets": trained.curves.offsets,
        "prototypes": trained.prototypes.points,
        "seen": np.unique(trained.seen),
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
    files[HEAD] = _json(head)
    files[_CARD] = card(trained.report, trained.encoder, about).encode()
    put_folder(files, folder)
    return hashlib.sha256(files[HEAD]).hexdigest()


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
    head_bytes = read_bytes(folder / HEAD, again)
    try:
        head = json.loads(head_bytes)
        found, expected = head["format"], dict(head["files"])
    except (ValueError, KeyError, TypeError) as error:
        raise TrainedSetError(
            f"{folder / HEAD} is not the head of a trained set: {error}. {again}"
        ) from error
    if found != FORMAT:
        raise TrainedSetError(f"{folder} has format {found!r}, expected {FORMAT}. {again}")
    data = {name: read_bytes(folder / name, again) for name in (_VOCABULARY, _WEIGHTS)}
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
        seen=arrays["seen"] if "seen" in arrays else np.zeros(0, dtype=np.uint32),
        report=head["report"],
        sha256=sha256,
    )


def _json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=True, sort_keys=True, indent=1) + "\n").encode()
