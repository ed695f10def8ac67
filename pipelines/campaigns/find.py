"""Campaigns of a collection: the same answers in any order give the same campaigns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pipelines.campaigns.candidates import Bands, Shingles, sharing, shingles
from pipelines.campaigns.frames import Frames, Sides
from pipelines.campaigns.template import medoid, misread, runs, shared_words, template_text
from pipelines.campaigns.types import Answer, Campaign, Member, Thresholds
from pipelines.campaigns.verify import Weights, copies, likeness, said
from pipelines.campaigns.words import message_words, rules, sides

_IN_BANDS = 12
"""Texts of a group that later texts are held against: more find no more, and cost much."""
_TRIES = 6
"""Texts of a group a text is held against: two copies are less alike than each is to the letter."""
_PASSES = 3
"""Times that what is left is compared: groups that became one make their words rarer."""
_COMMON = 0.003
"""Share of the groups in which a shingle stands that may still be a letter's: of a large campaign many
edited copies are left after the bands."""
_FEW = 0.08
"""Share of rare shingles that makes two texts worth comparing word by word."""


@dataclass(slots=True)
class _Text:
    """One message and the answers that consist of it; ``cut`` words at its ends are a frame.

    ``whole`` are all its forms, ``forms`` those without the frame, ``said`` these without repeats.
    """

    whole: tuple[str, ...]
    forms: tuple[str, ...]
    said: Sequence[str]
    sides: Sides
    shingles: Shingles
    answers: list[Answer]
    cut: tuple[int, int] = (0, 0)

    def trim(self, frames: Frames, thresholds: Thresholds) -> None:
        """Take off what is a frame; a message that is too short without it says nothing."""
        first, last = self.cut = frames.trim(self.forms, self.sides)
        if first or last:
            self.forms = self.forms[first : len(self.forms) - last]
            self.said = said(self.forms, thresholds.shingle)
            self.shingles = shingles(self.forms, thresholds.shingle)

    def own(self, answer: Answer, shared: Sequence[bool]) -> tuple[tuple[int, int], ...]:
        """Return the places of the words of an answer that are neither shared nor a frame."""
        first, last = self.cut[0], len(self.whole) - self.cut[1]
        which = [first <= n < last and not held for n, held in enumerate(shared)]
        return runs(message_words(answer.text), which)


def find_campaigns(
    answers: Iterable[Answer], thresholds: Thresholds | None = None
) -> tuple[Campaign, ...]:
    """Return the campaigns of ``answers``, the largest first, then the repeats of one respondent.

    An answer is in one campaign at most, and may also be one of a respondent's repeats.
    """
    chosen = thresholds or rules().thresholds
    by_key = sorted(answers, key=lambda one: one.key)
    texts = _texts(by_key, chosen)
    groups, weights = _groups(texts, chosen)
    found = [
        campaign
        for group in groups
        for campaign in _campaigns([texts[place] for place in group], weights, chosen)
    ]
    found.sort(key=lambda one: (-len(one.members), one.members[0].key))
    return (*found, *_repeats(by_key))


def _texts(answers: Iterable[Answer], thresholds: Thresholds) -> list[_Text]:
    """Return the distinct messages that are long enough, shortest first.

    A plain copy then comes before those that it is the core of.
    """
    found: dict[tuple[str, ...], tuple[Sides, list[Answer]]] = {}
    for answer in answers:
        words = message_words(answer.text)
        forms = tuple(word.form for word in words)
        if forms not in found:
            found[forms] = (sides(answer.text, words), [])
        found[forms][1].append(answer)
    length = thresholds.shingle
    return [
        _Text(forms, forms, once, of_forms, shingles(forms, length), same)
        for forms, (of_forms, same) in sorted(
            found.items(), key=lambda item: (len(item[0]), item[0])
        )
        if len(once := said(forms, length)) >= thresholds.least_words
    ]


def _groups(texts: Sequence[_Text], thresholds: Thresholds) -> tuple[list[list[int]], Weights]:
    """Return places of texts that are copies by pairs that were verified, and the words' weights."""
    sets = [text.shingles for text in texts]
    group = list(range(len(texts)))

    def root(place: int) -> int:
        while group[place] != place:
            group[place] = group[group[place]]
            place = group[place]
        return place

    def join(a: int, b: int) -> None:
        a, b = sorted((root(a), root(b)))
        group[b] = a

    weights = Weights()
    bands = Bands(sets, thresholds)
    in_bands: dict[int, int] = {}
    for place, text in enumerate(texts):
        tried: Counter[int] = Counter()
        for near in bands.near(place):
            if tried[root(near)] < _TRIES and root(near) != root(place):
                if copies(texts[near].said, text.said, weights, thresholds):
                    join(near, place)
                else:
                    tried[root(near)] += 1
        own = root(place)
        if in_bands.get(own, 0) < _IN_BANDS:
            bands.add(place)
            in_bands[own] = in_bands.get(own, 0) + 1
    heads = _heads(texts, [root(place) for place in range(len(texts))])
    frames = Frames(
        [(texts[place].forms, texts[place].sides) for place in heads],
        [text.forms for text in texts],
    )
    for text in texts:
        text.trim(frames, thresholds)
    for _ in range(_PASSES):
        weights = Weights(texts[place].forms for place in heads)
        joined = False
        common = max(thresholds.common, round(len(heads) * _COMMON))
        for a, b in sharing([texts[place].shingles for place in heads], common, _FEW):
            one, other = heads[a], heads[b]
            if root(one) != root(other) and copies(
                texts[one].said, texts[other].said, weights, thresholds
            ):
                join(one, other)
                joined = True
        if not joined:
            break
        heads = _heads(texts, [root(place) for place in range(len(texts))])
    members: dict[int, list[int]] = {}
    for place in range(len(texts)):
        if len(texts[place].said) >= thresholds.least_words:
            members.setdefault(root(place), []).append(place)
    return list(members.values()), weights


def _heads(texts: Sequence[_Text], roots: Sequence[int]) -> list[int]:
    """Return the medoid of every group so far."""
    members: dict[int, list[int]] = {}
    for place, of in enumerate(roots):
        members.setdefault(of, []).append(place)
    return [
        group[
            medoid(
                [texts[place].shingles for place in group],
                [len(texts[place].answers) for place in group],
            )
        ]
        for group in members.values()
    ]


def _campaigns(texts: list[_Text], weights: Weights, thresholds: Thresholds) -> Iterable[Campaign]:
    """Yield the campaigns of a group: those that are copies of its medoid, and so on for the rest."""
    while texts:
        base = texts.pop(
            medoid([text.shingles for text in texts], [len(text.answers) for text in texts])
        )
        close = [t for t in texts if copies(base.said, t.said, weights, thresholds)]
        texts = [text for text in texts if not any(text is one for one in close)]
        if len(base.answers) + sum(len(text.answers) for text in close) > 1:
            yield _campaign(base, close, weights, thresholds)


def _campaign(
    base: _Text, close: Sequence[_Text], weights: Weights, thresholds: Thresholds
) -> Campaign:
    pairs = [(text.whole, len(text.answers)) for text in close]
    shared, found = shared_words(base.whole, len(base.answers), pairs, weights)
    weight = weights.sum(f for f, held in zip(base.whole, shared, strict=True) if held) or 1.0
    first = base.answers[0]
    members = [
        Member(one.document, one.key, 1.0, exact=True, own=base.own(one, shared))
        for one in base.answers
    ]
    for text, of_one in zip(close, found, strict=True):
        taken = [False] * len(text.whole)
        has = 0.0
        for i, j, n in of_one:
            for step in range(n):
                if shared[i + step]:
                    taken[j + step] = True
                    has += weights.of(base.whole[i + step])
        for i, j in misread(base.whole, text.whole, of_one):
            taken[j] = taken[j] or shared[i]
        like = round(min(1.0, has / weight), 4)
        exact = text.forms == base.forms
        members += [
            Member(one.document, one.key, like, exact, text.own(one, taken)) for one in text.answers
        ]
    members.sort(key=lambda one: one.key)
    answers = [answer for text in (base, *close) for answer in text.answers]
    questions = {answer.question for answer in answers}
    people = {answer.respondent for answer in answers}
    few = len(members) <= thresholds.same_answer_members
    long = len(base.forms) >= thresholds.same_answer_words
    same = all(text.forms == base.forms for text in close)
    one_person = len(people) == 1 and "" not in people
    return Campaign(
        kind="respondent" if one_person else "copy" if same else "campaign",
        template=template_text(first.text, message_words(first.text), shared),
        members=tuple(members),
        respondent=first.respondent if one_person else "",
        question=questions.pop() if len(questions) == 1 else "",
        likely_one_person=one_person or (few and long and same),
    )


def _repeats(answers: Sequence[Answer]) -> list[Campaign]:
    """Return, by respondent and question, answers that one person gave several times."""
    found: dict[tuple[str, str], list[Answer]] = {}
    for answer in answers:
        if answer.respondent:
            found.setdefault((answer.respondent, answer.question), []).append(answer)
    campaigns, weights = [], Weights()
    for (respondent, question), given in sorted(found.items()):
        if len(given) < 2:
            continue
        first = tuple(word.form for word in message_words(given[0].text))
        members = []
        for one in given:
            forms = tuple(word.form for word in message_words(one.text))
            like = round(likeness(first, forms, weights), 4)
            members.append(Member(one.document, one.key, like, forms == first))
        campaigns.append(
            Campaign("respondent", "", tuple(members), respondent, question, likely_one_person=True)
        )
    return campaigns
