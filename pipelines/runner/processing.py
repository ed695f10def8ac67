"""Process the pending documents of a collection; each batch of results is one transaction."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from db.rows import DocumentRow
from pipelines.persist import document_of, save_results
from pipelines.recipes import Fingerprint
from pipelines.runner.types import Failure, Processed, Watch
from pipelines.types import Outcome

if TYPE_CHECKING:
    from db.store import Store
    from pipelines.pipeline import Pipeline


def process(
    store: Store,
    collection_id: int,
    *,
    run_id: int,
    recipe: str,
    fingerprint: Fingerprint,
    pipeline: Pipeline,
    total: int,
    batches: Iterator[tuple[DocumentRow, ...]],
    watch: Watch,
) -> Processed:
    """Process pending documents; each batch is one transaction, ``watch.stop`` is asked between.

    Ctrl-C ends it at once, with the counts of what was committed.

    ``recipe`` is the name the collection knows its recipe by.
    """
    done = Processed()
    count = 0
    paths = {source.id: source.path for source in store.sources(collection_id)}
    watch.progress(0, total)
    try:
        for rows in batches:
            if watch.stop():
                done.stopped = True
                break
            results = pipeline.process([document_of(row) for row in rows])
            done.duplicate += save_results(store, run_id, recipe, fingerprint, rows, results)
            for row, result in zip(rows, results, strict=True):
                done.outcomes[result.outcome] += 1
                if result.outcome in (Outcome.FAILED, Outcome.PARTIAL):
                    done.failures.append(
                        Failure(
                            paths.get(row.source_id, ""),
                            row.key,
                            str(result.outcome),
                            result.reason,
                        )
                    )
            for row, result in zip(rows, results, strict=True):
                watch.document(row, result)
            count += len(rows)
            watch.progress(count, total)
    except KeyboardInterrupt:
        done.stopped = done.interrupted = True  # the batch under way is lost, the counts are not
    return done
