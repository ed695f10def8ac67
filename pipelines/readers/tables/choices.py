"""Find out how an answer of several choices is written, and split it into its options.

A separator counts only when the column's own answers bear it out: the parts come again in other
answers, alone or in other company, and there are far fewer of them than of combinations. An option
may contain the separator ("Walking, wheeling or cycling"): parts that are never seen without each
other are one option, and so is a part in lower case that never begins an answer.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

from pipelines.readers.tables.values import folded

_LOOKED_AT = 300


@dataclass(frozen=True, slots=True)
class Choices:
    """How a column writes several choices.

    ``options`` are in order of first appearance; ``own`` counts the rows with words that are no
    option, ``several`` those with more than one choice. ``joined`` are options that contain the
    separator, ``variants`` other spellings of options.
    """

    separator: str
    options: tuple[str, ...]
    several: int
    own: int = 0
    joined: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()


def find_choices(values: Mapping[str, int], *, cautious: bool = False) -> Choices | None:
    """Find the separator and the options of a column, or ``None`` when its answers bear none out.

    ``values`` are its different answers without outer white space, with their rows. ``cautious``
    asks for more, where the header promises the respondent's own words.
    """
    if len(values) > 20_000:
        return None
    for separator in _rules()["separators"]:
        holding = sum(times for value, times in values.items() if separator in value)
        # A quick look: a separator that one answer in fifty has makes no column of choices.
        least = max(2, _rules()["several"] * sum(values.values()))
        if holding >= least and _promising(separator, values):
            found = _try(separator, values, cautious)
            if found is not None:
                return found
    return None


def _promising(separator: str, values: Mapping[str, int]) -> bool:
    """Look at a few of many answers: do their parts come again at all?"""
    if len(values) <= 2 * _LOOKED_AT:
        return True
    few = list(values)[:: len(values) // _LOOKED_AT]
    parts = Counter(folded(part) for value in few for part in _parts(value, separator))
    return sum(times for times in parts.values() if times > 1) >= 0.4 * sum(parts.values())


def split_choices(cell: str, separator: str, options: Sequence[str]) -> tuple[str, ...]:
    """Return the choices that ``cell`` holds, in its order, each as ``options`` spells it.

    Words that are no option come as they are, after the options; those behind an option that asks
    for them ("Other (please specify): my horse") are left out, since the option says it. Without a
    separator the whole cell is one choice.
    """
    text = cell.strip()
    if not text:
        return ()
    known = {folded(option): option for option in options}
    if not separator:
        return (known.get(folded(text), text),)
    parts = _parts(text, separator)
    chosen: list[str] = []
    own: list[str] = []
    at = 0
    while at < len(parts):
        for end in range(len(parts), at, -1):  # the longest option first: it may hold separators
            joined = _joint(separator).join(parts[at:end])
            option = known.get(folded(joined)) or known.get(folded(_opening(joined)[0]))
            if option is not None:
                chosen.append(option)
                at = end
                break
        else:
            own.append(parts[at])
            at += 1
    return (*dict.fromkeys(chosen), *([_joint(separator).join(own)] if own else ()))


@dataclass(slots=True)
class _Tokens:
    """The answers of a column as lists of parts, with their rows."""

    separator: str
    cells: list[tuple[list[str], int]]
    spelling: dict[str, str] = field(default_factory=dict)
    variants: list[str] = field(default_factory=list)

    def key(self, part: str) -> str:
        """Return a part's name, keeping its first spelling."""
        name = folded(part)
        if self.spelling.setdefault(name, part) != part and part not in self.variants:
            self.variants.append(part)
        return name


def _try(separator: str, values: Mapping[str, int], cautious: bool) -> Choices | None:
    limits = _rules()
    tokens = _Tokens(separator, [])
    for value, times in values.items():
        parts = [_opening(part)[0] for part in _parts(value, separator)]
        tokens.cells.append(([tokens.key(part) for part in parts], times))
    commas = "," in separator
    if commas:
        _glue(tokens)
    answers: Counter[str] = Counter()  # in how many different answers an option is seen
    rows: Counter[str] = Counter()
    company: defaultdict[str, set[tuple[str, ...]]] = defaultdict(set)
    for parts, times in tokens.cells:
        for part in set(parts):
            answers[part] += 1
            rows[part] += times
            company[part].add(tuple(sorted(set(parts) - {part})))
    filled = sum(times for _, times in tokens.cells)
    several = sum(times for parts, times in tokens.cells if len(set(parts)) > 1)
    ended = all(value.endswith(separator) for value in values) if separator == ";" else False
    repeated = {part for part in rows if rows[part] > 1}
    kept = repeated if (len(repeated) > 1 and filled >= 10) or not ended else set(rows)
    if filled < 10 and not commas and len(repeated) > 1:
        kept = set(rows)  # so few rows that an option chosen once is still an option
    made = sum(rows.values())
    most = limits["options_between_commas"] if commas else limits["options"]
    strict = 0.9 if cautious or commas else limits["repeated"]
    if (
        not 1 < len(kept) <= most
        or several < max(1 if ended else 2, limits["several"] * filled)
        or sum(len(part.split()) for part in kept) > limits["words"] * len(kept)
    ):
        return None
    own = sum(times for parts, times in tokens.cells if not kept.issuperset(parts))
    opened = _opened(values, separator)
    if own > limits["own"] * filled or opened > 0.5 * filled:
        return None
    if not ended or len(repeated) < 2:
        share = sum(rows[part] for part in repeated) / made
        free = sum(1 for part in kept if () in company[part] or len(company[part]) > 1)
        if share < (strict if not ended else 0.2) or (
            not ended and free < limits["free"] * len(kept)
        ):
            return None
    if commas and not _far_fewer(kept, tokens, company):
        return None
    options = tuple(tokens.spelling[part] for part in tokens.spelling if part in kept)
    return Choices(
        separator,
        options,
        several,
        own + opened,
        tuple(option for option in options if commas and "," in option),
        tuple(v for v in tokens.variants if folded(v) in kept),
    )


def _far_fewer(
    kept: set[str], tokens: _Tokens, company: Mapping[str, set[tuple[str, ...]]]
) -> bool:
    """Tell whether there are fewer options than combinations, or most also stand alone."""
    combinations = {frozenset(parts) for parts, _ in tokens.cells if len(parts) > 1}
    alone = sum(1 for part in kept if () in company[part])
    mixed = sum(1 for part in kept if any(company[part]))
    return mixed > len(kept) / 2 and (len(kept) < len(combinations) or alone >= 0.6 * len(kept))


def _glue(tokens: _Tokens) -> None:
    """Put parts together again that are one option with the separator inside."""
    while pairs := _always_together(tokens):
        merged = False
        for index, (parts, times) in enumerate(tokens.cells):
            out: list[str] = []
            for part in parts:
                if out and (out[-1], part) in pairs:
                    joined = _joint(tokens.separator).join(
                        (tokens.spelling[out[-1]], tokens.spelling[part])
                    )
                    out[-1] = tokens.key(joined)
                    merged = True
                else:
                    out.append(part)
            tokens.cells[index] = (out, times)
        if not merged:
            return


def _always_together(tokens: _Tokens) -> set[tuple[str, str]]:
    limits = _rules()
    after: defaultdict[str, Counter[str]] = defaultdict(Counter)
    before: defaultdict[str, set[str]] = defaultdict(set)
    rows: Counter[tuple[str, str]] = Counter()
    for parts, times in tokens.cells:
        for first, second in pairwise(["", *parts, ""]):
            after[first][second] += 1
            before[second].add(first)
            rows[first, second] += times
    starts = [tokens.spelling[part] for part in after[""] if part]
    capitals = sum(not text[:1].islower() for text in starts) >= 0.8 * len(starts)
    pairs = set()
    for (first, second), times in rows.items():
        if not first or not second:
            continue
        lower = tokens.spelling[second][:1].islower()
        both = len(after[first]) == 1 and before[second] == {first}
        often = (
            after[first][second] >= limits["together_answers"] and times >= limits["together_rows"]
        )
        goes_on = capitals and lower and "" not in before[second]
        if goes_on or (both and (often or lower)):
            pairs.add((first, second))
    return pairs


def _parts(value: str, separator: str) -> list[str]:
    if separator == ",":  # a comma before a space belongs to the option
        pieces = re.split(r",(?!\s)", value)
    elif separator == ", ":
        pieces = re.split(r",\s+", value)
    else:
        pieces = value.split(separator)
    return [piece.strip() for piece in pieces if piece.strip()]


def _joint(separator: str) -> str:
    return separator if separator in (", ", ",") else f"{separator} "


def _opening(part: str) -> tuple[str, str]:
    """Part "Other (please specify): my horse" from the words it opens for."""
    match = _other().match(part)
    return (match["option"].strip(), match["own"]) if match else (part, "")


def opening(value: str) -> str:
    """Return the option of an answer that goes on in the respondent's own words, else the answer."""
    return _opening(value)[0]


def _opened(values: Mapping[str, int], separator: str) -> int:
    """Return how many rows go on in the respondent's own words after an option."""
    return sum(
        times
        for value, times in values.items()
        if any(_opening(part)[1] for part in _parts(value, separator))
    )


@cache
def _other() -> re.Pattern[str]:
    return re.compile(_rules()["other"], re.IGNORECASE | re.DOTALL)


@cache
def _rules() -> dict[str, Any]:
    return tomllib.loads(
        files("pipelines.readers.tables").joinpath("choices.toml").read_text("utf-8")
    )
