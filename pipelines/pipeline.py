"""The stages put together: documents in, results out, values only.

Importing this module imports torch and spaCy: do it when there is work.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from pipelines.answers import assess
from pipelines.errors import PipelineError
from pipelines.labels import LabelSet
from pipelines.language import other_language
from pipelines.recipes import Recipe
from pipelines.segment import segment
from pipelines.stages.assertion import assert_tags
from pipelines.stages.classify import ZeroShot
from pipelines.stages.matching.ambiguity import Ambiguity
from pipelines.stages.matching.meaning import Meaning
from pipelines.stages.summarise import summarise
from pipelines.stages.tag import ConceptIndex, tag
from pipelines.stages.vectors import SentenceEncoder, Vectors
from pipelines.types import (
    Document,
    DocumentResult,
    LabelScore,
    Outcome,
    Segment,
    SummarySentence,
    Tag,
)
from pipelines.views import View, decoded

if TYPE_CHECKING:
    from pipelines.learn.labeller import Labeller

# Characters that show nothing, beside white space: byte order mark, zero-width space and joiners.
_INVISIBLE = dict.fromkeys(map(ord, "\ufeff\u200b\u200c\u200d\u2060"))

# Score below which a label of a set that judges beside another one is left out.
_LEAST = 0.05

Found = TypeVar("Found", Segment, SummarySentence, LabelScore, Tag)


@dataclass(slots=True)
class _Work:
    """A document on its way through the stages, which see its view where it has one."""

    document: Document
    text: str
    view: View | None
    sentences: tuple[Segment, ...] = ()
    vectors: Vectors | None = None
    summary: tuple[SummarySentence, ...] = ()
    labels: tuple[LabelScore, ...] = ()
    tags: tuple[Tag, ...] = ()
    done: int = 0
    problems: list[str] = field(default_factory=list)

    def attempt(self, stage: str, step: Callable[[], None]) -> None:
        """Run one stage; a failure is noted and the others go on."""
        try:
            step()
        except Exception as error:  # one bad document must not end a run
            self.problems.append(f"{stage}: {_describe(error)}")
        else:
            self.done += 1

    def result(self) -> DocumentResult:
        """Return what came of the document."""
        outcome = Outcome.PROCESSED
        if self.problems:
            outcome = Outcome.PARTIAL if self.done else Outcome.FAILED
        return DocumentResult(
            outcome=outcome,
            reason="; ".join(self.problems),
            sentences=tuple(map(self._stored, self.sentences)),
            summary=tuple(map(self._stored, self.summary)),
            labels=tuple(map(self._stored, self.labels)),
            tags=tuple(map(self._stored, self.tags)),
        )

    def _stored(self, found: Found) -> Found:
        """Return what was found in the view as found in the text that is stored."""
        if self.view is None:
            return found
        start, end = self.view.original(found.start, found.end)
        if isinstance(found, Segment):
            return replace(found, start=start, end=end)
        text = self.document.text
        if isinstance(found, Tag) and found.cue_start is not None and found.cue_end is not None:
            first, last = self.view.original(found.cue_start, found.cue_end)
            found = replace(found, cue=text[first:last], cue_start=first, cue_end=last)
        return replace(found, start=start, end=end, text=text[start:end])


class Pipeline:
    """A recipe ready to run: pure, with no file, database, clock or memory of earlier documents.

    ``label_set`` defaults to the recipe's own; a recipe without one gives no labels. A ``labeller``
    (a trained set) takes its place, and those of ``also`` judge every document beside it; of these
    labels that are next to impossible are left out. Without an ``index`` there are no tags.
    """

    def __init__(
        self,
        recipe: Recipe,
        encoder: SentenceEncoder,
        *,
        label_set: LabelSet | None = None,
        labeller: Labeller | None = None,
        also: Sequence[Labeller] = (),
        index: ConceptIndex | None = None,
    ) -> None:
        self.recipe = recipe
        self._encoder = encoder
        self._index = index if "tag" in recipe.stages else None
        assessed = self._index is not None and bool(recipe.assertion.attributes)
        self._rules = recipe.assertion_rules() if assessed else None
        tags = recipe.tag
        self._ambiguity = (
            Ambiguity(self._index, encoder) if self._index is not None and tags.ambiguity else None
        )
        self._meaning = (
            Meaning(self._index, encoder, tags.meaning_threshold)
            if self._index is not None and tags.meaning
            else None
        )
        self._labeller = labeller if "classify" in recipe.stages else None
        self._also = tuple(also) if "classify" in recipe.stages else ()
        self._zero_shot: ZeroShot | None = None
        if self._labeller is not None:
            return
        labels = label_set if label_set is not None else recipe.label_set()
        if labels is not None and "classify" in recipe.stages:
            self._zero_shot = ZeroShot(labels, encoder, recipe.classify)

    def process(self, documents: Sequence[Document]) -> list[DocumentResult]:
        """Return one result a document, in order; never raises for one bad document.

        The sentences of all documents are encoded together; a document's result does not depend on
        the others.
        """
        results: dict[int, DocumentResult] = {}
        work: dict[int, _Work] = {}
        for place, document in enumerate(documents):
            try:
                begun = self._begin(document)
            except Exception as error:
                results[place] = DocumentResult(Outcome.FAILED, f"segment: {_describe(error)}")
                continue
            if isinstance(begun, DocumentResult):
                results[place] = begun
            else:
                work[place] = begun
        self._encode(list(work.values()))
        if self._labeller is not None:
            self._label(self._labeller, list(work.values()))
        for labeller in self._also:
            self._label(labeller, list(work.values()), least=_LEAST)
        for place, item in work.items():
            results[place] = self._finish(item)
        return [results[place] for place in range(len(documents))]

    def _begin(self, document: Document) -> _Work | DocumentResult:
        """Return the document ready for the stages, or its result where there is nothing to do."""
        if document.aside:
            return DocumentResult(Outcome.SKIPPED, document.aside)
        view = decoded(document.text)
        text = document.text if view is None else view.text
        if _blank(text):
            return DocumentResult(Outcome.EMPTY, "no text")
        if self.recipe.answers:
            verdict = assess(document.text, document.question)
            if not verdict.answers:
                return DocumentResult(Outcome.EMPTY, verdict.reason)
        if other := other_language(text, self.recipe.languages):
            return DocumentResult(
                Outcome.OTHER_LANGUAGE,
                f"written in {other.name} ({other.code}, confidence {other.confidence:.2f})",
            )
        sentences = tuple(segment(text))
        if not sentences:
            return DocumentResult(Outcome.EMPTY, "no text")
        return _Work(document, text, view, sentences)

    def _encode(self, work: Sequence[_Work]) -> None:
        """Give every document its sentence vectors; documents one by one where a batch fails."""
        if not work or not ("summarise" in self.recipe.stages or self._zero_shot):
            return
        try:
            vectors = self._encoder.encode([text for item in work for text in _texts(item)])
        except Exception as error:
            if len(work) == 1:
                work[0].problems.append(f"encode: {_describe(error)}")
                return
            for item in work:
                self._encode([item])
            return
        ends = np.cumsum([len(item.sentences) for item in work])
        for item, end in zip(work, ends, strict=True):
            item.vectors = vectors[end - len(item.sentences) : end]

    def _label(self, labeller: Labeller, work: Sequence[_Work], *, least: float = 0.0) -> None:
        """Give every document a trained set's labels; one by one where a batch fails."""
        if not work:
            return
        from pipelines.learn.labeller import Item

        items = [Item(item.text, item.sentences, item.document.question or "") for item in work]
        try:
            found = labeller.label(items)
        except Exception as error:
            if len(work) == 1:
                work[0].problems.append(f"classify: {_describe(error)}")
                return
            for item in work:
                self._label(labeller, [item], least=least)
            return
        for item, labels in zip(work, found, strict=True):
            item.labels += tuple(one for one in labels if one.assigned or one.score >= least)
            item.done += 1

    def _finish(self, item: _Work) -> DocumentResult:
        if self._index is not None:
            item.attempt("tag", lambda: self._tag(item))
        if item.vectors is not None:
            if "summarise" in self.recipe.stages:
                item.attempt("summarise", lambda: self._summarise(item))
            if self._zero_shot is not None:
                item.attempt("classify", lambda: self._classify(item))
        return item.result()

    def _tag(self, item: _Work) -> None:
        assert self._index is not None
        found = tag(item.text, self._index, self.recipe.tag)
        if self._ambiguity is not None:
            found = self._ambiguity.settle(item.text, item.sentences, found, item.vectors)
        if self._meaning is not None:
            found = self._meaning.add(item.text, item.sentences, found, item.vectors)
        item.tags = assert_tags(
            item.text,
            item.sentences,
            found,
            self.recipe.assertion.attributes,
            self._rules,
        )

    def _summarise(self, item: _Work) -> None:
        assert item.vectors is not None
        item.summary = summarise(
            item.text, item.sentences, item.vectors, self.recipe.summarise, item.tags
        )

    def _classify(self, item: _Work) -> None:
        assert item.vectors is not None
        assert self._zero_shot is not None
        found = self._zero_shot.score(item.text, item.sentences, item.vectors)
        item.labels = (*found, *item.labels)


def _texts(item: _Work) -> list[str]:
    return [item.text[sentence.start : sentence.end] for sentence in item.sentences]


def _blank(text: str) -> bool:
    return not text.translate(_INVISIBLE).strip()


def _describe(error: Exception) -> str:
    """Say what went wrong without quoting the document: a foreign message may hold its words."""
    if isinstance(error, PipelineError):
        return str(error)
    frames = traceback.extract_tb(error.__traceback__)
    place = f" in {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"
