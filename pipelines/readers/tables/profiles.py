"""Look at the cells of one column of a sample, once, and remember what the roles need."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

from pipelines.readers.tables import values as cell
from pipelines.readers.tables.values import folded

_WORD = re.compile(
    r"(?<!\S)[\"'“‘(\[*_-]*([^\W\d_]+(?:['’/.&-][^\W\d_]+)*)[\"'”’)\]*_.,;:!?…-]*(?!\S)"
)
_COMMON = 100  # values that are always looked at, and
_OTHERS = 200  # so many of the rest, evenly spread
_LONG = 2_000  # characters of a value that are looked at; the rest is taken to be alike


@cache
def rules() -> dict[str, Any]:
    """Return ``columns.toml``: the thresholds and header wordings of the roles."""
    return tomllib.loads(
        files("pipelines.readers.tables").joinpath("columns.toml").read_text("utf-8")
    )


@cache
def _words(name: str) -> frozenset[str]:
    words = rules()["words"][name]
    return frozenset(words.split() if isinstance(words, str) else words)


def count_words(text: str) -> int:
    """Return how many words ``text`` has, leaving out numbers, dates, addresses and codes."""
    if " " not in text and "\n" not in text:
        return int(bool(_WORD.search(text)))
    not_words = _words("not_words")
    return sum(word.lower() not in not_words for word in _WORD.findall(text))


def is_prose(text: str) -> bool:
    """Tell whether ``text`` has a word of speech ("I", "should", "the"), as labels seldom do."""
    found = folded(text[:400]).replace(",", " ").replace(".", " ").split()
    return len(found) > 1 and not _words("prose").isdisjoint(found)


@dataclass(frozen=True)
class Profile:
    """The cells of a column: ``values`` are the different ones without outer white space, with
    their rows; ``sample`` some of them, each with the share of the filled rows it stands for.
    """

    rows: int
    filled: int
    values: Mapping[str, int]
    sample: Mapping[str, float] = field(repr=False)

    @classmethod
    def of(cls, cells: Sequence[str]) -> Profile:
        """Look at ``cells``, blank ones included."""
        values: dict[str, int] = {}
        for text, times in Counter(cells).items():
            if stripped := text.strip():
                values[stripped] = values.get(stripped, 0) + times
        filled = sum(values.values())
        return cls(len(cells), filled, values, _sample(values, filled))

    @property
    def distinct(self) -> int:
        """How many different answers there are."""
        return len(self.values)

    @property
    def share(self) -> float:
        """Different answers for each filled cell."""
        return len(self.values) / self.filled if self.filled else 0.0

    @cached_property
    def words(self) -> float:
        """Words an answer, on average."""
        total = 0.0
        for value, weight in self.sample.items():
            seen = value[:_LONG]
            total += weight * count_words(seen) * len(value) / len(seen)
        return total

    @cached_property
    def prose(self) -> float:
        """Share of the different answers that have a word of speech."""
        return self.among(is_prose)

    @cached_property
    def kinds(self) -> Mapping[str, float]:
        """What the cells are, by share of the filled rows that answer (``filler`` apart)."""
        shares: Counter[str] = Counter()
        for value, weight in self.sample.items():
            shares[cell.kind(value)] += weight  # type: ignore[assignment]
        fillers = shares.pop("filler", 0)
        answered = 1 - fillers
        kinds: dict[str, float] = {name: share / answered for name, share in shares.items()}
        if fillers:
            kinds["filler"] = float(fillers)
        return kinds if answered > 1e-9 else {"filler": 1.0}

    @cached_property
    def answers(self) -> Mapping[str, tuple[str, int, tuple[str, ...]]]:
        """Folded answer → its first spelling, its rows, its other spellings; closed columns only.

        Empty when there are too many different answers for a closed question.
        """
        found: dict[str, tuple[str, int, tuple[str, ...]]] = {}
        if self.distinct > 4 * rules()["closed"]["options"]:
            return found
        for value, times in self.values.items():
            key = folded(value)
            first, rows, others = found.get(key, (value, 0, ()))
            if value != first:
                others = (*others, value)
            found[key] = (first, rows + times, others)
        return found

    @cached_property
    def repeated(self) -> float:
        """Share of the filled rows whose answer was given at least twice."""
        if not self.answers:
            return sum(n for n in self.values.values() if n > 1) / max(self.filled, 1)
        return sum(n for _, n, _ in self.answers.values() if n > 1) / max(self.filled, 1)

    def among(self, test: Callable[[str], bool]) -> float:
        """Return the share of the different answers looked at that pass ``test``."""
        return sum(map(test, self.sample)) / len(self.sample) if self.sample else 0.0

    def numbers(self) -> list[float]:
        """Return the numbers among the answers looked at."""
        return [n for n in map(cell.number, self.sample) if n is not None]


def _sample(values: Mapping[str, int], filled: int) -> dict[str, float]:
    if len(values) <= _COMMON + _OTHERS:
        return {value: times / filled for value, times in values.items()}
    common = dict(Counter(values).most_common(_COMMON))
    others = [value for value in values if value not in common]
    chosen = others[:: max(1, len(others) // _OTHERS)]
    weights = {value: times / filled for value, times in common.items()}
    rest = 1 - sum(weights.values())
    total = _total(values, chosen)
    weights.update((value, rest * values[value] / total) for value in chosen)
    return weights


def _total(values: Mapping[str, int], chosen: Iterable[str]) -> int:
    return sum(values[value] for value in chosen)
