"""What a decision is about: found by an annotation's name, or by a document and a place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from app.errors import UsageError
from db.rows import DocumentDetail, ResultRow

if TYPE_CHECKING:
    from db.store import Store

_NAMED = re.compile(r"(tag|labelling|highlight)[-:](\d+)-(\d+)|(coding)[-:](\d+)")
_PLACE = re.compile(r"(\d+)-(\d+)")
_MANY = 5


@dataclass(frozen=True, slots=True)
class Target:
    """What a decision is about, in the words of ``DecisionInput``."""

    document_id: int
    kind: str
    scheme: str
    item: str
    start: int
    end: int
    text: str
    result_id: int | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A decision as it is asked for.

    ``target`` is the name or IRI of an annotation (``tag-17-1``, ``labelling-17-2``,
    ``highlight-17-1``, ``coding-5``), or a document's key or number together with ``kind`` and
    ``place`` (``START-END``). ``value`` is what stands instead, or is added: an IRI, CURIE or label.
    """

    target: str
    verdict: str
    value: str = ""
    reviewer: str = ""
    reason: str = ""
    kind: str = ""
    place: str = ""
    collection: str | None = None


def find_target(store: Store, name: str) -> Target | None:
    """Return what an annotation's name or IRI stands for; None where it is no such name.

    Raises UsageError for a number that the result does not have, NotFound for a result that has
    gone.
    """
    from ontology.vocab import DATA

    found = _NAMED.fullmatch(name.removeprefix(DATA))
    if found is None:
        return None
    if found[4]:
        row, book, key = store.coding(int(found[5]))
        place = (row.start, row.end, row.text)
        return Target(row.document_id, "theme", book, key, *place)
    result = store.result(int(found[2]))
    targets = {"tag": _tags, "labelling": _labels, "highlight": _highlights}[found[1]](result)
    number = int(found[3])
    if not 1 <= number <= len(targets):
        raise UsageError(
            f"No {name!r}: result {result.id} has {len(targets)} of that kind, numbered from 1. "
            f"See them with: florilegium document {result.document_id} --json"
        )
    return targets[number - 1]


def _tags(result: ResultRow) -> list[Target]:
    return [
        Target(
            *(result.document_id, "tag", each.ontology, each.iri),
            *(each.start, each.end, each.text, result.id),
        )
        for each in result.tags
    ]


def _labels(result: ResultRow) -> list[Target]:
    return [
        Target(
            *(result.document_id, "label", each.set, each.label),
            *((each.start, each.end, each.text) if each.end > each.start else (0, 0, "")),
            result.id,
        )
        for each in result.labels
        if each.assigned
    ]


def _highlights(result: ResultRow) -> list[Target]:
    return [
        Target(result.document_id, "summary", "", "", each.start, each.end, each.text, result.id)
        for each in result.summary
    ]


def decided(store: Store, question: Question) -> tuple[Target, dict[str, Any]]:
    """Return what the decision is about, and its replacement where it corrects something."""
    target = find_target(store, question.target)
    if target is not None and question.place:
        target = _at(store.document(target.document_id), target, question.place)
    if target is None:
        if question.verdict != "added":
            raise UsageError(
                f"{question.target!r} names no annotation; expected one such as 'tag-17-1', "
                "'labelling-17-2', 'highlight-17-1' or 'coding-5' (result and number), or its IRI. "
                "They are the names in the graph; see also: florilegium document ID --json"
            )
        detail = store.document(
            int(question.target) if question.target.isdecimal() else question.target,
            collection=question.collection,
        )
        empty = Target(detail.document.id, question.kind or "tag", "", "", 0, 0, "")
        target = _at(detail, empty, question.place)
    if question.verdict in ("accepted", "rejected"):
        return target, {}
    kind = question.kind or target.kind
    if question.verdict == "added":
        target = replace(target, kind=kind, result_id=None)
        if kind == "summary":
            return replace(target, scheme="", item=""), {}
        scheme, item = _meant(store, target, question.value)
        return replace(target, scheme=scheme, item=item), {}
    if target.kind == "summary":
        raise UsageError(
            "A summary sentence cannot be corrected; expected --reject for this one and --add for "
            "another place of the document."
        )
    scheme, item = _meant(store, target, question.value)
    place = {"start": target.start, "end": target.end, "text": target.text}
    return target, {"scheme": scheme, "item": item, **place}


def _at(detail: DocumentDetail, target: Target, place: str) -> Target:
    """Return the target at ``place``; a label may be about the whole document."""
    text = detail.document.text
    if not place:
        if target.kind == "label":
            return target
        raise UsageError(
            f"No place in document {detail.document.key!r}; expected --at START-END, characters "
            f"from 0 to {len(text)}."
        )
    found = _PLACE.fullmatch(place)
    if found is None or not int(found[1]) < int(found[2]) <= len(text):
        raise UsageError(
            f"The place {place!r} is not in document {detail.document.key!r}; expected START-END, "
            f"characters from 0 to {len(text)}, the end after the start."
        )
    start, end = int(found[1]), int(found[2])
    return replace(target, start=start, end=end, text=text[start:end])


def _meant(store: Store, target: Target, value: str) -> tuple[str, str]:
    """Return scheme and item of the concept, label or theme that ``value`` names."""
    if not value.strip():
        raise UsageError(
            "Nothing is named; expected an IRI, CURIE or label after --correct, --add."
        )
    if target.kind == "tag":
        return _concept(store, target.scheme, value)
    detail = store.document(target.document_id)
    if target.kind == "label":
        labels = detail.result.labels if detail.result else ()
        known = [(each.set, each.label, each.label) for each in labels]
    else:
        known = [
            (book.name, theme.key, theme.label)
            for book in store.codebooks(detail.collection.id)
            for theme in store.themes(book.id)
        ]
    return _only(known, target, value)


def _concept(store: Store, ontology: str, value: str) -> tuple[str, str]:
    names = [row.name for row in store.ontologies()]
    found = sorted(store.named_concepts(value, names))
    same = [pair for pair in found if pair[0] == ontology]
    found = same or found
    if len(found) == 1:
        return found[0]
    if not found:
        raise UsageError(
            f"No concept {value!r} in the ontologies of this workspace "
            f"({', '.join(names) or 'none yet'}); expected an IRI, a CURIE or a preferred label. "
            "See: florilegium ontology show LABEL"
        )
    raise UsageError(
        f"{value!r} names {len(found)} concepts: {_some([iri for _, iri in found])}. "
        "Name one by its IRI."
    )


def _only(known: Sequence[tuple[str, str, str]], target: Target, value: str) -> tuple[str, str]:
    """Return scheme and item of the one of (scheme, item, label) that is called ``value``."""
    wanted = value.casefold()
    found = [
        (scheme, item)
        for scheme, item, label in known
        if wanted in (item.casefold(), label.casefold(), f"{scheme}/{item}".casefold())
    ]
    found = [pair for pair in found if pair[0] == target.scheme] or found
    found = list(dict.fromkeys(found))
    if len(found) == 1:
        return found[0]
    names = [f"{scheme}/{item}" for scheme, item in (found or [each[:2] for each in known])]
    told = "names several" if found else "is none"
    raise UsageError(
        f"{value!r} {told} of the {target.kind}s known of this document; expected one of: "
        f"{_some(names)}."
    )


def _some(names: Sequence[str]) -> str:
    rest = len(names) - _MANY
    return ", ".join(names[:_MANY]) + (f" and {rest} more" if rest > 0 else "") or "none yet"
