"""The dry runs: what reading would give and what a run would do; nothing is stored."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from app.errors import UsageError
from app.import_report import file_json, says_something, totals
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
from app.runs import Hooks, Imported, relatives
from app.settings import Settings
from app.workspace import open_store
from db.rows import CollectionRow
from db.store import Store
from pipelines.readers import Discovery, discover
from pipelines.runner import Ingested, Processed, look

LOUD_FILES = 2_000
SILENT_FILES = 200


def check_files(settings: Settings, request: RunRequest, hooks: Hooks | None = None) -> Imported:
    """Read all of the request's files, known or not, and store nothing, not even a database."""
    hooks = hooks or Hooks()
    looking = _look(settings, request)
    found = looking.found
    options = looking.reading.options(settings)
    total = len(found.files)
    checked = Ingested()
    parts = [Discovery((), found.left_out), *(Discovery((file,), ()) for file in found.files)]
    for done, part in enumerate(parts):
        if hooks.stop():
            break
        hooks.progress(done, total, "reading files")
        one = look(part, options=options, recipe=looking.plan.recipe)
        checked.reports += one.reports
        checked.failures += one.failures
        checked.documents += one.documents
    return Imported(checked, looking.reading, relatives(found))


def look_result(imported: Imported) -> dict[str, Any]:
    """Return a check of files as the result of a ``look`` job.

    Files that were simply read are listed up to ``SILENT_FILES``, the others up to ``LOUD_FILES``;
    ``more`` counts the rest, ``totals`` counts all.
    """
    reports = imported.ingested.reports
    loud = [report for report in reports if says_something(report)][:LOUD_FILES]
    silent = [report for report in reports if not says_something(report)][:SILENT_FILES]
    return {
        "files": [
            file_json(report) | {"relative": imported.relative(report.path)}
            for report in (*loud, *silent)
        ],
        "more": len(reports) - len(loud) - len(silent),
        "totals": totals(reports),
        "remembered": list(imported.reading.remembered),
    }


def preview_run(settings: Settings, request: RunRequest) -> RunReport:
    """Say what a run would do; nothing is written."""
    began = time.monotonic()
    looking = _look(settings, request)
    store, known, plan = looking.store, looking.known, looking.plan
    ingested = look(
        looking.found,
        known=store.sources(known.id) if store is not None and known is not None else (),
        options=looking.reading.options(settings),
        recipe=plan.recipe,
    )
    report = make_report(request, plan, ingested, Processed(), [])
    waiting = 0
    if store is not None and known is not None:
        waiting = store.pending(known.id, fingerprint=plan.fingerprint.value).total
    apart = sum(sum(file.aside.values()) for file in ingested.reports)
    report.documents["total"] = ingested.documents - apart + waiting
    report.documents["skipped"] = apart
    report.dry_run = True
    report.seconds = time.monotonic() - began
    return report


@dataclass(frozen=True, slots=True)
class _Look:
    store: Store | None
    known: CollectionRow | None
    plan: RunPlan
    reading: ReadPlan
    found: Discovery


def _look(settings: Settings, request: RunRequest) -> _Look:
    """Settle what a run would do, making nothing, not even a database."""
    check_name(request.collection)
    try:
        store: Store | None = open_store(settings)
    except UsageError:
        store = None
    known = known_collection(store, request.collection)
    plan = plan_run(settings, store, request, known)
    found = Discovery((), ())
    if request.paths:
        found = discover(request.paths, exclude=[settings.home])
    return _Look(store, known, plan, plan_reading(request, known), found)
