"""The tags that stand: the machine's current ones, less what people refused, with what they gave.

What the default graph shows as displayed tags, minus those rejected or corrected by a decision in
force. Everything that a question counts or lists starts here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import (
    CTE,
    BigInteger,
    ColumnElement,
    Connection,
    Integer,
    Numeric,
    Select,
    String,
    and_,
    case,
    cast,
    exists,
    func,
    literal,
    null,
    select,
    union_all,
)

from db.models import Collection, ConceptClosure, Document, Ontology, Result, ReviewDecision, Tag
from db.rows.questions import Asked, SqlAnswer

REFUSED = ("rejected", "corrected")
GIVEN = ("corrected", "added")


def standing(asked: Asked, *, numbered: bool = False) -> CTE:
    """Return the standing tags: document, iri, start, end, score, said no, said maybe, cue, by.

    With ``numbered`` also their local names, which costs a walk over all tags.
    """
    return union_all(_machine(asked, numbered), _people(asked)).cte("standing")


def _machine(asked: Asked, numbered: bool) -> Select[Any]:
    refused = exists().where(
        ReviewDecision.document_id == Result.document_id,
        ReviewDecision.kind == "tag",
        ReviewDecision.current,
        ReviewDecision.verdict.in_(REFUSED),
        ReviewDecision.item == Tag.iri,
        ReviewDecision.start == Tag.start,
        ReviewDecision.end == Tag.end,
    )
    name: ColumnElement[Any] = literal("")
    if numbered:
        name = local_name("tag", Tag.result_id, tag_number())
    columns = (
        name.label("name"),
        Result.document_id.label("document_id"),
        Tag.iri.label("iri"),
        Tag.start.label("start"),
        Tag.end.label("end"),
        Tag.text.label("text"),
        cast(Tag.score, Numeric(10, 4)).label("score"),
        Tag.negated.label("negated"),
        Tag.possible.label("possible"),
        Tag.cue.label("cue"),
        cast(null(), String).label("reviewer"),
    )
    query = current(select(*columns).select_from(Tag), asked)
    if not numbered:
        return query.where(Tag.displayed, ~refused)
    inner = query.add_columns(Tag.displayed.label("displayed"), (~refused).label("stands"))
    rows = inner.subquery()
    kept = [column for column in rows.c if column.key not in ("displayed", "stands")]
    return select(*kept).where(rows.c.displayed, rows.c.stands)


def current(query: Select[Any], asked: Asked) -> Select[Any]:
    """Join current results of standing documents to a query over Tag, for one collection or all."""
    query = (
        query.join(Result, Result.id == Tag.result_id)
        .join(Document, Document.id == Result.document_id)
        .join(
            Collection,
            and_(Collection.id == Document.collection_id, Collection.recipe == Result.recipe),
        )
        .where(Result.current, ~Document.withdrawn)
    )
    return query.where(Collection.name == asked.collection) if asked.collection else query


def _people(asked: Asked) -> Select[Any]:
    corrected = ReviewDecision.verdict == "corrected"
    new = ReviewDecision.replacement
    query = (
        select(
            local_name("decided", ReviewDecision.id),
            ReviewDecision.document_id,
            case((corrected, new["item"].as_string()), else_=ReviewDecision.item),
            case((corrected, new["start"].as_integer()), else_=ReviewDecision.start),
            case((corrected, new["end"].as_integer()), else_=ReviewDecision.end),
            case((corrected, new["text"].as_string()), else_=ReviewDecision.text),
            cast(literal(1), Numeric(10, 4)),
            cast(null(), Tag.negated.type),
            cast(null(), Tag.possible.type),
            cast(null(), String),
            ReviewDecision.reviewer,
        )
        .join(Document, Document.id == ReviewDecision.document_id)
        .join(Collection, Collection.id == Document.collection_id)
        .where(ReviewDecision.kind == "tag", ReviewDecision.current, ~Document.withdrawn)
        .where(ReviewDecision.verdict.in_(GIVEN))
    )
    return query.where(Collection.name == asked.collection) if asked.collection else query


def tag_number() -> ColumnElement[Any]:
    """Return a tag's number in its result as the graph counts: by place, the longer one first."""
    return func.row_number().over(
        partition_by=Tag.result_id, order_by=(Tag.start, Tag.end.desc(), Tag.id)
    )


def local_name(kind: str, *numbers: ColumnElement[Any] | Any) -> ColumnElement[Any]:
    """Return ``kind-1-2`` as SQL."""
    name: ColumnElement[Any] = literal(kind)
    for number in numbers:
        name = name + literal("-") + cast(number, String)
    return name


def below(concept: str) -> Select[Any]:
    """Return the concept and everything narrower in the current vocabularies, as SQL."""
    return (
        select(ConceptClosure.iri)
        .join(Ontology, Ontology.id == ConceptClosure.ontology_id)
        .where(Ontology.current, ConceptClosure.ancestor == concept)
    )


def shown(connection: Connection, iris: Sequence[str]) -> dict[str, str]:
    """Return the display labels of concepts; what no current vocabulary has is left out."""
    from db.models import Concept
    from db.store.access import chunked

    found: dict[str, str] = {}
    for some in chunked(dict.fromkeys(iris)):
        query = (
            select(Concept.iri, Concept.label)
            .join(Ontology, Ontology.id == Concept.ontology_id)
            .where(Ontology.current, Concept.iri.in_(some))
        )
        found.update((row[0], row[1]) for row in connection.execute(query))
    return found


def by_code_point(connection: Connection, column: Any) -> ColumnElement[Any]:
    """Return ``column`` for ORDER BY in the order of code points."""
    found: ColumnElement[Any] = column
    return found.collate("C") if connection.dialect.name == "postgresql" else found


def whole(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """Return a sum as an integer."""
    return cast(func.coalesce(column, 0), BigInteger().with_variant(Integer, "sqlite"))


def answer(columns: str, rows: Sequence[Sequence[Any]]) -> SqlAnswer:
    """Return rows under the columns named in ``columns``."""
    return SqlAnswer(tuple(columns.split()), tuple(tuple(row) for row in rows))
