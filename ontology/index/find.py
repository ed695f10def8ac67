"""Every occurrence of every label in a text, from a compiled index."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from pathlib import Path

from ontology.index.compile import compile_index
from ontology.index.display import with_display
from ontology.index.layout import CAPITALS, InvalidIndex, map_file, token_hash, unpack
from ontology.index.types import KINDS, Entry, Match, MatchedConcept, Span
from ontology.model import Ontology
from ontology.tokens import WORD, gap_key, key

_NON_ASCII = re.compile(r"[^\x00-\x7f]")
Entries = tuple[tuple[MatchedConcept, ...], tuple[Entry, ...]]
"""Of a node: its concepts where any case matches all of them, else its entries."""

_KEPT = 1 << 18
"""So many words and nodes looked up are remembered before the memory is cleared."""


class LabelIndex:
    """Find every occurrence of every label, with word boundaries on both sides.

    Which labels, and how they match, is decided by ``ontology.index.selection``. The index is
    bytes in memory or a mapped file; both are read in place.
    """

    def __init__(self, data: bytes | memoryview) -> None:
        header, arrays = unpack(memoryview(data))
        self.labels: int = header["labels"]
        """How many labels can be matched."""
        self.size = len(data)
        """Bytes of the compiled form."""
        self._ontologies: list[str] = header["ontologies"]
        self._arrays = arrays
        self._table, self._token_at = arrays["token_table"], arrays["token_at"]
        self._token_text, self._mask = arrays["token_text"], len(arrays["token_table"]) - 1
        self._node_at, self._edge_token = arrays["node_at"], arrays["edge_token"]
        self._edge_node, self._entry_at = arrays["edge_node"], arrays["entry_at"]
        self._tokens: dict[str, int] = {}
        self._first: dict[str, int] = {}
        self._entries: dict[int, Entries] = {}

    @classmethod
    def build(cls, ontologies: Sequence[Ontology], *, every_label: bool = False) -> LabelIndex:
        """Return the index of all the ontologies' labels.

        With ``every_label`` short ones and those without a letter are matched too, and any case
        matches any: somebody asked for these very words.
        """
        return cls(compile_index(ontologies, every_label=every_label))

    @classmethod
    def open(cls, path: Path) -> LabelIndex:
        """Map the compiled index in ``path``; raises InvalidIndex or OSError."""
        return cls(map_file(path))

    def find(self, text: str) -> list[Match]:
        """Return all matches in order of start, the longest first; nested ones included."""
        found: list[Span] = []
        first = self._first
        ascii_only = not _NON_ASCII.search(text)
        for word in WORD.finditer(text.lower() if ascii_only else text):
            form = word.group()
            node = first.get(form)
            if node is None:
                node = self._begin(form, form if ascii_only else key(form))
            if node:
                self._extend(text, word.start(), word.end(), node, found)
        return with_display(found)

    def _begin(self, form: str, step: str) -> int:
        """Return the node of a first word as it stands in a text, 0 for none; remember it."""
        if len(self._first) >= _KEPT:
            self._first.clear()
        node = self._first[form] = self._next(0, step)
        return node

    def _next(self, node: int, step: str) -> int:
        """Return the node that ``step`` leads to, 0 for none."""
        low, high = self._node_at[node], self._node_at[node + 1]
        if low == high:
            return 0
        token = self._tokens.get(step)
        if token is None:
            token = self._token(step)
        if token < 0:
            return 0
        place = bisect_left(self._edge_token, token, low, high)
        if place < high and self._edge_token[place] == token:
            found: int = self._edge_node[place]
            return found
        return 0

    def _token(self, step: str) -> int:
        wanted = step.encode("utf-8", "surrogatepass")
        place = token_hash(wanted) & self._mask
        token = -1
        while number := self._table[place]:
            at = self._token_at[number - 1], self._token_at[number]
            if self._token_text[at[0] : at[1]] == wanted:
                token = number - 1
                break
            place = (place + 1) & self._mask
        if len(self._tokens) >= _KEPT:
            self._tokens.clear()
        self._tokens[step] = token
        return token

    def _extend(self, text: str, start: int, end: int, node: int, found: list[Span]) -> None:
        """Walk on from the first word and note each label that ends on the way."""
        here: list[Span] = []
        while True:
            entries = self._entries.get(node)
            if entries is None:
                entries = self._read(node)
            plain, special = entries
            if special:
                here.extend(_accepted(text, start, end, special))
            elif plain:
                here.append((start, end, plain))
            if self._node_at[node] == self._node_at[node + 1]:
                break
            word = WORD.search(text, end)
            if word is None:
                break
            gap = gap_key(text[end : word.start()])
            if gap is None:
                break
            node = self._next(node, gap + key(word.group()))
            if not node:
                break
            end = word.end()
        here.reverse()
        found.extend(here)

    def _read(self, node: int) -> Entries:
        if len(self._entries) >= _KEPT:
            self._entries.clear()
        places = range(self._entry_at[node], self._entry_at[node + 1])
        found = [self._entry(place) for place in places]
        if any(each.capitals or each.before or each.after for each in found):
            entries: Entries = ((), tuple(found))
        else:
            first: dict[tuple[str, str], MatchedConcept] = {}
            for each in found:
                first.setdefault(each.concept[:2], each.concept)
            entries = (tuple(first.values()), ())
        self._entries[node] = entries
        return entries

    def _entry(self, place: int) -> Entry:
        kind = self._arrays["entry_kind"][place]
        number = self._arrays["entry_concept"][place]
        iri, curie, label = (self._text("concept", 3 * number + part) for part in range(3))
        ontology = self._ontologies[self._arrays["concept_ontology"][number]]
        return Entry(
            MatchedConcept(ontology, iri, curie, label, KINDS[kind & ~CAPITALS]),
            bool(kind & CAPITALS),
            self._text("mark", self._arrays["entry_before"][place]),
            self._text("mark", self._arrays["entry_after"][place]),
        )

    def _text(self, section: str, number: int) -> str:
        at = self._arrays[f"{section}_at"]
        text = self._arrays[f"{section}_text"][at[number] : at[number + 1]]
        return bytes(text).decode("utf-8", "surrogatepass")


def _accepted(text: str, start: int, end: int, entries: tuple[Entry, ...]) -> list[Span]:
    """Return the spans that fit: one, or more where labels have marks before or after them."""
    spans: dict[tuple[int, int], dict[tuple[str, str], MatchedConcept]] = {}
    for entry in entries:
        if entry.capitals and not text[start:end].isupper():
            continue
        left, right = start - len(entry.before), end + len(entry.after)
        if entry.before and (left < 0 or text[left:start] != entry.before):
            continue
        if entry.after and text[end:right] != entry.after:
            continue
        spans.setdefault((left, right), {}).setdefault(entry.concept[:2], entry.concept)
    return [(left, right, tuple(found.values())) for (left, right), found in spans.items()]


__all__ = ["InvalidIndex", "LabelIndex"]
