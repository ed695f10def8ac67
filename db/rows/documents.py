"""Collections, the files they were read from, and their documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from db.rows.results import RunRow


@dataclass(frozen=True, slots=True)
class CollectionRow:
    """A named collection. ``documents`` (not withdrawn) and ``last_run`` only from listings.

    ``reading`` is how its files are read: any JSON object, the caller's own. ``licence`` and
    ``rights`` are IRIs or words.
    """

    id: int
    name: str
    recipe: str
    text_private: bool
    title: str
    created_at: datetime
    reading: Mapping[str, Any] = field(default_factory=dict)
    licence: str = ""
    rights: str = ""
    documents: int = 0
    last_run: RunRow | None = None


@dataclass(frozen=True, slots=True)
class SourceInput:
    """An input file as the reader reports it. ``outcome``: read, skipped or failed.

    ``options`` is any stable text that says how it was read (question columns, reader version);
    compare it with the stored one before taking a file as known. ``columns`` are plain mappings
    such as ``{"name", "role", "reason"}``, ``report`` is any other JSON about reading it.
    """

    path: str
    outcome: str
    relative: str = ""
    kind: str = ""
    reason: str = ""
    size: int = 0
    mtime_ns: int = 0
    sha256: str = ""
    encoding: str | None = None
    rows: int = 0
    documents: int = 0
    columns: tuple[Mapping[str, Any], ...] = ()
    warnings: tuple[str, ...] = ()
    options: str = ""
    report: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A stored input file."""

    id: int
    collection_id: int
    path: str
    relative: str
    kind: str
    outcome: str
    reason: str
    size: int
    mtime_ns: int
    sha256: str
    encoding: str | None
    rows: int
    documents: int
    columns: tuple[Mapping[str, Any], ...]
    warnings: tuple[str, ...]
    options: str
    seen_at: datetime
    report: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DocumentInput:
    """A document to store; ``input_hash`` covers what the recipe's stages will see.

    ``respondent`` is who wrote it, ``aside`` why it is kept apart from the answers ("": it is not),
    ``flags`` what was noticed about it.
    """

    key: str
    text: str
    sha256: str
    input_hash: str
    question: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    locator: str = ""
    respondent: str = ""
    aside: str = ""
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A stored document with its text."""

    id: int
    collection_id: int
    source_id: int
    key: str
    text: str
    sha256: str
    input_hash: str
    question: str | None
    metadata: Mapping[str, Any]
    locator: str
    position: int
    withdrawn: bool
    created_at: datetime
    respondent: str = ""
    aside: str = ""
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rejected:
    """A document of a file that could not be stored, and why."""

    key: str
    locator: str
    reason: str


@dataclass(frozen=True, slots=True)
class PutCounts:
    """What reading one file changed. ``returned`` were withdrawn before and are back.

    ``duplicates`` of the file's documents repeat the text of an earlier document of the collection
    under the same question; blank texts do not count. ``forgotten`` are in the file, and were left
    out because they were erased before.
    """

    source_id: int
    added: int = 0
    updated: int = 0
    untouched: int = 0
    returned: int = 0
    withdrawn: int = 0
    duplicates: int = 0
    rejected: tuple[Rejected, ...] = ()
    forgotten: tuple[Rejected, ...] = ()

    @property
    def documents(self) -> int:
        """How many documents the file now has in the collection."""
        return self.added + self.updated + self.untouched + self.returned


@dataclass(frozen=True, slots=True)
class Pending:
    """Documents to process: how many, and batches of them, longest text first."""

    total: int
    batches: Iterator[tuple[DocumentRow, ...]]


@dataclass(frozen=True, slots=True)
class ParkedRow:
    """A document that failed as often as is allowed."""

    document_id: int
    key: str
    path: str
    locator: str
    reason: str
    attempts: int
