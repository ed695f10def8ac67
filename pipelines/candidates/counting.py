"""Count the word sequences of a collection in bounded memory, in two passes.

The first pass finds the sequences that occur often enough: when the table is full, those seen
least are dropped and the count below which a sequence may have been lost is remembered (lossy
counting: Manku and Motwani 2002, *Proc. VLDB*). The second counts what is left exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from pipelines.candidates.words import OF, Run, ngrams, runs, singulars, words
from pipelines.views import decoded

TABLE = 1_000_000
"""Sequences counted at once in the first pass; an entry takes about 200 bytes."""
EXACT = 100_000
"""Sequences counted in the second pass."""
QUOTES = 3

Text = tuple[int, str]
"""Number of a document and its text."""
Texts = Callable[[], Iterable[Text]]
"""Opens the collection's texts, in the same order each time."""
Covered = Callable[[str], Sequence[tuple[int, int]]]
"""Returns the spans of a text that a concept covers."""


class Place(NamedTuple):
    """An occurrence: ``text[start:end]`` of a document."""

    document: int
    start: int
    end: int


@dataclass(slots=True)
class Tally:
    """What is known of a sequence: occurrences, documents, first places, forms and neighbours.

    ``noun``, ``verb`` and ``adjective`` count the neighbours that tell of such a word, ``named``
    the occurrences in capitals where a capital tells of a name, ``spoken`` those where it would.
    """

    count: int = 0
    documents: int = 0
    latest: int = -1
    places: list[Place] = field(default_factory=list)
    forms: dict[str, int] = field(default_factory=dict)
    determined: int = 0
    noun: int = 0
    verb: int = 0
    adjective: int = 0
    ends: int = 0
    named: int = 0
    spoken: int = 0


@dataclass(frozen=True, slots=True)
class Counts:
    """Sequences by key (words in the singular, joined by a space).

    A sequence that occurs ``lost_below`` times or less may be missing; 0 where memory sufficed.
    """

    tallies: dict[str, Tally]
    documents: int
    lost_below: int


def count(
    texts: Texts, *, covered: Covered | None = None, least: int = 2, table: int = TABLE
) -> Counts:
    """Count the sequences that occur ``least`` times or more and that no concept covers."""
    kept, lost = _frequent(texts, covered, table)
    forms = {form for key in kept for form in key.split(" ")}
    base = {form: one for form in forms for one in singulars(form)[::-1] if one in forms}
    merged: dict[str, int] = {}
    for key, times in kept.items():
        key = _merge(key, base)
        merged[key] = merged.get(key, 0) + times
    often = sorted((key for key in merged if merged[key] >= least), key=lambda k: (-merged[k], k))
    if len(often) > EXACT:
        lost = max(lost, merged[often[EXACT]])
    tallies = {key: Tally() for key in often[:EXACT]}
    documents = 0
    for number, text in texts():
        documents += 1
        for run, first, end, start, stop in _occurrences(text, covered):
            key = _merge(" ".join(token.form for token in run.tokens[first:end]), base)
            tally = tallies.get(key)
            if tally is not None:
                _add(tally, run, first, end, Place(number, start, stop), text)
    return Counts(tallies, documents, lost)


def _frequent(texts: Texts, covered: Covered | None, table: int) -> tuple[dict[str, int], int]:
    """Return the sequences seen, and the count below which one may have been dropped."""
    counts: dict[str, int] = {}
    debts: dict[str, int] = {}
    lost = 0
    for _, text in texts():
        for run, first, end, _, _ in _occurrences(text, covered):
            key = " ".join(token.form for token in run.tokens[first:end])
            seen = counts.get(key)
            if seen is not None:
                counts[key] = seen + 1
                continue
            counts[key] = 1
            if lost:
                debts[key] = lost
        while len(counts) > table:
            lost += 1
            counts = {k: n for k, n in counts.items() if n + debts.get(k, 0) > lost}
            debts = {k: debts[k] for k in counts if k in debts}
    return counts, lost


def _merge(key: str, base: dict[str, str]) -> str:
    return " ".join(base.get(form, form) for form in key.split(" "))


def _occurrences(text: str, covered: Covered | None) -> Iterator[tuple[Run, int, int, int, int]]:
    """Yield run, first word, end and span (in ``text``) of every sequence that is not covered."""
    view = decoded(text)
    shown = view.text if view else text
    spans = covered(shown) if covered else ()
    for run in runs(shown):
        tokens = run.tokens
        for first, end in ngrams(run):
            start, stop = tokens[first].start, tokens[end - 1].end
            if any(left <= start and stop <= right for left, right in spans):
                continue
            yield (run, first, end, *(view.original(start, stop) if view else (start, stop)))


def _add(tally: Tally, run: Run, first: int, end: int, place: Place, text: str) -> None:
    tally.count += 1
    if tally.latest != place.document:
        tally.latest = place.document
        tally.documents += 1
        if len(tally.places) < QUOTES:
            tally.places.append(place)
    surface = " ".join(text[place.start : place.end].split())
    if surface in tally.forms or len(tally.forms) < 20:
        tally.forms[surface] = tally.forms.get(surface, 0) + 1
    known = words()
    tokens = run.tokens
    before = run.before if first == 0 else tokens[first - 1].form
    after = run.after if end == len(tokens) else tokens[end].form
    begins, ends = first == 0 or before == OF, end == len(tokens) or after == OF
    if begins:
        tally.determined += ends and before in known.determiners
        tally.noun += before in known.noun_follows
        tally.verb += before in known.verb_follows
        tally.adjective += before in known.adjective_follows
    if ends:
        tally.ends += 1
        tally.noun += after in known.noun_before
        tally.verb += after in known.determiners
    if tokens[first].opening:
        tally.verb += tokens[first].form.endswith("ing")
    elif not surface.isupper():
        tally.spoken += 1
        tally.named += surface[:1].isupper()
