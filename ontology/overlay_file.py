"""Read overlays: TOML, or Turtle in the program's own terms (``data/flo.ttl``)."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ontology.errors import OntologyError
from ontology.load import triples
from ontology.load.sniff import TURTLE
from ontology.load.triples import Node, Text
from ontology.model import Label, Matching
from ontology.overlay import LABEL_KINDS, ExtraLabel, Overlay
from ontology.vocab import FLO, OIO, SKOS

MAX_BYTES = 16 * 1024 * 1024
_LABELS = {
    f"{SKOS}prefLabel": "pref",
    f"{SKOS}altLabel": "alt",
    f"{SKOS}hiddenLabel": "hidden",
    **{f"{OIO}has{kind.title()}Synonym": kind for kind in LABEL_KINDS[3:]},
}
_TERMS = {
    f"{FLO}include": "include",
    f"{FLO}exclude": "exclude",
    f"{FLO}labelKind": "kinds",
    f"{FLO}labelLanguage": "languages",
    f"{FLO}stopLabel": "stop",
    f"{FLO}capitalsOnly": "capitals_only",
    f"{FLO}minimumLength": "min_length",
    f"{FLO}spellingVariants": "spelling",
}
_KEYS: Mapping[str, Mapping[str, type]] = {
    "branches": {"include": list, "exclude": list},
    "labels": {
        "kinds": list,
        "languages": list,
        "stop": list,
        "capitals_only": list,
        "min_length": int,
        "spelling": bool,
    },
}
_EXTRA = {"concept", "text", "kind", "language", "type"}


def read_overlay(path: Path) -> Overlay:
    """Return the overlay in ``path``; raise OntologyError that names all its faults at once."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise OntologyError(
            f"cannot read the overlay {path}: {error.strerror or error}; expected a TOML or Turtle "
            f"file. Try: ls -l {path.parent}"
        ) from error
    if len(data) > MAX_BYTES:
        raise OntologyError(
            f"the overlay {path.name} has {len(data):,} bytes; expected at most {MAX_BYTES:,}. "
            "Put new concepts into a vocabulary of their own and add that"
        )
    if path.suffix.lower() in (".ttl", ".n3"):
        return _turtle(data, path.name)
    try:
        document = tomllib.loads(data.decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise OntologyError(
            f"the overlay {path.name} is no TOML: {error}; expected [branches], [labels] and "
            "[[extra]]. See: florilegium ontology add --help"
        ) from error
    return _toml(document, path.name)


def _toml(document: dict[str, Any], name: str) -> Overlay:
    faults: list[str] = []
    values: dict[str, Any] = {}
    for table, content in document.items():
        if table == "extra":
            continue
        keys = _KEYS.get(table)
        if keys is None or not isinstance(content, dict):
            faults.append(f"unknown part {table!r}, expected branches, labels or extra")
            continue
        for key, value in content.items():
            expected = keys.get(key)
            if expected is None:
                faults.append(f"unknown key {table}.{key}, expected {', '.join(keys)}")
            elif not _fits(value, expected):
                wanted = "a list of texts" if expected is list else expected.__name__
                faults.append(f"{table}.{key} is {value!r}, expected {wanted}")
            else:
                values[key] = value
    extra = document.get("extra", [])
    entries: list[Any] = extra if isinstance(extra, list) else [extra]
    labels = [_extra(each, faults) for each in entries]
    return _made(values, [each for each in labels if each], faults, name)


def _fits(value: Any, expected: type) -> bool:
    if expected is list:
        return isinstance(value, list) and all(isinstance(each, str) for each in value)
    return type(value) is expected


def _extra(entry: Any, faults: list[str]) -> ExtraLabel | None:
    if not isinstance(entry, dict) or not ({"concept", "text"} <= set(entry) <= _EXTRA):
        faults.append(f"extra is {entry!r}, expected concept and text, optionally kind, language")
        return None
    if not all(isinstance(value, str) for value in entry.values()) or not entry["text"].strip():
        faults.append(f"extra is {entry!r}, expected texts that are not empty")
        return None
    text = " ".join(entry["text"].split())
    language, kind = entry.get("language", "").lower(), entry.get("kind", "alt")
    if kind not in LABEL_KINDS:
        faults.append(f"extra has the kind {kind!r}, expected {', '.join(LABEL_KINDS)}")
        return None
    return ExtraLabel(entry["concept"], Label(text, language, kind, entry.get("type", "")))


def _turtle(data: bytes, name: str) -> Overlay:
    faults: list[str] = []
    lists: dict[str, list[str]] = defaultdict(list)
    extra: list[ExtraLabel] = []
    for subject, predicate, value in triples(data, TURTLE, name=name).triples:
        if predicate in _TERMS:
            lists[_TERMS[predicate]].append(value.value)
        elif predicate.startswith(FLO):
            faults.append(f"unknown term flo:{predicate.removeprefix(FLO)}")
        elif predicate in _LABELS and isinstance(value, Text) and value.value.strip():
            label = Label(" ".join(value.value.split()), value.language, _LABELS[predicate])
            extra.append(ExtraLabel(subject.value, label))
        elif not (isinstance(value, Node) and value.value == f"{FLO}Overlay"):
            faults.append(f"{predicate} has no meaning in an overlay")
    values: dict[str, Any] = dict(lists)
    singles: dict[str, Callable[[str], Any]] = {"min_length": int, "spelling": _boolean}
    for key, read in singles.items():
        if key in lists:
            try:
                (only,) = lists[key]
                values[key] = read(only)
            except ValueError:
                faults.append(f"{key} is {lists[key]!r}, expected one value")
                del values[key]
    return _made(values, extra, faults, name)


def _boolean(text: str) -> bool:
    if text.lower() not in ("true", "1", "false", "0"):
        raise ValueError(text)
    return text.lower() in ("true", "1")


def _made(values: dict[str, Any], extra: list[ExtraLabel], faults: list[str], name: str) -> Overlay:
    unknown = sorted(set(values.get("kinds", ())) - set(LABEL_KINDS))
    if unknown:
        faults.append(f"unknown kinds {', '.join(unknown)}, expected {', '.join(LABEL_KINDS)}")
    if not 0 <= values.get("min_length", 0) <= 100:
        faults.append(f"min_length is {values['min_length']}, expected 0 to 100")
    if faults:
        raise OntologyError(
            f"the overlay {name} cannot be used: {'; '.join(faults)}. Correct it and add the "
            "ontology again"
        )
    return Overlay(
        include=tuple(dict.fromkeys(values.get("include", ()))),
        exclude=tuple(dict.fromkeys(values.get("exclude", ()))),
        extra=tuple(dict.fromkeys(extra)),
        matching=Matching(
            kinds=frozenset(values.get("kinds", ())),
            languages=tuple(sorted({each.lower() for each in values.get("languages", ())})),
            stop=frozenset(each.casefold() for each in values.get("stop", ())),
            capitals_only=frozenset(each.casefold() for each in values.get("capitals_only", ())),
            min_length=values.get("min_length", 0),
            spelling=values.get("spelling", False),
        ),
    )
