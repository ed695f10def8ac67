"""Presets: the public ALBERT checkpoints that can be fetched by name; rules are ``presets.toml``."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipelines.errors import ModelError
from pipelines.models import ANSWERS, CLASSIFIER, ENCODER, ENTAILMENT

PRESETS = Path(__file__).with_name("presets.toml")
_TASKS = (ENCODER, ANSWERS, ENTAILMENT, CLASSIFIER)
_ID = re.compile(r"\w[\w.-]{0,79}")
_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+")
_FILE = re.compile(r"\w[\w.-]*")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_REQUIRED = ("id", "repository", "revision", "licence", "task", "files")
_KNOWN = (*_REQUIRED, "optional", "sha256", "parameters_million", "about")


@dataclass(frozen=True, slots=True)
class Preset:
    """A repository of model files. ``sha256`` holds the hashes that are known beforehand."""

    id: str
    repository: str
    revision: str = ""
    licence: str = ""
    task: str = ENCODER
    files: tuple[str, ...] = ("config.json", "model.safetensors")
    optional: tuple[str, ...] = ("tokenizer.json", "spiece.model", "tokenizer_config.json")
    sha256: Mapping[str, str] = field(default_factory=dict)
    parameters_million: float = 0.0
    about: str = ""

    @property
    def pinned(self) -> bool:
        """Whether the revision is one commit and no other."""
        return _COMMIT.fullmatch(self.revision) is not None


@functools.cache
def presets() -> Mapping[str, Preset]:
    """Return the presets by id, in the file's order."""
    return read_presets(PRESETS.read_text("utf-8"))


def read_presets(text: str) -> dict[str, Preset]:
    """Return the presets of a TOML text. Raises ``ModelError`` with every problem at once."""
    try:
        tables = tomllib.loads(text).get("preset", [])
    except tomllib.TOMLDecodeError as error:
        raise ModelError(f"the presets are not readable TOML: {error}") from error
    problems: list[str] = []
    found: dict[str, Preset] = {}
    for number, table in enumerate(tables, 1):
        name = table.get("id", f"number {number}")
        wrong = _problems(table)
        if name in found:
            wrong.append("stands twice")
        problems += [f"{name}: {said}" for said in wrong]
        if not wrong:
            values: dict[str, Any] = {
                key: tuple(v) if isinstance(v, list) else v for key, v in table.items()
            }
            found[name] = Preset(**values)
    if problems:
        raise ModelError(f"the presets cannot be used: {'; '.join(problems)}")
    return found


def custom(id: str, repository: str, revision: str, licence: str) -> Preset:
    """Return a preset for any repository. Raises ``ModelError`` for names that are none."""
    wrong = _problems(
        {
            "id": id,
            "repository": repository,
            "revision": revision,
            "licence": licence,
            "task": ENCODER,
            "files": [],
        }
    )
    if wrong:
        raise ModelError(
            f"{'; '.join(wrong)}. For example: florilegium models fetch my-albert "
            "--repository owner/name --revision COMMIT"
        )
    return Preset(id, repository, revision, licence)


def _problems(table: Mapping[str, Any]) -> list[str]:
    said = [f"no {key}" for key in _REQUIRED if key not in table]
    said += [f"unknown key {key}" for key in table if key not in _KNOWN]
    if said:
        return said
    if not _ID.fullmatch(table["id"]):
        said.append(f"id {table['id']!r} is no name: expected letters, digits, '.', '-', '_'")
    if not _REPOSITORY.fullmatch(table["repository"]):
        said.append(f"repository {table['repository']!r}: expected owner/name")
    if ".." in table["revision"] or not re.fullmatch(r"[\w./-]*", table["revision"]):
        said.append(f"revision {table['revision']!r}: expected a commit or a branch")
    if table["task"] not in _TASKS:
        said.append(f"task {table['task']!r}: expected one of {', '.join(_TASKS)}")
    files = [*table["files"], *table.get("optional", ())]
    said += [f"file {name!r} is no file name" for name in files if not _FILE.fullmatch(name)]
    for name, digest in table.get("sha256", {}).items():
        if name not in files or not _SHA256.fullmatch(digest):
            said.append(f"sha256 of {name}: expected 64 hexadecimal digits of a listed file")
    return said
