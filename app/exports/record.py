"""The record of what was exported from a workspace, so that ``forget`` finds it again.

One JSON line an export, in ``exports.ndjson`` of the workspace: the file, its collection, and the
newest document there was. A document with a lower number may be in it.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.settings import Settings

NAME = "exports.ndjson"


@dataclass(frozen=True, slots=True)
class Exported:
    """A file or folder that was written: ``newest`` is the greatest document id at that time."""

    path: str
    collection_id: int
    newest: int
    kind: str

    def may_hold(self, documents: Mapping[int, Iterable[int]]) -> bool:
        """Tell whether it may hold one of the documents, given as collection to ids."""
        return any(id <= self.newest for id in documents.get(self.collection_id, ()))


def note_export(
    settings: Settings, paths: Iterable[Path], *, kind: str, collection_id: int, newest: int
) -> None:
    """Write down that files were exported. What is written again replaces its earlier line."""
    new = [Exported(str(path.resolve()), collection_id, newest, kind) for path in paths]
    lines = "".join(json.dumps(asdict(each), ensure_ascii=False) + "\n" for each in new)
    with (settings.home / NAME).open("a", encoding="utf-8", errors="surrogateescape") as file:
        file.write(lines)


def exports(settings: Settings) -> list[Exported]:
    """Return what was exported and is still there, the newest line of each file."""
    try:
        text = (settings.home / NAME).read_text("utf-8", "surrogateescape")
    except FileNotFoundError:
        return []
    found: dict[str, Exported] = {}
    for line in text.splitlines():
        try:
            each = Exported(**json.loads(line))
        except (ValueError, TypeError):  # a line cut short by a full disk
            continue
        found[each.path] = each
    return [each for each in found.values() if Path(each.path).exists()]


def remove_exports(
    settings: Settings, documents: Mapping[int, Iterable[int]]
) -> tuple[list[str], list[str]]:
    """Delete the workspace's exports that may hold the documents; name those elsewhere.

    ``documents`` maps collections to documents. Returns the paths deleted, and what is out of
    reach with the reason.
    """
    home = settings.home.resolve()
    known = exports(settings)
    removed: list[str] = []
    unreached: list[str] = []
    for each in known:
        path = Path(each.path)
        if not each.may_hold(documents):
            continue
        if not path.resolve().is_relative_to(home):
            unreached.append(f"{path} (an export, outside the workspace)")
            continue
        try:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        except OSError as error:
            unreached.append(f"{path} (an export that cannot be deleted: {error.strerror})")
            continue
        removed.append(str(path))
    left = [each for each in known if each.path not in removed]
    _rewrite(settings.home / NAME, left)
    return sorted(removed), sorted(unreached)


def _rewrite(path: Path, left: list[Exported]) -> None:
    if not path.exists():
        return
    part = path.with_name(f".{path.name}.part")
    lines = "".join(json.dumps(asdict(each), ensure_ascii=False) + "\n" for each in left)
    part.write_text(lines, "utf-8", "surrogateescape")
    part.replace(path)
