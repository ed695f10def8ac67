"""How far the words of a text are from a label's: the method by which they match, and a score."""

from __future__ import annotations

from collections.abc import Sequence

from ontology.index.forms import common_words, finding_stem, fold, form_rules
from ontology.index.reader import Reader
from ontology.index.types import (
    COORDINATION,
    DERIVATION,
    JOINED,
    LABEL,
    LEMMA,
    METHODS,
    ORDER,
    PATTERN,
    QUALIFIER,
    SPELLING,
    STRIPPED,
    Entry,
    Mechanisms,
)
from ontology.tokens import key

SCORES = {
    LABEL: 1.0,
    SPELLING: 0.98,
    LEMMA: 0.95,
    QUALIFIER: 0.8,
    ORDER: 0.85,
    COORDINATION: 0.8,
}
DERIVED, INFLECTED, SHORTENED = 0.9, 0.99, 0.85
"""What a word of another part of speech costs, one inflected, and a last word left out."""
ACTION_LETTERS = 6
_RANK = {method: rank for rank, method in enumerate(METHODS)}


def word_grade(reader: Reader, form: str, wanted: str) -> str:
    """Return how a word of a text, which has the label word's token, is like the label's word."""
    own = key(form)
    if own == wanted:
        return LABEL
    if fold(own) == fold(wanted):
        return SPELLING
    if reader.lemma(form) == reader.lemma(wanted):
        return LEMMA
    return DERIVATION


def grade(
    reader: Reader, forms: Sequence[str], entry: Entry, mechanisms: Mechanisms
) -> tuple[str, float] | None:
    """Return method and score of words in the label's own order; None where they are not wanted."""
    method, score = LABEL, 1.0
    if entry.how & JOINED:
        method, score = SPELLING, SCORES[SPELLING]
    for form, wanted in zip(forms, entry.keys, strict=True):
        found = word_grade(reader, form, wanted)
        if not mechanisms.allows(found) or (found not in (LABEL, SPELLING) and _is_break(form)):
            return None
        score = score * DERIVED if found == DERIVATION else min(score, SCORES[found])
        method = max(method, found, key=_RANK.__getitem__)
    if len(forms) == 1 and not _same_word(reader, forms[0], entry, method):
        return None
    if entry.how & PATTERN:
        method, score = max(method, ORDER, key=_RANK.__getitem__), score * SCORES[ORDER] * SHORTENED
    if entry.how & STRIPPED:
        method, score = QUALIFIER, score * SCORES[QUALIFIER]
    if not mechanisms.allows(method):
        return None
    return method, score


def bag_grade(
    reader: Reader,
    forms: Sequence[str],
    entry: Entry,
    mechanisms: Mechanisms,
    method: str,
) -> float | None:
    """Return the score of words in another order than the label's; None where they are not wanted."""
    keys, lemmas = set(entry.keys), {reader.lemma(each) for each in entry.keys}
    score = SCORES[method]
    for form in forms:
        if key(form) in keys:
            continue
        found = LEMMA if reader.lemma(form) in lemmas else DERIVATION
        if not mechanisms.allows(found) or _is_break(form):
            return None
        score *= DERIVED if found == DERIVATION else INFLECTED
    if entry.how & PATTERN:
        score *= SHORTENED
    return score * SCORES[QUALIFIER] if entry.how & STRIPPED else score


def _is_action(word: str) -> bool:
    return word.endswith(("ing", "ings"))


def _inflection(lemma: str, own: str, wanted: str) -> bool:
    """Tell whether ``own`` may be another form of the label's word, and not only looks like one.

    A participle is not met by its verb, nor a plural ("parks") by a participle ("parked").
    """
    if own in common_words() or (lemma in common_words() and not own.endswith("s")):
        return False  # "called" is no calling
    if wanted.endswith("s") and wanted != lemma:
        return own not in form_rules().apart and not own.endswith("ed")
    return wanted.endswith("ed") <= own.endswith("ed")


def _is_break(form: str) -> bool:
    """Tell whether a word links phrases ("affecting") and so is no form of a label's word."""
    return key(form) in form_rules().breaks


def _same_word(reader: Reader, form: str, entry: Entry, method: str) -> bool:
    """Tell whether a single word is near enough to a label of one word.

    An adjective has to name the same finding, and a short noun is not what an action in "-ing" is
    about: "mouth" is no mouthing. Everyday words stand for themselves only.
    """
    wanted = entry.keys[0]
    if method == DERIVATION:
        return finding_stem(reader.lemma(form)) == finding_stem(reader.lemma(wanted))
    own = key(form)
    if method == LEMMA and not _inflection(reader.lemma(form), own, wanted):
        return False
    if method == LEMMA and _is_action(wanted) != _is_action(own):
        return own.endswith("ed") or len(reader.lemma(form)) >= ACTION_LETTERS
    return True
