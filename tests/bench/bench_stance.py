"""Stance towards a proposal of a subject not seen (KPA train, leave one subject out): accuracy.

Floors first: a tf-idf SVM over the text, linear models over vectors of text and proposal (ours, and
MiniLM's where its package is installed). Then the shipped way: words, word classes, tone and vectors,
turned by what the proposal would do; "together": answers to one question drawn to those like them
(``classify --together``), alone and where nine in ten are on one side. "Centred" takes the median of each subject as the line between the
sides, which needs all its texts: what a known balance would be worth, not what is shipped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import hstack
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import RidgeClassifier
from sklearn.svm import LinearSVC

from pipelines.learn.agreement import agreed
from pipelines.learn.polarity import turns
from pipelines.stages.encode import Encoder
from pipelines.training.key_points import read_subjects
from pipelines.training.train_matcher import spoken_rows
from pipelines.training.train_polarity import fit_polarity
from tests.bench.measure import evaluation_data, print_row
from tests.bench.peers.minilm import minilm_folder

Fold = tuple[NDArray[np.bool_], NDArray[np.bool_]]
SHIPPED = "shipped: words, classes, tone, vectors, turned by the proposal"
OF_A_SIDE = (72, 8)
"""Texts of a subject where nearly all are of one mind: of that side, of the other."""


def main() -> None:
    """Print one row a method."""
    folder = evaluation_data() / "consultation" / "ibm_kpa_2021"
    subjects = list(read_subjects(folder, "train"))
    encoder = Encoder(threads=1)
    texts, questions, free, stances, owner = spoken_rows(subjects, encoder)
    gold, signs = stances > 0, turns(questions)
    topics = [subject.topic for subject in subjects]
    words = TfidfVectorizer(ngram_range=(1, 3), sublinear_tf=True, min_df=2).fit_transform(texts)
    turned = hstack([words, words.multiply(signs[:, None])]).tocsr()
    unseen = fit_polarity(texts, questions, free, stances, owner).unseen
    found = {
        "tf-idf SVM": _leave_one_out(lambda fold: _svm(words, gold, fold), owner),
        "tf-idf SVM, turned by the proposal": _leave_one_out(
            lambda fold: _svm(turned, gold, fold), owner
        ),
    }
    for name, encode in (("vectors", encoder.encode), ("MiniLM vectors", _minilm())):
        if encode is not None:
            dense = _with_topic(np.asarray(encode(texts)), np.asarray(encode(topics))[owner])
            found[f"{name} of text and proposal"] = _leave_one_out(
                partial(_ridge, dense, gold), owner
            )
    found[SHIPPED] = unseen[:, 0] + unseen[:, 1] * signs
    shipped = found[SHIPPED]
    vectors = encoder.encode(texts)
    found[f"{SHIPPED}, together"] = _together(shipped, vectors, texts, questions)
    for name, values in found.items():
        centred = values - np.array([np.median(values[owner == n]) for n in owner])
        by_topic = [float(((values > 0) == gold)[owner == n].mean()) for n in range(len(topics))]
        print_row(
            "stance",
            data="ibm_kpa_2021 train, leave one subject out",
            method=name,
            accuracy=float(((values > 0) == gold).mean()),
            accuracy_centred=float(((centred > 0) == gold).mean()),
            lowest_subject=min(by_topic),
            highest_subject=max(by_topic),
            wanted=0.85,
        )
    for together in (False, True):
        right: list[bool] = []
        for rows in _one_sided(gold, owner):
            chosen = shipped[rows]
            if together:
                asked = [questions[row] for row in rows]
                chosen = _together(chosen, vectors[rows], [texts[row] for row in rows], asked)
            right += ((chosen > 0) == gold[rows]).tolist()
        print_row(
            "stance",
            data="the same, nine in ten on one side, either",
            method=f"{SHIPPED}, together" if together else SHIPPED,
            accuracy=float(np.mean(right)),
        )


def _together(
    values: NDArray[np.float64],
    vectors: NDArray[np.float32],
    texts: Sequence[str],
    questions: Sequence[str],
) -> NDArray[np.float64]:
    found = agreed(values[:, None].astype(np.float32), vectors, texts, questions)
    return found[:, 0].astype(np.float64)


def _one_sided(gold: NDArray[np.bool_], owner: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Yield rows of every subject, drawn by lot, most of them for its proposal; then against."""
    lot = np.random.default_rng(0)
    for subject in range(int(owner.max()) + 1):
        for side in (True, False):
            yield np.concatenate(
                [
                    lot.choice(np.flatnonzero((owner == subject) & (gold == of)), size, False)
                    for of, size in zip((side, not side), OF_A_SIDE, strict=True)
                ]
            )


def _leave_one_out(
    method: Callable[[Fold], NDArray[np.float64]], owner: NDArray[np.int64]
) -> NDArray[np.float64]:
    found = np.zeros(len(owner))
    for subject in range(int(owner.max()) + 1):
        outside = owner == subject
        found[outside] = method((~outside, outside))
    return found


def _svm(table: Any, gold: NDArray[np.bool_], fold: Fold) -> NDArray[np.float64]:
    inside, outside = fold
    model = LinearSVC(C=0.3, random_state=0).fit(table[inside], gold[inside])
    return np.asarray(model.decision_function(table[outside]))


def _ridge(table: NDArray[np.float32], gold: NDArray[np.bool_], fold: Fold) -> NDArray[np.float64]:
    inside, outside = fold
    model = RidgeClassifier(alpha=3.0).fit(table[inside], gold[inside])
    return np.asarray(model.decision_function(table[outside]))


def _with_topic(alone: NDArray[Any], topics: NDArray[Any]) -> NDArray[Any]:
    return np.hstack([alone, topics, alone * topics * 20])


def _minilm() -> Callable[[Sequence[str]], NDArray[Any]] | None:
    """Return the encoder of the teacher; None where its package is not installed."""
    folder = minilm_folder()
    if folder is None:
        return None
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(folder), device="cpu")
    return lambda texts: model.encode(list(texts), normalize_embeddings=True)


if __name__ == "__main__":
    main()
