"""The readers' nouns: a file that was found, how to read it, and the reading of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from pipelines.answers import BLANK, assess
from pipelines.readers.containers.unpacked import Folder
from pipelines.readers.errors import UnreadableFile
from pipelines.types import Document, FileOutcome, FileReport, TableReport

if TYPE_CHECKING:
    from pipelines.readers.tables.mapping import Mapping

INSIDE = "!/"
"""Between the path of a file and that of a file inside it."""


@dataclass(slots=True)
class Allowance:
    """What may still be unpacked of a file and of everything inside it, however deep."""

    size: int
    files: int


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file to read.

    ``path`` is absolute (symbolic links kept as named). ``relative`` is the POSIX path below
    ``root``, the folder the user named or the parent of a file named directly. ``name`` is the
    key prefix of its documents: ``relative``, made unique in the collection where two roots hold
    the same one. ``size`` is in bytes, ``mtime_ns`` in nanoseconds.

    A file inside another one (an attachment, an entry of an archive) lies unpacked at ``path`` for
    as long as the outer reading is open; ``shown`` is its path for people and the database,
    ``<outer>!/<inner>``, ``depth`` how many files are around it, and ``allowance`` what the
    outermost of them has left.
    """

    path: Path
    root: Path
    relative: str
    name: str
    size: int
    mtime_ns: int
    shown: str = ""
    depth: int = 0
    allowance: Allowance | None = field(default=None, compare=False, repr=False)

    @property
    def title(self) -> str:
        """The path for people and the database."""
        return self.shown or str(self.path)

    @property
    def folder(self) -> str:
        """The subfolder below the root, POSIX, empty for files directly in it."""
        parent = str(PurePosixPath(self.relative).parent)
        return "" if parent == "." else parent

    def inside(self, inner: str, path: Path, allowance: Allowance | None = None) -> SourceFile:
        """Return the file ``inner`` (a POSIX path) of this one, unpacked at ``path``."""
        return SourceFile(
            path=path,
            root=path.parent,
            relative=f"{self.relative}{INSIDE}{inner}",
            name=f"{self.name}{INSIDE}{inner}",
            size=path.stat().st_size,
            mtime_ns=self.mtime_ns,
            shown=f"{self.title}{INSIDE}{inner}",
            depth=self.depth + 1,
            allowance=allowance,
        )


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one file may cost; hitting a limit is an outcome with the limit in its reason.

    ``seconds`` without a sign of life from the parser of a compound format, ``memory_mb`` of that
    parser's process; ``unpacked_mb``, ``ratio`` (unpacked to packed) and ``members`` of an archive
    or a zipped office file; ``depth`` of files inside files; ``columns`` of a table; ``cells`` of
    a sheet, counting the blank ones between; ``field_mb`` of a single cell, record or text.
    """

    seconds: float = 120.0
    memory_mb: int = 2_000
    unpacked_mb: int = 2_000
    ratio: int = 200
    members: int = 10_000
    depth: int = 3
    columns: int = 5_000
    cells: int = 50_000_000
    field_mb: int = 64


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How to read.

    ``questions`` names the text columns (any case and spacing); empty means every column the
    reader classes as free text. ``mapping`` says what a person decided about tables. Column classes
    come from the first ``sample_rows`` rows, or fewer where those hold more than
    ``sample_characters`` (a cell counts for 50 at least). ``ocr`` reads pictures and scans with
    tesseract where it is installed. ``answers`` counts ways to say nothing as empty.
    """

    questions: tuple[str, ...] = ()
    mapping: Mapping | None = None
    limits: Limits = Limits()
    ocr: bool = False
    answers: bool = True
    sample_rows: int = 5_000
    sample_characters: int = 32_000_000

    def key(self, file: SourceFile) -> dict[str, Any]:
        """Return what of this decides how ``file`` is read, as JSON values."""
        mapped = self.mapping.key(file.relative) if self.mapping is not None else None
        return {"questions": list(self.questions), "mapping": mapped, "ocr": self.ocr}


@dataclass(slots=True)
class Tally:
    """What a format reader notes while its documents are taken.

    A reader of files with files inside unpacks them into ``unpacked()``, puts each into
    ``members`` and each that it leaves alone into ``left_out`` with the reason.
    """

    kind: str
    encoding: str | None = None
    rows: int = 0
    tables: list[TableReport] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    members: list[SourceFile] = field(default_factory=list)
    left_out: list[FileReport] = field(default_factory=list)
    _folder: Folder | None = None

    def unpacked(self) -> Path:
        """Return an empty private folder that lives as long as the reading."""
        if self._folder is None:
            self._folder = Folder()
        return self._folder.path

    def close(self) -> None:
        """Remove what was unpacked."""
        if self._folder is not None:
            self._folder.close()
            self._folder = None


class Reading:
    """One file being read: iterate it once for its documents, then take ``report``.

    Right after ``read`` the report says READ, or SKIPPED or FAILED with the reason when there is
    nothing to iterate (iterating then gives nothing). Its counts and warnings are final once the
    iteration is over. A file that breaks half-way raises ``UnreadableFile`` from the iteration
    and leaves a FAILED report. After the iteration ``members`` are the files inside it, unpacked
    until ``close``; use it as a context manager.
    """

    def __init__(
        self,
        file: SourceFile,
        tally: Tally,
        documents: Iterable[Document] = (),
        *,
        outcome: FileOutcome = FileOutcome.READ,
        reason: str = "",
        answers: bool = True,
    ) -> None:
        """Hold ``documents`` unread; ``tally`` is filled by the format reader as they are taken.

        ``answers`` counts ways to say nothing as empty, not blank texts alone.
        """
        self.file = file
        self._tally = tally
        self._documents = iter(documents)
        self._outcome = outcome
        self._reason = reason
        self._answers = answers
        self._count = 0
        self._empty: Counter[str] = Counter()
        self._aside: Counter[str] = Counter()
        self._flags: Counter[str] = Counter()
        self.finished = outcome is not FileOutcome.READ

    def __enter__(self) -> Reading:
        """Return the reading itself."""
        return self

    def __exit__(self, *exception: object) -> None:
        """Remove what was unpacked."""
        self.close()

    def __iter__(self) -> Iterator[Document]:
        """Yield the documents in file order.

        Raises:
            UnreadableFile: the file broke half-way; what was yielded must not be kept.
        """
        try:
            for document in self._documents:
                self._note(document)
                yield document
        except (UnreadableFile, OSError, UnicodeError) as error:
            broken = _broken(error)
            self._outcome, self._reason = FileOutcome.FAILED, broken.reason
            self._count = 0
            self._empty, self._aside, self._flags = Counter(), Counter(), Counter()
            self._tally.members.clear()
            self.finished = True
            raise broken from error
        finally:
            self._documents = iter(())
        self.finished = True

    @property
    def members(self) -> tuple[SourceFile, ...]:
        """The files inside this one, to be read next."""
        return tuple(self._tally.members)

    @property
    def left_out(self) -> tuple[FileReport, ...]:
        """The files inside this one that are not read, each with the reason."""
        return tuple(self._tally.left_out)

    @property
    def report(self) -> FileReport:
        """The row of the import report, final when ``finished``."""
        tally = self._tally
        return FileReport(
            path=self.file.title,
            kind=tally.kind,
            outcome=self._outcome,
            reason=self._reason,
            encoding=tally.encoding,
            rows=tally.rows,
            documents=self._count,
            tables=tuple(tally.tables),
            empty=dict(self._empty),
            aside=dict(self._aside),
            flags=dict(self._flags),
            warnings=tuple(tally.warnings),
        )

    def close(self) -> None:
        """Remove what was unpacked."""
        self._tally.close()

    def _note(self, document: Document) -> None:
        self._count += 1
        for flag in document.flags:
            self._flags[flag] += 1
        if document.aside:
            self._aside[document.aside] += 1
            return
        if self._answers:
            verdict = assess(document.text, document.question)
            if not verdict.answers:
                self._empty[verdict.rule] += 1
        elif not document.text.strip():
            self._empty[BLANK.rule] += 1


def _broken(error: UnreadableFile | OSError | UnicodeError) -> UnreadableFile:
    if isinstance(error, UnreadableFile):
        return error
    if isinstance(error, OSError) and error.strerror:
        return UnreadableFile(f"cannot be read to its end: {error.strerror}")
    return UnreadableFile(str(error))


def whole_file_metadata(file: SourceFile) -> dict[str, str]:
    """Return the metadata every document of ``file`` carries."""
    return {"file": PurePosixPath(file.relative).name, "folder": file.folder}
