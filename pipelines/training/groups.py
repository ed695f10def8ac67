"""Batches of groups of related texts, as a function of seed and position alone.

Three kinds of group, which come mixed:

* lines of the corpus that share a telling word, each with texts near it made by rules;
* everyday sentences from one frame;
* single words and what they are related to.

The lines are read in chunks. Each chunk has its own random generator, seeded by (seed, epoch,
chunk), so that refinement can go on from any position without replaying what came before.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tokenizers import Tokenizer

from pipelines.training.batches import Position
from pipelines.training.everyday import FRAMES, Everyday
from pipelines.training.lexicon import Lexicon
from pipelines.training.variants import Variants, split

# A word ties lines together if so many lines of the chunk hold it.
_TELLING = range(2, 60)
# Only words used at least so often in WordNet's tagged texts stand for themselves.
_USED = 1


@dataclass(frozen=True, slots=True)
class GroupPlan:
    """How texts become batches.

    ``tokens`` is the size of a batch; ``longest`` bounds a text. A chunk is ``lines`` lines
    of the corpus, each with up to ``variants`` texts near it and at most ``tied`` lines to a group,
    a share ``joined`` of the groups with two of its lines joined, and with them ``everyday`` groups of ``size`` sentences ``words`` groups of words and ``vocabulary`` groups of
    words of the tokenizer's vocabulary.
    """

    seed: int = 20
    tokens: int = 2048
    longest: int = 96
    lines: int = 8000
    variants: int = 2
    tied: int = 4
    joined: float = 0.5
    everyday: int = 4000
    size: int = 5
    words: int = 2000
    vocabulary: int = 0


class Groups:
    """Make groups of related texts from a corpus and WordNet."""

    def __init__(
        self,
        lines: Sequence[str],
        lexicon: Lexicon,
        plan: GroupPlan,
        *,
        frames: Sequence[Path] = (FRAMES,),
        vocabulary: Sequence[str] = (),
    ) -> None:
        self.lines, self.lexicon, self.plan = lines, lexicon, plan
        self.variants, self.everyday = Variants(lexicon), Everyday(lexicon, *frames)
        used = sorted(
            key for key, n in lexicon.counts.items() if n >= _USED and key in lexicon.first
        )
        self._lemmas = used
        self._vocabulary = sorted(word for word in vocabulary if word.isalpha() and len(word) > 2)
        self._weights = [lexicon.counts[key] ** 0.5 for key in used]

    def tied(self, lines: Sequence[str]) -> list[list[str]]:
        """Return the lines in groups of at most ``plan.tied`` that share a telling word."""
        words = [sorted({w.lower() for w in split(line) if len(w) > 3}) for line in lines]
        held = Counter(word for own in words for word in own)
        by_word: dict[str, list[str]] = defaultdict(list)
        for line, own in zip(lines, words, strict=True):
            telling = [word for word in own if held[word] in _TELLING]
            by_word[min(telling, key=lambda word: (held[word], word), default="")].append(line)
        size = self.plan.tied
        return [
            together[i : i + size]
            for _, together in sorted(by_word.items())
            for i in range(0, len(together), size)
        ]

    def with_variants(self, lines: Sequence[str], rng: random.Random) -> list[str]:
        """Return the lines, texts near each, and sometimes two of the lines as one text."""
        texts = list(lines)
        if len(texts) > 1 and rng.random() < self.plan.joined:
            texts.append(" ".join(rng.sample(texts, 2)))
        for line in lines:
            texts += self.variants.near(line, self.plan.variants, rng)
        return texts

    def related_words(self, rng: random.Random) -> list[str]:
        """Return a word and words related to it, some with an article or an adjective."""
        lemma, part = rng.choices(self._lemmas, self._weights)[0]
        reading = self.lexicon.reading(lemma)
        if reading is None:
            return [lemma]
        related = self.lexicon.related(reading)
        words = [lemma, *(rng.choice(found) for _, found in sorted(related.items()))]
        if rng.random() < 0.3:
            other = rng.choices(self._lemmas, self._weights)[0][0]
            words += [f"{lemma} {other}", other]
        return [f"the {word}" if part == "n" and rng.random() < 0.2 else word for word in words]

    def chunk(self, lines: Sequence[str], rng: random.Random) -> list[list[str]]:
        """Return the groups of one chunk."""
        groups = [self.with_variants(tied, rng) for tied in self.tied(lines)]
        groups += [self.everyday.group(self.plan.size, rng) for _ in range(self.plan.everyday)]
        groups += [self.related_words(rng) for _ in range(self.plan.words)]
        if self._vocabulary:
            groups += [rng.sample(self._vocabulary, 6) for _ in range(self.plan.vocabulary)]
        return groups

    def stream(
        self, tokenizer: Tokenizer, start: Position
    ) -> Iterator[tuple[Position, list[list[int]]]]:
        """Yield batches for ever from ``start`` on, each with the position that follows it."""
        plan = self.plan
        tokenizer.enable_truncation(plan.longest)
        tokenizer.no_padding()
        epoch, first_chunk, first_batch = start.epoch, start.chunk, start.batch
        while True:
            order = list(range(len(self.lines)))
            random.Random(f"{plan.seed}/{epoch}").shuffle(order)
            chunks = range(0, len(order), plan.lines)
            for chunk in range(first_chunk, len(chunks)):
                rng = random.Random(f"{plan.seed}/{epoch}/{chunk}")
                here = order[chunks[chunk] : chunks[chunk] + plan.lines]
                groups = self.chunk([self.lines[index] for index in here], rng)
                encoded = [[t.ids for t in tokenizer.encode_batch(group)] for group in groups]
                rng.shuffle(encoded)
                batches = list(whole_groups(encoded, plan.tokens))
                for number in range(first_batch, len(batches)):
                    yield Position(epoch, chunk, number + 1), batches[number]
                first_batch = 0
            first_chunk = 0
            epoch += 1


def whole_groups(groups: list[list[list[int]]], limit: int) -> Iterator[list[list[int]]]:
    """Yield batches of whole groups, each of about ``limit`` tokens.

    A batch is closed by the group that reaches the limit; only a group that is larger than the limit
    by itself is cut.
    """
    batch: list[list[int]] = []
    size = 0
    for group in groups:
        for ids in group:
            if size < limit:
                batch.append(ids)
                size += len(ids)
        if size >= limit:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
