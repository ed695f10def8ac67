"""The use case behind ``florilegium run``, the worker and the demo: one run over one collection."""

from __future__ import annotations

import logging
import os
import time
import traceback
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from app import __version__, lease
from app.graph_mark import is_stale, mark_stale, unmark
from app.heartbeat import Heartbeat
from app.jobs import RunRequest
from app.run_plan import (
    ReadPlan,
    RunPlan,
    check_name,
    known_collection,
    plan_reading,
    plan_run,
)
from app.run_report import RunReport, make_report
from app.settings import Settings
from app.workspace import build_pipeline, open_store
from db.errors import Locked
from db.rows import CollectionRow, DocumentRow
from db.store import Store
from db.types import visible
from pipelines.readers import INSIDE, Discovery, discover, require
from pipelines.runner import Failure, Ingested, Processed, Watch, ingest, process
from pipelines.types import DocumentResult, FileReport, Outcome

log = logging.getLogger(__name__)
PRIVATE_RECIPES = ("clinical",)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Hooks:
    """How the caller follows a run: progress, one document as its batch is saved, and stopping."""

    progress: Callable[[int, int, str], None] = lambda done, total, message: None
    document: Callable[[DocumentRow, DocumentResult], None] = lambda row, result: None
    stop: Callable[[], bool] = lambda: False


def execute_run(
    settings: Settings, request: RunRequest, hooks: Hooks | None = None, *, project: bool = True
) -> RunReport:
    """Read what is new, process what is pending, and bring the graph in step.

    Without ``project`` the graph is left to the caller. Raises Locked when another run holds the
    collection.
    """
    began = time.monotonic()
    with _opened(settings, request, hooks or Hooks()) as work:
        report, behind = _marked(work, _run)
        cut_short = report.interrupted or (report.stopped and report.run is None)
        if behind and project and not cut_short:
            _project(work, report)
    report.seconds = time.monotonic() - began
    return report


@dataclass(frozen=True, slots=True)
class Imported:
    """What reading did, and how; ``relatives`` are the files' paths below what the user named.

    ``known`` are the reports of the named files that have not changed since they were read.
    """

    ingested: Ingested
    reading: ReadPlan
    relatives: Mapping[str, str] = field(default_factory=dict)
    known: Sequence[FileReport] = ()

    def relative(self, path: str) -> str:
        """Return the short path of a file, or of one inside it."""
        outer = outermost(path, self.relatives)
        return self.relatives.get(outer, outer) + path[len(outer) :]


def ingest_only(settings: Settings, request: RunRequest, hooks: Hooks | None = None) -> Imported:
    """Read the request's new and changed files into its collection; process nothing."""
    from app.import_report import file_of_row

    with _opened(settings, request, hooks or Hooks()) as work:
        imported = _marked(work, _ingest)[0]
        read = {visible(report.path) for report in imported.ingested.reports}
        named = {visible(path) for path in imported.relatives}
        known = [
            file_of_row(row)
            for row in work.store.sources(work.collection.id)
            if outermost(row.path, named) in named and row.path not in read
        ]
        return replace(imported, known=known)


def outermost(path: str, named: Container[str]) -> str:
    """Return which of ``named`` the file at ``path`` is or is inside of, else ``path`` itself."""
    end = path.find(INSIDE)
    while end >= 0:
        if path[:end] in named:
            return path[:end]
        end = path.find(INSIDE, end + 1)
    return path


def relatives(found: Discovery) -> dict[str, str]:
    """Return the short path of each file that was found."""
    return {file.title: file.relative for file in found.files}


@dataclass(frozen=True, slots=True)
class _Work:
    settings: Settings
    store: Store
    collection: CollectionRow
    plan: RunPlan
    reading: ReadPlan
    request: RunRequest
    hooks: Hooks
    stop: Callable[[], bool]
    recipe_changed: bool


@contextmanager
def _opened(settings: Settings, request: RunRequest, hooks: Hooks) -> Iterator[_Work]:
    """Open the store, settle the plan, and hold the collection's lease."""
    check_name(request.collection)
    require(request.paths)
    store = open_store(settings, create=True)
    known = known_collection(store, request.collection)
    plan = plan_run(settings, store, request, known)
    reading = plan_reading(request, known)
    reading.options(settings)  # a mapping that does not fit is found before anything is changed
    new_recipe = known is None or known.recipe != plan.recipe_reference
    settled: dict[str, Any] = {
        "recipe": plan.recipe_reference,
        "text_private": True if new_recipe and plan.recipe.id in PRIVATE_RECIPES else None,
    }
    collection = known or store.ensure_collection(request.collection, **settled)
    seconds = settings.lease_seconds
    owner = lease.owner()
    try:
        store.lock_collection(collection.id, owner, seconds)
    except Locked as held:
        if not lease.has_died(held.owner):
            raise
        log.info("the run before (%s) has died; taking over", held.owner)
        store.unlock_collection(collection.id, held.owner)
        store.lock_collection(collection.id, owner, seconds)
    try:
        with Heartbeat(
            lambda: store.renew_collection(collection.id, owner, seconds), seconds / 3
        ) as heartbeat:
            yield _Work(
                settings,
                store,
                store.ensure_collection(request.collection, reading=reading.kept(), **settled),
                plan,
                reading,
                request,
                hooks,
                lambda: hooks.stop() or heartbeat.lost,
                known is not None and new_recipe,
            )
    except KeyboardInterrupt as cut_short:
        # A statement that was cut short keeps SQLite's write lock for as long as its frame lives.
        traceback.clear_frames(cut_short.__traceback__)
        raise
    finally:
        try:
            store.unlock_collection(collection.id, owner)
        except Locked as error:  # the next run sees that this one has died, or waits for the lease
            log.warning("the collection could not be given back: %s", error)


def _marked(work: _Work, step: Callable[[_Work], tuple[T, bool]]) -> tuple[T, bool]:
    """Do ``step`` with the graph marked as behind SQL; return its answer, and whether it is.

    ``step`` returns its answer and whether it changed what the graph is made of.
    """
    behind = work.recipe_changed or is_stale(work.settings)
    mark = mark_stale(work.settings)
    answer, changed = step(work)
    if not changed and not behind:
        unmark(work.settings, mark)
    return answer, changed or behind


def _ingest(work: _Work) -> tuple[Imported, bool]:
    """Return what reading did, and whether it changed the collection."""
    if not work.request.paths:
        return Imported(Ingested(), work.reading), False
    remembered = "; ".join(work.reading.remembered)
    work.hooks.progress(
        0, 0, f"reading files as remembered: {remembered}" if remembered else "reading files"
    )
    known = work.store.sources(work.collection.id)
    names = {row.path: row.relative for row in known}
    found = discover(work.request.paths, known=names, exclude=[work.settings.home])
    ingested = ingest(
        work.store,
        work.collection.id,
        found,
        known=known,
        options=work.reading.options(work.settings),
        recipe=work.plan.recipe,
        retry_failed=work.request.retry_failed,
        roots=[os.path.normpath(Path(path).absolute()) for path in work.request.paths],
        stop=work.stop,
    )
    return Imported(ingested, work.reading, relatives(found)), ingested.changed


def _run(work: _Work) -> tuple[RunReport, bool]:
    """Return the report, and whether the graph is out of step with SQL now."""
    settings, store, plan, request = work.settings, work.store, work.plan, work.request
    collection, hooks, stop = work.collection, work.hooks, work.stop
    imported, changed = _ingest(work)
    ingested = imported.ingested
    mark = plan.fingerprint.value
    changed |= bool(store.reinstate(collection.id, recipe=plan.recipe_reference, fingerprint=mark))
    parked = [
        Failure(row.path, row.key, str(Outcome.PARKED), f"{row.reason} ({row.attempts} attempts)")
        for row in store.parked(collection.id, fingerprint=mark, max_attempts=settings.max_attempts)
        if not request.retry_failed
    ]
    pending = store.pending(
        collection.id,
        fingerprint=mark,
        max_attempts=settings.max_attempts,
        retry_failed=request.retry_failed,
        batch_size=settings.batch_documents,
        batch_characters=settings.batch_characters,
    )
    if not pending.total or stop():  # told to stop while it read: the model is not loaded for it
        report = make_report(request, plan, ingested, Processed(stopped=stop()), parked)
        return report, changed
    hooks.progress(0, pending.total, "loading the model")
    run_id = store.start_run(
        collection.id,
        recipe=plan.recipe_reference,
        fingerprint=mark,
        details=dict(plan.fingerprint.details) | {"software": __version__},
    )
    state, report = "failed", make_report(request, plan, ingested, Processed(), parked)
    try:
        processed = process(
            store,
            collection.id,
            run_id=run_id,
            recipe=plan.recipe_reference,
            fingerprint=plan.fingerprint,
            pipeline=build_pipeline(settings, plan.recipe, plan.ontologies, trained=plan.trained),
            total=pending.total,
            batches=pending.batches,
            watch=Watch(
                progress=lambda done, total: hooks.progress(done, total, "processing documents"),
                document=hooks.document,
                stop=stop,
            ),
        )
        report = make_report(request, plan, ingested, processed, parked)
        report.run = run_id
        state = "interrupted" if processed.stopped else "finished"
    except KeyboardInterrupt:
        state = "interrupted"
        raise
    finally:
        store.finish_run(run_id, state, report.documents)
    return report, True


def _project(work: _Work, report: RunReport) -> None:
    """Bring the graph in step; SQL is the truth, so a failure here is a warning."""
    from app.graph_step import bring_in_step

    total = report.documents["total"]
    work.hooks.progress(total, total, "bringing the graph in step")
    try:
        bring_in_step(work.settings, work.store)
    except Exception as error:
        log.exception("the graph could not be brought in step")
        report.warnings.append(
            f"The results are saved, but the graph could not be brought in step ({error}). "
            "Try again with: florilegium graph rebuild"
        )
