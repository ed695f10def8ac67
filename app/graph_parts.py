"""Rows of results, decisions and codings as the records that the graph is made from."""

from __future__ import annotations

from db.rows import AssignmentRow, DecisionRow, ResultRow
from ontology.graph import (
    GraphCoding,
    GraphDecision,
    GraphLabel,
    GraphReplacement,
    GraphSentence,
    GraphSummarySentence,
    GraphTag,
    TaggedRecord,
)


def graph_result(result: ResultRow, *, current: bool) -> TaggedRecord:
    """Return what a run said of a document; its sentences where it is ``current``."""
    return TaggedRecord(
        result.id,
        result.run_id,
        result.document_id,
        result.outcome,
        result.reason,
        current,
        tuple([GraphSentence(s.start, s.end, s.position) for s in result.sentences])
        if current
        else (),
        tuple(
            [GraphSummarySentence(s.start, s.end, s.text, s.rank, s.score) for s in result.summary]
        ),
        tuple([GraphLabel(x.set, x.label, x.score, x.start, x.end, x.text) for x in result.labels]),
        tuple(
            [
                GraphTag(
                    t.iri,
                    t.start,
                    t.end,
                    t.text,
                    t.score,
                    t.method,
                    t.displayed,
                    t.negated,
                    t.possible,
                    t.historical,
                    t.hypothetical,
                    t.experiencer,
                    t.cue,
                    t.cue_start,
                    t.cue_end,
                )
                for t in result.tags
            ]
        ),
    )


def graph_decision(row: DecisionRow) -> GraphDecision:
    """Return a decision."""
    new = row.replacement
    return GraphDecision(
        id=row.id,
        document_id=row.document_id,
        kind=row.kind,
        scheme=row.scheme,
        item=row.item,
        start=row.start,
        end=row.end,
        verdict=row.verdict,
        reviewer=row.reviewer,
        created=row.created_at,
        text=row.text,
        reason=row.reason,
        current=row.current,
        result_id=row.result_id,
        replacement=(
            GraphReplacement(
                str(new.get("scheme", row.scheme)),
                str(new.get("item", row.item)),
                int(new.get("start", row.start)),
                int(new.get("end", row.end)),
                str(new.get("text", row.text)),
            )
            if new
            else None
        ),
    )


def graph_coding(codebook: int, row: AssignmentRow) -> GraphCoding:
    """Return a statement coded with a theme of ``codebook``."""
    return GraphCoding(
        row.id,
        codebook,
        row.theme_id,
        row.start,
        row.end,
        row.text,
        row.score,
        row.since,
        row.stance,
        row.method,
    )
