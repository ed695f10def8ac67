"""Strings as arrays: numbered texts, the hash table of forms, and long words near misspellings."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from ontology.errors import OntologyError
from ontology.index.forms import STEM, dictionary_hashes, fold, inflected, lemma, stem
from ontology.index.layout import token_hash

MAX_TEXT = 2**32 - 1
NEAR_LETTERS = 6
"""Shorter words are never taken as misspelt."""


class Numbered:
    """Strings numbered in order of arrival."""

    def __init__(self, *first: str) -> None:
        self.numbers = {text: number for number, text in enumerate(first)}

    def of(self, text: str) -> int:
        """Return the number of ``text``, a new one where it has none."""
        return self.numbers.setdefault(text, len(self.numbers))


def packed(texts: Sequence[str]) -> tuple[bytes, bytes]:
    """Return where each text begins (``I``, and the end), and the texts in UTF-8."""
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


def form_sections(words: Numbered, tokens: Numbered, *, known: bool) -> dict[str, bytes]:
    """Return the table of forms: words of labels, their other forms, and the tokens themselves.

    ``words`` are the keys of labels' words. With ``known`` the words that are near a long one but
    right are told too, so that no word of the language is taken for a misspelling.
    """
    forms = Numbered()
    lemmas: dict[int, int] = {}
    token: dict[int, int] = {}

    def add(form: str, base: str, number: int) -> None:
        place = forms.of(form)
        if place not in token:
            lemmas[place] = forms.of(base)
            token[place] = number

    bases: dict[str, int] = {}
    for word in words.numbers:
        folded = fold(word)
        base = lemma(folded)
        number = tokens.numbers.get(stem(base), -1)
        if number < 0:
            base = folded
            number = tokens.numbers.get(STEM + folded, -1)
        if number >= 0:
            bases.setdefault(base, number)
            add(word, base, number)
            add(folded, base, number)
    for base, number in bases.items():
        add(base, base, number)
    for form, base in inflected(bases.keys()):
        add(form, base, bases[base])
    for text, number in tokens.numbers.items():
        add(text, text, number)
    count = len(forms.numbers)
    for place in range(count):
        lemmas.setdefault(place, place)
    at, texts = packed(list(forms.numbers))
    return {
        "form_at": at,
        "form_text": texts,
        "form_table": _table(forms),
        "form_lemma": array("I", [lemmas[i] for i in range(count)]).tobytes(),
        "form_token": array("I", [token.get(i, 0) for i in range(count)]).tobytes(),
        **_near_sections(words, forms, known=known),
    }


def _near_sections(words: Numbered, forms: Numbered, *, known: bool) -> dict[str, bytes]:
    """Return the long words of labels, which a misspelt word may be near to."""
    folded = {fold(word) for word in words.numbers}
    near = sorted(
        word
        for word in folded
        if len(word) >= NEAR_LETTERS and word.isalpha() and word in forms.numbers
    )
    hashes = dictionary_hashes(NEAR_LETTERS) if known and near else array("I")
    return {
        "near_form": array("I", [forms.of(word) for word in near]).tobytes(),
        "near_letters": array("I", map(letters_of, near)).tobytes(),
        "known": hashes.tobytes(),
    }


def letters_of(word: str) -> int:
    """Return the letters of ``word`` as bits."""
    found = 0
    for char in word:
        found |= 1 << (ord(char) % 32)
    return found


def _table(forms: Numbered) -> bytes:
    """Return an open-addressing hash table of at most half its places taken."""
    size = 1 << max(4, (2 * len(forms.numbers)).bit_length())
    table = array("I", bytes(4 * size))
    for form, number in forms.numbers.items():
        place = token_hash(form.encode("utf-8", "surrogatepass")) & (size - 1)
        while table[place]:
            place = (place + 1) & (size - 1)
        table[place] = number + 1
    return table.tobytes()
