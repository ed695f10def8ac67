"""The parameters of the tag stage: by which mechanisms a label is found in a text."""

from __future__ import annotations

from dataclasses import dataclass, fields

from ontology.index.types import Mechanisms


@dataclass(frozen=True, slots=True)
class TagParameters:
    """Mechanisms of ``ontology.index``, and what an encoder decides (``pipelines.stages.matching``).

    ``ambiguity`` lets the encoder choose where the same words are a label of several concepts;
    ``meaning`` lets it tag sentences that no label is found in, from a similarity of
    ``meaning_threshold``.
    """

    spelling: bool = True
    lemma: bool = True
    qualifier: bool = True
    derivation: bool = True
    order: bool = True
    coordination: bool = True
    abbreviation: bool = True
    fuzzy: bool = False
    window: int = 12
    fuzzy_letters: int = 8
    ambiguity: bool = True
    meaning: bool = False
    meaning_threshold: float = 0.6

    def mechanisms(self) -> Mechanisms:
        """Return the part of them that an index needs."""
        return Mechanisms(**{each.name: getattr(self, each.name) for each in fields(Mechanisms)})


def as_written() -> TagParameters:
    """Return the parameters that find labels as they are written, in any case, and no other way."""
    off = {each.name: False for each in fields(TagParameters) if each.type == "bool"}
    return TagParameters(**off)
