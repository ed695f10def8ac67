"""Forget documents for good, and withdraw runs: SQL, the graph, and files of the workspace."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app import lease
from app.errors import UsageError
from app.exports.record import remove_exports
from app.graph_mark import mark_stale
from app.heartbeat import Heartbeat
from app.reviews import graph_follows
from db.errors import DbError, Locked
from db.rows import DocumentDetail, ErasureRow

if TYPE_CHECKING:
    from app.settings import Settings
    from db.store import Store

LINES, NEEDLE = 3, 48
"""A file is taken to hold a text when it holds so many characters of one of its longest lines."""
LEAST_NEEDLE = 12
_BLOCK = 1 << 20
_SQLITE = b"SQLite format 3\0"
_INSIDE = "!/"


@dataclass(slots=True)
class Forgotten:
    """What was erased, the files that went with it, and what is out of reach."""

    erasures: list[ErasureRow]
    files: list[str] = field(default_factory=list)
    unreached: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "documents": len(self.erasures),
            "removed": dict(sum((Counter(row.counts) for row in self.erasures), Counter())),
            "files": self.files,
            "unreached": self.unreached,
            "warnings": self.warnings,
            "audit": [asdict(row) | {"counts": dict(row.counts)} for row in self.erasures],
        }


def chosen(
    store: Store, document: str | None, respondent: str | None, collection: str | None
) -> list[DocumentDetail]:
    """Return the documents to forget: one by key or number, or all of one person's.

    Raises UsageError unless exactly one of the two is given, NotFound where there is none.
    """
    if (document is None) == (respondent is None):
        raise UsageError(
            "Name a DOCUMENT (its key or number) or a person with --respondent ID, not both. "
            "Example: florilegium forget answers.csv#R7 --collection consultation"
        )
    if document is not None:
        found = int(document) if document.isdecimal() else document
        return [store.document(found, collection=collection)]
    assert respondent is not None
    where = store.collection(collection).id if collection else None
    ids = store.documents_of(respondent, where)
    if not ids:
        raise UsageError(
            f"No document of the respondent {respondent!r}"
            f"{f' in {collection!r}' if collection else ''}; expected an ID as the documents have "
            "it. See: florilegium documents COLLECTION --json"
        )
    return [store.document(id) for id in ids]


def forget(
    settings: Settings,
    store: Store,
    documents: Sequence[DocumentDetail],
    *,
    author: str,
    reason: str = "",
) -> Forgotten:
    """Erase documents from the database, the graph and the workspace's own files.

    Nothing of them is left in the database's files (SQLite), and a later run over the same source
    leaves them out. Raises Locked while a run holds the collection.
    """
    needles = [needle for each in documents for needle in _needles(each.document.text)]
    sources = sorted({each.path.partition(_INSIDE)[0] for each in documents})
    collections = {each.collection.id for each in documents}
    with _held(settings, store, sorted(collections)):
        mark_stale(settings)
        ids = [each.document.id for each in documents]
        erased = store.forget(ids, author=author, reason=reason)
        done = Forgotten(erased)
        _remove_exports(settings, documents, done)
        _remove_files(settings, sources, needles, done)
        try:
            done.unreached += store.scrub()
        except DbError as error:  # what was erased stays erased
            done.unreached.append(f"deleted pages of the database, until it is free ({error})")
        _, done.warnings = graph_follows(settings, store, lambda: None, erased=True)
    done.unreached += [f"{path} (the source file)" for path in sources if Path(path).exists()]
    if done.warnings:
        done.unreached.append(f"{settings.graph_dir} (the graph as it was before)")
    if left := _holding(settings.graph_dir, needles):
        done.unreached += [f"{path} (a graph that is still held)" for path in left]
    done.unreached.append("exports, reports and copies made earlier")
    return done


def withdraw_run(
    settings: Settings, store: Store, collection: str, run: int, *, reason: str = ""
) -> tuple[ErasureRow, list[str]]:
    """Remove a run's results and bring the graph in step; return the audit line and warnings."""
    row = store.collection(collection)
    author = settings.person or "unnamed"
    with _held(settings, store, [row.id]):
        return graph_follows(
            settings,
            store,
            lambda: store.withdraw_run(row.id, run, author=author, reason=reason),
        )


@contextmanager
def _held(settings: Settings, store: Store, collections: Sequence[int]) -> Iterator[None]:
    """Hold the leases of collections, so that no run writes meanwhile; raises Locked."""
    owner, taken = lease.owner(), []
    try:
        for id in collections:
            try:
                store.lock_collection(id, owner, settings.lease_seconds)
            except Locked as held:
                if not lease.has_died(held.owner):
                    raise
                store.unlock_collection(id, held.owner)
                store.lock_collection(id, owner, settings.lease_seconds)
            taken.append(id)
        seconds = settings.lease_seconds
        with Heartbeat(
            lambda: all(store.renew_collection(id, owner, seconds) for id in taken), seconds / 3
        ):
            yield
    finally:
        for id in taken:
            store.unlock_collection(id, owner)


def _needles(text: str) -> list[bytes]:
    """Return pieces of the text's longest lines (begin, middle, end), as files hold them."""
    lines = sorted((line.strip() for line in text.splitlines()), key=len, reverse=True)
    pieces: dict[bytes, None] = {}
    for line in lines[:LINES]:
        middle = max(0, len(line) // 2 - NEEDLE // 2)
        for piece in (line[:NEEDLE], line[middle : middle + NEEDLE], line[-NEEDLE:]):
            if len(piece) >= LEAST_NEEDLE:
                pieces[piece.encode("utf-8", "replace")] = None
    return list(pieces)


def _remove_exports(
    settings: Settings, documents: Sequence[DocumentDetail], done: Forgotten
) -> None:
    """Delete the workspace's exports that may hold the documents; name those elsewhere."""
    ids: dict[int, list[int]] = {}
    for each in documents:
        ids.setdefault(each.collection.id, []).append(each.document.id)
    removed, unreached = remove_exports(settings, ids)
    done.files += removed
    done.unreached += unreached


def _remove_files(
    settings: Settings, sources: Iterable[str], needles: Sequence[bytes], done: Forgotten
) -> None:
    """Delete uploaded copies and database backups that hold the texts; name the other files."""
    home = settings.home.resolve()
    for source in sources:
        path = Path(source)
        if path.is_file() and path.resolve().is_relative_to(home):
            _remove(path, done)
    own = _database(settings)
    for path in _holding(home, needles, leave=(settings.graph_dir, *own)):
        if path.is_relative_to(settings.uploads_dir.resolve()) or _is_backup(path):
            _remove(path, done)
        else:
            done.unreached.append(f"{path} (it holds words of the text)")


def _remove(path: Path, done: Forgotten) -> None:
    try:
        path.unlink()
    except OSError as error:
        done.unreached.append(f"{path} (it cannot be deleted: {error.strerror})")
        return
    done.files.append(str(path))
    for beside in (path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")):
        beside.unlink(missing_ok=True)


def _database(settings: Settings) -> list[Path]:
    scheme, _, name = settings.db_url.partition("///")
    if not scheme.startswith("sqlite") or not name:
        return []
    return [Path(name + suffix).resolve() for suffix in ("", "-wal", "-shm", "-journal")]


def _is_backup(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(_SQLITE)) == _SQLITE
    except OSError:
        return False


def _holding(folder: Path, needles: Sequence[bytes], leave: Sequence[Path] = ()) -> list[Path]:
    """Return the files below ``folder`` that hold one of the pieces, without those to ``leave``."""
    if not needles:
        return []
    found = []
    for root, folders, names in os.walk(folder):
        here = Path(root)
        folders[:] = [name for name in folders if (here / name) not in leave]
        paths = (here / name for name in names)
        found += [p for p in paths if p not in leave and not p.is_symlink() and _holds(p, needles)]
    return sorted(found)


def _holds(path: Path, needles: Sequence[bytes]) -> bool:
    longest = max(map(len, needles))
    tail = b""
    try:
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                window = tail + block
                if any(needle in window for needle in needles):
                    return True
                tail = window[-longest:]
    except OSError:
        return False
    return False
