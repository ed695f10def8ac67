"""Turn the pipeline's values into the store's rows and back; with ``runner`` all that knows both."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from db.errors import UnstorableText
from db.rows import (
    DocumentInput,
    DocumentRow,
    LabelRow,
    ResultInput,
    SentenceRow,
    SourceInput,
    SummaryRow,
    TagRow,
)
from pipelines.readers import ReadOptions, SourceFile
from pipelines.recipes import Fingerprint, Recipe, input_hash
from pipelines.types import Document, DocumentResult, FileReport, Outcome, TableReport

if TYPE_CHECKING:
    from db.store import Store

# Raise it whenever a reader gives other documents for the same bytes: every file is read again.
READER_VERSION = 2


def read_key(
    options: ReadOptions,
    recipe: Recipe,
    file: SourceFile | None = None,
    beside: Sequence[tuple[str, str]] = (),
) -> str:
    """Return a stable text of everything that decides what reading ``file`` stores.

    ``beside`` are path and hash of the files that are read along with it. A mapping that does not
    touch the file is as none.
    """
    decisive: dict[str, Any] = {"version": READER_VERSION, "metadata": list(recipe.metadata)}
    if file is not None:
        decisive |= {name: value or None for name, value in options.key(file).items()}
    if beside:
        decisive["beside"] = beside
    return json.dumps(decisive, sort_keys=True)


def source_input(file: SourceFile, report: FileReport, *, sha256: str, options: str) -> SourceInput:
    """Return the row of an input file from its report."""
    return SourceInput(
        path=file.title,
        relative=file.name,
        kind=report.kind,
        outcome=str(report.outcome),
        reason=report.reason,
        size=file.size,
        mtime_ns=file.mtime_ns,
        sha256=sha256,
        encoding=report.encoding,
        rows=report.rows,
        documents=report.documents,
        columns=tuple(asdict(column) for column in report.columns),
        warnings=report.warnings,
        options=options,
        report={
            "tables": [_table(table) for table in report.tables],
            "duplicates": report.duplicates,
            "empty": dict(report.empty),
            "aside": dict(report.aside),
            "flags": dict(report.flags),
        },
    )


def left_out_input(report: FileReport, *, options: str) -> SourceInput:
    """Return the row of what could not even be opened, so that the next run knows it."""
    return SourceInput(
        path=report.path,
        relative=report.path,
        kind=report.kind,
        outcome=str(report.outcome),
        reason=report.reason,
        options=options,
    )


def _table(table: TableReport) -> dict[str, Any]:
    """Return what the row of a file keeps of a table; the columns have a place of their own."""
    kept = asdict(table)
    del kept["columns"]
    return kept


def document_input(document: Document, recipe: Recipe) -> DocumentInput:
    """Return the row of a document as read."""
    return DocumentInput(
        key=document.key,
        text=document.text,
        sha256=document.sha256,
        input_hash=input_hash(document, recipe),
        question=document.question,
        metadata=dict(document.metadata),
        locator=document.locator,
        respondent=document.respondent,
        aside=document.aside,
        flags=document.flags,
    )


def document_of(row: DocumentRow) -> Document:
    """Return the document a stored row stands for."""
    return Document(
        key=row.key,
        text=row.text,
        question=row.question,
        metadata={str(key): str(value) for key, value in row.metadata.items()},
        locator=row.locator,
        respondent=row.respondent,
        aside=row.aside,
        flags=row.flags,
    )


def result_input(result: DocumentResult) -> ResultInput:
    """Return the rows of a result."""
    return ResultInput(
        outcome=str(result.outcome),
        reason=result.reason,
        sentences=tuple(SentenceRow(s.order, s.start, s.end) for s in result.sentences),
        summary=tuple(SummaryRow(**asdict(sentence)) for sentence in result.summary),
        labels=tuple(LabelRow(**asdict(label)) for label in result.labels),
        tags=tuple(TagRow(**asdict(tag)) for tag in result.tags),
    )


def save_results(
    store: Store,
    run_id: int,
    recipe: str,
    fingerprint: Fingerprint,
    rows: Sequence[DocumentRow],
    results: list[DocumentResult],
) -> int:
    """Save a batch; a result that the database cannot keep is saved as failed, the rest stand."""
    arguments: dict[str, Any] = {"recipe": recipe, "fingerprint": fingerprint.value}
    pairs = [(row, result_input(result)) for row, result in zip(rows, results, strict=True)]
    try:
        return store.save_results(run_id, batch=pairs, **arguments).duplicate
    except UnstorableText:
        duplicates = 0
        for i, (row, _) in enumerate(pairs):
            try:
                saved = store.save_results(run_id, batch=[pairs[i]], **arguments)
            except UnstorableText as error:
                results[i] = DocumentResult(outcome=Outcome.FAILED, reason=str(error))
                saved = store.save_results(
                    run_id, batch=[(row, result_input(results[i]))], **arguments
                )
            duplicates += saved.duplicate
        return duplicates
