"""Which model: its files, their hashes, its licence; everything about it short of loading it.

Light on purpose: nothing here imports torch or transformers, so a command can compute a fingerprint
and find that there is nothing to do. Loading is ``pipelines.stages.albert``.
"""

from __future__ import annotations

import functools
import hashlib
import json
import math
import struct
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipelines.errors import ModelError, ModelUnavailable

EMBEDDED_ID = "florilegium-albert"
EMBEDDED_FOLDER = Path(__file__).parent / "embedded"
MANIFEST = "model.toml"
CARD, JUDGEMENT = "MODEL_CARD.md", "adapted.json"
"""What may lie beside the weights: words about the model, and what adapting it gave."""
# What decides a vector. A card or licence may change without changing a result.
_TOKENIZERS = ("tokenizer.json", "spiece.model")
_DECISIVE = (
    "config.json",
    "model.safetensors",
    *_TOKENIZERS,
    "vocab.txt",
    "tokenizer_config.json",
)
_UNSAFE = (".bin", ".pt", ".pth", ".pkl", ".ckpt")
_MANIFEST_KEYS = {"id", "revision", "licence", "files"}
ENCODER, ANSWERS, ENTAILMENT, CLASSIFIER = "encoder", "question-answering", "nli", "classification"
"""What a checkpoint's head is for; an encoder may carry the head of its pre-training."""


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A model on disk: who it is, and the sha256 of every file that decides its vectors.

    ``parameters`` counts all weights in the file, ``encoder_parameters`` those of embeddings and
    layers, which are what turns text into a vector. ``task`` is what its head is for.
    """

    id: str
    folder: Path
    revision: str = ""
    licence: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    parameters: int = 0
    bytes: int = 0
    encoder_parameters: int = 0
    task: str = ENCODER
    kind: str = "albert"

    @property
    def sha256(self) -> str:
        """One hash over the files' names and hashes."""
        lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(self.files.items()))
        return hashlib.sha256(lines.encode()).hexdigest()


def embedded_spec() -> ModelSpec:
    """Return the specification of the model inside the package; hashed once a process."""
    return folder_spec(EMBEDDED_FOLDER, id=EMBEDDED_ID)


def folder_spec(
    folder: Path | str, *, id: str | None = None, kinds: Collection[str] = ("albert",)
) -> ModelSpec:
    """Return the specification of a model folder, its files hashed and its header read.

    A ``model.toml`` beside the weights names id, revision, licence and expected hashes. ``kinds``
    are the architectures that will do. Raises ``ModelUnavailable`` where there is no model,
    ``ModelError`` for a folder that is incomplete, has pickled weights only, is of another
    architecture, or differs from its manifest.
    """
    folder = Path(folder)
    _require_config(folder)
    if not folder.is_dir() or not (folder / "config.json").is_file():
        raise ModelUnavailable(
            f"no model in {folder}: expected config.json, model.safetensors and a tokenizer; "
            "see florilegium models list"
        )
    config = read_config(folder)
    kind = str(config.get("model_type") or "")
    if kind not in kinds:
        held = f"a {kind!r} model" if kind else "a config.json without model_type"
        expected = " or ".join(map(repr, kinds))
        raise ModelError(f"{folder} holds {held}, expected {expected}; see florilegium models list")
    _require_files(folder, (*_TOKENIZERS, "vocab.txt") if kind != "albert" else _TOKENIZERS)
    manifest = read_manifest(folder)
    files = {name: _sha256(folder / name) for name in _DECISIVE if (folder / name).is_file()}
    shapes = _shapes(folder / "model.safetensors")
    spec = ModelSpec(
        id=id or str(manifest.get("id", folder.resolve().name)),
        folder=folder,
        revision=str(manifest.get("revision", "")),
        licence=str(manifest.get("licence", "")),
        files=files,
        parameters=sum(shapes.values()),
        bytes=(folder / "model.safetensors").stat().st_size,
        encoder_parameters=sum(
            size
            for name, size in shapes.items()
            if name.removeprefix(f"{kind}.").startswith(("embeddings.", "encoder."))
        ),
        task=_task(shapes, config),
        kind=kind,
    )
    _compare(manifest.get("files", {}), spec)
    return spec


def verify(spec: ModelSpec) -> None:
    """Raise ``ModelError`` where a file is no longer what ``spec`` says it is."""
    for name, digest in spec.files.items():
        path = spec.folder / name
        if not path.is_file():
            raise ModelError(f"model {spec.id}: {path} is missing, expected sha256 {digest}")
        _must_equal(path, _sha256(path), digest)


def write_manifest(folder: Path, *, id: str, revision: str, licence: str) -> Path:
    """Write ``model.toml`` with the hashes of the folder's files as they are now."""
    files = {name: _sha256(folder / name) for name in _DECISIVE if (folder / name).is_file()}
    lines = [
        f"{key} = {json.dumps(value)}"
        for key, value in (("id", id), ("revision", revision), ("licence", licence))
    ]
    lines += ["", "[files]", *(f'"{name}" = "{digest}"' for name, digest in sorted(files.items()))]
    path = folder / MANIFEST
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def read_config(folder: Path) -> dict[str, Any]:
    """Return ``config.json`` of a model folder."""
    path = folder / "config.json"
    try:
        config = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(f"{path} is not readable JSON: {error}") from error
    if not isinstance(config, dict):
        raise ModelError(f"{path} holds a {type(config).__name__}, expected an object")
    return config


def _task(names: Collection[str], config: Mapping[str, Any]) -> str:
    """Return what the head is for, by its weights' names and the names of its labels."""
    if "qa_outputs.weight" in names:
        return ANSWERS
    if "classifier.weight" not in names:
        return ENCODER
    labels = config.get("id2label")
    named = [str(label).lower() for label in labels.values()] if isinstance(labels, dict) else []
    return ENTAILMENT if any(label.startswith("entail") for label in named) else CLASSIFIER


def _require_config(folder: Path) -> None:
    """Raise ``ModelError`` where ``folder`` has files of a model but no ``config.json``."""
    parts = (MANIFEST, "model.safetensors", *_TOKENIZERS)
    found = [name for name in parts if (folder / name).is_file()]
    if found and not (folder / "config.json").is_file():
        raise ModelError(
            f"{folder} has {', '.join(found)} but no config.json: a file is missing; install or "
            "copy the model again"
        )


def _require_files(folder: Path, tokenizers: Collection[str]) -> None:
    if not (folder / "model.safetensors").is_file():
        pickled = sorted(file.name for file in folder.iterdir() if file.suffix in _UNSAFE)
        found = f"found {', '.join(pickled)}, which can run code when loaded; " if pickled else ""
        raise ModelError(f"{folder} has no model.safetensors: {found}only safetensors are loaded")
    if not any((folder / name).is_file() for name in tokenizers):
        raise ModelError(f"{folder} has no tokenizer: expected {' or '.join(tokenizers)}")


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return ``model.toml`` of a model folder, {} where there is none."""
    path = folder / MANIFEST
    if not path.is_file():
        return {}
    try:
        manifest = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ModelError(f"{path} is not readable TOML: {error}") from error
    unknown = sorted(set(manifest) - _MANIFEST_KEYS)
    if unknown or not isinstance(manifest.get("files", {}), dict):
        raise ModelError(
            f"{path} has unknown keys {unknown} or no [files] table; expected {_MANIFEST_KEYS}"
        )
    return manifest


def _compare(expected: Mapping[str, str], spec: ModelSpec) -> None:
    for name, digest in expected.items():
        if name not in spec.files:
            raise ModelError(f"model {spec.id}: {spec.folder / name} is missing")
        _must_equal(spec.folder / name, spec.files[name], digest)


def _must_equal(path: Path, found: str, expected: str) -> None:
    if found != expected:
        raise ModelError(
            f"{path} has sha256 {found}, expected {expected}: the file is not the one that was "
            "checked; install or copy the model again"
        )


def _sha256(path: Path) -> str:
    status = path.stat()
    return _file_sha256(str(path), status.st_size, status.st_mtime_ns)


@functools.lru_cache(maxsize=256)
def _file_sha256(path: str, _size: int, _mtime_ns: int) -> str:
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _shapes(path: Path) -> dict[str, int]:
    """Return the size of every weight from the safetensors header; counters are no weights.

    https://github.com/huggingface/safetensors
    """
    try:
        with path.open("rb") as file:
            (length,) = struct.unpack("<Q", file.read(8))
            if length > 100_000_000:
                raise ValueError(f"header of {length} bytes")
            header = json.loads(file.read(length))
            header.pop("__metadata__", None)
            missing = max((entry["data_offsets"][1] for entry in header.values()), default=0)
            missing += 8 + length - path.stat().st_size
        if missing > 0:
            raise ValueError(f"{missing} bytes are missing at its end")
        return {
            name: math.prod(entry["shape"])
            for name, entry in header.items()
            if str(entry["dtype"]).startswith(("F", "BF"))
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError, struct.error) as error:
        raise ModelError(
            f"{path} is not a safetensors file: {error}; install or copy the model again"
        ) from error
