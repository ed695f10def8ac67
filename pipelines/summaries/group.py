"""Summaries of groups: of a theme, a question, a collection, notes in time order, or for a query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from pipelines.recipes import SummariseParameters
from pipelines.stages.vectors import SentenceEncoder, Vectors
from pipelines.summaries.choose import choose, sides_of
from pipelines.summaries.gather import Gathered, Reading, Statement, gather
from pipelines.summaries.query import Query
from pipelines.summaries.quotes import central, different, fault
from pipelines.summaries.rules import group_rules
from pipelines.summaries.types import Chosen, GroupSummary, Kind, Length
from pipelines.summaries.worth import Floats, total, worth

Permits = Callable[[Statement], str]
"""Says why a statement may not be quoted, "" where it may."""


def summarise_group(
    read: Reading,
    encoder: SentenceEncoder,
    parameters: SummariseParameters,
    length: Length,
    *,
    query: str = "",
    quotes: int = 0,
    by_time: bool = False,
    permits: Permits | None = None,
) -> GroupSummary:
    """Return sentences of a group's documents, verbatim, best first (in time order if ``by_time``).

    ``read`` yields the documents and is called three times. A group divided between stances is
    balanced between them. ``quotes`` adds so many central and so many most different quotes.
    Statements that ``permits`` gives a reason against are left out and counted. The result does not
    depend on the order in which documents come.
    """
    asked = Query(query) if query.strip() else None
    rules = group_rules()
    found = gather(read, parameters, rules, asked)
    kept, left_out = _permitted(found.statements, permits)
    base = _nothing(found, left_out)
    if not kept:
        return base
    texts = [statement.text for statement in kept]
    vectors = encoder.encode(texts)
    value = worth(texts, vectors, found.phrases, parameters) / total(parameters)
    if asked is not None:
        lexical = np.array([statement.lexical for statement in kept])
        about = asked.relevance(
            lexical, vectors, encoder.encode([asked.subject]), rules.query_cosine
        )
        places = np.flatnonzero(about > 0.0)
        if not len(places):
            return base
        kept = [kept[place] for place in places]
        vectors = vectors[places]
        value = ((value + rules.query_weight * about) / (1 + rules.query_weight))[places]
    most, words = length.bounds(found.words)
    taken = choose(
        value,
        vectors,
        redundancy=parameters.redundancy / total(parameters),
        sentences=most,
        words=[len(statement.text.split()) for statement in kept],
        most_words=words,
        sides=[statement.stance for statement in kept],
        shares=sides_of(found.stances, least=rules.divided),
    )
    if by_time:
        taken.sort(key=lambda place: (kept[place].time, kept[place].key, kept[place].start))
    chosen = _chosen(kept, taken, value, Kind.SUMMARY)
    if quotes:
        chosen += _quotes(kept, vectors, value, quotes)
    return GroupSummary(
        tuple(chosen),
        found.documents,
        found.count,
        found.words,
        dict(sorted(found.stances.items())),
        dict(sorted(left_out.items())),
    )


def _quotes(kept: Sequence[Statement], vectors: Vectors, value: Floats, count: int) -> list[Chosen]:
    faults = np.array([fault(statement.text) for statement in kept])
    near = central([s.text for s in kept], vectors, value, faults, count)
    taken = {(kept[place].document, kept[place].start) for place in near}
    far = [
        place
        for place in different([s.text for s in kept], vectors, faults, count + len(taken))
        if (kept[place].document, kept[place].start) not in taken
    ][:count]
    return _chosen(kept, near, value, Kind.CENTRAL) + _chosen(kept, far, value, Kind.DIFFERENT)


def _permitted(
    statements: Sequence[Statement], permits: Permits | None
) -> tuple[list[Statement], Counter[str]]:
    left_out: Counter[str] = Counter()
    kept = []
    for statement in statements:
        reason = permits(statement) if permits else ""
        if reason:
            left_out[reason] += 1
        else:
            kept.append(statement)
    return kept, left_out


def _nothing(found: Gathered, left_out: Counter[str]) -> GroupSummary:
    reason = "nothing is said about it" if found.statements else "there is no statement"
    if found.statements and sum(left_out.values()) == len(found.statements):
        reason = "no statement may be quoted"
    return GroupSummary(
        (),
        found.documents,
        found.count,
        found.words,
        dict(sorted(found.stances.items())),
        dict(sorted(left_out.items())),
        reason,
    )


def _chosen(
    kept: Sequence[Statement], places: Sequence[int], value: Floats, kind: Kind
) -> list[Chosen]:
    return [
        Chosen(
            one.document,
            one.key,
            one.start,
            one.end,
            one.text,
            rank,
            round(float(np.clip(value[place], 0.0, 1.0)), 4),
            one.stance,
            kind,
            one.time,
        )
        for rank, place in enumerate(places, start=1)
        for one in (kept[place],)
    ]
