"""Labels into the arrays of a compiled index: a token trie, level by level, and bags of words."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ontology.index.bags import bag_sections
from ontology.index.label import forms_of
from ontology.index.layout import ANCHORS, BEGINS, CAPITALS, pack
from ontology.index.selection import choose
from ontology.index.tables import Numbered, form_sections, packed
from ontology.index.types import KINDS
from ontology.model import Concept, Ontology

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, np.dtype[Any]]

GLOSS = 240
"""Characters of a concept's definition that are kept to tell it from others."""


class _Entries:
    """The columns of the labels' ends, in order of arrival."""

    def __init__(self) -> None:
        self.steps, self.lengths = array("I"), array("I")
        self.concept, self.label = array("I"), array("I")
        self.kind, self.how = array("B"), array("B")
        self.before, self.after = array("I"), array("I")


def compile_index(ontologies: Sequence[Ontology], *, every_label: bool = False) -> bytes:
    """Return the compiled index of the ontologies' labels (``ontology.index.layout``)."""
    import numpy as np

    tokens, labels, marks, words = Numbered(), Numbered(), Numbered(""), Numbered()
    entries = _Entries()
    concept_ontology = array("I")
    concept_texts: list[str] = []
    for place, ontology in enumerate(ontologies):
        numbers: dict[str, int] = {}
        for chosen in choose(ontology, every_label=every_label):
            concept = chosen.concept
            number = numbers.get(concept.iri)
            if number is None:
                number = numbers[concept.iri] = len(concept_ontology)
                concept_ontology.append(place)
                gloss = _gloss(concept, ontology)
                concept_texts += (concept.iri, concept.curie, concept.label, gloss)
            kind = KINDS.index(chosen.kind) + (CAPITALS if chosen.capitals else 0)
            for form in forms_of(chosen, every_label=every_label):
                entries.steps.extend([tokens.of(step.token) for step in form.steps])
                for step in form.steps:
                    words.of(step.key)
                entries.lengths.append(len(form.steps))
                entries.concept.append(number)
                entries.kind.append(kind)
                entries.how.append(form.how)
                entries.label.append(labels.of(" ".join(step.key for step in form.steps)))
                entries.before.append(marks.of(form.before))
                entries.after.append(marks.of(form.after))
    steps = np.array(entries.steps, np.int64)
    lengths = np.array(entries.lengths, np.int64)
    ends, edges, nodes = _trie(steps, lengths, max(len(tokens.numbers), 1))
    columns: dict[str, Numbers] = {
        "concept": np.array(entries.concept, np.uint32),
        "kind": np.array(entries.kind, np.uint8),
        "how": np.array(entries.how, np.uint8),
        "label": np.array(entries.label, np.uint32),
        "before": np.array(entries.before, np.uint32),
        "after": np.array(entries.after, np.uint32),
    }
    kept = _distinct(ends, columns)
    sections = {f"entry_{name}": column[kept].tobytes() for name, column in columns.items()}
    bags, anchors = bag_sections(steps, lengths, kept, columns["how"], tokens)
    use = np.zeros(len(tokens.numbers), np.uint8)
    use[edges[1][edges[0] == 0]] |= BEGINS
    use[anchors] |= ANCHORS
    sections |= bags
    sections |= {
        "token_use": use.tobytes(),
        "node_at": _begins(edges[0], nodes),
        "edge_token": edges[1].astype(np.uint32).tobytes(),
        "edge_node": edges[2].astype(np.uint32).tobytes(),
        "entry_at": _begins(ends[kept], nodes),
        "concept_ontology": concept_ontology.tobytes(),
    }
    sections |= form_sections(words, tokens, known=not every_label)
    for name, texts in (
        ("mark", list(marks.numbers)),
        ("label", list(labels.numbers)),
        ("concept", concept_texts),
    ):
        sections[f"{name}_at"], sections[f"{name}_text"] = packed(texts)
    return pack(sections, [each.id for each in ontologies], len(kept))


def _gloss(concept: Concept, ontology: Ontology) -> str:
    """Return what tells a concept from others: its definition, and the labels above it."""
    above = [ontology.concepts[iri].label for iri in concept.broader if iri in ontology.concepts]
    parts = [concept.definition[:GLOSS], *above[:2]]
    return ". ".join(part for part in parts if part)


def _trie(
    steps: Numbers, lengths: Numbers, tokens: int
) -> tuple[Numbers, tuple[Numbers, Numbers, Numbers], int]:
    """Return each label's last node, the edges (from, token, to) in order, and how many nodes.

    One level a round: labels that stand at the same node and go on with the same token meet in one
    new node. Nodes are numbered by level, so that the edges come out in order of node and token.
    """
    import numpy as np

    begins = np.concatenate(([0], np.cumsum(lengths)[:-1])) if len(lengths) else lengths
    at = np.zeros(len(lengths), np.int64)
    going = np.arange(len(lengths))
    froms, by, to = [], [], []
    nodes, depth = 1, 0
    while len(going):
        keys = at[going] * tokens + steps[begins[going] + depth]
        unique, which = np.unique(keys, return_inverse=True)
        at[going] = nodes + which
        froms.append(unique // tokens)
        by.append(unique % tokens)
        to.append(np.arange(nodes, nodes + len(unique)))
        nodes += len(unique)
        depth += 1
        going = going[lengths[going] > depth]
    empty = np.zeros(0, np.int64)
    return at, tuple(np.concatenate(each) if each else empty for each in (froms, by, to)), nodes  # type: ignore[return-value]


def _distinct(ends: Numbers, columns: dict[str, Numbers]) -> Numbers:
    """Return the labels' numbers by node, without those that say what an earlier one says.

    The kind met first (preferred before others) stays.
    """
    import numpy as np

    if not len(ends):
        return np.zeros(0, np.int64)
    order = np.arange(len(ends))
    capitals = columns["kind"] & CAPITALS
    others = (columns["after"], columns["before"], columns["how"], columns["label"])
    by = (order, *others, capitals, columns["concept"], ends)
    order = np.lexsort(by)
    new = np.ones(len(order), bool)
    new[1:] = False
    for values in by[1:]:
        sorted_values = values[order]
        new[1:] |= sorted_values[1:] != sorted_values[:-1]
    kept = order[new]
    return kept[np.lexsort((kept, ends[kept]))]


def _begins(owners: Numbers, nodes: int) -> bytes:
    import numpy as np

    counts = np.bincount(owners.astype(np.int64), minlength=nodes)
    return np.concatenate(([0], np.cumsum(counts))).astype(np.uint32).tobytes()
