"""Words that are nearly a label's: one letter or two wrong in a long word, never another word."""

from __future__ import annotations

from bisect import bisect_left

from ontology.index.forms import fold, form_rules, rule_lemma
from ontology.index.layout import token_hash
from ontology.index.reader import Reader
from ontology.index.tables import NEAR_LETTERS, letters_of
from ontology.tokens import key

TWO_EDITS = 12
"""Letters from which a word may have two mistakes."""


class NearWords:
    """Find the word of a label that a misspelt word is meant to be."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._forms = reader.arrays["near_form"]
        self._letters = reader.arrays["near_letters"]
        self._known = reader.arrays["known"]
        self._found: dict[str, str] = {}

    def correct(self, word: str, fewest: int) -> str:
        """Return the only label word near ``word``, "" for none, or where it is a right word.

        Damerau–Levenshtein distance 1, from ``TWO_EDITS`` letters 2; the first letter is right.
        """
        found = self._found.get(word)
        if found is None:
            if len(self._found) > 1 << 16:
                self._found.clear()
            found = self._found[word] = self._correct(key(word))
        return found if len(word) >= max(fewest, NEAR_LETTERS) else ""

    def _correct(self, written: str) -> str:
        word = fold(written)
        if len(word) < NEAR_LETTERS or not word.isalpha() or not word.isascii():
            return ""
        if any(map(self._is_known, (written, word, rule_lemma(word)))):
            return ""
        low, high = self._place(word[0]), self._place(chr(ord(word[0]) + 1))
        most = 2 if len(word) >= TWO_EDITS else 1
        letters = letters_of(word)
        best: list[str] = []
        nearest = most + 1
        for place in range(low, high):
            if (self._letters[place] ^ letters).bit_count() > 2 * most:
                continue
            other = self._reader.form_text(self._forms[place])
            if abs(len(other) - len(word)) > most:
                continue
            distance = edits(word, other, most)
            if distance > most or distance > nearest or opposite(word, other):
                continue
            if distance < nearest:
                nearest, best = distance, []
            best.append(other)
        return best[0] if len({self._reader.lemma(each) for each in best}) == 1 else ""

    def _is_known(self, word: str) -> bool:
        wanted = token_hash(word.encode("utf-8", "surrogatepass"))
        place = bisect_left(self._known, wanted)
        return place < len(self._known) and self._known[place] == wanted

    def _place(self, prefix: str) -> int:
        low, high = 0, len(self._forms)
        while low < high:
            middle = (low + high) // 2
            if self._reader.form_text(self._forms[middle]) < prefix:
                low = middle + 1
            else:
                high = middle
        return low


def edits(one: str, other: str, most: int) -> int:
    """Return the optimal string alignment distance, ``most`` + 1 where it is more."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, char in enumerate(one, 1):
        last, before, row = before, row, [i]
        for j, letter in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (char != letter))
            if i > 1 and j > 1 and char == other[j - 2] and one[i - 2] == letter:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)


def opposite(one: str, other: str) -> bool:
    """Tell whether two words differ in what they say: hypo- and hyper-, a- and none, -itis and -osis."""
    rules = form_rules()
    for left, right in rules.opposite_beginnings:
        if (one.startswith(left) and other.startswith(right) and not other.startswith(left)) or (
            one.startswith(right) and other.startswith(left) and not one.startswith(left)
        ):
            return True
    for negative in rules.negatives:
        if one == negative + other or other == negative + one:
            return True
    return any(
        (one.endswith(left) and other.endswith(right))
        or (one.endswith(right) and other.endswith(left))
        for left, right in rules.opposite_endings
    )
