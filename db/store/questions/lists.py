"""Lists of documents, tags and summaries, with their places in the text."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Numeric, and_, case, cast, func, or_, select

from db.models import Collection, Document, Ontology, Result, Run, SummarySentence, Tag
from db.rows.questions import Asked, SqlAnswer
from db.store.questions.standing import (
    answer,
    below,
    by_code_point,
    local_name,
    shown,
    standing,
    tag_number,
)

_QUOTE = "document collection id label start end quote score tag"


def documents_about(connection: Connection, asked: Asked) -> SqlAnswer:
    """Return document, collection, id and tags of each document about the concept."""
    tags = standing(asked)
    count = func.count()
    query = (
        select(local_name("document", Document.id), Collection.name, Document.key, count)
        .select_from(tags)
        .join(Document, Document.id == tags.c.document_id)
        .join(Collection, Collection.id == Document.collection_id)
        .where(tags.c.iri.in_(below(asked.concept)))
        .group_by(Document.id, Collection.name, Document.key)
        .order_by(
            count.desc(),
            by_code_point(connection, Collection.name),
            by_code_point(connection, Document.key),
        )
        .limit(asked.limit)
    )
    return answer("document collection id tags", connection.execute(query).all())


def best_evidence(connection: Connection, asked: Asked) -> SqlAnswer:
    """Return where the concept stands, best scores first; quotes of open collections only."""
    tags = standing(asked, numbered=True)
    query = (
        select(
            local_name("document", Document.id),
            Collection.name,
            Document.key,
            tags.c.iri,
            tags.c.start,
            tags.c.end,
            case((~Collection.text_private, tags.c.text)),
            tags.c.score,
            tags.c.name,
        )
        .select_from(tags)
        .join(Document, Document.id == tags.c.document_id)
        .join(Collection, Collection.id == Document.collection_id)
        .where(tags.c.iri.in_(below(asked.concept)))
        .order_by(tags.c.score.desc(), tags.c.document_id, by_code_point(connection, tags.c.name))
        .limit(asked.limit)
    )
    return answer(_QUOTE, _labelled(connection, connection.execute(query).all(), 3))


def tags_that_stand(connection: Connection, asked: Asked) -> SqlAnswer:
    """Return the standing tags with score, and the reviewer of those that a person gave."""
    tags = standing(asked, numbered=True)
    query = (
        select(
            Collection.name,
            Document.key,
            *(tags.c.start, tags.c.end, tags.c.iri, tags.c.iri.label("label")),
            *(tags.c.score, tags.c.reviewer, tags.c.name),
        )
        .select_from(tags)
        .join(Document, Document.id == tags.c.document_id)
        .join(Collection, Collection.id == Document.collection_id)
        .order_by(
            *(tags.c.document_id, tags.c.start, tags.c.end),
            by_code_point(connection, tags.c.name),
        )
        .limit(asked.limit)
    )
    if asked.concept:
        query = query.where(tags.c.iri.in_(below(asked.concept)))
    rows = _labelled(connection, connection.execute(query).all(), 5)
    return answer("collection id start end body label score reviewer tag", rows)


def negated_or_uncertain(connection: Connection, asked: Asked) -> SqlAnswer:
    """Return what is negated, uncertain or both, a row each, with the cue."""
    tags = standing(asked, numbered=True)
    said = (("Negated", tags.c.negated), ("Uncertain", tags.c.possible))
    query = (
        select(
            Collection.name,
            Document.key,
            *(tags.c.start, tags.c.end, tags.c.iri, tags.c.iri.label("label")),
            *(tags.c.negated, tags.c.possible, tags.c.cue, tags.c.name),
        )
        .select_from(tags)
        .join(Document, Document.id == tags.c.document_id)
        .join(Collection, Collection.id == Document.collection_id)
        .where(or_(*(column.is_(True) for _, column in said)))
        .order_by(
            *(tags.c.document_id, tags.c.start, tags.c.end),
            by_code_point(connection, tags.c.name),
        )
        .limit(asked.limit)
    )
    if asked.concept:
        query = query.where(tags.c.iri.in_(below(asked.concept)))
    rows = []
    for *place, negated, possible, cue, name in _labelled(
        connection, connection.execute(query).all(), 5
    ):
        for word, holds in (("Negated", negated), ("Uncertain", possible)):
            if holds:
                rows.append((*place, word, cue, name))
    columns = "collection id start end body label assertion cue tag"
    return answer(columns, rows[: asked.limit])


def document_summary(connection: Connection, asked: Asked) -> SqlAnswer:
    """Return the sentences of documents' summaries in order; quotes of open collections only."""
    query = (
        select(
            local_name("document", Document.id),
            Collection.name,
            Document.key,
            SummarySentence.rank,
            SummarySentence.start,
            SummarySentence.end,
            case((~Collection.text_private, SummarySentence.text)),
            cast(SummarySentence.score, Numeric(10, 4)),
        )
        .join(Result, Result.id == SummarySentence.result_id)
        .join(Document, Document.id == Result.document_id)
        .join(
            Collection,
            and_(Collection.id == Document.collection_id, Collection.recipe == Result.recipe),
        )
        .where(Result.current, ~Document.withdrawn)
        .order_by(
            by_code_point(connection, Collection.name),
            by_code_point(connection, Document.key),
            SummarySentence.rank,
        )
        .limit(asked.limit)
    )
    if asked.document:
        query = query.where(Document.id == asked.document)
    if asked.collection:
        query = query.where(Collection.name == asked.collection)
    columns = "document collection id rank start end quote score"
    return answer(columns, connection.execute(query).all())


def what_produced(connection: Connection, asked: Asked) -> SqlAnswer:
    """Return run, recipe, start and each thing the run used: what it is, its version and hash."""
    _, _, numbers = asked.tag.partition("-")
    result, _, number = numbers.partition("-")
    if not (result.isdigit() and number.isdigit()):
        return answer("run recipe started used title version sha256", ())
    place = tag_number().label("place")
    tags = select(Tag.id, place).where(Tag.result_id == int(result)).subquery()
    query = (
        select(
            Run.id,
            Run.recipe,
            Run.started_at,
            Run.details,
            Collection.id,
            Collection.title,
            Collection.name,
        )
        .join(Result, Result.run_id == Run.id)
        .join(Collection, Collection.id == Run.collection_id)
        .where(Result.id == int(result))
        .where(select(tags.c.id).where(tags.c.place == int(number)).exists())
    )
    rows: list[tuple[Any, ...]] = []
    for run, recipe, started, details, collection, title, name in connection.execute(query):
        about = (f"run-{run}", recipe, started)
        rows.append((*about, f"collection-{collection}", title or name, None, None))
        if model := details.get("model"):
            version = model.get("revision") or None
            sha256 = model["sha256"]
            rows.append((*about, f"model\0{model['id']}\0{sha256}", model["id"], version, sha256))
        for each in sorted(details.get("ontologies", ()), key=lambda each: str(each["id"])):
            sha256 = each["sha256"]
            found = select(Ontology.name, Ontology.title, Ontology.version).where(
                Ontology.sha256 == sha256
            )
            if known := connection.execute(found).first():
                used = f"ontology\0{known[0]}\0{sha256}"
                rows.append((*about, used, known[1] or known[0], known[2] or None, sha256))
            else:
                rows.append((*about, f"urn:sha256:{sha256}", None, None, None))
    return answer("run recipe started used title version sha256", rows[: asked.limit])


def _labelled(connection: Connection, rows: Any, place: int) -> list[tuple[Any, ...]]:
    """Return the rows with the IRI at ``place`` replaced by its display label."""
    labels = shown(connection, [row[place] for row in rows])
    return [(*row[:place], labels.get(row[place]), *row[place + 1 :]) for row in rows]
