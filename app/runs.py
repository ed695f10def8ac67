"""The use case behind ``florilegium run``, the worker and the demo: one run over one collection."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from app import __version__, lease
from app.errors import UsageError
from app.graph_mark import is_stale, mark_stale, unmark
from app.heartbeat import Heartbeat
from app.jobs import RunRequest
from app.run_plan import RunPlan, check_name, known_collection, make_plan
from app.run_report import RunReport, make_report
from app.settings import Settings
from app.workspace import build_pipeline, open_store
from db.errors import Locked
from db.rows import CollectionRow, DocumentRow
from db.store import Store
from pipelines.readers import ReadOptions, discover, require
from pipelines.runner import Failure, Ingested, Processed, Watch, ingest, look, process
from pipelines.types import DocumentResult, FileOutcome, Outcome

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
        if behind and project and not report.interrupted:
            _project(work, report)
    report.seconds = time.monotonic() - began
    return report


def ingest_only(settings: Settings, request: RunRequest, *, dry_run: bool = False) -> Ingested:
    """Read the request's files into its collection; process nothing."""
    if dry_run:
        return _look(settings, request)[1]
    with _opened(settings, request, Hooks()) as work:
        return _marked(work, _ingest)[0]


def preview_run(settings: Settings, request: RunRequest) -> RunReport:
    """Say what a run would do; nothing is written."""
    began = time.monotonic()
    work, ingested = _look(settings, request)
    report = make_report(request, work.plan, ingested, Processed(), [])
    waiting = 0
    if work.store is not None and work.known is not None:
        mark = work.plan.fingerprint.value
        waiting = work.store.pending(work.known.id, fingerprint=mark).total
    report.documents["total"] = ingested.documents + waiting
    report.dry_run = True
    report.seconds = time.monotonic() - began
    return report


@dataclass(frozen=True, slots=True)
class _Look:
    store: Store | None
    known: CollectionRow | None
    plan: RunPlan


def _look(settings: Settings, request: RunRequest) -> tuple[_Look, Ingested]:
    """Read as a run would, storing nothing, not even a database."""
    check_name(request.collection)
    try:
        store: Store | None = open_store(settings)
    except UsageError:
        store = None
    known = known_collection(store, request.collection)
    plan = make_plan(store, request, known)
    if not request.paths:
        return _Look(store, known, plan), Ingested()
    ingested = look(
        store,
        known.id if known else None,
        discover(request.paths, exclude=[settings.home]),
        options=ReadOptions(questions=request.questions),
        recipe=plan.recipe,
    )
    return _Look(store, known, plan), ingested


@dataclass(frozen=True, slots=True)
class _Work:
    settings: Settings
    store: Store
    collection: CollectionRow
    plan: RunPlan
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
    plan = make_plan(store, request, known)
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
                store.ensure_collection(request.collection, **settled),
                plan,
                request,
                hooks,
                lambda: hooks.stop() or heartbeat.lost,
                known is not None and new_recipe,
            )
    finally:
        store.unlock_collection(collection.id, owner)


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


def _ingest(work: _Work) -> tuple[Ingested, bool]:
    """Return what reading did, and whether it changed the collection."""
    if not work.request.paths:
        return Ingested(), False
    work.hooks.progress(0, 0, "reading files")
    known = work.store.sources(work.collection.id)
    names = {row.path: row.relative for row in known}
    ingested = ingest(
        work.store,
        work.collection.id,
        discover(work.request.paths, known=names, exclude=[work.settings.home]),
        known=known,
        options=ReadOptions(questions=work.request.questions),
        recipe=work.plan.recipe,
        retry_failed=work.request.retry_failed,
        stop=work.stop,
    )
    return ingested, bool(ingested.count(FileOutcome.READ))


def _run(work: _Work) -> tuple[RunReport, bool]:
    """Return the report, and whether the graph is out of step with SQL now."""
    settings, store, plan, request = work.settings, work.store, work.plan, work.request
    collection, hooks, stop = work.collection, work.hooks, work.stop
    ingested, changed = _ingest(work)
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
    if not pending.total:
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
            pipeline=build_pipeline(settings, plan.recipe, plan.ontologies),
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
    from app.projection import rebuild_graph

    total = report.documents["total"]
    work.hooks.progress(total, total, "building the graph")
    try:
        rebuild_graph(work.settings, work.store)
    except Exception as error:
        log.exception("the graph could not be built")
        report.warnings.append(
            f"The results are saved, but the graph could not be built ({error}). "
            "Try again with: florilegium graph rebuild"
        )
