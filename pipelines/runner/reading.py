"""Read new and changed files into a collection; each file and its documents are one transaction."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from db.errors import KeyCollision
from db.rows import SourceRow
from db.types import visible
from pipelines.persist import document_input, left_out_input, read_key, source_input
from pipelines.readers import Discovery, ReadOptions, SourceFile, UnreadableFile, file_sha256, read
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
    options. One that failed before and has not changed is listed and not tried again unless
    ``retry_failed``.
    """
    ingested = Ingested()
    by_path = {row.path: row for row in known}
    key = read_key(options, recipe)
    for report in discovery.left_out:
        before = by_path.get(visible(report.path))
        if before is not None and _same_failure(report, before) and not retry_failed:
            _note_known(ingested, before)
            continue
        if report.outcome is FileOutcome.FAILED:
            store.record_source(collection_id, left_out_input(report, options=key))
        _note(ingested, report)
    for file in discovery.files:
        if stop():
            break
        before = by_path.get(visible(str(file.path)))
        if before is not None and _unchanged(store, file, before, key, retry_failed):
            ingested.unchanged += 1
            _note_known(ingested, before)
            continue
        report = _take(store, collection_id, file, options, recipe, key, ingested)
        if before is not None and not retry_failed and _still_closed(report, before):
            _note_known(ingested, before)
        else:
            _note(ingested, report)
    return ingested


def look(
    store: Store | None,
    collection_id: int | None,
    discovery: Discovery,
    *,
    options: ReadOptions,
    recipe: Recipe,
) -> Ingested:
    """Read as ``ingest`` would and store nothing; for a dry run."""
    ingested = Ingested()
    for report in discovery.left_out:
        _note(ingested, report)
    known: dict[str, SourceRow] = {}
    if store is not None and collection_id is not None:
        known = {row.path: row for row in store.sources(collection_id)}
    key = read_key(options, recipe)
    for file in discovery.files:
        before = known.get(visible(str(file.path)))
        if before is not None and _same_bytes(file, before) and before.options == key:
            ingested.unchanged += 1
            continue
        reading = read(file, options)
        try:
            ingested.documents += sum(1 for _ in reading)
        except UnreadableFile:
            log.debug("%s broke while it was read", file.path)
        _note(ingested, reading.report)
    return ingested


def _take(
    store: Store,
    collection_id: int,
    file: SourceFile,
    options: ReadOptions,
    recipe: Recipe,
    key: str,
    ingested: Ingested,
) -> FileReport:
    reading = read(file, options)
    sha256 = "" if reading.report.outcome is FileOutcome.SKIPPED else _hash(file)
    report = reading.report
    if report.outcome is FileOutcome.READ:
        # Time 0 until the counts are final: a crash in between reads the file again.
        unfinished = replace(source_input(file, report, sha256="", options=""), mtime_ns=0)
        documents = (document_input(document, recipe) for document in reading)
        try:
            counts = store.put_file(collection_id, unfinished, documents)
        except UnreadableFile:
            log.info("%s broke while it was read; nothing of it was kept", file.path)
            report = reading.report
        except KeyCollision as error:
            report = replace(
                reading.report, outcome=FileOutcome.FAILED, reason=str(error), documents=0
            )
        else:
            ingested.documents += counts.documents
            ingested.rejected += len(counts.rejected)
            ingested.failures += [
                Failure(str(file.path), r.key, str(Outcome.FAILED), r.reason)
                for r in counts.rejected
            ]
            rejected = (f"{r.locator or r.key}: {r.reason}" for r in counts.rejected)
            report = replace(
                reading.report,
                documents=counts.documents,
                warnings=(*reading.report.warnings, *rejected),
            )
    store.record_source(collection_id, source_input(file, report, sha256=sha256, options=key))
    return report


def _unchanged(
    store: Store, file: SourceFile, before: SourceRow, key: str, retry_failed: bool
) -> bool:
    if before.options != key:
        return False
    if before.outcome == FileOutcome.FAILED and (retry_failed or not before.sha256):
        return False  # without a hash it could not be opened: that may be otherwise by now
    if not _same_bytes(file, before):
        return False
    if (file.size, file.mtime_ns) != (before.size, before.mtime_ns):
        store.touch_source(before.id, size=file.size, mtime_ns=file.mtime_ns)
    return True


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


def _note_known(ingested: Ingested, before: SourceRow) -> None:
    if before.outcome != FileOutcome.READ:
        reason = f"{before.reason} (known from an earlier run; the file has not changed)"
        ingested.failures.append(Failure(before.path, "", before.outcome, reason))
