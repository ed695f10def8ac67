"""Read new and changed files into a collection; each file and its documents are one transaction."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from db.errors import KeyCollision
from db.rows import SourceRow
from db.types import visible
from pipelines.persist import document_input, left_out_input, read_key, source_input
from pipelines.readers import (
    INSIDE,
    Discovery,
    Reading,
    ReadOptions,
    SourceFile,
    UnreadableFile,
    file_sha256,
    read,
)
from pipelines.recipes import Recipe
from pipelines.runner.types import Failure, Ingested
from pipelines.types import FileOutcome, FileReport, Outcome

if TYPE_CHECKING:
    from db.store import Store

log = logging.getLogger(__name__)


def ingest(
    store: Store,
    collection_id: int,
    discovery: Discovery,
    *,
    known: Iterable[SourceRow],
    options: ReadOptions,
    recipe: Recipe,
    retry_failed: bool = False,
    stop: Callable[[], bool] = lambda: False,
) -> Ingested:
    """Read the files that are new or changed into the collection; ``known`` are its files so far.

    A file is known by path, size and time, then by the hash of its bytes, read with the same
    options; one with the bytes of a known file that is gone is that file, moved. One that failed
    before and has not changed is listed and not tried again unless ``retry_failed``. Files inside
    a file are read after it, and are known when it is.
    """
    options = replace(options, answers=recipe.answers)
    work = _Ingest(
        store, collection_id, options, recipe, retry_failed, stop, {row.path: row for row in known}
    )
    for report in discovery.left_out:
        work.leave_out(report)
    for file in discovery.files:
        if stop():
            break
        work.take(file)
    return work.done


@dataclass(slots=True)
class _Ingest:
    store: Store
    collection_id: int
    options: ReadOptions
    recipe: Recipe
    retry_failed: bool
    stop: Callable[[], bool]
    known: dict[str, SourceRow]
    done: Ingested = field(default_factory=Ingested)

    def leave_out(self, report: FileReport) -> None:
        """Note what cannot even be opened."""
        before = self.known.get(visible(report.path))
        if before is not None and _same_failure(report, before) and not self.retry_failed:
            self._note_known(before)
            return
        if report.outcome is FileOutcome.FAILED:
            key = read_key(self.options, self.recipe)
            self.store.record_source(self.collection_id, left_out_input(report, options=key))
        _note(self.done, report)

    def take(self, file: SourceFile) -> None:
        """Read ``file`` unless it is known."""
        before = self.known.get(visible(file.title))
        if before is None and (moved := self._moved(file)):
            file, before = replace(file, name=moved.relative), moved
        if before is not None and self._unchanged(file, before):
            self.done.unchanged += 1
            self._note_known(before)
            for row in self._inside(before.path):
                self._note_known(row)
            return
        with read(file, self.options) as reading:
            report = self._store(file, reading)
            if before is not None and report.outcome is FileOutcome.SKIPPED:
                self.store.withdraw_source(before.id)  # there is no answer in it any more
            if before is not None and not self.retry_failed and _still_closed(report, before):
                self._note_known(before)
            else:
                _note(self.done, report)
            for left in reading.left_out:
                self.leave_out(left)
            for member in reading.members:
                if self.stop():
                    return  # the file's row is unfinished: it is read again
                self.take(member)
            if reading.finished and report.outcome is not FileOutcome.FAILED:
                self._forget_inside(file, reading)
        self._finish(file, report)

    def _store(self, file: SourceFile, reading: Reading) -> FileReport:
        """Store the documents of ``file`` with an unfinished row; return what became of it."""
        report = reading.report
        if report.outcome is not FileOutcome.READ:
            return report
        # Time 0 until the counts are final: a crash in between reads the file again.
        unfinished = replace(source_input(file, report, sha256="", options=""), mtime_ns=0)
        documents = (document_input(document, self.recipe) for document in reading)
        try:
            counts = self.store.put_file(self.collection_id, unfinished, documents)
        except UnreadableFile:
            log.info("%s broke while it was read; nothing of it was kept", file.title)
            return reading.report
        except KeyCollision as error:
            return replace(
                reading.report, outcome=FileOutcome.FAILED, reason=str(error), documents=0
            )
        self.done.documents += counts.documents
        self.done.rejected += len(counts.rejected)
        self.done.failures += [
            Failure(file.title, r.key, str(Outcome.FAILED), r.reason) for r in counts.rejected
        ]
        rejected = (f"{r.locator or r.key}: {r.reason}" for r in counts.rejected)
        return replace(
            reading.report,
            documents=counts.documents,
            duplicates=counts.duplicates,
            warnings=(*reading.report.warnings, *rejected),
        )

    def _finish(self, file: SourceFile, report: FileReport) -> None:
        sha256 = "" if report.outcome is FileOutcome.SKIPPED else _hash(file)
        row = source_input(
            file, report, sha256=sha256, options=read_key(self.options, self.recipe, file)
        )
        self.store.record_source(self.collection_id, row)

    def _forget_inside(self, file: SourceFile, reading: Reading) -> None:
        """Withdraw what lay inside an earlier version of ``file`` and no longer does."""
        there = {visible(one.title) for one in reading.members}
        there |= {visible(report.path) for report in reading.left_out}
        for row in self._inside(visible(file.title)):
            if not any(row.path == path or row.path.startswith(path + INSIDE) for path in there):
                self.store.withdraw_source(row.id)

    def _inside(self, path: str) -> list[SourceRow]:
        prefix = path + INSIDE
        return [row for other, row in self.known.items() if other.startswith(prefix)]

    def _moved(self, file: SourceFile) -> SourceRow | None:
        """Return the row of the file that now lies at ``file``, brought to its new path."""
        for path, row in self.known.items():
            if row.size != file.size or not row.sha256 or not row.mtime_ns or file.depth:
                continue
            if INSIDE in path or Path(path).exists() or _hash(file) != row.sha256:
                continue
            self.store.move_source(row.id, file.title)
            fresh = self.store.sources(self.collection_id)
            self.known = {source.path: source for source in fresh}
            return self.known.get(visible(file.title))
        return None

    def _unchanged(self, file: SourceFile, before: SourceRow) -> bool:
        if before.options != read_key(self.options, self.recipe, file):
            return False
        failed = [before, *self._inside(before.path)] if self.retry_failed else []
        if any(row.outcome == FileOutcome.FAILED for row in failed):
            return False
        if before.outcome == FileOutcome.FAILED and not before.sha256:
            return False  # it could not be opened: that may be otherwise by now
        if not _same_bytes(file, before):
            return False
        if (file.size, file.mtime_ns) != (before.size, before.mtime_ns):
            self.store.touch_source(before.id, size=file.size, mtime_ns=file.mtime_ns)
        return True

    def _note_known(self, before: SourceRow) -> None:
        if before.outcome != FileOutcome.READ:
            reason = f"{before.reason} (known from an earlier run; the file has not changed)"
            self.done.failures.append(Failure(before.path, "", before.outcome, reason))


def look(
    store: Store | None,
    collection_id: int | None,
    discovery: Discovery,
    *,
    options: ReadOptions,
    recipe: Recipe,
) -> Ingested:
    """Read as ``ingest`` would and store nothing; for a dry run."""
    looked = Ingested()
    options = replace(options, answers=recipe.answers)
    for report in discovery.left_out:
        _note(looked, report)
    known: dict[str, SourceRow] = {}
    seen: set[int] = set()
    if store is not None and collection_id is not None:
        known = {row.path: row for row in store.sources(collection_id)}
    for file in discovery.files:
        before = known.get(visible(file.title))
        if (
            before is not None
            and _same_bytes(file, before)
            and before.options == read_key(options, recipe, file)
        ):
            looked.unchanged += 1
            continue
        _look_at(file, options, looked, seen)
    return looked


def _look_at(file: SourceFile, options: ReadOptions, looked: Ingested, seen: set[int]) -> None:
    """Read ``file`` and what is inside it, counting only; ``seen`` holds the texts so far."""
    before, texts = len(seen), 0
    with read(file, options) as reading:
        try:
            for document in reading:
                if document.text.strip():
                    texts += 1
                    seen.add(hash((document.question, document.text)))
        except UnreadableFile:
            log.debug("%s broke while it was read", file.title)
            texts = len(seen) - before
        report = replace(reading.report, duplicates=texts - (len(seen) - before))
        looked.documents += report.documents
        _note(looked, report)
        for left in reading.left_out:
            _note(looked, left)
        for member in reading.members:
            _look_at(member, options, looked, seen)


def _same_bytes(file: SourceFile, before: SourceRow) -> bool:
    if file.size != before.size or not before.mtime_ns:
        return False
    return file.mtime_ns == before.mtime_ns or (
        bool(before.sha256) and _hash(file) == before.sha256
    )


def _hash(file: SourceFile) -> str:
    try:
        return file_sha256(file.path)
    except OSError:
        return ""


def _still_closed(report: FileReport, before: SourceRow) -> bool:
    """Tell whether a file that could not be opened before cannot be opened now."""
    return not before.sha256 and _same_failure(report, before)


def _same_failure(report: FileReport, before: SourceRow) -> bool:
    return (
        report.outcome is FileOutcome.FAILED
        and before.outcome == FileOutcome.FAILED
        and before.reason == report.reason
    )


def _note(ingested: Ingested, report: FileReport) -> None:
    ingested.reports.append(report)
    if report.outcome is not FileOutcome.READ:
        ingested.failures.append(Failure(report.path, "", str(report.outcome), report.reason))
