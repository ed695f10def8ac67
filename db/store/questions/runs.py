"""Whole-collection comparisons: pairs of concepts, and what two runs do not agree on."""

from __future__ import annotations

from itertools import chain

from sqlalchemy import Connection, and_, func, or_, select
from sqlalchemy.orm import aliased

from db.models import Document, Result, Tag
from db.rows.questions import Asked, SqlAnswer
from db.store.questions.standing import answer, by_code_point, local_name, shown, standing


def concepts_together(connection: Connection, asked: Asked) -> SqlAnswer:
    """Return pairs of concepts with the number of documents that have both."""
    tags = standing(asked)
    pairs = select(tags.c.document_id, tags.c.iri).distinct().cte("pairs")
    one, other = pairs.alias("one"), pairs.alias("other")
    first, second = by_code_point(connection, one.c.iri), by_code_point(connection, other.c.iri)
    documents = func.count()
    query = (
        select(one.c.iri, other.c.iri, documents)
        .join(other, one.c.document_id == other.c.document_id)
        .where(one.c.iri != other.c.iri if asked.concept else first < second)
        .group_by(one.c.iri, other.c.iri)
        .order_by(documents.desc(), first, second)
        .limit(asked.limit)
    )
    if asked.concept:
        query = query.where(one.c.iri == asked.concept)
    rows = connection.execute(query).all()
    labels = shown(connection, list(chain.from_iterable(row[:2] for row in rows)))
    return answer(
        "body label other other_label documents",
        [(a, labels.get(a), b, labels.get(b), count) for a, b, count in rows],
    )


def runs_disagree(connection: Connection, asked: Asked) -> SqlAnswer:
    """Return the tags that only one of two runs has, in the documents that both went through."""
    one, other = aliased(Result), aliased(Result)
    both = (
        select(one.document_id, one.id.label("first"), other.id.label("second"))
        .join(other, one.document_id == other.document_id)
        .join(Document, Document.id == one.document_id)
        .where(one.run_id == asked.run, other.run_id == asked.other, ~Document.withdrawn)
        .where(one.run_id != other.run_id)
        .cte("both")
    )
    found = (
        select(
            both.c.document_id,
            *(Tag.start, Tag.end, Tag.iri),
            func.min(Tag.result_id).label("least"),
            func.max(Tag.result_id).label("most"),
            func.max(both.c.second).label("second"),
        )
        .select_from(both)
        .join(Tag, or_(Tag.result_id == both.c.first, Tag.result_id == both.c.second))
        .where(Tag.displayed)
        .group_by(both.c.document_id, Tag.start, Tag.end, Tag.iri)
    )
    if asked.concept:
        found = found.where(Tag.iri == asked.concept)
    only = found.subquery()
    query = (
        select(Document.id, Document.key, only.c.start, only.c.end, only.c.iri, only.c.most,
               only.c.second)
        .join(Document, Document.id == only.c.document_id)
        .where(and_(only.c.least == only.c.most))
        .order_by(
            by_code_point(connection, Document.key),
            by_code_point(connection, local_name("document", Document.id)),
            only.c.start,
            only.c.end,
            by_code_point(connection, only.c.iri),
        )
        .limit(asked.limit)
    )  # fmt: skip
    rows = connection.execute(query).all()
    labels = shown(connection, [row[4] for row in rows])
    return answer(
        "document id start end body label only",
        [
            (f"document-{document}", key, start, end, iri, labels.get(iri),
             f"run-{asked.other if result == second else asked.run}")
            for document, key, start, end, iri, result, second in rows
        ],
    )  # fmt: skip
