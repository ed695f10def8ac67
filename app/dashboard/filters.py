"""The Results page's choices, kept in the address so that a view can be linked to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlencode

RESULTS = "results"
"""Address of the Results page, relative to the dashboard's root."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Which documents are shown; an empty string means no restriction.

    ``label`` is ``set/label``. ``text`` is what the document's text must contain; it never enters
    the address of a private collection. ``page`` counts from 1.
    """

    collection: str = ""
    concept: str = ""
    narrower: bool = True
    label: str = ""
    outcome: str = ""
    text: str = ""
    page: int = 1
    document: int | None = None
    part: int = 1

    @classmethod
    def from_params(cls, params: Mapping[str, str]) -> Filters:
        """Read the address; a value that makes no sense counts as absent."""
        return cls(
            collection=params.get("collection", ""),
            concept=params.get("concept", ""),
            narrower=params.get("narrower", "yes") != "no",
            label=params.get("label", ""),
            outcome=params.get("outcome", ""),
            text=params.get("text", ""),
            page=_positive(params.get("page")) or 1,
            document=_positive(params.get("document")),
            part=_positive(params.get("part")) or 1,
        )

    def params(self, *, private: bool = False) -> dict[str, str]:
        """Return the address parameters, defaults left out; ``private`` leaves ``text`` out."""
        values = {
            "collection": self.collection,
            "concept": self.concept,
            "narrower": "" if self.narrower else "no",
            "label": self.label,
            "outcome": self.outcome,
            "text": "" if private else self.text,
            "page": str(self.page) if self.page > 1 else "",
            "document": str(self.document) if self.document else "",
            "part": str(self.part) if self.part > 1 else "",
        }
        return {key: value for key, value in values.items() if value}

    def href(self, *, private: bool = False) -> str:
        """Return the relative link to this view."""
        query = urlencode(self.params(private=private))
        return f"{RESULTS}?{query}" if query else RESULTS

    def label_parts(self) -> tuple[str | None, str | None]:
        """Return the label set and the label, or two Nones."""
        if not self.label:
            return None, None
        label_set, _, label = self.label.partition("/")
        return (label_set, label) if label else (None, label_set)

    def opened(self, document: int) -> Filters:
        """Return the same list with one of its documents opened."""
        return replace(self, document=document, part=1)

    def listed(self) -> Filters:
        """Return the same list with no document opened."""
        return replace(self, document=None, part=1)

    @property
    def narrowing(self) -> bool:
        """Whether anything but the collection restricts the list."""
        return bool(self.concept or self.label or self.outcome or self.text)


def _positive(value: str | None) -> int | None:
    if value is None or not value.isascii() or not value.isdigit():
        return None
    return int(value[:18]) or None
