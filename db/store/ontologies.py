"""Registered ontologies: versions, concepts and the closure that roll-ups join."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, delete, func, insert, or_, select, update

from db.errors import NotFound
from db.models import Concept, ConceptClosure, Ontology
from db.rows import ConceptRow, OntologyInput, OntologyRow
from db.store.access import Access, chunked, insert_all, made
from db.types import utc_now, visible

_ROWS = 5000  # concepts or closure rows in one executemany
ONTOLOGY = (
    Ontology.id,
    Ontology.name,
    Ontology.sha256,
    Ontology.path,
    Ontology.original_path,
    Ontology.format,
    Ontology.title,
    Ontology.version,
    Ontology.concepts,
    Ontology.labels,
    Ontology.deprecated,
    Ontology.current,
    Ontology.added_at,
)
_CONCEPT = (
    Ontology.name,
    Concept.iri,
    Concept.curie,
    Concept.label,
    Concept.definition,
    Concept.deprecated,
)


def all_ontologies(connection: Connection) -> list[OntologyRow]:
    """Return every version of every ontology by name, oldest first."""
    rows = [made(OntologyRow, row) for row in connection.execute(select(*ONTOLOGY))]
    return sorted(rows, key=lambda row: (row.name, row.added_at, row.id))


class Ontologies(Access):
    """The store's methods about ontologies."""

    def add_ontology(self, ontology: OntologyInput) -> OntologyRow:
        """Register an ontology; it becomes the current version of its name.

        The same file again replaces its row. Concepts and closure are kept for the current
        version only: tags carry their own IRI and label. Raises UnstorableText.
        """
        with self.writing() as connection:
            named = Ontology.name == ontology.name
            old = select(Ontology.id).where(named)
            for model in (Concept, ConceptClosure):
                connection.execute(delete(model).where(model.ontology_id.in_(old)))
            connection.execute(update(Ontology).where(named).values(current=False))
            values: dict[str, Any] = {
                "path": visible(ontology.path),
                "original_path": visible(ontology.original_path),
                "format": ontology.format,
                "title": ontology.title,
                "version": ontology.version,
                "concepts": 0,
                "labels": ontology.labels,
                "deprecated": ontology.deprecated,
                "current": True,
                "added_at": utc_now(),
            }
            same = update(Ontology).where(named, Ontology.sha256 == ontology.sha256)
            id = connection.execute(same.values(**values).returning(Ontology.id)).scalar()
            if id is None:
                adding = insert(Ontology).values(
                    name=ontology.name, sha256=ontology.sha256, **values
                )
                id = connection.execute(adding.returning(Ontology.id)).scalar_one()
            count = _insert_concepts(connection, id, ontology)
            row = connection.execute(
                update(Ontology)
                .where(Ontology.id == id)
                .values(concepts=count)
                .returning(*ONTOLOGY)
            ).one()
            return made(OntologyRow, row)

    def ontology(self, name: str) -> OntologyRow:
        """Return the current version of the ontology called ``name``; raises NotFound."""
        with self.reading() as connection:
            found = [row for row in all_ontologies(connection) if row.current]
        for row in found:
            if row.name == name:
                return row
        names = ", ".join(row.name for row in found) or "none yet"
        raise NotFound(
            f"no ontology {name!r}; there are: {names}; add one with: "
            f"florilegium ontology add FILE --id {name}"
        )

    def ontologies(self, *, all_versions: bool = False) -> list[OntologyRow]:
        """Return the current version of each ontology by name, or every version."""
        with self.reading() as connection:
            return [r for r in all_ontologies(connection) if all_versions or r.current]

    def concepts(self, name: str | None = None, *, iri: str | None = None) -> Iterator[ConceptRow]:
        """Yield concepts of the current versions by ontology and IRI, filtered when asked."""
        query = select(*_CONCEPT).join(Ontology).where(Ontology.current)
        if name is not None:
            query = query.where(Ontology.name == name)
        if iri is not None:
            query = query.where(Concept.iri == iri)
        with self.reading() as connection:
            for row in connection.execute(query.order_by(Ontology.id, Concept.iri)):
                yield made(ConceptRow, row)

    def named_concepts(self, wanted: str, names: Sequence[str]) -> set[tuple[str, str]]:
        """Return (ontology, IRI) of the concepts with this IRI or CURIE, else with this label.

        ``names`` are the ontologies to look in; a label's case does not matter.
        """
        found = (
            select(Ontology.name, Concept.iri)
            .join(Ontology)
            .where(Ontology.current, Ontology.name.in_(list(names)))
        )
        with self.reading() as connection:
            for test in (
                or_(Concept.iri == wanted, Concept.curie == wanted),
                func.lower(Concept.label) == wanted.lower(),
            ):
                if rows := connection.execute(found.where(test)).all():
                    return {(row[0], row[1]) for row in rows}
        return set()

    def closure(self, name: str) -> Iterator[tuple[str, str, int]]:
        """Yield (iri, ancestor, depth) of the current version; depth 0 is the concept itself."""
        query = (
            select(ConceptClosure.iri, ConceptClosure.ancestor, ConceptClosure.depth)
            .join(Ontology)
            .where(Ontology.current, Ontology.name == name)
            .order_by(ConceptClosure.iri, ConceptClosure.depth, ConceptClosure.ancestor)
        )
        with self.reading() as connection:
            for row in connection.execute(query):
                yield row[0], row[1], row[2]


def _insert_concepts(connection: Connection, id: int, ontology: OntologyInput) -> int:
    count = 0
    for chunk in chunked(ontology.concepts, _ROWS):
        rows = [
            {
                "ontology_id": id,
                "iri": concept.iri,
                "curie": concept.curie,
                "label": concept.label,
                "definition": concept.definition,
                "deprecated": concept.deprecated,
            }
            for concept in chunk
        ]
        insert_all(connection, Concept, rows)
        itself = [{"ontology_id": id, "iri": c.iri, "ancestor": c.iri, "depth": 0} for c in chunk]
        insert_all(connection, ConceptClosure, itself)
        count += len(rows)
    # A cycle makes a concept its own ancestor: the self row above stands for it.
    above = ((iri, up, depth) for iri, up, depth in ontology.closure if iri != up)
    for some in chunked(above, _ROWS):
        insert_all(
            connection,
            ConceptClosure,
            [
                {"ontology_id": id, "iri": iri, "ancestor": up, "depth": depth}
                for iri, up, depth in some
            ],
        )
    return count
