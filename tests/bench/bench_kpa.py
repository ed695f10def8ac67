"""Response to label: the shipped matcher on key points of subjects it has not seen (KPA dev).

Within a subject and side: the best key point an argument, the best half of the arguments by score,
mean average precision; a pair that annotators left undecided counts 0 (strict) or 1 (relaxed).
Wrong side: all key points of the subject offered, their stance given. "Together": the arguments that are
scored together are drawn to those like them (``classify --together``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer

from pipelines.labels import LabelDefinition, LabelSet
from pipelines.learn.labeller import Item
from pipelines.learn.matcher import Matcher
from pipelines.segment import segment
from pipelines.stages.encode import Encoder
from pipelines.training.key_points import Subject, read_subjects
from tests.bench.measure import evaluation_data, print_row

Score = Callable[[Sequence[str], Sequence[str], Sequence[str], str], NDArray[np.float64]]
"""Texts, labels, their stances and the question ("" for none) in; scores [texts, labels] out."""


def main() -> None:
    """Print one row a method."""
    folder = evaluation_data() / "consultation" / "ibm_kpa_2021"
    subjects = list(read_subjects(folder, "dev"))
    encoder = Encoder(threads=1)

    def matched(
        texts: Sequence[str],
        points: Sequence[str],
        stances: Sequence[str],
        question: str,
        *,
        together: bool,
    ) -> NDArray[np.float64]:
        labels = tuple(LabelDefinition(p, stance=s) for p, s in zip(points, stances, strict=True))
        matcher = Matcher(LabelSet("points", labels, ""), encoder)
        items = [Item(text, tuple(segment(text)), question) for text in texts]
        found = matcher.label(items, collective=together)
        return np.array(
            [[{x.label: x.score for x in of_text}[p] for p in points] for of_text in found]
        )

    def by_cosine(
        texts: Sequence[str], points: Sequence[str], _: Sequence[str], __: str
    ) -> NDArray[np.float64]:
        return np.asarray(encoder.encode(texts) @ encoder.encode(points).T, dtype=np.float64)

    def by_tfidf(
        texts: Sequence[str], points: Sequence[str], _: Sequence[str], __: str
    ) -> NDArray[np.float64]:
        words = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, stop_words="english")
        table = words.fit_transform([*texts, *points])
        return np.asarray((table[: len(texts)] @ table[len(texts) :].T).toarray())

    methods: list[tuple[str, Score, bool]] = [
        ("tf-idf", by_tfidf, False),
        ("cosine", by_cosine, False),
    ]
    for together in (False, True):
        name = "matcher, together" if together else "matcher"
        methods += [(name, partial(matched, together=together), asked) for asked in (False, True)]
    for name, method, asked in methods:
        strict, relaxed, wrong = measure(subjects, method, asked=asked)
        print_row(
            "kpa",
            data="ibm_kpa_2021 dev",
            method=name,
            question_given=asked,
            strict=strict,
            relaxed=relaxed,
            wrong_side=wrong,
            wanted=[0.86, 0.93, 0.12],
        )


def measure(
    subjects: Sequence[Subject], method: Score, *, asked: bool
) -> tuple[float, float, float]:
    """Return strict and relaxed mean average precision, and the share on the wrong side."""
    strict: list[float] = []
    relaxed: list[float] = []
    wrong: list[bool] = []
    for subject in subjects:
        question = subject.topic if asked else ""
        stances = ["for" if s > 0 else "against" for s in subject.point_stances]
        offered = method(subject.arguments, subject.points, stances, question).argmax(axis=1)
        wrong += (subject.point_stances[offered] * subject.stances < 0).tolist()
        for side in (1, -1):
            rows = np.flatnonzero(subject.stances == side)
            columns = np.flatnonzero(subject.point_stances == side)
            texts = [subject.arguments[row] for row in rows]
            scores = method(texts, [subject.points[c] for c in columns], [""] * len(columns), "")
            best = scores.argmax(axis=1)
            top = scores[np.arange(len(rows)), best]
            gold = subject.gold[rows, columns[best]]
            order = np.argsort(-top, kind="stable")[: len(rows) // 2]
            for kept, undecided in ((strict, 0), (relaxed, 1)):
                right = np.where(gold[order] < 0, undecided, gold[order])
                precision = np.cumsum(right) / np.arange(1, len(right) + 1)
                kept.append(float((precision * right).sum() / max(1, right.sum())))
    return float(np.mean(strict)), float(np.mean(relaxed)), float(np.mean(wrong))


if __name__ == "__main__":
    main()
