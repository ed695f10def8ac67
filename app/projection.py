"""The graph as a projection of SQL: read every result from the store, build, switch."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from typing import Any

from app import __version__
from app.graph_mark import current_mark, unmark
from app.kept_ontologies import load_ontologies
from app.settings import Settings
from db.rows import ExportedDocument, OntologyRow, ResultRow, RunRow
from db.store import Store
from ontology.graph import (
    GraphCollection,
    GraphDocument,
    GraphLabel,
    GraphModel,
    GraphRun,
    GraphSentence,
    GraphSnapshot,
    GraphSummarySentence,
    GraphTag,
    TaggedRecord,
)
from ontology.graphstore import CurrentGraph, build

log = logging.getLogger(__name__)


def rebuild_graph(settings: Settings, store: Store) -> CurrentGraph:
    """Build the graph of everything in the database and switch readers to it."""
    marked = current_mark(settings)
    with store.export() as export:
        used = {
            entry.get("sha256")
            for run in export.runs
            for entry in run.details.get("ontologies", ())
        }
        recipes = {c.id: c.recipe for c in export.collections}
        rows = [row for row in export.ontologies if row.current or row.sha256 in used]
        snapshot = GraphSnapshot(
            collections=[
                GraphCollection(c.id, c.name, c.title or c.name, c.text_private, "", c.created_at)
                for c in export.collections
            ],
            runs=[_run(run) for run in export.runs],
            documents=_documents(export.documents, recipes),
            ontologies=load_ontologies(_one_per_file(rows)),
        )
        built = build(settings.graph_dir, snapshot)
    unmark(settings, marked)
    return built


def _one_per_file(rows: list[OntologyRow]) -> list[OntologyRow]:
    """Return each file once, current versions first: the first one names a concept."""
    found: dict[str, OntologyRow] = {}
    for row in sorted(rows, key=lambda row: (not row.current, -row.id)):
        found.setdefault(row.sha256, row)
    return list(found.values())


def _documents(
    exported: Iterator[ExportedDocument], recipes: Mapping[int, str]
) -> Iterator[GraphDocument | TaggedRecord]:
    """Yield the documents that still stand, each followed by its results.

    As on every page, only what the collection's present recipe found is current: what another one
    found in the same document is kept apart, so that nothing is counted twice.
    """
    for item in exported:
        document = item.document
        if document.withdrawn:
            continue
        yield GraphDocument(
            id=document.id,
            collection_id=document.collection_id,
            key=document.key,
            sha256=document.sha256,
            question=document.question,
            locator=document.locator,
            created=document.created_at,
        )
        for result in item.results:
            current = result.current and result.recipe == recipes[document.collection_id]
            yield _record(document.id, result, current=current)


def _run(run: RunRow) -> GraphRun:
    model: Mapping[str, Any] = run.details.get("model") or {}
    return GraphRun(
        id=run.id,
        collection_id=run.collection_id,
        recipe=run.recipe,
        fingerprint=run.fingerprint,
        state=run.state,
        started=run.started_at,
        ended=run.finished_at,
        software=f"florilegium {run.details.get('software', __version__)}",
        model=(
            GraphModel(str(model["id"]), str(model["sha256"]), str(model.get("revision", "")))
            if model
            else None
        ),
        ontologies=tuple(str(entry["sha256"]) for entry in run.details.get("ontologies", ())),
    )


def _record(document_id: int, result: ResultRow, *, current: bool) -> TaggedRecord:
    return TaggedRecord(
        id=result.id,
        run_id=result.run_id,
        document_id=document_id,
        outcome=result.outcome,
        reason=result.reason,
        current=current,
        sentences=tuple(GraphSentence(s.start, s.end, s.position) for s in result.sentences),
        summary=tuple(
            GraphSummarySentence(s.start, s.end, s.text, s.rank, s.score) for s in result.summary
        ),
        labels=tuple(
            GraphLabel(x.set, x.label, x.score, x.start, x.end, x.text)
            for x in result.labels
            if x.assigned
        ),
        tags=tuple(
            GraphTag(
                iri=tag.iri,
                start=tag.start,
                end=tag.end,
                text=tag.text,
                score=tag.score,
                method=tag.method,
                displayed=tag.displayed,
                negated=tag.negated,
                possible=tag.possible,
                historical=tag.historical,
                hypothetical=tag.hypothetical,
                experiencer=tag.experiencer,
                cue=tag.cue,
                cue_start=tag.cue_start,
                cue_end=tag.cue_end,
            )
            for tag in result.tags
        ),
    )
