"""Words that are a label of several concepts: which of them the sentence is about.

The sentence and what is known of each concept (label, definition, broader concepts) are encoded;
the concept most like the sentence is displayed. The others are kept with their scores.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pipelines.stages.tag import ConceptIndex
from pipelines.stages.vectors import SentenceEncoder, Vectors
from pipelines.types import Segment, Tag


class Ambiguity:
    """Choose between concepts of one ontology that the same words may name.

    Encoded concepts are remembered; a tag's outcome does not depend on other documents.
    """

    def __init__(self, index: ConceptIndex, encoder: SentenceEncoder) -> None:
        self._index = index
        self._encoder = encoder
        self._glosses: dict[tuple[str, str], Vectors] = {}

    def settle(
        self,
        text: str,
        sentences: Sequence[Segment],
        tags: Sequence[Tag],
        vectors: Vectors | None = None,
    ) -> tuple[Tag, ...]:
        """Return the tags, of several concepts at the same words only the likeliest displayed.

        Their score becomes the score of the match times the likeness, (1 + cosine) / 2. ``vectors``
        are those of the sentences, where they are known already.
        """
        places: dict[tuple[int, int, str], list[int]] = defaultdict(list)
        for number, tag in enumerate(tags):
            places[tag.start, tag.end, tag.ontology].append(number)
        doubtful = {place: numbers for place, numbers in places.items() if len(numbers) > 1}
        if not doubtful:
            return tuple(tags)
        around = {place: _sentence(sentences, place[0]) for place in doubtful}
        known = self._sentences(text, sentences, set(around.values()), vectors)
        self._learn([tags[number] for numbers in doubtful.values() for number in numbers])
        settled = list(tags)
        for place, numbers in doubtful.items():
            sentence = known[around[place]]
            scores = {
                number: round(
                    tags[number].score
                    * (1 + float(self._glosses[_name(tags[number])] @ sentence))
                    / 2,
                    4,
                )
                for number in numbers
            }
            best = max(numbers, key=lambda number: (scores[number], tags[number].iri))
            for number in numbers:
                settled[number] = replace(
                    tags[number],
                    score=scores[number],
                    displayed=tags[number].displayed and number == best,
                )
        return tuple(settled)

    def _sentences(
        self,
        text: str,
        sentences: Sequence[Segment],
        wanted: set[int],
        vectors: Vectors | None,
    ) -> Mapping[int, Vectors]:
        if vectors is not None and sentences:
            return {number: vectors[number] for number in wanted}
        order = sorted(wanted)
        texts = [
            text[sentences[number].start : sentences[number].end] if sentences else text
            for number in order
        ]
        return dict(zip(order, self._encoder.encode(texts), strict=True))

    def _learn(self, tags: Sequence[Tag]) -> None:
        new = [name for name in dict.fromkeys(map(_name, tags)) if name not in self._glosses]
        if new:
            glosses = [self._index.gloss(*name) for name in new]
            self._glosses.update(zip(new, self._encoder.encode(glosses), strict=True))


def _name(tag: Tag) -> tuple[str, str]:
    return tag.ontology, tag.iri


def _sentence(sentences: Sequence[Segment], place: int) -> int:
    """Return the number of the sentence that ``place`` lies in, or that it comes after."""
    ahead = (number for number, each in enumerate(sentences) if place < each.end)
    return next(ahead, max(len(sentences) - 1, 0))
