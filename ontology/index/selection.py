"""Which labels of an ontology are matched, and how: its overlay's rules, else the defaults."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ontology.index.forms import form_rules
from ontology.model import Concept, Label, Matching, Ontology
from ontology.spelling import variants

MIN_LETTERS = 3
"""Shorter labels are matched only when they are all capitals, and single letters never."""

MAX_LABEL_CHARACTERS = 500
"""A longer label is a description, not a name, and is not matched."""


_ABBREVIATION_TYPES = ("abbrev", "acronym", "omo:0003000", "omo:0003012")


class Chosen(NamedTuple):
    """A form of a label to match."""

    concept: Concept
    text: str
    kind: str
    capitals: bool


def choose(ontology: Ontology, *, every_label: bool = False) -> Iterator[Chosen]:
    """Yield the labels of ``ontology`` to match.

    Deprecated concepts are never matched, nor labels of a hierarchy's root that only say what
    kind of thing all the others are ("phenotypic abnormality", "symptom"). A label all in capitals matches only capitals, unless
    most of its ontology is written so. Labels of a concept are its English and untagged ones; those
    of other languages only where it has no such, or where an overlay asks for them. With
    ``every_label`` short ones and those without a letter are taken too, in any case.
    """
    rules = ontology.matching
    live = [each for each in ontology.concepts.values() if not each.deprecated]
    chosen = [(concept, _of(concept, rules)) for concept in live]
    roots = _roots(ontology)
    shouted = sum(label.text.isupper() for _, labels in chosen for label in labels)
    capitals_mean_something = shouted * 2 <= sum(len(labels) for _, labels in chosen)
    for concept, labels in chosen:
        for label in labels:
            capitals = label.text.isupper()
            if not every_label and not _long_enough(label.text, capitals, rules):
                continue
            if concept.iri in roots and not every_label and _only_kind(label.text):
                continue
            if not every_label and _too_common(label):
                continue
            asked = bool(rules.capitals_only) and label.text.casefold() in rules.capitals_only
            only = asked or (capitals and capitals_mean_something and not every_label)
            yield Chosen(concept, label.text, label.kind, only)
            if rules.spelling:
                for other in variants(label.text):
                    yield Chosen(concept, other, label.kind, only)


def _roots(ontology: Ontology) -> set[str]:
    """Return the concepts that have none above them but some below."""
    concepts = ontology.concepts
    above = {
        iri for concept in concepts.values() if not concept.deprecated for iri in concept.broader
    }
    return {
        iri for iri in above & concepts.keys() if not set(concepts[iri].broader) & concepts.keys()
    }


def _only_kind(label: str) -> bool:
    """Tell whether a label is a single word, one for a kind of thing."""
    return label.lower() in form_rules().kinds


def _of(concept: Concept, rules: Matching) -> list[Label]:
    """Return the labels of ``concept`` in the languages and of the kinds that count."""
    if rules.languages:
        near = [each for each in concept.labels if _speaks(each.language, rules.languages)]
    else:
        near = [each for each in concept.labels if _speaks(each.language, ("en",))]
        near = near or list(concept.labels)
    if rules.kinds:
        near = [each for each in near if each.kind in rules.kinds]
    if rules.stop:
        near = [each for each in near if each.text.casefold() not in rules.stop]
    return near


def _speaks(language: str, allowed: tuple[str, ...]) -> bool:
    return not language or language.partition("-")[0] in allowed or language in allowed


def _too_common(label: Label) -> bool:
    """Tell whether a label is an abbreviation of two letters, which stand for many things.

    Where a text defines it, it is found as an abbreviation all the same.
    """
    marked = any(mark in label.type.lower() for mark in _ABBREVIATION_TYPES)
    return marked and label.kind != "pref" and len(label.text) < MIN_LETTERS


def _long_enough(label: str, capitals: bool, rules: Matching) -> bool:
    letters = sum(char.isalnum() for char in label)
    if len(label) > MAX_LABEL_CHARACTERS or not any(char.isalpha() for char in label):
        return False
    if rules.min_length:
        return letters >= rules.min_length
    return letters >= MIN_LETTERS or (letters == MIN_LETTERS - 1 and capitals)
