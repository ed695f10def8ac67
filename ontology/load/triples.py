"""Plain triples: what every syntax is brought to before concepts are read from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class Node(NamedTuple):
    """An IRI (``is_iri``) or a blank node."""

    value: str
    is_iri: bool


class Text(NamedTuple):
    """A literal with its language tag in lower case, ``""`` when it has none."""

    value: str
    language: str


Triple = tuple[Node, str, Node | Text]


@dataclass(frozen=True, slots=True)
class Triples:
    """The triples of a file in file order, the prefixes it declares, and what it could not say.

    ``problems`` names each line or record that was left out, with its place and the reason.
    """

    triples: list[Triple]
    prefixes: dict[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
