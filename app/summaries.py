"""Summaries of groups of stored documents: gathered, balanced, with quotes, and stored."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from app.campaigns import voice_of, voices
from app.errors import UsageError
from app.quotable import columns_of_role, permits, refusing

if TYPE_CHECKING:
    from app.settings import Settings
    from db.rows import AssignmentRow, CollectionRow, GroupDocumentRow, GroupSummaryRow
    from db.store import Store
    from pipelines.recipes import SummariseParameters
    from pipelines.stages.vectors import SentenceEncoder
    from pipelines.summaries import Chosen, GroupSummary, Length, Said


@dataclass(frozen=True, slots=True)
class Asked:
    """What a summary is of: a whole collection, or a question, theme or respondent of it.

    ``quotes`` is the number of central quotes, and of most different ones.
    """

    question: str | None = None
    theme: str | None = None
    codebook: str | None = None
    respondent: str | None = None
    query: str = ""
    quotes: int = 0

    @property
    def kind(self) -> str:
        """Return theme, series, question, query or collection."""
        if self.theme is not None:
            return "theme"
        if self.respondent is not None:
            return "series"
        if self.question is not None:
            return "question"
        return "query" if self.query else "collection"

    @property
    def subject(self) -> str:
        """Return the theme's key, the respondent or the question, "" for a collection."""
        return self.theme or self.respondent or self.question or ""


@dataclass(frozen=True, slots=True)
class Summarised:
    """A summary as it is stored, the keys of its documents, and warnings."""

    row: GroupSummaryRow
    keys: Mapping[int, str]
    warnings: tuple[str, ...] = ()


def summarise_collection(
    settings: Settings,
    store: Store,
    collection: CollectionRow,
    asked: Asked,
    length: Length,
    encoder: SentenceEncoder,
    parameters: SummariseParameters,
) -> Summarised:
    """Summarise a group and store it in place of the earlier one of the same kind and subject.

    Nothing of a respondent who refused publication, and nothing with personal data, is quoted.
    Raises UsageError where there is no such question, theme or respondent.
    """
    from app.reviews import graph_follows
    from db.rows import GroupSentenceRow, GroupSummaryRow
    from db.types import utc_now
    from pipelines.summaries.group import summarise_group

    refused, read = _reading(store, collection, asked)
    if next(iter(read()), None) is None:
        raise UsageError(_nothing(store, collection, asked))
    found = summarise_group(
        read,
        encoder,
        parameters,
        length,
        query=asked.query,
        quotes=asked.quotes,
        by_time=asked.kind == "series",
        permits=partial(permits, refused),
    )
    row = GroupSummaryRow(
        id=0,
        collection_id=collection.id,
        kind=asked.kind,
        subject=asked.subject,
        query=asked.query,
        details=_details(found, length),
        created_at=utc_now(),
        sentences=tuple(
            GroupSentenceRow(
                rank=place,
                document_id=one.document,
                start=one.start,
                end=one.end,
                text=one.text,
                score=one.score,
                stance=one.stance,
                role=str(one.kind),
            )
            for place, one in enumerate(found.sentences, start=1)
        ),
    )
    saved, warnings = graph_follows(settings, store, lambda: store.save_group_summary(row))
    return Summarised(saved, {one.document: one.key for one in found.sentences}, tuple(warnings))


def summarise_text(
    text: str, encoder: SentenceEncoder, parameters: SummariseParameters, length: Length, query: str
) -> GroupSummary:
    """Summarise one text of any length by parts, or for a query; nothing is stored."""
    from pipelines.segment import segment
    from pipelines.summaries import Said
    from pipelines.summaries.group import summarise_group

    spans = tuple((one.start, one.end) for one in segment(text))
    said = Said(0, "", text, spans)
    return summarise_group(lambda: [said], encoder, parameters, length, query=query)


def as_dict(summarised: Summarised, collection: str) -> dict[str, Any]:
    """Return JSON-ready values."""
    row = summarised.row
    values = asdict(row)
    values.pop("collection_id")
    for sentence in values["sentences"]:
        sentence["document"] = summarised.keys.get(sentence["document_id"], "")
    return {"collection": collection, **values}


def _reading(
    store: Store, collection: CollectionRow, asked: Asked
) -> tuple[set[int], Callable[[], Iterator[Said]]]:
    """Return the documents whose respondents refused, and what reads the group from the start."""
    coded = _coded(store, collection, asked)
    campaigns = voices(store.campaigns(collection.id))
    dates = _dates(store, collection) if asked.kind == "series" else None

    def documents() -> Iterator[GroupDocumentRow]:
        return store.group_documents(
            collection.id, question=asked.question, respondent=asked.respondent
        )

    refused = refusing(store, collection, documents())

    def read() -> Iterator[Said]:
        for row in documents():
            if coded is not None and row.id not in coded:
                continue
            said = _said(row, coded[row.id] if coded is not None else None)
            if said.spans:
                time = dates(row.metadata) if dates else ""
                yield _with(said, voice_of(campaigns, row.id), time)

    return refused, read


def _said(row: GroupDocumentRow, coded: Sequence[AssignmentRow] | None) -> Said:
    from pipelines.segment import segment
    from pipelines.summaries import Said

    if coded is not None:
        spans = tuple((one.start, one.end) for one in coded)
        return Said(row.id, row.key, row.text, spans, tuple(one.stance for one in coded))
    spans = row.sentences or tuple((one.start, one.end) for one in segment(row.text))
    return Said(row.id, row.key, row.text, spans)


def _with(said: Said, voice: str, time: str) -> Said:
    from dataclasses import replace

    return replace(said, voice=voice, time=time)


def _coded(
    store: Store, collection: CollectionRow, asked: Asked
) -> dict[int, list[AssignmentRow]] | None:
    """Return what is coded with the theme asked for, by document; None where no theme is."""
    if asked.theme is None:
        return None
    book = store.codebook(collection.id, asked.codebook)
    themes = store.themes(book.id)
    wanted = [one for one in themes if asked.theme in (one.key, one.label)]
    if not wanted:
        known = ", ".join(f"{one.key} ({one.label})" for one in themes[:20])
        raise UsageError(
            f"No theme {asked.theme!r} in codebook {book.name!r}; expected one of: {known}. "
            f"See them all with: florilegium themes list {collection.name}"
        )
    found: dict[int, list[AssignmentRow]] = {}
    for row in store.assignments(book.id, theme_id=wanted[0].id):
        found.setdefault(row.document_id, []).append(row)
    return found


def _dates(store: Store, collection: CollectionRow) -> Callable[[Mapping[str, Any]], str]:
    """Return what reads a document's date from its metadata, as text that sorts by time."""
    from app.document_dates import document_date

    columns = columns_of_role(store, collection, "date")

    def dated(metadata: Mapping[str, Any]) -> str:
        return str(document_date(metadata, columns) or "")

    return dated


def _details(found: GroupSummary, length: Length) -> dict[str, Any]:
    return {
        "documents": found.documents,
        "statements": found.statements,
        "words": found.words,
        "stances": dict(found.stances),
        "left_out": dict(found.left_out),
        "reason": found.reason,
        "length": {name: value for name, value in asdict(length).items() if value is not None},
    }


def _nothing(store: Store, collection: CollectionRow, asked: Asked) -> str:
    if asked.theme is not None:
        return (
            f"Nothing is coded with the theme {asked.theme!r} in {collection.name!r}. "
            f"Map it with: florilegium themes map {collection.name}"
        )
    if asked.respondent is not None:
        return (
            f"No respondent {asked.respondent!r} in {collection.name!r}; expected the identifier "
            f"as it stands in the file. See: florilegium documents {collection.name}"
        )
    if asked.question is not None:
        names = sorted(
            {row.question for row in store.group_documents(collection.id) if row.question}
        )
        known = "; ".join(repr(name) for name in names[:10]) or "none"
        return f"No answers to {asked.question!r} in {collection.name!r}; its questions: {known}."
    return f"There is no text in {collection.name!r}. Read some with: florilegium run PATH"


def lines(sentences: Sequence[Chosen]) -> list[str]:
    """Return sentences of one text in its order, each with its place."""
    ordered = sorted(sentences, key=lambda one: one.start)
    return [f"[{one.start}:{one.end}] {one.text}" for one in ordered]
