"""Rules of assertion: read from TOML, checked completely, compiled once."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from pipelines.errors import PipelineError
from pipelines.stages.assertion.cue import (
    ATTRIBUTES,
    DIRECTIONS,
    ENDS,
    EXPERIENCERS,
    FARTHEST,
    STOPS,
    Cue,
)
from pipelines.stages.assertion.phrases import PhraseIndex

_FILES: Final = (
    *("common", "negated", "possible", "hypothetical", "historical", "experiencer", "sections"),
)
_LARGEST: Final = 1_000_000  # bytes of a file of rules
_HELP: Final = "the help page on assertion"


class RulesError(PipelineError):
    """A file of assertion rules cannot be used."""

    exit_code = 78


@dataclass(frozen=True, slots=True)
class Rules:
    """Compiled rules. ``sha256`` is of the sources, for fingerprints."""

    phrases: PhraseIndex[Cue]
    words: Mapping[str, frozenset[str]]
    sha256: str


def bundled_rules() -> Rules:
    """Return the bundled rules."""
    return load_rules()


def load_rules(path: Path | None = None) -> Rules:
    """Return the bundled rules with those of ``path`` laid over them.

    Raises ``RulesError`` with every problem of the file at once.
    """
    return _compiled(_own(path))


def rules_sha256(path: Path | None = None) -> str:
    """Return ``load_rules(path).sha256`` without compiling them. Raises ``RulesError``."""
    return _digest(text for _, text in (*_bundled(), *_own(path)))


def _own(path: Path | None) -> tuple[tuple[str, str], ...]:
    if path is None:
        return ()
    try:
        if path.stat().st_size > _LARGEST:
            raise RulesError(
                f"The assertion rules {path} have {path.stat().st_size:,} bytes, expected at most "
                f"{_LARGEST:,}. Is it the right file?"
            )
        return ((path.name, path.read_text("utf-8")),)
    except (OSError, UnicodeDecodeError) as error:
        raise RulesError(
            f"The assertion rules {path} cannot be read: {error}. Expected a TOML file; its keys "
            f"are described in {_HELP}."
        ) from error


@cache
def _bundled() -> tuple[tuple[str, str], ...]:
    folder = files("pipelines.stages.assertion")
    return tuple((f"{n}.toml", folder.joinpath(f"{n}.toml").read_text("utf-8")) for n in _FILES)


@lru_cache(maxsize=8)
def _compiled(overlays: tuple[tuple[str, str], ...]) -> Rules:
    return compile_rules((*_bundled(), *overlays))


def _digest(texts: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()


def compile_rules(sources: Iterable[tuple[str, str]]) -> Rules:
    """Return the rules of these (name, TOML text) pairs; later ones add to earlier ones.

    A ``[[remove]]`` table takes phrases of the earlier ones away.
    """
    lists: dict[str, list[str]] = {}
    found: dict[tuple[str, str], list[tuple[str, str, Cue]]] = {}
    problems: list[str] = []
    texts = list(sources)
    for name, text in texts:
        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            problems.append(f"{name} is not TOML: {error}")
            continue
        _read(name, data, lists, found, problems)
    phrases: PhraseIndex[Cue] = PhraseIndex()
    for entries in found.values():
        for where, phrase, cue in entries:
            try:
                phrases.add(phrase, cue, lists)
            except ValueError as error:
                problems.append(f"{where}: {error}")
    if problems:
        raise RulesError(
            f"The assertion rules cannot be used: {'; '.join(problems)}. Correct the file; its "
            f"keys are described in {_HELP}."
        )
    words = {name: frozenset(listed) for name, listed in lists.items()}
    return Rules(phrases, words, _digest(text for _, text in texts))


def _read(
    name: str,
    data: dict[str, Any],
    lists: dict[str, list[str]],
    found: dict[tuple[str, str], list[tuple[str, str, Cue]]],
    problems: list[str],
) -> None:
    """Take in one file; what is wrong with it is added to ``problems``."""
    problems += [
        f"{name}: unknown key {key!r}, expected words, rule or remove"
        for key in data
        if key not in ("words", "rule", "remove")
    ]
    words = data.get("words", {})
    if not isinstance(words, dict):
        problems.append(f"{name}: words is {words!r}, expected a table of lists")
        words = {}
    for key, value in words.items():
        if _texts(value):
            lists.setdefault(key, []).extend(value)
        else:
            problems.append(f"{name}: words.{key} is {value!r}, expected a list of texts")
    for number, table in enumerate(_tables(name, data, "remove", problems), 1):
        if set(table) != {"sets", "phrases"} or not _texts(table.get("phrases")):
            problems.append(f"{name}: remove {number} needs exactly sets and phrases")
            continue
        for phrase in table["phrases"]:
            if found.pop((str(table["sets"]), " ".join(phrase.split())), None) is None:
                problems.append(f"{name}: remove {number}: no rule has {phrase!r}")
    for number, table in enumerate(_tables(name, data, "rule", problems), 1):
        where = f"{name}: rule {number}"
        before = len(problems)
        cues = _cues(where, table, problems)
        if len(problems) > before:
            continue
        for phrase in table["phrases"]:
            for cue in cues:
                key = (cue.sets, " ".join(phrase.split()))
                found.setdefault(key, []).append((where, key[1], cue))


def _tables(name: str, data: dict[str, Any], key: str, problems: list[str]) -> list[dict[str, Any]]:
    tables = data.get(key, [])
    if isinstance(tables, list) and all(isinstance(table, dict) for table in tables):
        return tables
    problems.append(f"{name}: {key} is {tables!r}, expected [[{key}]] tables")
    return []


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(v, str) and v.strip() for v in value)


def _cues(where: str, table: dict[str, Any], problems: list[str]) -> list[Cue]:
    """Return the cues of one ``[[rule]]``: its own, and one for each attribute that it blocks."""
    flags = ("closes", "opens", "alone", "inside", "outward", "adjacent", "verbless")
    known = {"sets", "direction", "value", "reach", "through", "until", "blocks", "phrases", *flags}
    problems += [f"{where}: unknown key {key!r}" for key in table if key not in known]
    if not table.get("phrases") or not _texts(table["phrases"]):
        problems.append(f"{where}: phrases is {table.get('phrases')!r}, expected a list of texts")
    sets, direction = table.get("sets"), table.get("direction", "forward")
    _expect(where, "sets", sets, (*ATTRIBUTES, "stop"), problems)
    _expect(where, "direction", direction, DIRECTIONS, problems)
    value = table.get("value", "")
    if sets == "experiencer" and direction != "block":
        _expect(where, "value", value, EXPERIENCERS, problems)
    elif sets == "stop" and direction != "block":
        _expect(where, "value", value, STOPS, problems)
    elif value:
        problems.append(f"{where}: value is {value!r}, expected none")
    reach = table.get("reach", FARTHEST)
    if not isinstance(reach, int) or isinstance(reach, bool) or not 1 <= reach <= FARTHEST:
        problems.append(f"{where}: reach is {reach!r}, expected 1 to {FARTHEST} words")
    for flag in flags:
        if not isinstance(table.get(flag, False), bool):
            problems.append(f"{where}: {flag} is {table[flag]!r}, expected true or false")
    for key, choices in (("through", STOPS), ("until", STOPS), ("blocks", (*ATTRIBUTES, "stop"))):
        given = table.get(key, [])
        if not isinstance(given, list) or any(one not in choices for one in given):
            problems.append(f"{where}: {key} is {given!r}, expected some of {', '.join(choices)}")
            return []
    own = Cue(
        str(sets),
        str(direction),
        str(value),
        reach if isinstance(reach, int) else FARTHEST,
        (ENDS - frozenset(table.get("through", ()))) | frozenset(table.get("until", ())),
        **{flag: bool(table.get(flag, False)) for flag in flags},
    )
    return [own, *(Cue(blocked, "block") for blocked in table.get("blocks", ()))]


def _expect(
    where: str, key: str, value: object, choices: Sequence[str], problems: list[str]
) -> None:
    if value not in choices:
        problems.append(f"{where}: {key} is {value!r}, expected {', '.join(choices)}")
