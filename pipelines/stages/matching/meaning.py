"""Tags by meaning alone: sentences without a label that are like a concept all the same.

Off by default. Such a tag is a suggestion: its evidence is the whole sentence, its method
``meaning`` and its score the cosine of sentence and concept.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ontology.index import MatchedConcept
from pipelines.errors import PipelineError
from pipelines.stages.tag import ConceptIndex
from pipelines.stages.vectors import SentenceEncoder, Vectors
from pipelines.types import Segment, Tag

METHOD = "meaning"
MOST_CONCEPTS = 20_000
"""Concepts that are encoded before the first sentence; more take too long."""
BATCH = 256


class Meaning:
    """Tag sentences by the concept they are most like."""

    def __init__(self, index: ConceptIndex, encoder: SentenceEncoder, threshold: float) -> None:
        self._index = index
        self._encoder = encoder
        self._threshold = threshold
        self._concepts: list[MatchedConcept] = []
        self._vectors: Vectors | None = None

    def add(
        self,
        text: str,
        sentences: Sequence[Segment],
        tags: Sequence[Tag],
        vectors: Vectors | None = None,
    ) -> tuple[Tag, ...]:
        """Return the tags with one more for each sentence that has none and is like a concept.

        Raises PipelineError for an index of more concepts than can be encoded.
        """
        bare = [
            number
            for number, each in enumerate(sentences)
            if not any(tag.start < each.end and tag.end > each.start for tag in tags)
        ]
        if not bare:
            return tuple(tags)
        concepts = self._encoded()
        if vectors is None:
            texts = [text[sentences[number].start : sentences[number].end] for number in bare]
            here = self._encoder.encode(texts)
        else:
            here = vectors[bare]
        likeness = here @ concepts.T
        found = list(tags)
        for row, number in enumerate(bare):
            best = int(np.argmax(likeness[row]))
            score = float(likeness[row, best])
            if score >= self._threshold:
                found.append(self._tag(text, sentences[number], self._concepts[best], score))
        return tuple(sorted(found, key=lambda tag: (tag.start, -tag.end, tag.ontology, tag.iri)))

    def _encoded(self) -> Vectors:
        if self._vectors is None:
            self._concepts = list(self._index.concepts())
            if len(self._concepts) > MOST_CONCEPTS:
                raise PipelineError(
                    f"tags by meaning need every concept encoded, and there are "
                    f"{len(self._concepts):,}; expected at most {MOST_CONCEPTS:,}. Take a branch "
                    "with: florilegium ontology add FILE --branch IRI, or set meaning = false"
                )
            glosses = [self._index.gloss(each.ontology, each.iri) for each in self._concepts]
            parts = [
                self._encoder.encode(glosses[at : at + BATCH])
                for at in range(0, len(glosses), BATCH)
            ]
            empty = np.zeros((0, self._encoder.dimensions), np.float32)
            self._vectors = np.concatenate(parts) if parts else empty
        return self._vectors

    def _tag(self, text: str, sentence: Segment, concept: MatchedConcept, score: float) -> Tag:
        return Tag(
            iri=concept.iri,
            curie=concept.curie,
            label=concept.label,
            start=sentence.start,
            end=sentence.end,
            text=text[sentence.start : sentence.end],
            score=round(score, 4),
            method=METHOD,
            ontology=concept.ontology,
        )
