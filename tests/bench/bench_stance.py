"""Stance towards a proposal of a subject not seen (KPA train, leave one subject out): accuracy.

Floors first: a tf-idf SVM over the text, a linear model over vectors of text and proposal. Then the
shipped way: words weighted for speaking well or badly, turned by what the proposal would do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import hstack
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import RidgeClassifier
from sklearn.svm import LinearSVC

from pipelines.learn.polarity import polarity, proposal_sign
from pipelines.stages.encode import Encoder
from pipelines.training.train_matcher import Subject, fit_polarity, read_subjects
from tests.bench.measure import evaluation_data, print_row

Fold = tuple[NDArray[np.bool_], NDArray[np.bool_]]


def main() -> None:
    """Print one row a method."""
    folder = evaluation_data() / "consultation" / "ibm_kpa_2021"
    subjects = list(read_subjects(folder, "train"))
    owner = np.concatenate([np.full(len(s.arguments), n) for n, s in enumerate(subjects)])
    gold = np.concatenate([s.stances > 0 for s in subjects])
    texts = [text for s in subjects for text in s.arguments]
    signs = np.array([proposal_sign(subjects[n].topic) for n in owner], dtype=np.float32)
    words = TfidfVectorizer(ngram_range=(1, 3), sublinear_tf=True, min_df=2).fit_transform(texts)
    turned = hstack([words, words.multiply(signs[:, None])]).tocsr()
    encoder = Encoder(threads=1)
    alone = encoder.encode(texts)
    topics = encoder.encode([s.topic for s in subjects])[owner]
    dense = np.hstack([alone, topics, alone * topics * 20])
    methods = {
        "tf-idf SVM": lambda fold: _svm(words, gold, fold),
        "vectors of text and proposal": lambda fold: _ridge(dense, gold, fold),
        "tf-idf SVM, turned by the proposal": lambda fold: _svm(turned, gold, fold),
        "polarity words, turned by the proposal": lambda fold: _polarity(
            subjects, texts, signs, fold, owner
        ),
    }
    for name, method in methods.items():
        found = _leave_one_out(method, owner)
        by_topic = [float((found == gold)[owner == n].mean()) for n in range(len(subjects))]
        print_row(
            "stance",
            data="ibm_kpa_2021 train, leave one subject out",
            method=name,
            accuracy=float((found == gold).mean()),
            lowest_subject=min(by_topic),
            highest_subject=max(by_topic),
            wanted=0.85,
        )


def _leave_one_out(
    method: Callable[[Fold], NDArray[np.bool_]], owner: NDArray[np.int64]
) -> NDArray[np.bool_]:
    found = np.zeros(len(owner), dtype=np.bool_)
    for subject in range(int(owner.max()) + 1):
        outside = owner == subject
        found[outside] = method((~outside, outside))
    return found


def _svm(table: object, gold: NDArray[np.bool_], fold: Fold) -> NDArray[np.bool_]:
    inside, outside = fold
    model = LinearSVC(C=0.3, random_state=0).fit(table[inside], gold[inside])  # type: ignore[index]
    return np.asarray(model.predict(table[outside]))  # type: ignore[index]


def _ridge(table: NDArray[np.float32], gold: NDArray[np.bool_], fold: Fold) -> NDArray[np.bool_]:
    inside, outside = fold
    return np.asarray(
        RidgeClassifier(alpha=3.0).fit(table[inside], gold[inside]).predict(table[outside])
    )


def _polarity(
    subjects: Sequence[Subject],
    texts: Sequence[str],
    signs: NDArray[np.float32],
    fold: Fold,
    owner: NDArray[np.int64],
) -> NDArray[np.bool_]:
    inside, outside = fold
    weights = fit_polarity([subjects[n] for n in np.unique(owner[inside])])
    rows = np.flatnonzero(outside)
    spoken = polarity([texts[row] for row in rows], weights)
    return np.asarray(spoken[:, 0] + spoken[:, 1] * signs[rows] > 0)


if __name__ == "__main__":
    main()
