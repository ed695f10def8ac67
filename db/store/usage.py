"""Where words and concepts occur: texts to read through, quotes, and the use of one concept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, case, func, or_, select

from db.models import Collection, ConceptClosure, Document, Ontology, Result, Tag
from db.rows import CollectionUsage, ConceptUsage, QuoteRow
from db.store.access import Access, chunked, made
from db.store.pages import has_current_result

CONTEXT = 80
"""Characters shown on either side of a quote."""
QUOTES = 5
_TEXTS = 200
_UNREAD = ("other_language", "skipped")


class Usage(Access):
    """The store's methods about the use of words and concepts."""

    def texts(self, collection_id: int) -> Iterator[tuple[int, str]]:
        """Yield (document id, text) in order of id, a few at a time: no transaction stays open.

        Withdrawn documents, those of another language and those kept apart are left out.
        """
        last = 0
        while True:
            with self.reading() as connection:
                recipe = connection.scalar(
                    select(Collection.recipe).where(Collection.id == collection_id)
                )
                rows = connection.execute(
                    select(Document.id, Document.text)
                    .outerjoin(Result, has_current_result(recipe))
                    .where(Document.collection_id == collection_id, ~Document.withdrawn)
                    .where(func.coalesce(Result.outcome, "").not_in(_UNREAD))
                    .where(Document.id > last)
                    .order_by(Document.id)
                    .limit(_TEXTS)
                ).all()
            if not rows:
                return
            yield from ((id, text) for id, text in rows)
            last = rows[-1][0]

    def quotes(self, places: Sequence[tuple[int, int, int]]) -> list[QuoteRow]:
        """Return the words at (document id, start, end), in the order of ``places``.

        Documents that have gone are left out.
        """
        found: dict[int, tuple[str, str, str]] = {}
        with self.reading() as connection:
            for some in chunked(dict.fromkeys(place[0] for place in places)):
                query = (
                    select(Document.id, Document.key, Collection.name, Document.text)
                    .join(Collection, Collection.id == Document.collection_id)
                    .where(Document.id.in_(some))
                )
                for id, *row in connection.execute(query):
                    found[id] = (row[0], row[1], row[2])
        return [
            QuoteRow(
                *(id, *found[id][:2], start, end, (text := found[id][2])[start:end]),
                before=text[max(0, start - CONTEXT) : start],
                after=text[end : end + CONTEXT],
            )
            for id, start, end in places
            if id in found
        ]

    def concept_usage(self, ontology: str, iri: str, *, quotes: int = QUOTES) -> ConceptUsage:
        """Return how the collections use a concept of the ontology, by name, with first quotes."""
        with self.reading() as connection:
            own = {row[0]: row for row in connection.execute(_counts(ontology, iri))}
            rolled = connection.execute(_rolled_up(ontology, iri)).all()
            return ConceptUsage(
                tuple(
                    CollectionUsage(
                        *(name, private, own[name][1] if name in own else 0, documents),
                        *(int(value or 0) for value in (own[name][2:] if name in own else (0,))),
                    )
                    for name, private, documents in rolled
                ),
                _first_quotes(connection, ontology, iri, quotes),
            )


def _displayed(ontology: str, which: ColumnElement[bool], *columns: Any) -> Select[Any]:
    """Select over displayed tags of the current results of every collection's own recipe."""
    return (
        select(*columns)
        .select_from(Tag)
        .join(Result, Result.id == Tag.result_id)
        .join(Document, Document.id == Result.document_id)
        .join(
            Collection,
            and_(Collection.id == Document.collection_id, Collection.recipe == Result.recipe),
        )
        .where(which, Tag.ontology == ontology, Tag.displayed)
        .where(Result.current, ~Document.withdrawn)
    )


def _counts(ontology: str, iri: str) -> Select[Any]:
    assessed = or_(
        *(
            column.is_not(None)
            for column in (Tag.negated, Tag.possible, Tag.historical, Tag.hypothetical)
        ),
        Tag.experiencer.is_not(None),
    )
    tests: tuple[ColumnElement[bool], ...] = (
        *(
            column.is_(True)
            for column in (Tag.negated, Tag.possible, Tag.historical, Tag.hypothetical)
        ),
        Tag.experiencer != "patient",
        ~assessed,
    )
    return _displayed(
        ontology,
        Tag.iri == iri,
        Collection.name,
        func.count(Document.id.distinct()),
        func.count(Tag.id),
        *(func.sum(case((test, 1), else_=0)) for test in tests),
    ).group_by(Collection.name)


def _rolled_up(ontology: str, iri: str) -> Select[Any]:
    below = (
        select(ConceptClosure.iri)
        .join(Ontology, Ontology.id == ConceptClosure.ontology_id)
        .where(Ontology.current, Ontology.name == ontology, ConceptClosure.ancestor == iri)
    )
    documents = func.count(Document.id.distinct())
    return (
        _displayed(
            ontology,
            or_(Tag.iri == iri, Tag.iri.in_(below)),
            *(Collection.name, Collection.text_private, documents),
        )
        .group_by(Collection.name, Collection.text_private)
        .order_by(documents.desc(), Collection.name)
    )


def _first_quotes(
    connection: Connection, ontology: str, iri: str, limit: int
) -> tuple[QuoteRow, ...]:
    first = (
        _displayed(
            ontology, Tag.iri == iri, Document.id.label("document"), func.min(Tag.id).label("tag")
        )
        .group_by(Document.id)
        .order_by(Document.id)
        .limit(limit)
        .subquery()
    )
    begin = case((Tag.start > CONTEXT, Tag.start - CONTEXT), else_=0)
    query = (
        select(
            *(Document.id, Document.key, Collection.name, Tag.start, Tag.end, Tag.text),
            func.substr(Document.text, begin + 1, Tag.start - begin),
            func.substr(Document.text, Tag.end + 1, CONTEXT),
            *(Tag.negated, Tag.possible, Tag.historical, Tag.hypothetical, Tag.experiencer),
        )
        .select_from(first)
        .join(Tag, Tag.id == first.c.tag)
        .join(Document, Document.id == first.c.document)
        .join(Collection, Collection.id == Document.collection_id)
        .order_by(Document.id)
    )
    return tuple(made(QuoteRow, row) for row in connection.execute(query))
