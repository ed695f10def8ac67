"""The Concepts page's choices, kept in the address so that a view can be linked to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

CONCEPTS = "concepts"
"""Address of the Concepts page, relative to the dashboard's root."""


@dataclass(frozen=True, slots=True)
class Place:
    """What the page shows: a concept of an ontology, or what the words find in it, or its top."""

    ontology: str = ""
    concept: str = ""
    words: str = ""

    @classmethod
    def from_params(cls, params: Mapping[str, str]) -> Place:
        """Read the address."""
        return cls(*(params.get(name, "") for name in ("ontology", "concept", "words")))

    def params(self) -> dict[str, str]:
        """Return the address parameters; empty ones are left out."""
        values = {"ontology": self.ontology, "concept": self.concept, "words": self.words}
        return {name: value for name, value in values.items() if value}

    def href(self) -> str:
        """Return the relative link to this view."""
        query = urlencode(self.params())
        return f"{CONCEPTS}?{query}" if query else CONCEPTS
