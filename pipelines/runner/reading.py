"""Read new and changed files into a collection; each file and its documents are one transaction."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from db.errors import KeyCollision
from db.rows import DocumentInput, SourceRow
from db.types import visible
from pipelines.persist import document_input, left_out_input, source_input
from pipelines.readers import (
    INSIDE,
    Discovery,
    Reading,
    ReadOptions,
    SourceFile,
    UnreadableFile,
    read,
)
from pipelines.recipes import Recipe
from pipelines.runner.known import KnownFiles, ReadKeys, is_gone, sha256_of
from pipelines.runner.types import Failure, Ingested
from pipelines.types import FileOutcome, FileReport, Outcome

if TYPE_CHECKING:
    from db.store import Store

log = logging.getLogger(__name__)
_NO_LONGER = "no longer in the file around it"
_WHILE_READ = "it was changed while it was read; the next run reads it again"


class _Stopped(Exception):
    """Told to stop in the middle of a file."""


def ingest(
    store: Store,
    collection_id: int,
    discovery: Discovery,
    *,
    known: Iterable[SourceRow],
    options: ReadOptions,
    recipe: Recipe,
    retry_failed: bool = False,
    roots: Iterable[str] = (),
    stop: Callable[[], bool] = lambda: False,
) -> Ingested:
    """Read the files that are new or changed into the collection; ``known`` are its files so far.

    A file is known by path, size and time, then by the hash of its bytes, read with the same
    options; one with the bytes of a known file that is gone is that file, moved. One that failed
    before and has not changed is listed and not tried again unless ``retry_failed``. Files inside
    a file are read after it, and are known when it is. Known files at or below ``roots`` that are
    no longer there are counted; their documents stay.

    ``stop`` is asked before each document: nothing is kept of a file that is not read to its end.
    """
    options = replace(options, answers=recipe.answers)
    files, keys = KnownFiles(known), ReadKeys(options, recipe)
    work = _Ingest(store, collection_id, options, recipe, retry_failed, stop, files, keys)
    for report in discovery.left_out:
        work.leave_out(report)
    for file in discovery.files:
        if stop():
            break
        work.take(file)
    there = {visible(file.title) for file in discovery.files}
    there |= {visible(report.path) for report in discovery.left_out}
    work.done.gone = _count_gone(files.outer(), there, [visible(root) for root in roots])
    return work.done


@dataclass(slots=True)
class _Ingest:
    store: Store
    collection_id: int
    options: ReadOptions
    recipe: Recipe
    retry_failed: bool
    stop: Callable[[], bool]
    known: KnownFiles
    keys: ReadKeys
    done: Ingested = field(default_factory=Ingested)

    def leave_out(self, report: FileReport) -> None:
        """Note what cannot even be opened."""
        before = self.known.get(report.path)
        if before is not None and _same_failure(report, before) and not self.retry_failed:
            self._note_known(before)
            return
        if report.outcome is FileOutcome.FAILED:
            row = left_out_input(report, options=self.keys.bare)
            self.store.record_source(self.collection_id, row)
        self.done.note(report)

    def take(self, file: SourceFile) -> None:
        """Read ``file`` unless it is known."""
        before = self.known.get(file.title)
        if before is None and (moved := self.known.moved(file)):
            self.store.move_source(moved.id, file.title)
            self.done.changed = True
            before = self.known.move(moved, file.title)
            file = replace(file, name=before.relative)
        if before is not None and self.known.unchanged(
            file, before, self.keys, retry_failed=self.retry_failed
        ):
            self._pass(file, before)
            return
        with read(file, self.options) as reading:
            try:
                report = self._store(file, reading)
            except _Stopped:
                log.info("told to stop in %s; nothing of it was kept", file.title)
                return
            if before is not None and report.outcome is FileOutcome.SKIPPED:
                self._withdraw(before)  # there is no answer in it any more
            if before is not None and not self.retry_failed and _still_closed(report, before):
                self._note_known(before)
            else:
                self.done.note(report)
            for left in reading.left_out:
                self.leave_out(left)
            for member in reading.members:
                if self.stop():
                    return  # the file's row is unfinished: it is read again
                self.take(member)
            if reading.members and self.stop():
                return
            if reading.finished and report.outcome is not FileOutcome.FAILED:
                self._forget_inside(file, reading)
        self._finish(file, report)

    def _pass(self, file: SourceFile, before: SourceRow) -> None:
        """Count a file that is known, and those inside it; list again what was not read."""
        if (file.size, file.mtime_ns) != (before.size, before.mtime_ns):
            self.store.touch_source(before.id, size=file.size, mtime_ns=file.mtime_ns)
        for row in (before, *self.known.inside(before.path)):
            if not is_gone(row):
                self.done.unchanged += bool(row.mtime_ns)  # or it was never opened
                self._note_known(row)

    def _store(self, file: SourceFile, reading: Reading) -> FileReport:
        """Store the documents of ``file`` with an unfinished row; return what became of it."""
        report = reading.report
        if report.outcome is not FileOutcome.READ:
            return report
        # Time 0 until the counts are final: a crash in between reads the file again.
        unfinished = replace(source_input(file, report, sha256="", options=""), mtime_ns=0)
        try:
            counts = self.store.put_file(self.collection_id, unfinished, self._documents(reading))
        except UnreadableFile:
            log.info("%s broke while it was read; nothing of it was kept", file.title)
            return reading.report
        except KeyCollision as error:
            return replace(
                reading.report, outcome=FileOutcome.FAILED, reason=str(error), documents=0
            )
        self.done.changed = True
        self.done.documents += counts.documents
        self.done.rejected += len(counts.rejected)
        self.done.failures += [
            Failure(file.title, r.key, str(Outcome.FAILED), r.reason) for r in counts.rejected
        ]
        self.done.forgotten += len(counts.forgotten)
        self.done.failures += [
            Failure(file.title, r.key, str(Outcome.SKIPPED), r.reason) for r in counts.forgotten
        ]
        left_out = (*counts.rejected, *counts.forgotten)
        rejected = (f"{r.locator or r.key}: {r.reason}" for r in left_out)
        return replace(
            reading.report,
            documents=counts.documents,
            duplicates=counts.duplicates,
            warnings=(*reading.report.warnings, *rejected),
        )

    def _documents(self, reading: Reading) -> Iterator[DocumentInput]:
        for document in reading:
            if self.stop():
                raise _Stopped
            yield document_input(document, self.recipe)

    def _finish(self, file: SourceFile, report: FileReport) -> None:
        sha256 = "" if report.outcome is FileOutcome.SKIPPED else sha256_of(file.path)
        row = source_input(file, report, sha256=sha256, options=self.keys.of(file))
        if not file.depth and _time_of(file) != file.mtime_ns:
            log.info("%s: %s", file.title, _WHILE_READ)
            row = replace(row, mtime_ns=0, warnings=(*row.warnings, _WHILE_READ))
        self.store.record_source(self.collection_id, row)

    def _forget_inside(self, file: SourceFile, reading: Reading) -> None:
        """Withdraw what lay inside an earlier version of ``file`` and no longer does."""
        there = {visible(one.title) for one in reading.members}
        left = {visible(report.path): report for report in reading.left_out}
        skipped = {p: r.reason for p, r in left.items() if r.outcome is FileOutcome.SKIPPED}
        there |= left.keys() - skipped.keys()
        start = len(visible(file.title)) + len(INSIDE)
        for row in self.known.inside(file.title):
            if not is_gone(row) and not any(path in there for path in _from(row.path, start)):
                self._withdraw(row, skipped.get(row.path, _NO_LONGER))

    def _withdraw(self, row: SourceRow, reason: str = "") -> None:
        self.done.changed |= bool(self.store.withdraw_source(row.id, reason=reason))

    def _note_known(self, before: SourceRow) -> None:
        if before.outcome != FileOutcome.READ:
            reason = f"{before.reason} (known from an earlier run; the file has not changed)"
            self.done.failures.append(Failure(before.path, "", before.outcome, reason))


def _from(path: str, start: int) -> Iterator[str]:
    """Yield the paths of the files around the one at ``path``, from ``start`` on, and its own."""
    end = path.find(INSIDE, start)
    while end >= 0:
        yield path[:end]
        end = path.find(INSIDE, end + 1)
    yield path


def _count_gone(rows: Iterable[SourceRow], there: set[str], roots: list[str]) -> int:
    """Count the files at or below ``roots`` whose documents stand and which are not ``there``."""
    folders = tuple(root.rstrip("/") + "/" for root in roots)
    return sum(
        bool(row.mtime_ns and row.sha256)
        and row.path not in there
        and (row.path in roots or row.path.startswith(folders))
        for row in rows
    )


def _time_of(file: SourceFile) -> int:
    try:
        return file.path.stat().st_mtime_ns
    except OSError:
        return 0


def _still_closed(report: FileReport, before: SourceRow) -> bool:
    """Tell whether a file that could not be opened before cannot be opened now."""
    return not before.sha256 and _same_failure(report, before)


def _same_failure(report: FileReport, before: SourceRow) -> bool:
    return (
        report.outcome is FileOutcome.FAILED
        and before.outcome == FileOutcome.FAILED
        and before.reason == report.reason
    )
