"""Read results with their parts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, select

from db.models import Label, Result, Sentence, SummarySentence, Tag
from db.rows import LabelRow, ResultRow, SentenceRow, SummaryRow, TagRow
from db.store.access import chunked

RESULT = (
    Result.id,
    Result.document_id,
    Result.run_id,
    Result.recipe,
    Result.input_hash,
    Result.fingerprint,
    Result.outcome,
    Result.reason,
    Result.duplicate,
    Result.attempts,
    Result.current,
    Result.created_at,
)
_SENTENCE = (Sentence.result_id, Sentence.position, Sentence.start, Sentence.end)
_SUMMARY = (
    SummarySentence.result_id,
    SummarySentence.rank,
    SummarySentence.start,
    SummarySentence.end,
    SummarySentence.text,
    SummarySentence.score,
)
_LABEL = (
    Label.result_id,
    Label.label_set,
    Label.label,
    Label.score,
    Label.assigned,
    Label.start,
    Label.end,
    Label.text,
)
_TAG = (
    Tag.result_id,
    Tag.ontology,
    Tag.iri,
    Tag.curie,
    Tag.label,
    Tag.start,
    Tag.end,
    Tag.text,
    Tag.score,
    Tag.method,
    Tag.displayed,
    Tag.negated,
    Tag.possible,
    Tag.historical,
    Tag.hypothetical,
    Tag.experiencer,
    Tag.cue,
    Tag.cue_start,
    Tag.cue_end,
    Tag.id,
)


def with_parts(
    connection: Connection,
    results: Sequence[ResultRow],
    *,
    sentences: bool = True,
    assigned_only: bool = False,
) -> list[ResultRow]:
    """Return the results with sentences, summary, labels and tags filled in.

    Sentences by position, summary by rank, labels by set and falling score, tags by place (the
    longer one first).
    """
    filled: list[ResultRow] = []
    for some in chunked(results):
        ids = [result.id for result in some]
        places = _read(connection, _SENTENCE, ids, SentenceRow) if sentences else {}
        summary = _read(connection, _SUMMARY, ids, SummaryRow)
        labels = _read(connection, _LABEL, ids, LabelRow)
        tags = _read(connection, _TAG, ids, TagRow)
        filled += (
            replace(
                result,
                sentences=tuple(sorted(places.get(result.id, ()), key=lambda s: s.position)),
                summary=tuple(sorted(summary.get(result.id, ()), key=lambda s: s.rank)),
                labels=tuple(
                    sorted(
                        (x for x in labels.get(result.id, ()) if x.assigned or not assigned_only),
                        key=lambda x: (x.set, -x.score, x.label),
                    )
                ),
                tags=tuple(sorted(tags.get(result.id, ()), key=lambda t: (t.start, -t.end, t.id))),
            )
            for result in some
        )
    return filled


def _read(
    connection: Connection, columns: Sequence[Any], ids: Sequence[int], row: type[Any]
) -> dict[int, list[Any]]:
    """Return the rows of one part by result id; the first column is the result id."""
    found: dict[int, list[Any]] = defaultdict(list)
    for got in connection.execute(select(*columns).where(columns[0].in_(ids))).all():
        found[got[0]].append(row(*got[1:]))
    return found
