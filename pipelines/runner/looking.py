"""Read as a run would and store nothing, for dry runs."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import replace

from db.rows import SourceRow
from pipelines.readers import Discovery, ReadOptions, SourceFile, UnreadableFile, read
from pipelines.recipes import Recipe
from pipelines.runner.known import KnownFiles, ReadKeys, is_gone
from pipelines.runner.types import Ingested

log = logging.getLogger(__name__)


def look(
    discovery: Discovery,
    *,
    known: Iterable[SourceRow] = (),
    options: ReadOptions,
    recipe: Recipe,
) -> Ingested:
    """Read as ``ingest`` would and store nothing; ``known`` are the collection's files so far."""
    looked = Ingested()
    options = replace(options, answers=recipe.answers)
    for report in discovery.left_out:
        looked.note(report)
    rows, keys = KnownFiles(known), ReadKeys(options, recipe)
    seen: set[int] = set()
    for file in discovery.files:
        before = rows.get(file.title) or rows.moved(file)
        if before is not None and rows.unchanged(file, before, keys):
            looked.unchanged += 1 + sum(
                bool(row.mtime_ns) and not is_gone(row) for row in rows.inside(before.path)
            )
        else:
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
        looked.note(report)
        for left in reading.left_out:
            looked.note(left)
        for member in reading.members:
            _look_at(member, options, looked, seen)
