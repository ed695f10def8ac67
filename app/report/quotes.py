"""The quotes of a report: for each theme or label central ones, of each side where there are sides.

Chosen as for summaries of groups (:mod:`pipelines.summaries`): nobody is quoted who refused
publication, and no statement with personal data.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from app.report.blocks import Quote

if TYPE_CHECKING:
    from db.rows import CodebookRow, CollectionRow, GroupDocumentRow, ThemeRow
    from db.store import Store
    from pipelines.recipes import SummariseParameters
    from pipelines.stages.vectors import SentenceEncoder
    from pipelines.summaries import Said

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Place:
    """A statement that may be quoted for a theme or label; ``stance`` is empty where it has none."""

    document_id: int
    start: int
    end: int
    stance: str = ""


def theme_quotes(
    store: Store,
    collection: CollectionRow,
    book: CodebookRow,
    themes: Iterable[ThemeRow],
    *,
    version: int | None,
    count: int,
    encoder: SentenceEncoder,
    parameters: SummariseParameters,
) -> dict[int, list[Quote]]:
    """Return for each theme id up to ``count`` quotes a side: for, against, mixed, else of any."""
    groups: dict[int, list[Place]] = {each.id: [] for each in themes if each.kind == "theme"}
    labels = {each.id: each.label for each in themes}
    for row in store.assignments(book.id, version=version):
        if row.theme_id in groups:
            groups[row.theme_id].append(Place(row.document_id, row.start, row.end, row.stance))
    return choose_quotes(
        store, collection, groups, labels, count=count, encoder=encoder, parameters=parameters
    )


def choose_quotes(
    store: Store,
    collection: CollectionRow,
    groups: Mapping[K, Sequence[Place]],
    names: Mapping[K, str],
    *,
    count: int,
    encoder: SentenceEncoder,
    parameters: SummariseParameters,
) -> dict[K, list[Quote]]:
    """Return up to ``count`` quotes for each group, and for each side of one that is divided.

    The same statements give the same quotes, in whatever order documents came in. ``names`` say
    what a quote stands for.
    """
    if count < 1 or not groups:
        return {}
    texts = _Texts(store, collection, {p.document_id for places in groups.values() for p in places})
    return {
        key: [
            quote
            for side, mine in _sides(places)
            for quote in _central(texts, mine, _about(names[key], side), count, encoder, parameters)
        ]
        for key, places in groups.items()
    }


def _sides(places: Sequence[Place]) -> Iterator[tuple[str, list[Place]]]:
    """Yield the sides that are taken with their statements; all under "" where none is."""
    from pipelines.summaries.types import SIDES

    taken = [(side, [p for p in places if p.stance == side]) for side in SIDES]
    divided = [(side, mine) for side, mine in taken if mine]
    yield from divided or [("", list(places))]


def _about(name: str, side: str) -> str:
    return f"{name}, {side}" if side else name


def _central(
    texts: _Texts,
    places: Sequence[Place],
    about: str,
    count: int,
    encoder: SentenceEncoder,
    parameters: SummariseParameters,
) -> list[Quote]:
    from pipelines.summaries import Kind, Length
    from pipelines.summaries.group import summarise_group

    found = summarise_group(
        texts.reading(places),
        encoder,
        parameters,
        Length(sentences=1),
        quotes=count,
        permits=texts.permits,
    )
    return [
        Quote(each.text, each.key, each.document, each.start, each.end, about)
        for each in found.sentences
        if each.kind == Kind.CENTRAL
    ]


class _Texts:
    """The documents that may be quoted from, and what may be quoted of them."""

    def __init__(self, store: Store, collection: CollectionRow, wanted: set[int]) -> None:
        from app.campaigns import voices
        from app.quotable import permits, refusing

        self.rows: dict[int, GroupDocumentRow] = {
            row.id: row for row in store.group_documents(collection.id) if row.id in wanted
        }
        self.permits = partial(permits, refusing(store, collection, self.rows.values()))
        self.campaigns = voices(store.campaigns(collection.id))

    def reading(self, places: Sequence[Place]) -> Callable[[], Iterator[Said]]:
        """Return what reads the documents of a group with the statements of each."""
        from app.campaigns import voice_of
        from pipelines.summaries import Said

        spans: dict[int, dict[tuple[int, int], None]] = {}
        for place in places:
            if place.end > place.start and place.document_id in self.rows:
                spans.setdefault(place.document_id, {})[place.start, place.end] = None

        def read() -> Iterator[Said]:
            for id in sorted(spans):
                row = self.rows[id]
                yield Said(
                    id,
                    row.key,
                    row.text,
                    tuple(sorted(spans[id])),
                    (),
                    voice_of(self.campaigns, id),
                )

        return read
