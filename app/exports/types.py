"""What is asked of an export, and what it wrote."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from app.errors import UsageError
from app.report.compose import Wanted

if TYPE_CHECKING:
    from datetime import datetime

    from app.settings import Settings
    from db.rows import CodebookRow, CollectionRow
    from db.store import Store


@dataclass(frozen=True, slots=True)
class Asked:
    """An export of ``collection`` to ``path``.

    ``book`` is the codebook, where there is one. ``wanted.words`` says whether people's own words
    may be written: always those of an open collection, of a private one only when asked for.
    """

    settings: Settings
    store: Store
    collection: CollectionRow
    path: Path
    book: CodebookRow | None = None
    wanted: Wanted = field(default_factory=Wanted)

    @property
    def words(self) -> bool:
        """Whether people's own words may be written."""
        return self.wanted.words

    @property
    def made(self) -> datetime:
        """Return the date of the codebook's version, else of the last run: no clock is read."""
        if self.book is not None:
            number = self.wanted.version or self.book.version
            for version in self.store.codebook_versions(self.book.id):
                if version.number == number:
                    return version.created_at
        return last_run(self.store, self.collection)


@dataclass(frozen=True, slots=True)
class Written:
    """How many ``rows`` were written (of what, says ``unit``), and files written ``beside``."""

    rows: int
    unit: str
    beside: tuple[Path, ...] = ()


def last_run(store: Store, collection: CollectionRow) -> datetime:
    """Return when the last run over a collection ended, else when the collection was made."""
    times = [run.finished_at or run.started_at for run in store.runs(collection.id)]
    return max(times, default=collection.created_at)


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Give a name to write to, and move what was written to ``path`` when it is all there.

    Raises UsageError where ``path`` is a folder or cannot be written to.
    """
    if path.is_dir():
        raise UsageError(f"--out {str(path)!r}: that is a folder; expected the name of a file.")
    part = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield part
        part.replace(path)
    except OSError as error:
        raise UsageError(
            f"Cannot write {str(path)!r}: {error.strerror or error}. Expected a file in a folder "
            "that you may write to, with room on its disk."
        ) from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
