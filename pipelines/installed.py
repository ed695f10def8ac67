"""The models on this machine: the embedded one, those in a folder of models, any folder by its path."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterator
from pathlib import Path

from pipelines.errors import ModelError, ModelUnavailable
from pipelines.models import (
    CARD,
    EMBEDDED_ID,
    JUDGEMENT,
    MANIFEST,
    ModelSpec,
    embedded_spec,
    folder_spec,
    write_manifest,
)
from pipelines.presets import presets


def installed(folder: Path) -> Iterator[tuple[str, ModelSpec | ModelError]]:
    """Yield every model in ``folder`` by name; one that cannot be used as the error that says why."""
    if not folder.is_dir():
        return
    for path in sorted(folder.iterdir()):
        if path.is_dir() and not path.name.startswith("."):
            try:
                yield path.name, folder_spec(path, id=path.name, kinds=("albert", "bert"))
            except ModelError as error:
                yield path.name, error


def find_model(name: str, folder: Path, *, kinds: Collection[str] = ("albert",)) -> ModelSpec:
    """Return the model called ``name``: embedded, in ``folder``, or the path of any model folder.

    Raises ``ModelUnavailable`` where there is none, ``ModelError`` where it cannot be used.
    """
    if name in ("", EMBEDDED_ID):
        return embedded_spec()
    if Path(name).name == name and (folder / name).is_dir():
        return folder_spec(folder / name, id=name, kinds=kinds)
    if Path(name).is_dir():
        return folder_spec(Path(name), kinds=kinds)
    if name in presets():
        raise ModelUnavailable(
            f"the model {name!r} is not on this machine; fetch it with: florilegium models fetch "
            f"{name}, or copy its folder here and: florilegium models add FOLDER --id {name}"
        )
    raise ModelUnavailable(
        f"no model {name!r}: expected {EMBEDDED_ID!r}, a name from florilegium models list, or a "
        "folder with config.json, model.safetensors and a tokenizer"
    )


def first_for(task: str, folder: Path) -> ModelSpec | None:
    """Return the first usable ALBERT in ``folder`` whose head is for ``task``, by name, or None."""
    for _, found in installed(folder):
        if isinstance(found, ModelSpec) and found.task == task and found.kind == "albert":
            return found
    return None


def add_model(source: Path, folder: Path, *, id: str = "", licence: str = "") -> ModelSpec:
    """Check a model folder, copy what counts into ``folder`` and write its manifest.

    A manifest that lies beside the weights is checked and its revision and licence kept. Raises
    ``ModelError`` where the folder cannot be used; nothing is copied then.
    """
    spec = folder_spec(source, kinds=("albert", "bert"))
    name = id or spec.id
    if Path(name).name != name or name.startswith(".") or name == EMBEDDED_ID:
        raise ModelError(
            f"{name!r} cannot name a model: expected letters, digits, '.', '-', '_'. "
            f"Name it: florilegium models add {source} --id NAME"
        )
    target = folder / name
    if target.exists() and target.resolve() == source.resolve():
        write_manifest(target, id=name, revision=spec.revision, licence=licence or spec.licence)
        return folder_spec(target, id=name, kinds=("albert", "bert"))
    half = folder / f".{name}.part"
    try:
        shutil.rmtree(half, ignore_errors=True)
        half.mkdir(parents=True)
        for file in (*spec.files, MANIFEST, CARD, JUDGEMENT):
            if (source / file).is_file():
                shutil.copyfile(source / file, half / file)
        write_manifest(half, id=name, revision=spec.revision, licence=licence or spec.licence)
        put_in_place(half, target)
    except OSError as error:
        raise ModelError(
            f"the model cannot be copied to {target}: {error}; name a workspace that can be "
            "written to with --home DIR"
        ) from error
    finally:
        shutil.rmtree(half, ignore_errors=True)
    return folder_spec(target, id=name, kinds=("albert", "bert"))


def put_in_place(half: Path, target: Path) -> None:
    """Move the finished folder ``half`` to ``target``, in place of what was there."""
    old = target.with_name(f".{target.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if target.exists():
        target.rename(old)
    half.rename(target)
    shutil.rmtree(old, ignore_errors=True)
