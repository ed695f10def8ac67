"""A compiled index as it is mapped: its forms, tokens, nodes, entries and bags, read in place."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from ontology.index.forms import STEM, fold, form_rules, rule_lemma, stem
from ontology.index.label import shouted
from ontology.index.layout import CAPITALS, CONCEPT_PARTS, token_hash, unpack
from ontology.index.types import KINDS, Entry, MatchedConcept
from ontology.tokens import key

_KEPT = 1 << 18
"""So many words, nodes and entries looked up are remembered before the memory is cleared."""

Bag = tuple[frozenset[int], int]
"""The tokens of a label apart from the one it is found by, and its entry."""


class Reader:
    """Look up what a compiled index says, and remember it."""

    def __init__(self, data: bytes | memoryview) -> None:
        header, arrays = unpack(memoryview(data))
        self.labels: int = header["labels"]
        self.ontologies: list[str] = header["ontologies"]
        self.arrays = arrays
        self.use = arrays["token_use"]
        self._table, self._mask = arrays["form_table"], len(arrays["form_table"]) - 1
        self._form_at, self._form_text = arrays["form_at"], arrays["form_text"]
        self._node_at, self._entry_at = arrays["node_at"], arrays["entry_at"]
        self._edge_token, self._edge_node = arrays["edge_token"], arrays["edge_node"]
        self._tokens: dict[str, int] = {}
        self._lemmas: dict[str, str] = {}
        self._edges: dict[tuple[int, int], int] = {}
        self._entries: dict[int, tuple[Entry, ...]] = {}
        self._numbers: dict[tuple[str, str], int] = {}
        self._bags: dict[int, tuple[Bag, ...]] = {}

    def tokens(self, forms: list[str]) -> list[int]:
        """Return the token of every word, -1 where no label has it in any form."""
        known = self._tokens
        if len(known) > _KEPT:
            known.clear()
        for form in set(forms).difference(known):
            known[form] = self._token(form)
        return [known[form] for form in forms]

    def literal(self, gap: str, word: str) -> int:
        """Return the token of a word that marks stand before, -1 where no label has both."""
        for token in (stem(self.lemma(word)), STEM + fold(key(word))):
            place = self.form(gap + token)
            if place >= 0:
                return self.arrays["form_token"][place]
        return -1

    def _token(self, word: str) -> int:
        place = self._place(word)
        return self.arrays["form_token"][place] if place >= 0 else -1

    def _place(self, word: str) -> int:
        """Return the number of the form that ``word`` is, or is another form of; else -1."""
        lower = key(word)
        if _several(word):
            place = self.form(STEM + fold(lower[:-1]))
            if place >= 0:
                return place
        if shouted(word):
            folded = fold(lower)
            place = self.form(STEM + folded)
            if place >= 0:
                return place
            place = self.form(folded)
            return place if place >= 0 and self._lemma_text(place) == folded else -1
        place = self.form(lower)
        if place >= 0:
            return place
        folded = fold(lower)
        base = rule_lemma(folded)
        for candidate in (folded, base, *_learned(folded)):
            place = self.form(candidate)
            if place >= 0:
                return place
        return self.form(stem(base))

    def lemma(self, word: str) -> str:
        """Return the lemma of a word of a text, as far as the index knows it."""
        found = self._lemmas.get(word)
        if found is None:
            if len(self._lemmas) > _KEPT:
                self._lemmas.clear()
            place = self._place(word)
            found = self._lemma_text(place) if place >= 0 else STEM
            if found.startswith(STEM):
                found = _bare_lemma(word)
            self._lemmas[word] = found
        return found

    def _lemma_text(self, place: int) -> str:
        return self.form_text(self.arrays["form_lemma"][place])

    def form(self, form: str) -> int:
        """Return the number of a form, -1 where it is none."""
        wanted = form.encode("utf-8", "surrogatepass")
        place = token_hash(wanted) & self._mask
        while number := self._table[place]:
            if self._form_text[self._form_at[number - 1] : self._form_at[number]] == wanted:
                return number - 1
            place = (place + 1) & self._mask
        return -1

    def form_text(self, number: int) -> str:
        """Return a form by its number."""
        return self.text("form", number)

    def step(self, node: int, token: int) -> int:
        """Return the node that ``token`` leads to, 0 for none."""
        edge = (node, token)
        found = self._edges.get(edge)
        if found is None:
            if len(self._edges) > _KEPT:
                self._edges.clear()
            low, high = self._node_at[node], self._node_at[node + 1]
            place = bisect_left(self._edge_token, token, low, high)
            here = place < high and self._edge_token[place] == token
            found = self._edges[edge] = self._edge_node[place] if here else 0
        return found

    def is_leaf(self, node: int) -> bool:
        """Tell whether no label goes on from ``node``."""
        return self._node_at[node] == self._node_at[node + 1]

    def has_entries(self, node: int) -> bool:
        """Tell whether a label ends at ``node``."""
        return self._entry_at[node] != self._entry_at[node + 1]

    def entries(self, node: int) -> tuple[Entry, ...]:
        """Return the labels that end at ``node``."""
        found = self._entries.get(node)
        if found is None:
            if len(self._entries) > _KEPT:
                self._entries.clear()
            places = range(self._entry_at[node], self._entry_at[node + 1])
            found = self._entries[node] = tuple(map(self.entry, places))
        return found

    def entry(self, place: int) -> Entry:
        """Return one label's end."""
        arrays = self.arrays
        kind = arrays["entry_kind"][place]
        return Entry(
            self.concept(arrays["entry_concept"][place], KINDS[kind & ~CAPITALS]),
            bool(kind & CAPITALS),
            self.text("mark", arrays["entry_before"][place]),
            self.text("mark", arrays["entry_after"][place]),
            tuple(self.text("label", arrays["entry_label"][place]).split(" ")),
            arrays["entry_how"][place],
        )

    def concept(self, number: int, kind: str) -> MatchedConcept:
        """Return a concept by its number, as one found by a label of this kind."""
        iri, curie, label = (
            self.text("concept", CONCEPT_PARTS * number + part) for part in range(3)
        )
        ontology = self.ontologies[self.arrays["concept_ontology"][number]]
        self._numbers[ontology, iri] = number
        return MatchedConcept(ontology, iri, curie, label, kind)

    def gloss(self, ontology: str, iri: str) -> str:
        """Return label, definition and neighbours of a concept that was found before."""
        number = self._numbers.get((ontology, iri))
        if number is None:
            return ""
        label, gloss = (self.text("concept", CONCEPT_PARTS * number + part) for part in (2, 3))
        return f"{label}. {gloss}" if gloss else label

    def concepts(self) -> Iterator[MatchedConcept]:
        """Yield every concept that has a label, as if found by its preferred one."""
        for number in range(len(self.arrays["concept_ontology"])):
            yield self.concept(number, KINDS[0])

    def bags(self, token: int) -> tuple[Bag, ...]:
        """Return the bags that are found by ``token``."""
        found = self._bags.get(token)
        if found is None:
            if len(self._bags) > _KEPT:
                self._bags.clear()
            at, word_at = self.arrays["bag_at"], self.arrays["bag_word_at"]
            words, entry = self.arrays["bag_word"], self.arrays["bag_entry"]
            found = self._bags[token] = tuple(
                (frozenset(words[word_at[bag] : word_at[bag + 1]]), entry[bag])
                for bag in range(at[token], at[token + 1])
            )
        return found

    def text(self, section: str, number: int) -> str:
        """Return a string of a section by its number."""
        at = self.arrays[f"{section}_at"]
        text = self.arrays[f"{section}_text"][at[number] : at[number + 1]]
        return bytes(text).decode("utf-8", "surrogatepass")


def _several(word: str) -> bool:
    """Tell whether a word is the plural of an abbreviation: "GPs"."""
    return len(word) > 2 and word[-1] == "s" and shouted(word[:-1])


def _bare_lemma(word: str) -> str:
    if _several(word):
        return fold(key(word[:-1]))
    folded = fold(key(word))
    return folded if shouted(word) else rule_lemma(folded)


def _learned(word: str) -> list[str]:
    """Return what the singular of a Latin or Greek plural might be."""
    if len(word) < 5:
        return []
    return [
        word[: len(word) - len(plural)] + singular
        for plural, singular in form_rules().learned
        if word.endswith(plural)
    ]
