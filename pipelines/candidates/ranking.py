"""Rank counted sequences as candidate terms by C-value.

Frantzi, Ananiadou and Mima 2000, *Int. J. on Digital Libraries* 3: a sequence of ``n`` words that
occurs ``f`` times scores log2(n) · f, less the mean frequency of the longer candidates that it is
part of. Single words score as with 1 + log2(n) (Barrón-Cedeño et al. 2009), so that they are
ranked too. The paper's part-of-speech filter is replaced by what the neighbours of a sequence
tell: determiners and prepositions stand before nouns, pronouns and auxiliaries before verbs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import log2

from ontology.check import common_words
from pipelines.candidates.counting import Counts, Place, Tally
from pipelines.candidates.words import LONGEST, OF, words

NOUN_SHARE = 0.5
"""Least share of noun neighbours among those that tell of a noun, a verb or an adjective."""
NAME_SHARE = 0.8
"""Share of occurrences in capitals above which a sequence is a name, if articles are few."""
ARTICLES = 0.2
"""Least share of occurrences right after an article for what is a noun in spite of its looks."""
ALONE_SHARE = 0.2
"""Least share of neighbours that tell of a noun among the occurrences of a single word."""
END_SHARE = 0.3
"""Least share of occurrences that end a run: others are the fore part of something longer."""
OF_SHARE = 0.25
"""Least share of "X of Y" among the occurrences of X, or of Y, for it to be one term."""
ENDS_ALONE = 0.5
"""The same of a single word: what mostly stands before another word is an adjective."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sequence of words that may be a term, with the words of the user's documents for it.

    ``label`` is its commonest form, ``forms`` the others; ``places`` are its first occurrences in
    different documents; ``score`` is the C-value.
    """

    label: str
    forms: tuple[str, ...]
    score: float
    count: int
    documents: int
    places: tuple[Place, ...]


def rank(
    counts: Counts,
    *,
    least: int = 2,
    least_documents: int = 2,
    names: bool = False,
    accepts: Callable[[str], bool] = lambda label: True,
    limit: int = 100,
) -> list[Candidate]:
    """Return the ``limit`` best candidates that ``accepts`` lets pass, by C-value, then label.

    Proper names are left out unless ``names``.
    """
    fit = {
        key: tally
        for key, tally in counts.tallies.items()
        if tally.count >= least + (" " not in key)
        and tally.documents >= least_documents
        and (_is_term(key, counts) or (names and _is_name(tally) and tally.ends))
    }
    scores = c_values({key: tally.count for key, tally in fit.items()})
    ranked = sorted(scores, key=lambda key: (-scores[key], -fit[key].count, key))
    found: list[Candidate] = []
    for key in ranked:
        if len(found) == limit or scores[key] <= 0:
            break
        tally = fit[key]
        if not names and _is_name(tally):
            continue
        label, *forms = _forms(tally)
        if accepts(label) and accepts(key):
            found.append(
                Candidate(
                    *(label, tuple(forms), round(scores[key], 4), tally.count, tally.documents),
                    tuple(tally.places),
                )
            )
    return found


def c_values(counts: dict[str, int]) -> dict[str, float]:
    """Return the C-value of every sequence (words joined by a space) from its count."""
    nested: dict[str, tuple[int, int]] = {}
    for key, count in counts.items():
        parts = key.split(" ")
        inside = {
            " ".join(parts[i:j])
            for i in range(len(parts))
            for j in range(i + 1, min(i + LONGEST, len(parts)) + 1)
            if j - i < len(parts)
        }
        for part in inside & counts.keys():
            total, longer = nested.get(part, (0, 0))
            nested[part] = (total + count, longer + 1)
    values = {}
    for key, count in counts.items():
        total, longer = nested.get(key, (0, 1))
        length = sum(part != OF for part in key.split(" "))
        values[key] = (1 + log2(length)) * (count - total / longer)
    return values


def _is_term(key: str, counts: Counts) -> bool:
    parts = key.split(" ")
    tally = counts.tallies[key]
    known = words()
    if len(parts) == 1 and not _stands_alone(key, tally):
        return False
    if len(set(parts)) < len(parts) or all(part in known.not_alone for part in parts):
        return False
    if tally.ends < END_SHARE * tally.count or not _is_noun(tally):
        return False
    if OF in parts and not _holds_together(key, counts):
        return False
    last = counts.tallies.get(parts[-1], tally)
    if not tally.noun and not last.noun:
        return False
    return _is_noun(last) and not any(
        _is_verb(counts.tallies[part]) for part in parts[:-1] if part in counts.tallies
    )


def _holds_together(key: str, counts: Counts) -> bool:
    """Return whether "X of Y" is a good part of all the X, or of all the Y, that there is."""
    sides = key.split(f" {OF} ")
    if sides[0] in words().not_alone:
        return False
    wholes = [counts.tallies[side].count for side in sides if side in counts.tallies]
    return any(counts.tallies[key].count >= OF_SHARE * whole for whole in wholes)


def _stands_alone(word: str, tally: Tally) -> bool:
    """Return whether a single word may be a term: its neighbours have to speak for it."""
    known = words()
    if len(word) < 3 or len(set(word)) < 3:
        return False
    if word in known.not_alone or word in known.last_only or word in common_words():
        return False
    if word.endswith("ed") and len(word) > 5:
        return False
    if word.endswith(("ing", "ly")) and tally.determined < ARTICLES * tally.count:
        return False
    return tally.ends >= ENDS_ALONE * tally.count and tally.noun >= ALONE_SHARE * tally.count


def _is_noun(tally: Tally) -> bool:
    told = tally.noun + tally.verb + tally.adjective
    return tally.noun >= NOUN_SHARE * told


def _is_verb(tally: Tally) -> bool:
    return tally.verb > max(2, tally.noun + tally.adjective)


def _is_name(tally: Tally) -> bool:
    if not tally.spoken:
        return False
    return tally.named > NAME_SHARE * tally.spoken and tally.determined < ARTICLES * tally.count


def _forms(tally: Tally) -> list[str]:
    """Return the forms, commonest first; those that differ in capitals only are one.

    A long s is an s. Small letters are chosen where they occur at all, but for names and where
    most write capitals throughout; old print gives every noun a capital that says nothing.
    """
    name = _is_name(tally)
    by_case: dict[str, dict[str, int]] = {}
    for form, times in tally.forms.items():
        form = form.replace("\u017f", "s")
        opened = form[:1].isupper() and not any(letter.isupper() for letter in form[1:])
        if opened and not name and (" " not in form or not tally.named):
            form = form.lower()
        same = by_case.setdefault(form.casefold(), {})
        same[form] = same.get(form, 0) + times
    chosen = []
    for folded, forms in by_case.items():
        best = max(forms, key=lambda form: (forms[form], form))
        if folded in forms and not name and best.istitle():
            best = folded
        chosen.append((-sum(forms.values()), best))
    return [form for _, form in sorted(chosen)]
