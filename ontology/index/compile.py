"""Labels into the arrays of a compiled index: a token trie, level by level."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ontology.errors import OntologyError
from ontology.index.layout import CAPITALS, pack, token_hash
from ontology.index.selection import choose
from ontology.index.types import KINDS
from ontology.model import Ontology
from ontology.tokens import label_words

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, np.dtype[Any]]

MAX_TEXT = 2**32 - 1


class _Numbered:
    """Strings numbered in order of arrival."""

    def __init__(self, *first: str) -> None:
        self.numbers = {text: number for number, text in enumerate(first)}

    def of(self, text: str) -> int:
        return self.numbers.setdefault(text, len(self.numbers))

    def packed(self) -> tuple[bytes, bytes]:
        """Return where each begins (``I``, and the end), and the text."""
        return _packed(list(self.numbers))


def compile_index(ontologies: Sequence[Ontology], *, every_label: bool = False) -> bytes:
    """Return the compiled index of the ontologies' labels (``ontology.index.layout``)."""
    import numpy as np

    tokens, marks = _Numbered(), _Numbered("")
    steps, lengths = array("I"), array("I")
    concept_of, kinds = array("I"), array("B")
    before, after = array("I"), array("I")
    concept_ontology = array("I")
    concept_texts: list[str] = []
    for place, ontology in enumerate(ontologies):
        numbers: dict[str, int] = {}
        for concept, text, kind, capitals in choose(ontology, every_label=every_label):
            words = label_words(text)
            if words is None:
                continue
            number = numbers.get(concept.iri)
            if number is None:
                number = numbers[concept.iri] = len(concept_ontology)
                concept_ontology.append(place)
                concept_texts += (concept.iri, concept.curie, concept.label)
            steps.extend([tokens.of(step) for step in words.steps])
            lengths.append(len(words.steps))
            concept_of.append(number)
            kinds.append(KINDS.index(kind) + (CAPITALS if capitals else 0))
            before.append(marks.of(words.before))
            after.append(marks.of(words.after))
    ends, edges, nodes = _trie(
        np.frombuffer(steps, np.uint32) if steps else np.zeros(0, np.uint32),
        np.array(lengths, np.int64),
        max(len(tokens.numbers), 1),
    )
    columns: dict[str, Numbers] = {
        "concept": np.array(concept_of, np.uint32),
        "kind": np.array(kinds, np.uint8),
        "before": np.array(before, np.uint32),
        "after": np.array(after, np.uint32),
    }
    kept = _distinct(ends, columns)
    sections = {f"entry_{name}": column[kept].tobytes() for name, column in columns.items()}
    sections |= {
        "node_at": _begins(edges[0], nodes),
        "edge_token": edges[1].astype(np.uint32).tobytes(),
        "edge_node": edges[2].astype(np.uint32).tobytes(),
        "entry_at": _begins(ends[kept], nodes),
        "token_table": _table(tokens),
        "concept_ontology": concept_ontology.tobytes(),
    }
    for name, packed in (
        ("token", tokens.packed()),
        ("mark", marks.packed()),
        ("concept", _packed(concept_texts)),
    ):
        sections[f"{name}_at"], sections[f"{name}_text"] = packed
    return pack(sections, [each.id for each in ontologies], len(kept))


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
    by = (order, columns["after"], columns["before"], capitals, columns["concept"], ends)
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


def _table(tokens: _Numbered) -> bytes:
    """Return an open-addressing hash table of at most half its places taken."""
    size = 1 << max(4, (2 * len(tokens.numbers)).bit_length())
    table = array("I", bytes(4 * size))
    for token, number in tokens.numbers.items():
        place = token_hash(token.encode("utf-8", "surrogatepass")) & (size - 1)
        while table[place]:
            place = (place + 1) & (size - 1)
        table[place] = number + 1
    return table.tobytes()


def _packed(texts: Sequence[str]) -> tuple[bytes, bytes]:
    at, parts = array("I", [0]), []
    end = 0
    for text in texts:
        part = text.encode("utf-8", "surrogatepass")
        parts.append(part)
        end += len(part)
        if end > MAX_TEXT:
            raise OntologyError(
                f"the labels have more than {MAX_TEXT:,} bytes; expected fewer in one index. "
                "Take a branch with: florilegium ontology add FILE --branch IRI"
            )
        at.append(end)
    return at.tobytes(), b"".join(parts)
