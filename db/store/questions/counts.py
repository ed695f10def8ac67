"""Counts of documents: by top concept, by year, and the concepts that count nothing."""

from __future__ import annotations

from collections import Counter

from sqlalchemy import Connection, and_, exists, func, select
from sqlalchemy.orm import aliased

from db.models import Collection, Concept, ConceptClosure, Document, Ontology, Result, Tag
from db.rows.questions import Asked, SqlAnswer
from db.store.questions.standing import answer, below, by_code_point, standing


def counts_by_top_concept(connection: Connection, asked: Asked) -> SqlAnswer:
    """Return concept, label, documents and tags for each concept with nothing broader."""
    tags = standing(asked)
    above = aliased(ConceptClosure)
    has_broader = exists().where(
        above.ontology_id == ConceptClosure.ontology_id,
        above.iri == ConceptClosure.ancestor,
        above.ancestor != above.iri,
    )
    tops = (
        select(ConceptClosure.iri, ConceptClosure.ancestor, ConceptClosure.ontology_id)
        .join(Ontology, Ontology.id == ConceptClosure.ontology_id)
        .where(Ontology.current, ~has_broader)
        .subquery()
    )
    documents = func.count(tags.c.document_id.distinct())
    query = (
        select(Concept.iri, Concept.label, documents, func.count())
        .select_from(tags)
        .join(tops, tops.c.iri == tags.c.iri)
        .join(
            Concept,
            and_(Concept.ontology_id == tops.c.ontology_id, Concept.iri == tops.c.ancestor),
        )
        .group_by(Concept.iri, Concept.label)
        .order_by(
            documents.desc(),
            by_code_point(connection, Concept.label),
            by_code_point(connection, Concept.iri),
        )
        .limit(asked.limit)
    )
    return answer("concept label documents tags", connection.execute(query).all())


def coverage_by_year(connection: Connection, asked: Asked) -> SqlAnswer:
    """Return year, documents and tagged for each year, the undated ones first."""
    tags = standing(asked)
    has = select(tags.c.document_id)
    if asked.concept:
        has = has.where(tags.c.iri.in_(below(asked.concept)))
    query = select(Document.source_id, Document.metadata_, Document.id.in_(has)).where(
        ~Document.withdrawn
    )
    if asked.collection:
        query = query.join(Collection).where(Collection.name == asked.collection)
    documents, tagged = Counter[int | None](), Counter[int | None]()
    for source, metadata, found in connection.execute(query):
        year = asked.year(source, metadata) if asked.year else None
        documents[year] += 1
        tagged[year] += bool(found)
    years = sorted(documents, key=lambda year: -1 if year is None else year)
    rows = [(year, documents[year], tagged[year]) for year in years[: asked.limit]]
    return answer("year documents tagged", rows)


def unused_concepts(connection: Connection, asked: Asked) -> SqlAnswer:
    """Return concept and label of what no result, old ones too, and no reviewer has used."""
    tags = standing(asked)
    used = (
        select(Tag.iri)
        .join(Result, Result.id == Tag.result_id)
        .join(Document, Document.id == Result.document_id)
        .where(~Document.withdrawn)
    )
    query = (
        select(Concept.iri, Concept.label)
        .join(Ontology, Ontology.id == Concept.ontology_id)
        .where(Ontology.current, ~Concept.deprecated)
        .where(Concept.iri.not_in(used), Concept.iri.not_in(select(tags.c.iri)))
        .order_by(by_code_point(connection, Concept.label), by_code_point(connection, Concept.iri))
        .limit(asked.limit)
    )
    return answer("concept label", connection.execute(query).all())
