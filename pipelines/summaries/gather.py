"""Which statements of a group, of any size, are worth reading closely: two passes, bounded memory.

The first pass counts phrases over voices. The second keeps the statements that are best by their wording
(and by the words of a query), so many from each part where one text is long: every part is heard, then the
best of all parts are compared. What is kept does not depend on the order of the documents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from pipelines.recipes import SummariseParameters
from pipelines.summaries.phrases import Phrases
from pipelines.summaries.query import Query
from pipelines.summaries.rules import GroupRules
from pipelines.summaries.types import Said
from pipelines.summaries.worth import wording

Reading = Callable[[], Iterable[Said]]
"""Reads the documents of a group from the start, each time it is called."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of a document; ``lexical`` is its share of a query's words."""

    document: int
    key: str
    start: int
    end: int
    text: str
    stance: str
    time: str
    lexical: float = 0.0


@dataclass(slots=True)
class Gathered:
    """The statements kept, best first, and what there was in all."""

    statements: list[Statement]
    phrases: Phrases
    documents: int = 0
    words: int = 0
    count: int = 0
    stances: Counter[str] = field(default_factory=Counter)


def gather(
    read: Reading, parameters: SummariseParameters, rules: GroupRules, query: Query | None
) -> Gathered:
    """Read the group twice and return what is worth a closer look."""
    found = Gathered([], Phrases(bounded=True))
    seen: set[str] = set()
    single = _only(read())
    for said in read():
        found.documents += 1
        texts = [said.text[start:end] for start, end in said.spans]
        found.count += len(texts)
        found.words += sum(len(text.split()) for text in texts)
        found.stances.update(stance for stance in said.stances if stance)
        if single:
            for text in texts:
                found.phrases.add((text,))
        elif not said.voice or said.voice not in seen:
            found.phrases.add(texts)
            if said.voice:
                seen.add(said.voice)
    keep = _Keep(parameters, found.phrases, rules, query)
    for said in read():
        keep.add(said)
    found.statements = keep.best()
    return found


def _only(said: Iterable[Said]) -> bool:
    """Tell whether there is no second document."""
    reading = iter(said)
    return next(reading, None) is not None and next(reading, None) is None


class _Keep:
    """The best statements so far, one of each wording; the rest is dropped from time to time."""

    def __init__(
        self,
        parameters: SummariseParameters,
        phrases: Phrases,
        rules: GroupRules,
        query: Query | None,
    ) -> None:
        self._parameters = parameters
        self._phrases = phrases
        self._rules = rules
        self._query = query
        self._kept: dict[str, tuple[tuple[float, str, str, int], Statement]] = {}

    def add(self, said: Said) -> None:
        """Look at the statements of a document, a part of it at a time."""
        for part in _parts(said, self._rules.part):
            ranked = sorted(self._ranked(said, part), key=lambda pair: pair[0])
            sends = self._rules.part_sends if len(said.spans) > self._rules.part else len(ranked)
            for rank, statement in ranked[:sends]:
                form = " ".join(statement.text.casefold().split())
                if form not in self._kept or rank < self._kept[form][0]:
                    self._kept[form] = (rank, statement)
        if len(self._kept) > 4 * self._rules.candidates:
            self._drop()

    def best(self) -> list[Statement]:
        """Return the candidates, best first."""
        self._drop()
        return [statement for _, statement in self._kept.values()]

    def _drop(self) -> None:
        best = sorted(self._kept.items(), key=lambda item: item[1][0])
        self._kept = dict(best[: self._rules.candidates])

    def _ranked(
        self, said: Said, part: range
    ) -> Iterator[tuple[tuple[float, str, str, int], Statement]]:
        places = [
            place
            for place in part
            if self._rules.least_words
            <= len(said.text[slice(*said.spans[place])].split())
            <= self._rules.most_words
        ]
        texts = [said.text[slice(*said.spans[place])] for place in places]
        values = wording(texts, self._phrases, self._parameters) if texts else ()
        for place, text, value in zip(places, texts, values, strict=True):
            start, end = said.spans[place]
            stance = said.stances[place] if said.stances else ""
            lexical = self._query.words_in(text) if self._query else 0.0
            rank = (-float(value) - self._rules.query_weight * lexical, text, said.key, start)
            yield (
                rank,
                Statement(said.document, said.key, start, end, text, stance, said.time, lexical),
            )


def _parts(said: Said, size: int) -> Iterator[range]:
    for first in range(0, len(said.spans), size):
        yield range(first, min(first + size, len(said.spans)))
