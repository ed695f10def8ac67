"""What pages and the command line read: listings with filters, and one document in full."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    exists,
    func,
    or_,
    select,
)

from db.errors import NotFound
from db.models import (
    Collection,
    ConceptClosure,
    Document,
    Label,
    Ontology,
    Result,
    Source,
    SummarySentence,
    Tag,
)
from db.rows import (
    CollectionRow,
    DocumentDetail,
    DocumentsPage,
    DocumentSummary,
    ResultRow,
)
from db.store.access import Access, chunked, made
from db.store.collections import COLLECTION
from db.store.documents import DOCUMENT, document_row
from db.store.parts import RESULT, with_parts

_EXCERPT = 200
_LINE = (
    Document.id,
    Document.key,
    Source.path,
    Document.locator,
    Document.question,
    func.substr(Document.text, 1, _EXCERPT),
    Document.length,
    Result.outcome,
    Result.reason,
    Result.duplicate,
    Result.id,
    Result.displayed_tags,
    Document.respondent,
    Document.flags,
)


def has_current_result(recipe: str | None = None) -> ColumnElement[bool]:
    """Join condition: the document's current result, of its collection's recipe by default."""
    wanted: Any = recipe
    if recipe is None:
        wanted = (
            select(Collection.recipe)
            .where(Collection.id == Document.collection_id)
            .correlate(Document)
            .scalar_subquery()
        )
    return and_(Result.document_id == Document.id, Result.current, Result.recipe == wanted)


class Pages(Access):
    """The store's methods that pages and listings call."""

    def documents_page(
        self,
        collection_id: int,
        *,
        offset: int = 0,
        limit: int = 50,
        concept_iri: str | None = None,
        narrower: bool = True,
        label: str | None = None,
        label_set: str | None = None,
        outcome: str | None = None,
        duplicate: bool | None = None,
        text_like: str | None = None,
    ) -> DocumentsPage:
        """Return one page of the collection's documents in the order of their files.

        Filters hold together: a displayed tag of ``concept_iri`` (or of anything ``narrower`` in
        a current ontology), an assigned ``label``, the outcome (``pending``: none yet), the
        duplicate flag, and words in the text regardless of case. Withdrawn ones are left out.
        """
        tests = [Document.collection_id == collection_id, ~Document.withdrawn]
        if concept_iri is not None:
            tests.append(_tagged(concept_iri, narrower))
        if label is not None:
            tests.append(_labelled(label, label_set))
        if outcome == "pending":
            tests.append(Result.id.is_(None))
        elif outcome is not None:
            tests.append(Result.outcome == outcome)
        if duplicate is not None:
            tests.append(func.coalesce(Result.duplicate, False) == duplicate)
        if text_like:
            tests.append(Document.text.icontains(text_like, autoescape=True))
        with self.reading() as connection:
            recipe = connection.scalar(
                select(Collection.recipe).where(Collection.id == collection_id)
            )
            current = has_current_result(recipe)
            query: Select[Any] = (
                select(*_LINE)
                .join(Source, Source.id == Document.source_id)
                .outerjoin(Result, current)
                .where(*tests)
                .order_by(Document.source_id, Document.position, Document.id)
            )
            counting = select(func.count()).select_from(Document)
            if len(tests) > 2:
                counting = counting.outerjoin(Result, current)
            total = connection.scalar(counting.where(*tests)) or 0
            found = connection.execute(query.offset(offset).limit(limit)).all()
            return DocumentsPage(_summaries(connection, found), total)

    def document(
        self, document: int | str, *, collection: str | None = None, recipe: str | None = None
    ) -> DocumentDetail:
        """Return a document in full, by id or key, with its current result and all parts.

        A string of digits is tried as an id first. ``recipe`` is the collection's by default.
        Raises NotFound, also for a key that several collections have.
        """
        with self.reading() as connection:
            rows = _find(connection, document, collection)
            if len(rows) != 1:
                raise _not_one(document, collection, [row.name for row in rows])
            row = rows[0]
            here = len(COLLECTION)
            found = connection.execute(
                select(*RESULT)
                .select_from(Document)
                .join(Result, has_current_result(recipe))
                .where(Document.id == row[here + 1])
            ).first()
            result = with_parts(connection, [made(ResultRow, found)])[0] if found else None
            return DocumentDetail(
                made(CollectionRow, row[:here]),
                row[here],
                document_row(row[here + 1 :]),
                result,
            )


def _tagged(iri: str, narrower: bool) -> ColumnElement[bool]:
    wanted: ColumnElement[bool] = Tag.iri == iri
    if narrower:
        below = (
            select(ConceptClosure.iri)
            .join(Ontology, Ontology.id == ConceptClosure.ontology_id)
            .where(Ontology.current, ConceptClosure.ancestor == iri)
        )
        wanted = or_(wanted, Tag.iri.in_(below))
    return exists().where(Tag.result_id == Result.id, Tag.displayed, wanted)


def _labelled(label: str, label_set: str | None) -> ColumnElement[bool]:
    tests = [Label.result_id == Result.id, Label.assigned, Label.label == label]
    if label_set is not None:
        tests.append(Label.label_set == label_set)
    return exists().where(*tests)


def _summaries(connection: Connection, rows: Sequence[Any]) -> tuple[DocumentSummary, ...]:
    ids = [row[10] for row in rows if row[10] is not None]
    labels: dict[int, list[tuple[float, str]]] = defaultdict(list)
    best: dict[int, str] = {}
    for some in chunked(ids):
        assigned = select(Label.result_id, Label.score, Label.label)
        for id, score, label in connection.execute(
            assigned.where(Label.result_id.in_(some), Label.assigned)
        ):
            labels[id].append((-score, label))
        first = select(SummarySentence.result_id, SummarySentence.text)
        for id, text in connection.execute(
            first.where(SummarySentence.result_id.in_(some), SummarySentence.rank == 1)
        ):
            best[id] = text
    return tuple(
        made(
            DocumentSummary,
            (
                *row[:8],
                row[8] or "",
                bool(row[9]),
                tuple(label for _, label in sorted(labels.get(row[10], ()))),
                row[11] or 0,
                best.get(row[10], ""),
                row[12],
                tuple(row[13]),
            ),
        )
        for row in rows
    )


def _find(connection: Connection, document: int | str, collection: str | None) -> Sequence[Any]:
    query = (
        select(*COLLECTION, Source.path, *DOCUMENT)
        .select_from(Document)
        .join(Collection, Collection.id == Document.collection_id)
        .join(Source, Source.id == Document.source_id)
        .order_by(Collection.name)
    )
    if collection is not None:
        query = query.where(Collection.name == collection)
    text = str(document)
    if text.isascii() and text.isdigit() and len(text) < 19:
        rows = connection.execute(query.where(Document.id == int(text))).all()
        if rows or isinstance(document, int):
            return rows
    return connection.execute(query.where(Document.key == text)).all()


def _not_one(document: int | str, collection: str | None, names: Sequence[str]) -> NotFound:
    where = f" in collection {collection!r}" if collection else ""
    if names:
        return NotFound(
            f"document {document!r} is in several collections ({', '.join(names)}); "
            "say which with --collection, or give the id"
        )
    return NotFound(
        f"no document with id or key {document!r}{where}; list them with: "
        f"florilegium documents {collection or 'COLLECTION'}"
    )
