"""Copies of a campaign letter: what a sender does to a template, written down as it is done."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

EDITS = ("town", "drop", "replace", "before", "after", "mail", "wrap", "misread", "case", "marks")
"""What a sender may do; a copy has up to four of them."""

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=\S)")
_TOWN = "\ufffc"  # stands for the town while a copy is made
_TEMPLATE = ""
FRAME = "frame"
"""Greeting, header, signature: neither the template nor an opinion of the sender."""


class OwnWords(NamedTuple):
    """``text[start:end]`` is the sender's own: ``added``, ``replaced``, ``town`` or ``frame``."""

    start: int
    end: int
    kind: str


class Edit(NamedTuple):
    """What was done, and to what share of the template's words (0 where words stay)."""

    kind: str
    share: float


class Made(NamedTuple):
    """A copy: its text, and own words, edits and the share of changed words in ``rest``."""

    text: str
    rest: tuple[tuple[OwnWords, ...], tuple[Edit, ...], float]


class Pool(Protocol):
    """What senders write of their own: ``asides`` as paragraphs, ``words`` in place of others."""

    asides: list[str]
    words: list[str]


Characters = list[tuple[str, str]]
"""Characters, each with the kind of own words it belongs to; "" for those of the template."""


@dataclass(frozen=True, slots=True)
class Template:
    """A campaign's letter: ``units`` are its bullets or sentences, each with the space after it."""

    group: str
    topic: str
    units: tuple[str, ...]
    opening: str
    home: str

    @property
    def text(self) -> str:
        """The letter as it was drafted."""
        return "".join(self.units).replace(_TOWN, self.home).strip()

    @classmethod
    def of(
        cls, group: str, topic: str, parts: Sequence[str], rules: dict[str, Any], rng: random.Random
    ) -> Template:
        """Draft a letter from comments: one as it is, or several as bullets or paragraphs."""
        home = rng.choice(rules["towns"])
        if len(parts) == 1:
            sentences = _SENTENCE.split(parts[0])
            return cls(group, topic, tuple(f"{one} " for one in sentences), "", home)
        opening = rng.choice(rules["openings"])
        mark, end = rng.choice((("- ", "\n"), ("• ", "\n"), ("", "\n\n"), ("* ", "\n")))
        units = [f"{opening.replace('{town}', _TOWN)}\n\n"]
        units += [f"{mark}{part}{end}" for part in parts]
        if rng.random() < 0.6:
            units.append(f"\n{rng.choice(rules['closings'])}")
        return cls(group, topic, tuple(units), opening.replace("{town}", home), home)


class Copier:
    """Makes copies; ``most`` is the share of a template's words that may be changed in one."""

    def __init__(self, rules: dict[str, Any], most: float) -> None:
        self._rules, self._most = rules, most

    def copy(self, template: Template, pool: Pool, rng: random.Random, *, plain: bool) -> Made:
        """Return a copy; ``plain`` or one in five is the letter as it was drafted."""
        if plain or rng.random() < 0.2:
            return Made(template.text, ((), (), 0.0))
        chosen = set(rng.sample(EDITS, rng.randint(1, 4)))
        units, edits = list(template.units), []
        words = [match for unit in units for match in _WORD.findall(unit)]
        left = int(self._most * rng.random() * len(words) + 0.999)
        left = min(left, int(self._most * len(words)))
        budget = left
        if "drop" in chosen and (dropped := _drop(units, left, rng)):
            left -= dropped
            edits.append(Edit("drop", dropped / len(words)))
        town, moved = template.home, 0
        if "town" in chosen and any(_TOWN in unit for unit in units) and left:
            town = rng.choice([one for one in self._rules["towns"] if one != template.home])
            moved = 1
            edits.append(Edit("town", 1 / len(words)))
        body: Characters = [(c, _TEMPLATE) for unit in units for c in unit]
        left -= moved
        for kind, change in (
            ("replace", _replaced(pool.words, rng)),
            ("misread", self._misread(rng)),
        ):
            if kind in chosen and left > 0:
                count = left if kind == "misread" or "misread" not in chosen else (left + 1) // 2
                body, done = _change_words(body, count, change, kind, rng)
                left -= done
                edits.append(Edit(kind, done / len(words)))
        body = _settle(body, town, "town" if moved else _TEMPLATE)
        for kind, change_all in (("case", _recased), ("marks", _remarked)):
            if kind in chosen:
                body = change_all(body, rng)
                edits.append(Edit(kind, 0.0))
        body = self._framed(body, chosen, pool.asides, edits, rng)
        own = tuple(_own(body))
        return Made("".join(c for c, _ in body), (own, tuple(edits), (budget - left) / len(words)))

    def _framed(
        self,
        body: Characters,
        chosen: set[str],
        asides: Sequence[str],
        edits: list[Edit],
        rng: random.Random,
    ) -> Characters:
        """Add own paragraphs, mail headers, signatures, line breaks and quote marks."""
        rules, body = self._rules, _stripped(body)
        quoted = "wrap" in chosen and rng.random() < 0.5
        if "wrap" in chosen:
            body = _wrapped(body, rng.choice((56, 66, 72)), "> " if quoted else "")
            edits.append(Edit("quote" if quoted else "wrap", 0.0))
        if quoted:
            body = [*_as(f"{'> '}", _TEMPLATE), *body]
            body = [*_as(rng.choice(rules["quoted_after"]), FRAME), *body]
        for kind in ("before", "after"):
            if kind in chosen and asides:
                count = rng.randint(1, min(3, len(asides)))
                added = _as(" ".join(rng.sample(list(asides), count)), "added")
                gap = _as("\n\n", _TEMPLATE)
                body = [*added, *gap, *body] if kind == "before" else [*body, *gap, *added]
                edits.append(Edit(kind, 0.0))
        if "mail" in chosen:
            name = rng.choice(rules["names"])
            head = rng.choice(rules["headers"]).replace("{name}", name)
            tail = f"\n\n{rng.choice(rules['signatures'])}\n{name}"
            if rng.random() < 0.3:
                tail += f"\n\n{rng.choice(rules['disclaimers'])}"
            body = [*_as(head, FRAME), *body, *_as(tail, FRAME)]
            edits.append(Edit("mail", 0.0))
        return body

    def _misread(self, rng: random.Random) -> Callable[[str], str | None]:
        """Return a change of one or two places as a scanner misreads them."""

        def change(word: str) -> str | None:
            fits = [pair for pair in self._rules["misread"] if pair[0] in word[1:]]
            if not fits:
                return None
            printed, read = rng.choice(fits)
            return word[0] + word[1:].replace(printed, read, 1)

        return change


def _replaced(words: Sequence[str], rng: random.Random) -> Callable[[str], str | None]:
    """Return a change to another of ``words``."""

    def change(word: str) -> str | None:
        other = rng.choice(words) if words else word
        return other if other.casefold() != word.casefold() else None

    return change


def _drop(units: list[str], most: int, rng: random.Random) -> int:
    """Take out one unit of at most ``most`` words, never the first; return its words."""
    sizes = {n: len(_WORD.findall(unit)) for n, unit in enumerate(units) if n}
    fits = [n for n, size in sizes.items() if 0 < size <= most]
    if not fits:
        return 0
    place = rng.choice(fits)
    units.pop(place)
    return sizes[place]


def _change_words(
    body: Characters,
    count: int,
    change: Callable[[str], str | None],
    kind: str,
    rng: random.Random,
) -> tuple[Characters, int]:
    """Change up to ``count`` words of the template; return how many were."""
    text = "".join(c for c, _ in body)
    places = [m for m in _WORD.finditer(text) if body[m.start()][1] == _TEMPLATE]
    rng.shuffle(places)
    done: dict[int, tuple[int, str]] = {}
    for match in places:
        if len(done) >= count:
            break
        if new := change(match.group()):
            done[match.start()] = (match.end(), new)
    own = "replaced" if kind == "replace" else _TEMPLATE
    found: Characters = []
    at = 0
    for start, (end, new) in sorted(done.items()):
        # a misread word keeps a mark of its own, so that it is not changed again
        found += [*body[at:start], *_as(new, own or "misread")]
        at = end
    return [*found, *body[at:]], len(done)


def _settle(body: Characters, town: str, kind: str) -> Characters:
    """Put the town in, and let misread words be words of the template again."""
    found: Characters = []
    for character, own in body:
        if character == _TOWN:
            found += _as(town, kind)
        else:
            found.append((character, _TEMPLATE if own == "misread" else own))
    return found


def _recased(body: Characters, rng: random.Random) -> Characters:
    turn = rng.choice((str.upper, str.lower))
    return [(turn(c) if len(turn(c)) == 1 else c, own) for c, own in body]


def _remarked(body: Characters, rng: random.Random) -> Characters:
    """Leave out commas and full stops, or double marks, or bend apostrophes."""
    style = rng.choice(("none", "many", "curly"))
    if style == "none":
        return [(c, own) for c, own in body if c not in ",.;"]
    if style == "curly":
        return [({"'": "’", '"': "“", "-": "–"}.get(c, c), own) for c, own in body]
    return [item for c, own in body for item in ([(c, own)] * (3 if c in "!?." else 1))]


def _wrapped(body: Characters, width: int, mark: str) -> Characters:
    """Break lines at ``width`` and begin each with ``mark``; what is put in has its place's kind."""
    found: Characters = []
    column, space = 0, -1
    for character, own in body:
        if character == "\n":
            found += [("\n", own), *_as(mark, own)]
            column, space = len(mark), -1
            continue
        if character == " ":
            space = len(found)
        found.append((character, own))
        column += 1
        if column > width and space >= 0:
            own_there = found[space][1]
            rest = found[space + 1 :]
            found[space:] = [("\n", own_there), *_as(mark, own_there), *rest]
            column, space = len(mark) + len(rest), -1
    return found


def _own(body: Characters) -> list[OwnWords]:
    """Return the maximal runs of one kind of own words, without white space at their ends."""
    found: list[OwnWords] = []
    start = 0
    while start < len(body):
        kind, end = body[start][1], start
        while end < len(body) and body[end][1] == kind:
            end += 1
        if kind:
            text = "".join(c for c, _ in body[start:end])
            left = len(text) - len(text.lstrip())
            right = len(text) - len(text.rstrip())
            if text.strip():
                found.append(OwnWords(start + left, end - right, kind))
        start = end
    return found


def _stripped(body: Characters) -> Characters:
    first = next((n for n, (c, _) in enumerate(body) if not c.isspace()), len(body))
    last = next((n for n in range(len(body), first, -1) if not body[n - 1][0].isspace()), first)
    return body[first:last]


def _as(text: str, kind: str) -> Characters:
    return [(character, kind) for character in text]
