"""Label texts as they are stored: decoded for reading, evidence in the text as it was written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from pipelines.learn.labeller import Item
from pipelines.segment import segment
from pipelines.types import LabelScore
from pipelines.views import decoded


class Labels(Protocol):
    """What can label texts: a trained set or the matcher."""

    def label(self, items: Sequence[Item]) -> list[tuple[LabelScore, ...]]:
        """Return every label of every item, best first; none without a sentence."""


class CollectiveLabels(Protocol):
    """What can label texts as answers to one question too."""

    def label(
        self, items: Sequence[Item], *, collective: bool = False
    ) -> list[tuple[LabelScore, ...]]:
        """Return every label of every item, best first; none without a sentence."""


class Together:
    """A labeller that takes all it is given at a time as answers to one question."""

    def __init__(self, labeller: CollectiveLabels) -> None:
        self._labeller = labeller

    def label(self, items: Sequence[Item]) -> list[tuple[LabelScore, ...]]:
        """Return every label of every item, best first; those alike are drawn together."""
        return self._labeller.label(items, collective=True)


def label_texts(labeller: Labels, texts: Sequence[tuple[str, str]]) -> list[tuple[LabelScore, ...]]:
    """Return every label of each (text, question), best first; none for a text without words.

    For every label ``text[start:end]`` is the evidence, in code points of the stored text.
    """
    views = [decoded(text) for text, _ in texts]
    items = []
    for (text, question), view in zip(texts, views, strict=True):
        read = text if view is None else view.text
        items.append(Item(read, tuple(segment(read)) if read.strip() else (), question))
    answers = labeller.label(items)
    for place, view in enumerate(views):
        if view is None:
            continue
        text = texts[place][0]
        stored = []
        for label in answers[place]:
            start, end = view.original(label.start, label.end)
            stored.append(replace(label, start=start, end=end, text=text[start:end]))
        answers[place] = tuple(stored)
    return answers
