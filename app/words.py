"""What people call the outcomes of documents and what was noticed about them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

OUTCOMES: Mapping[str, str] = {
    "processed": "processed",
    "partial": "partly processed",
    "empty": "says nothing",
    "other_language": "other language",
    "skipped": "kept apart",
    "failed": "failed",
    "parked": "parked after repeated failures",
    "pending": "not processed yet",
}
"""Outcomes of documents; those of files are words already."""

UNTOUCHED: Mapping[str, str] = {
    "empty": "There is nothing in it to summarise, label or tag.",
    "other_language": "It is stored, but not summarised, labelled or tagged: the recipe does not "
    "read that language.",
    "skipped": "It is stored, but not summarised, labelled or tagged.",
}
"""What an outcome means for a document that went through no stage."""

FLAGS: Mapping[str, str] = {
    "garbled": "garbled by a wrong decoding before it came here",
    "cut": "as long as a limit of the program it came from, so probably cut",
    "ocr": "read from a picture",
}
SHORT_FLAGS: Mapping[str, str] = {"garbled": "garbled", "cut": "probably cut", "ocr": "OCR"}

ASSERTIONS = ("negated", "possible", "hypothetical", "historical")
"""Attributes of a tag, in the order in which they are told."""

_NOT_FACTS = frozenset({"file", "page_starts"})
"""Metadata that is said elsewhere, or is for programs."""
_READER_NAMES = frozenset(
    {"author", "created", "date", "folder", "language", "modified", "pages", "sheet", "subject"}
    | {"title"}
)
"""Metadata that the readers name, not the file."""


def outcome_words(outcome: str | None) -> str:
    """Return what a person calls a document's outcome; None: there is none yet."""
    name = outcome or "pending"
    return OUTCOMES.get(name, name.replace("_", " "))


def noticed(flags: Iterable[str], *, short: bool = False) -> str:
    """Return what was noticed about a document, "" for nothing."""
    names = SHORT_FLAGS if short else FLAGS
    return "; ".join(names.get(flag, flag.replace("_", " ")) for flag in flags)


def assertion_words(tag: Mapping[str, Any], *, cue: bool = True) -> str:
    """Return what the text says of a tag: "negated, of family (denies)"; "" where it affirms it.

    ``tag`` has the keys of a tag in JSON. What was not assessed is not told.
    """
    held = [name for name in ASSERTIONS if tag[name]]
    if tag["experiencer"] not in (None, "patient"):
        whom = "someone else" if tag["experiencer"] == "other" else tag["experiencer"]
        held.append(f"of {whom}")
    words = " ".join((tag["cue"] or "").split())
    return ", ".join(held) + (f" ({words})" if cue and held and words else "")


TAG_COLUMNS = (
    *("curie", "label", "text", "start", "end", "score", "method", "displayed", "said of it"),
)
"""Columns of a table of tags on a terminal."""


def tag_rows(tags: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return tags in JSON as rows of such a table."""
    return [{**tag, "said of it": assertion_words(tag)} for tag in tags]


def facts_from_file(metadata: Mapping[str, object]) -> list[tuple[str, str]]:
    """Return what the file says of the document: closed answers, dates and the like, by name."""
    return [
        (name.capitalize() if name in _READER_NAMES else str(name), str(value))
        for name, value in metadata.items()
        if name not in _NOT_FACTS and str(value).strip()
    ]
