"""The readers' nouns: a file that was found, how to read it, and the reading of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from pipelines.readers.errors import UnreadableFile
from pipelines.types import Column, Document, FileOutcome, FileReport


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file to read.

    ``path`` is absolute (symbolic links kept as named). ``relative`` is the POSIX path below
    ``root``, the folder the user named or the parent of a file named directly. ``name`` is the
    key prefix of its documents: ``relative``, made unique in the collection where two roots hold
    the same one. ``size`` is in bytes, ``mtime_ns`` in nanoseconds.
    """

    path: Path
    root: Path
    relative: str
    name: str
    size: int
    mtime_ns: int

    @property
    def folder(self) -> str:
        """The subfolder below the root, POSIX, empty for files directly in it."""
        parent = str(PurePosixPath(self.relative).parent)
        return "" if parent == "." else parent


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How to read.

    ``questions`` names the text columns (any case and spacing); empty means every column the
    reader classes as free text. Column classes come from the first ``sample_rows`` rows, or
    fewer where those hold more than ``sample_characters`` (a cell counts for 50 at least).
    """

    questions: tuple[str, ...] = ()
    sample_rows: int = 5_000
    sample_characters: int = 32_000_000


@dataclass(slots=True)
class Tally:
    """What a format reader counts while its documents are taken."""

    kind: str
    encoding: str | None = None
    rows: int = 0
    columns: tuple[Column, ...] = ()
    warnings: list[str] = field(default_factory=list)


class Reading:
    """One file being read: iterate it once for its documents, then take ``report``.

    Right after ``read`` the report says READ, or SKIPPED or FAILED with the reason when there is
    nothing to iterate (iterating then gives nothing). Its counts and warnings are final once the
    iteration is over. A file that breaks half-way raises ``UnreadableFile`` from the iteration
    and leaves a FAILED report.
    """

    def __init__(
        self,
        file: SourceFile,
        tally: Tally,
        documents: Iterable[Document] = (),
        *,
        outcome: FileOutcome = FileOutcome.READ,
        reason: str = "",
    ) -> None:
        """Hold ``documents`` unread; ``tally`` is filled by the format reader as they are taken."""
        self.file = file
        self._tally = tally
        self._documents = iter(documents)
        self._outcome = outcome
        self._reason = reason
        self._count = 0
        self.finished = outcome is not FileOutcome.READ

    def __iter__(self) -> Iterator[Document]:
        """Yield the documents in file order.

        Raises:
            UnreadableFile: the file broke half-way; what was yielded must not be kept.
        """
        try:
            for document in self._documents:
                self._count += 1
                yield document
        except (UnreadableFile, OSError, UnicodeError) as error:
            broken = error if isinstance(error, UnreadableFile) else UnreadableFile(str(error))
            self._outcome, self._reason = FileOutcome.FAILED, broken.reason
            self._count = 0
            self.finished = True
            raise broken from error
        finally:
            self._documents = iter(())
        self.finished = True

    @property
    def report(self) -> FileReport:
        """The row of the import report, final when ``finished``."""
        tally = self._tally
        return FileReport(
            path=str(self.file.path),
            kind=tally.kind,
            outcome=self._outcome,
            reason=self._reason,
            encoding=tally.encoding,
            rows=tally.rows,
            documents=self._count,
            columns=tally.columns,
            warnings=tuple(tally.warnings),
        )


def whole_file_metadata(file: SourceFile) -> dict[str, str]:
    """Return the metadata every document of ``file`` carries."""
    return {"file": PurePosixPath(file.relative).name, "folder": file.folder}
