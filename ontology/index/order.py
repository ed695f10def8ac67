"""Labels whose words stand in another order, or share words with others: "heart and kidney failure".

A label's words count as found when nothing stands between the first and the last of them but
function words, or words that are coordinated with one of them: what is skipped then begins or ends
with "and", "or", a comma or a slash, on the side of the word they share.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, product

from ontology.index.forms import form_rules
from ontology.index.grade import bag_grade
from ontology.index.reader import Reader
from ontology.index.types import COORDINATION, ORDER, Entry, Mechanisms
from ontology.index.words import COMMA, HARD, LOOSE, POSSESSIVE, SLASH, Words

MOST_SKIPPED = 6
"""Words of other members of a coordination that may stand between two words of a label."""
_CROSSED = frozenset((LOOSE, POSSESSIVE, COMMA, SLASH))
_JOIN, _WEAK, _SKIPPED, _COPULA, _BREAK = "j", "c", "s", "i", "!"
_REPEATED = re.compile(r"(?:[jc]+ss?)+|(?:ss?[jc]+)+")
_NEW = ("a", "an")
"""After a join they begin another noun phrase."""
_PARALLEL = re.compile(r"(?:[jc]+s)+|(?:s[jc]+)+")
"""One word for each member: "short, broad and flat" thumbs, cleft "lip and" palate."""


def bag_spans(
    reader: Reader, words: Words, place: int, token: int, mechanisms: Mechanisms
) -> Iterator[tuple[int, int, Entry, str, float]]:
    """Yield (first word, last word, entry, method, score) for labels with ``token`` at ``place``."""
    low, high = _reach(words, place, mechanisms.window)
    present = set(words.tokens[low:high])
    at: dict[int, list[int]] | None = None
    for rest, number in reader.bags(token):
        if not rest <= present:
            continue
        if at is None:
            at = {}
            for position in range(low, high):
                at.setdefault(words.tokens[position], []).append(position)
        found = _nearest(words, place, [at[each] for each in rest], mechanisms)
        if found is None:
            continue
        positions, method = found
        entry = reader.entry(number)
        forms = [words.forms[position] for position in positions]
        last = reader.tokens([entry.keys[-1]])[0]
        if words.tokens[positions[-1]] != last and _modifies(words, positions[-1]):
            continue
        score = bag_grade(reader, forms, entry, mechanisms, method)
        if score is not None:
            yield positions[0], positions[-1], entry, method, score


def _reach(words: Words, place: int, window: int) -> tuple[int, int]:
    """Return the stretch around ``place`` that a label may lie in."""
    kinds = words.kinds
    low, least = place, max(0, place - window + 1)
    while low > least and kinds[low] in _CROSSED:
        low -= 1
    high, most = place + 1, min(len(words), place + window)
    while high < most and kinds[high] in _CROSSED:
        high += 1
    return low, high


def _nearest(
    words: Words, place: int, others: Sequence[Sequence[int]], mechanisms: Mechanisms
) -> tuple[list[int], str] | None:
    """Return the shortest stretch with all the words that makes one label, and how it does."""
    choices = []
    for positions in others:
        left = [each for each in positions if each < place][-1:]
        right = [each for each in positions if each > place][:1]
        choices.append(left + right)
    best: tuple[list[int], str] | None = None
    for combination in product(*choices):
        positions = sorted((place, *combination))
        width = positions[-1] - positions[0] + 1
        if width > mechanisms.window or (best and width >= best[0][-1] - best[0][0] + 1):
            continue
        method = _method(words, positions)
        if method is not None and mechanisms.allows(method):
            best = positions, method
    return best


def _method(words: Words, positions: Sequence[int]) -> str | None:
    """Return ORDER where only function words lie between, COORDINATION where others share a word."""
    method = ORDER
    tokens = {words.tokens[position] for position in positions}
    for left, right in pairwise(positions):
        if right == left + 1 and words.kinds[right] not in (COMMA, SLASH):
            continue
        between = _between(words, left, right)
        if not between:
            continue
        if between == _WEAK and not _heading(words, positions, right):
            return None
        if between in (_WEAK, _COPULA):
            continue
        repeated = sum(words.tokens[each] in tokens for each in range(left + 1, right))
        if _SKIPPED not in between or not _coordinated(words, between, right, repeated > 0):
            return None
        method = COORDINATION
    return method


def _heading(words: Words, positions: Sequence[int], right: int) -> bool:
    """Tell whether words after a comma stand as in a heading: "barn, threshing"."""
    commas = sum(words.kinds[each] == COMMA for each in range(positions[0] + 1, positions[-1] + 1))
    before = positions[0] == 0 or words.kinds[positions[0]] == HARD
    return commas == 1 and before and not _modifies(words, positions[-1])


def _between(words: Words, left: int, right: int) -> str:
    """Return what stands between two words: joins, weak joins and skipped words, a letter each."""
    rules = form_rules()
    found = []
    for place in range(left + 1, right + 1):
        kind = words.kinds[place]
        if kind == COMMA:
            found.append(_WEAK)
        elif kind == SLASH:
            found.append(_JOIN)
        if place == right:
            break
        form = words.forms[place].lower()
        if form in rules.true_joins:
            found.append(_JOIN)
        elif form in rules.joins:
            found.append(_WEAK)
        elif form in rules.copulas:
            found.append(_COPULA)
        elif form in rules.modifiers and not found:
            continue
        elif form in rules.breaks or (form in _NEW and found and found[-1] != _SKIPPED):
            return _BREAK
        elif form not in rules.function and not form.endswith(rules.adverbs):
            found.append(_SKIPPED)
    return "".join(found)


def _coordinated(words: Words, between: str, right: int, repeated: bool) -> bool:
    """Tell whether what is skipped are other members of a coordination that share a word.

    A member is one word; two where one of them is ``repeated``: "type 1 and type 2 diabetes".
    """
    pattern = _REPEATED if repeated else _PARALLEL
    if between.count(_SKIPPED) > MOST_SKIPPED or not pattern.fullmatch(between):
        return False
    if between[0] != _SKIPPED:
        return _JOIN in between
    if _modifies(words, right) or _heads(words, right):
        return False
    return _JOIN in between or _goes_on(words, right)


def _modifies(words: Words, place: int) -> bool:
    """Tell whether a noun seems to follow that the word at ``place`` belongs to."""
    after = place + 1
    if after >= len(words) or words.kinds[after] not in (LOOSE, POSSESSIVE):
        return False
    rules, form = form_rules(), words.forms[after].lower()
    return form not in rules.breaks | rules.function | rules.joins


def _heads(words: Words, place: int) -> bool:
    """Tell whether the word begins a phrase of its own: "chest pain or shortness of breath"."""
    after = place + 1
    return after < len(words) and words.kinds[after] == LOOSE and words.forms[after].lower() == "of"


def _goes_on(words: Words, place: int) -> bool:
    """Tell whether a list goes on after ``place``: another comma, a slash or a join follows."""
    after = place + 1
    if after >= len(words) or words.kinds[after] == HARD:
        return False
    return (
        words.kinds[after] in (COMMA, SLASH)
        or words.forms[after].lower() in form_rules().true_joins
    )
