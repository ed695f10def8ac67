"""Counts by SQL: totals, documents by concept with roll-up, documents by label."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, and_, case, func, select

from db.models import Collection, Concept, ConceptClosure, Document, Label, Ontology, Result, Tag
from db.rows import ConceptCount, DocumentFacts, LabelCount, Totals
from db.store.access import Access, made
from db.store.pages import has_current_result

_OUTCOMES = ("processed", "partial", "empty", "other_language", "skipped", "failed")


def _current(collection_id: int, *columns: Any) -> Select[Any]:
    """Select over the current results of the collection's recipe, withdrawn ones left out."""
    recipe = select(Collection.recipe).where(Collection.id == collection_id).scalar_subquery()
    return (
        select(*columns)
        .select_from(Result)
        .join(Document, Document.id == Result.document_id)
        .where(Document.collection_id == collection_id, ~Document.withdrawn)
        .where(Result.current, Result.recipe == recipe)
    )


class Reports(Access):
    """The store's methods that count."""

    def totals(self, collection_id: int) -> Totals:
        """Return the collection's counts in two statements."""
        sums = (
            Result.sentences,
            Result.summary_sentences,
            Result.labels,
            Result.tags,
            Result.displayed_tags,
        )
        sizes = (
            select(Document.withdrawn, func.count())
            .where(Document.collection_id == collection_id)
            .group_by(Document.withdrawn)
        )
        with self.reading() as connection:
            documents: dict[bool, int] = {r[0]: r[1] for r in connection.execute(sizes)}
            row = connection.execute(
                _current(
                    collection_id,
                    *(func.count(case((Result.outcome == o, 1))).label(o) for o in _OUTCOMES),
                    func.count(
                        case((and_(Result.duplicate, Result.outcome == "processed"), 1))
                    ).label("duplicate"),
                    *(func.coalesce(func.sum(column), 0).label(column.key) for column in sums),
                )
            ).one()
        counts = {name: int(value) for name, value in row._mapping.items()}
        total = documents.get(False, 0)
        return Totals(
            documents=total,
            withdrawn=documents.get(True, 0),
            pending=total - sum(counts[outcome] for outcome in _OUTCOMES),
            **counts,
        )

    def document_facts(self, collection_id: int) -> list[DocumentFacts]:
        """Return the collection's documents without their texts, by id; withdrawn ones left out."""
        query = (
            select(
                Document.id,
                Document.key,
                Document.question,
                Document.respondent,
                Document.metadata_,
                func.coalesce(Result.outcome, "pending"),
                func.coalesce(Result.reason, ""),
                Document.aside,
            )
            .outerjoin(Result, has_current_result())
            .where(Document.collection_id == collection_id, ~Document.withdrawn)
            .order_by(Document.id)
        )
        with self.reading() as connection:
            return [made(DocumentFacts, row) for row in connection.execute(query)]

    def concept_counts(
        self, collection_id: int, *, ontology: str | None = None
    ) -> list[ConceptCount]:
        """Return documents for each concept, its own and with everything narrower.

        Counts displayed tags of current results, rolled up over the current version of each
        ontology; most documents first, then by label and IRI. A tag whose concept the current
        version no longer has counts for itself alone.
        """
        used = (
            _current(collection_id, Tag.ontology, Tag.iri, Result.document_id, Tag.label, Tag.curie)
            .join(Tag, Tag.result_id == Result.id)
            .where(Tag.displayed)
        )
        if ontology is not None:
            used = used.where(Tag.ontology == ontology)
        one = used.cte("used")
        own = select(
            one.c.ontology,
            one.c.iri,
            func.max(one.c.curie),
            func.max(one.c.label),
            func.count(one.c.document_id.distinct()),
        ).group_by(one.c.ontology, one.c.iri)
        up = (
            select(
                ConceptClosure.ontology_id,
                ConceptClosure.ancestor,
                func.count(one.c.document_id.distinct()).label("documents"),
            )
            .select_from(one)
            .join(Ontology, and_(Ontology.name == one.c.ontology, Ontology.current))
            .join(ConceptClosure, ConceptClosure.ontology_id == Ontology.id)
            .where(ConceptClosure.iri == one.c.iri)
            .group_by(ConceptClosure.ontology_id, ConceptClosure.ancestor)
            .subquery()
        )
        above = (
            select(Ontology.name, Concept.iri, Concept.curie, Concept.label, up.c.documents)
            .select_from(up)
            .join(Ontology, Ontology.id == up.c.ontology_id)
            .join(Concept, Concept.ontology_id == up.c.ontology_id)
            .where(Concept.iri == up.c.ancestor)
        )
        with self.reading() as connection:
            direct = {row[:2]: row for row in connection.execute(own)}
            rolled = {row[:2]: row for row in connection.execute(above)}
        counts = [
            made(ConceptCount, (*row[:4], direct[key][4] if key in direct else 0, row[4]))
            for key, row in rolled.items()
        ]
        counts += [
            made(ConceptCount, (*row, row[4])) for key, row in direct.items() if key not in rolled
        ]
        return sorted(
            counts, key=lambda c: (-c.documents_with_narrower, -c.documents, c.label, c.iri)
        )

    def label_counts(self, collection_id: int) -> list[LabelCount]:
        """Return documents for each assigned label, by set, most documents first."""
        query = (
            _current(collection_id, Label.label_set, Label.label, func.count())
            .join(Label, Label.result_id == Result.id)
            .where(Label.assigned)
            .group_by(Label.label_set, Label.label)
        )
        with self.reading() as connection:
            rows = [made(LabelCount, row) for row in connection.execute(query)]
        return sorted(rows, key=lambda row: (row.set, -row.documents, row.label))
