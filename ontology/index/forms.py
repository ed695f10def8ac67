"""Forms of a word that meet: folded, lemma, and the stem its adjectives and nouns share.

Three levels, each coarser than the one before: ``fold`` takes away diacritics and British spelling,
``lemma`` inflection, ``stem`` the endings that adjectives and nouns of one thing exchange. The
rules are data (``ontology/data/forms.toml``); inflections of everyday English come from the
dictionary of simplemma and are looked up only while an index is compiled.
"""

from __future__ import annotations

import hashlib
import tomllib
import unicodedata
from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib import resources
from typing import Any, NamedTuple

from ontology.index.layout import token_hash
from ontology.spelling import american, british

STEM = "~"
"""Stands before a stem, so that it is never taken for a word."""

FEW = 2_000
"""For fewer lemmas the dictionary is turned round once, for more it is read through."""

SHORT = 3
"""A word of so few letters has no inflected form."""
SHOUTED = 5
"""A word of so few letters that stands in capitals is taken as an abbreviation."""
_LETTERS = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ł": "l", "ß": "ss", "ı": "i"})


class FormRules(NamedTuple):
    """``forms.toml``, read."""

    function: frozenset[str]
    joins: frozenset[str]
    true_joins: frozenset[str]
    breaks: frozenset[str]
    modifiers: frozenset[str]
    kinds: frozenset[str]
    apart: frozenset[str]
    copulas: frozenset[str]
    adverbs: tuple[str, ...]
    always: tuple[tuple[str, str, int], ...]
    plural: tuple[tuple[str, str, int], ...]
    learned: tuple[tuple[str, str], ...]
    irregular: Mapping[str, str]
    finding: tuple[tuple[str, str, int], ...]
    endings: tuple[tuple[str, str, int], ...]
    keep: frozenset[str]
    families: Mapping[str, str]
    pattern_first: frozenset[str]
    pattern_last: frozenset[str]
    opposite_beginnings: tuple[tuple[str, str], ...]
    negatives: tuple[str, ...]
    opposite_endings: tuple[tuple[str, str], ...]


def _bytes() -> bytes:
    return (resources.files("ontology") / "data" / "forms.toml").read_bytes()


@cache
def forms_hash() -> str:
    """Return the sha256 of the rules, for what is made with them."""
    return hashlib.sha256(_bytes()).hexdigest()


@cache
def form_rules() -> FormRules:
    """Return the rules."""
    found: dict[str, Any] = tomllib.loads(_bytes().decode())
    families: dict[str, str] = {}
    for group in found["families"]["groups"]:
        head = families.get(group[0], group[0])
        for word in group:
            families.setdefault(word, head)
    derivation, opposites = found["derivation"], found["opposites"]
    return FormRules(
        frozenset(found["function"]["words"]),
        frozenset(found["function"]["joins"]),
        frozenset(found["function"]["true_joins"]),
        frozenset(found["function"]["breaks"]),
        frozenset(found["function"]["modifiers"]),
        frozenset(found["function"]["kinds"]),
        frozenset(found["function"]["apart"]),
        frozenset(found["function"]["copulas"]),
        tuple(found["function"]["adverbs"]),
        tuple(map(tuple, found["plural"]["always"])),
        tuple(map(tuple, found["plural"]["endings"])),
        tuple(map(tuple, found["plural"]["learned"])),
        found["irregular"],
        tuple(sorted(map(tuple, derivation["finding"]), key=lambda rule: -len(rule[0]))),
        tuple(sorted(map(tuple, derivation["any"]), key=lambda rule: -len(rule[0]))),
        frozenset(derivation["keep"]),
        families,
        frozenset(found["patterns"]["first"]),
        frozenset(found["patterns"]["last"]),
        tuple(map(tuple, opposites["beginnings"])),
        tuple(opposites["negatives"]),
        tuple(map(tuple, opposites["endings"])),
    )


@lru_cache(maxsize=1 << 16)
def fold(key: str) -> str:
    """Return a word's key without diacritics and ligatures, in American spelling."""
    if not key.isascii():
        apart = unicodedata.normalize("NFKD", key.translate(_LETTERS))
        key = unicodedata.normalize("NFC", "".join(c for c in apart if not _mark(c)))
    return american(key)


def _mark(char: str) -> bool:
    return unicodedata.category(char) == "Mn"


def rule_lemma(folded: str) -> str:
    """Return the singular of a folded word by rules alone."""
    rules = form_rules()
    if len(folded) <= SHORT or not folded.isalpha():
        return folded
    known = rules.irregular.get(folded)
    if known is not None:
        return known
    for ending, singular, shortest in (*rules.always, *rules.plural):
        if folded.endswith(ending) and len(folded) >= shortest:
            return folded[: len(folded) - len(ending)] + singular
    return folded


def lemma(folded: str) -> str:
    """Return the lemma of a folded word: irregular, else the dictionary's, else by rules."""
    rules = form_rules()
    if len(folded) <= SHORT or not folded.isalpha():
        return folded
    if folded in rules.irregular:
        return rules.irregular[folded]
    for ending, singular, shortest in rules.always:
        if folded.endswith(ending) and len(folded) >= shortest:
            return folded[: len(folded) - len(ending)] + singular
    found = _dictionary().get(folded) or _dictionary().get(british(folded))
    if found is None:
        return rule_lemma(folded)
    base = american(found)
    return base if _inflects(folded, base) else folded


def _inflects(form: str, base: str) -> bool:
    """Tell whether ``base`` is near enough to ``form`` for one to be the other inflected."""
    same = min(3, len(base), len(form))
    return base[:same] == form[:same] and len(base) > 2 and base.isalpha()


def inflected(lemmas: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield (folded form, lemma) for every inflected form that the dictionary has of ``lemmas``."""
    rules = form_rules()
    wanted = {british(each): each for each in lemmas} | {each: each for each in lemmas}
    for form, base in _forms_of(wanted):
        if form != base and form.isalpha() and form.islower():
            folded = american(form)
            if lemma(folded) == wanted[base]:
                yield folded, wanted[base]
    for form, base in rules.irregular.items():
        if base in wanted:
            yield form, base


def _forms_of(lemmas: Collection[str]) -> Iterator[tuple[str, str]]:
    if len(lemmas) < FEW:
        for base in lemmas:
            for form in _by_lemma().get(base, ()):
                yield form, base
        return
    for form, base in _dictionary().items():
        if base in lemmas:
            yield form, base


@cache
def _by_lemma() -> Mapping[str, Sequence[str]]:
    found: dict[str, list[str]] = {}
    for form, base in _dictionary().items():
        if form != base:
            found.setdefault(base, []).append(form)
    return found


@cache
def dictionary_hashes(shortest: int) -> array[int]:
    """Return the hashes of the dictionary's words of at least ``shortest`` letters, in order."""
    words = (word.lower() for word in _dictionary() if len(word) >= shortest)
    return array("I", sorted({token_hash(word.encode()) for word in words}))


@cache
def _dictionary() -> Mapping[str, str]:
    from simplemma.strategies.dictionaries.dictionary_factory import DefaultDictionaryFactory

    return dict(DefaultDictionaryFactory().get_dictionary("en").items())


@cache
def common_words() -> frozenset[str]:
    """Return everyday words, which stand for no label by another form."""
    text = (resources.files("ontology") / "data" / "common_words.txt").read_text("utf-8")
    lines = text.splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Return what a lemma shares with the adjectives and nouns of the same thing."""
    rules = form_rules()
    head = rules.families.get(word.removesuffix("ly") if word.endswith("ally") else word)
    if head is not None:
        return STEM + head
    if not word.isalpha() or len(word) <= SHORT:
        return STEM + word
    if word in rules.keep:
        return STEM + word
    for ending, other, left in rules.finding:
        if word.endswith(ending) and len(word) - len(ending) >= left:
            word = word[: len(word) - len(ending)] + other
            break
    for ending, other, left in rules.endings:
        if word.endswith(ending) and len(word) - len(ending) >= left:
            word = word[: len(word) - len(ending)] + other
            break
    # What is left of "fare" is not "far", a word so short that it has no endings.
    return STEM + word + (STEM if len(word) <= SHORT else "")


def finding_stem(word: str) -> str:
    """Return the noun that a finding's adjective stands for: what a one-word label may be met by."""
    for ending, other, left in form_rules().finding:
        if word.endswith(ending) and len(word) - len(ending) >= left:
            return word[: len(word) - len(ending)] + other
    return word
