"""Campaign letters with known groups: real comments, copied with edits that are written down.

No open collection of campaign letters with known groups was found, so copies are made. Templates are
comments of 20 words and more (polis, CC BY 4.0; NHS, MIT) or letters put together from several comments
of one conversation; every copy carries recorded edits. All other documents are unrelated: comments
of the same conversations, most of 20 words and more, some behind the first line of a template or
before the same e-mail disclaimer. Where the real comments run out, unrelated ones are strung together
from pairs of words that follow each other in real ones (``generated``: for speed, not for quality).
This was written before the detector, which must not be fitted to it.
"""

from __future__ import annotations

import csv
import math
import random
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from tests.bench.campaign_copies import Copier, Edit, OwnWords, Template
from tests.bench.measure import evaluation_data

LONG = 20
"""Words from which a comment can be a template, and unrelated comments must not be joined."""

_ALIKE = 0.4  # shared distinct words of two comments, at which the later one is left out
_LARGEST = 0.02  # of all documents in the largest campaign, but 40 at least
_NAMES = ("comment-body", "FFT answer")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class GoldDocument:
    """A document; ``group`` names its campaign, "" for none.

    ``own`` are the sender's own words, in order: ``text[start:end]``. ``edits`` say what was done to
    the template, ``changed`` is the share of its words that are no longer in the copy as they were.
    ``kind`` is ``copy``, ``unrelated``, ``same opening``, ``same disclaimer`` or ``generated``.
    """

    key: str
    text: str
    topic: str
    group: str = ""
    own: tuple[OwnWords, ...] = ()
    edits: tuple[Edit, ...] = ()
    changed: float = 0.0
    kind: str = "copy"


@dataclass(frozen=True, slots=True)
class CampaignGold:
    """Documents in random order, and the text of each group's template."""

    documents: tuple[GoldDocument, ...]
    templates: dict[str, str]


def campaign_gold(
    documents: int = 4000,
    *,
    share: float = 0.5,
    most_changed: float = 0.20,
    generated: bool = False,
    seed: int = 0,
) -> CampaignGold:
    """Return ``documents`` documents of which ``share`` are copies in campaigns of 2 and more.

    The same arguments give the same documents. ``most_changed`` bounds the share of a template's
    words that a copy replaces, drops or garbles; what a sender adds is not bounded by it. Without
    ``generated`` there are no more unrelated documents than real comments (about 4,000), and the
    answer may be shorter than asked for: give it for sizes up to 100,000. Reads the evaluation
    data; without it the process leaves as a benchmark does.
    """
    rng = random.Random(f"campaigns {seed}")
    pools = {topic: _Pool.of(texts, rng) for topic, texts in sorted(_comments().items())}
    copies = round(documents * share)
    templates = _templates(pools, copies, rng)
    copier = Copier(_rules(), most_changed)
    found = list(_copies(templates, pools, copier, copies, documents, rng))
    found += _unrelated(pools, templates, documents - copies, rng)
    if generated:
        found += _generated(pools, documents - len(found), rng)
    rng.shuffle(found)
    width = len(str(len(found)))
    numbered = tuple(
        GoldDocument(f"d{n:0{width}}", *(getattr(one, f) for f in _FIELDS))
        for n, one in enumerate(found)
    )
    return CampaignGold(numbered, {one.group: one.text for one in templates})


_FIELDS = tuple(name for name in GoldDocument.__slots__ if name != "key")


@dataclass(slots=True)
class _Pool:
    """The comments of a conversation by what they are for; no comment has two uses.

    ``words`` are those of the asides, of four letters and more.
    """

    long: list[str]
    asides: list[str]
    others: list[str]
    words: list[str]

    @classmethod
    def of(cls, texts: Sequence[str], rng: random.Random) -> _Pool:
        """Share out the comments: long ones half to templates, short ones a third to asides."""
        long = [text for text in texts if _size(text) >= LONG]
        short = [text for text in texts if 4 <= _size(text) < LONG]
        rng.shuffle(long)
        rng.shuffle(short)
        half, third = len(long) // 2, max(1, len(short) // 3)
        words = sorted({w for one in short[:third] for w in _WORD.findall(one) if len(w) > 3})
        return cls(long[:half], short[:third], long[half:] + short[third:], words)


def _templates(pools: dict[str, _Pool], copies: int, rng: random.Random) -> list[Template]:
    """Return templates, each from comments of its own: single ones and letters of two to six."""
    rules = _rules()
    found: list[Template] = []
    topics = [topic for topic, pool in pools.items() if pool.long]
    most = max(4, copies // 6)
    while topics and len(found) < most:
        topic = rng.choice(topics)
        pool = pools[topic]
        wanted = min(len(pool.long), rng.choice((1, 1, 2, 3, 4, 5, 6)))
        parts = [pool.long.pop() for _ in range(wanted)]
        found.append(Template.of(f"g{len(found):04}", topic, parts, rules, rng))
        topics = [topic for topic, pool in pools.items() if pool.long]
    return found


def _copies(
    templates: Sequence[Template],
    pools: dict[str, _Pool],
    copier: Copier,
    copies: int,
    documents: int,
    rng: random.Random,
) -> Iterator[GoldDocument]:
    """Yield copies: many small campaigns, few large ones, two copies of each at least."""
    most = max(40, round(documents * _LARGEST))
    sizes = [min(most, int(1 + rng.paretovariate(0.8))) for _ in templates]
    while (missing := copies - sum(sizes)) > 0:
        place = rng.randrange(len(sizes))
        sizes[place] += min(missing, max(1, min(sizes[place], most - sizes[place])))
    left = copies
    for template, size in zip(templates, sizes, strict=True):
        count = min(size, left)
        left -= count
        for number in range(count if count > 1 else 0):
            made = copier.copy(template, pools[template.topic], rng, plain=number == 0)
            yield GoldDocument("", made.text, template.topic, template.group, *made.rest)


def _unrelated(
    pools: dict[str, _Pool], templates: Sequence[Template], count: int, rng: random.Random
) -> list[GoldDocument]:
    """Return real comments, some with words around them that others have too."""
    rules = _rules()
    openings = [one.opening for one in templates if one.opening]
    texts = [(topic, text) for topic, pool in pools.items() for text in pool.others]
    rng.shuffle(texts)
    # long comments first: they are what must not be joined
    texts.sort(key=lambda item: _size(item[1]) < LONG)
    found = []
    for topic, text in texts[:count]:
        kind, chance = "unrelated", rng.random()
        if chance < 0.04 and openings:
            kind, text = "same opening", f"{rng.choice(openings)} {text}"
        elif chance < 0.08:
            kind, text = "same disclaimer", f"{text}\n\n{rng.choice(rules['disclaimers'])}"
        found.append(GoldDocument("", text, topic, kind=kind))
    return found


def _generated(pools: dict[str, _Pool], count: int, rng: random.Random) -> Iterator[GoldDocument]:
    """Yield texts of 20 to 120 words in which each word has followed the last one somewhere."""
    chains: dict[str, dict[str, list[str]]] = {}
    for topic, pool in pools.items():
        chain = chains[topic] = {}
        for text in (*pool.others, *pool.asides):
            words = ["", *text.split()]
            for one, two in pairwise(words):
                chain.setdefault(one, []).append(two)
    topics = sorted(topic for topic, pool in pools.items() if len(pool.others) >= LONG)
    weights = [len(pools[topic].others) for topic in topics]
    for _ in range(count):
        (topic,) = rng.choices(topics, weights)
        chain, words, last = chains[topic], [], ""
        for _ in range(min(120, int(LONG + rng.expovariate(1 / 25)))):
            last = rng.choice(chain.get(last) or chain[""])
            words.append(last)
        yield GoldDocument("", " ".join(words), topic, kind="generated")


@cache
def _comments() -> dict[str, list[str]]:
    """Return the comments of each conversation, those left out that repeat an earlier one."""
    csv.field_size_limit(1 << 24)
    folder = evaluation_data() / "consultation"
    files = sorted((folder / "polis_opendata").glob("*/comments.csv"))
    files += sorted((folder / "nhs_fft_pxtextmining").glob("*.csv"))
    rows: list[tuple[str, str]] = []
    for path in files:
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                text = next((row[name] for name in _NAMES if row.get(name)), "").strip()
                rows.append((path.parent.name, text))
    found: dict[str, list[str]] = {}
    for (topic, text), kept in zip(rows, _new([text for _, text in rows]), strict=True):
        if kept:
            found.setdefault(topic, []).append(text)
    return found


def _new(texts: Sequence[str]) -> list[bool]:
    """Tell of each text whether it has words, and no earlier one that was kept is like it."""
    sets = [frozenset(word.casefold() for word in _WORD.findall(text)) for text in texts]
    common = Counter(word for words in sets for word in words)
    by_word: dict[str, list[int]] = {}
    kept = []
    for place, words in enumerate(sets):
        # Two sets that share enough also share one of these, their rarest words.
        rare = sorted(words, key=lambda word: (common[word], word))
        rare = rare[: len(words) - math.ceil(_ALIKE * len(words)) + 1]
        near = {other for word in rare for other in by_word.get(word, ())}
        alike = any(len(words & sets[n]) >= _ALIKE * len(words | sets[n]) for n in near)
        kept.append(bool(words) and not alike)
        if kept[-1]:
            for word in rare:
                by_word.setdefault(word, []).append(place)
    return kept


def _size(text: str) -> int:
    return len(_WORD.findall(text))


@cache
def _rules() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
