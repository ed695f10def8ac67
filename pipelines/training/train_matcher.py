"""Train the shipped response to label matcher: ``python -m pipelines.training.train_matcher FOLDER``.

FOLDER holds the train part of IBM's key point data (Apache-2.0; Friedman et al. 2021): arguments,
key points of 24 subjects, and which argument makes which point. Nothing else is read. What is
estimated from words (idf, polarity) is taken out of the fold when the models over it are fitted.
"""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from pipelines.learn.likeness import NAMES, Likeness
from pipelines.learn.matcher import SHIPPED
from pipelines.learn.polarity import proposal_sign, word_pairs
from pipelines.learn.sides import NAMES as SIDE_NAMES
from pipelines.learn.sides import Sides
from pipelines.learn.words import content_words, stem
from pipelines.stages.encode import Encoder

FOLDS = 6
SHARPNESS = 0.05  # C of the matcher
POLARITY = 0.1  # C of the polarity words
LEAST = 4  # arguments that a polarity word or pair stands in
SIDE_PULL = 1.5  # the side decides before likeness does: half of three times its log-odds

Rows = list[dict[str, str]]


@dataclass(frozen=True, slots=True)
class Subject:
    """Arguments and key points of one subject; stance +1 for its proposal, -1 against."""

    topic: str
    arguments: list[str]
    stances: NDArray[np.int64]
    points: list[str]
    point_stances: NDArray[np.int64]
    gold: NDArray[np.int64]
    """1 match, 0 no match, -1 not decided; [arguments, points]."""


def main(folder: Path) -> None:
    """Train, and write ``matcher.json``."""
    subjects = list(read_subjects(folder, "train"))
    encoder = Encoder(threads=1)
    values = fit(subjects, encoder) | {
        "encoder": encoder.spec.sha256,
        "data": "IBM/KPA_2021_shared_task, train part (24 subjects), Apache-2.0",
    }
    lines = (
        f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"
        for key, value in values.items()
    )
    SHIPPED.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    sys.stdout.write(f"{SHIPPED.name}: {SHIPPED.stat().st_size:,} bytes\n")


def fit(subjects: Sequence[Subject], encoder: Encoder) -> dict[str, Any]:
    """Return the coefficients in their JSON form."""
    idf, unknown = words_by_rarity(subjects)
    matcher = _fit_matcher(subjects, encoder, idf, unknown)
    sides = _fit_sides(subjects, encoder, idf, unknown, matcher)
    return (
        matcher
        | sides
        | {
            "idf": {word: round(value, 2) for word, value in sorted(idf.items())},
            "unknown": round(unknown, 2),
            "side_pull": SIDE_PULL,
        }
    )


def read_subjects(folder: Path, part: str) -> Iterator[Subject]:
    """Yield the subjects of a part, sorted."""
    arguments, points, labels = (
        _rows(folder / f"{name}_{part}.csv") for name in ("arguments", "key_points", "labels")
    )
    gold = {(row["arg_id"], row["key_point_id"]): int(row["label"]) for row in labels}
    for topic in sorted({row["topic"] for row in points}):
        a = [row for row in arguments if row["topic"] == topic]
        p = [row for row in points if row["topic"] == topic]
        yield Subject(
            topic,
            [row["argument"] for row in a],
            np.array([int(row["stance"]) for row in a]),
            [row["key_point"] for row in p],
            np.array([int(row["stance"]) for row in p]),
            np.array([[gold.get((x["arg_id"], y["key_point_id"]), -1) for y in p] for x in a]),
        )


def words_by_rarity(subjects: Sequence[Subject]) -> tuple[dict[str, float], float]:
    """Return how much a stem tells, log(1 + N / (1 + arguments with it)), and that of any other."""
    texts = [text for subject in subjects for text in subject.arguments]
    counts = Counter(one for text in texts for one in {stem(w) for w in content_words(text)})
    total = len(texts)
    return (
        {word: float(np.log(1 + total / (1 + n))) for word, n in counts.items() if n > 1},
        float(np.log(1 + total)),
    )


def fit_polarity(subjects: Sequence[Subject]) -> dict[str, list[float]]:
    """Return idf and two weights of every frequent word and pair; see ``pipelines.learn.polarity``."""
    texts = [text for subject in subjects for text in subject.arguments]
    pro = np.concatenate([subject.stances > 0 for subject in subjects])
    signs = np.concatenate(
        [np.full(len(subject.arguments), proposal_sign(subject.topic)) for subject in subjects]
    )
    found = [word_pairs(text) for text in texts]
    counts = Counter(one for of_text in found for one in of_text)
    names = sorted(name for name, count in counts.items() if count >= LEAST)
    place = {name: column for column, name in enumerate(names)}
    idf = np.array([np.log(len(texts) / counts[name]) + 1.0 for name in names])
    rows, columns, data = [], [], []
    for row, of_text in enumerate(found):
        known = [place[one] for one in of_text if one in place]
        size = float(np.sqrt((idf[known] ** 2).sum()))
        rows += [row] * len(known)
        columns += known
        data += [float(idf[column]) / size for column in known]
    table = csr_matrix((data, (rows, columns)), shape=(len(texts), len(names)))
    both = hstack([table, table.multiply(signs[:, None])]).tocsr()
    weights = LinearSVC(C=POLARITY, random_state=0).fit(both, pro).coef_[0].reshape(2, -1)
    return {
        name: [round(float(value), 3) for value in (idf[n], weights[0, n], weights[1, n])]
        for n, name in enumerate(names)
    }


def _fit_matcher(
    subjects: Sequence[Subject], encoder: Encoder, idf: dict[str, float], unknown: float
) -> dict[str, Any]:
    """Fit over pairs of one subject and side, undecided ones left out."""
    features, targets = [], []
    for subject in subjects:
        for side in (1, -1):
            of_side = np.flatnonzero(subject.stances == side)
            offered = np.flatnonzero(subject.point_stances == side)
            if not len(of_side) or not len(offered):
                continue
            table = _likeness(subject, of_side, offered, encoder, idf, unknown)
            gold = subject.gold[np.ix_(of_side, offered)]
            features.append(table[gold >= 0])
            targets.append(gold[gold >= 0])
    x, y = np.concatenate(features), np.concatenate(targets)
    means, scales = x.mean(axis=0), x.std(axis=0) + 1e-6
    model = LogisticRegression(C=SHARPNESS, max_iter=2000).fit((x - means) / scales, y)
    odds = model.decision_function((x - means) / scales)
    return {
        "features": list(NAMES),
        "weights": _listed(model.coef_[0]),
        "means": _listed(means),
        "scales": _listed(scales),
        "intercept": round(float(model.intercept_[0]), 5),
        "threshold": _threshold(1 / (1 + np.exp(-odds)), y),
    }


def _fit_sides(
    subjects: Sequence[Subject],
    encoder: Encoder,
    idf: dict[str, float],
    unknown: float,
    matcher: dict[str, Any],
) -> dict[str, Any]:
    """Fit the side of an argument among all points of its subject; polarity from other folds."""
    features, targets = [], []
    for fold in range(FOLDS):
        weights = fit_polarity([s for n, s in enumerate(subjects) if n % FOLDS != fold])
        for subject in subjects[fold::FOLDS]:
            everyone, all_points = np.arange(len(subject.arguments)), np.arange(len(subject.points))
            table = _likeness(subject, everyone, all_points, encoder, idf, unknown)
            scaled = (table - np.array(matcher["means"])) / np.array(matcher["scales"])
            odds = scaled @ np.array(matcher["weights"]) + matcher["intercept"]
            stances = ["for" if stance > 0 else "against" for stance in subject.point_stances]
            likeness = Likeness(subject.points, encoder, idf, unknown)
            sides = Sides(subject.points, stances, likeness, weights)
            if sides.both:
                vectors = encoder.encode(subject.arguments)
                for question in (subject.topic, ""):  # both ways to be asked
                    asked = [question] * len(vectors)
                    known = np.asarray(odds, dtype=np.float32)
                    features.append(sides.features(subject.arguments, asked, vectors, known))
                    targets.append(subject.stances > 0)
    x, y = np.concatenate(features), np.concatenate(targets)
    scales = x.std(axis=0) + 1e-6
    model = LogisticRegression(C=1.0, fit_intercept=False).fit(x / scales, y)
    return {
        "side_features": list(SIDE_NAMES),
        "side_weights": _listed(model.coef_[0]),
        "side_scales": _listed(scales),
        "side_accuracy_other_subjects": round(float(model.score(x / scales, y)), 4),
        "polarity": fit_polarity(subjects),
    }


def _likeness(
    subject: Subject,
    arguments: NDArray[np.int64],
    points: NDArray[np.int64],
    encoder: Encoder,
    idf: dict[str, float],
    unknown: float,
) -> NDArray[np.float32]:
    """Return the features of every pair, [arguments, points, features]."""
    texts = [subject.arguments[row] for row in arguments]
    vectors = encoder.encode(texts)
    likeness = Likeness([subject.points[column] for column in points], encoder, idf, unknown)
    return likeness.features(texts, vectors, [vectors[n : n + 1] for n in range(len(texts))])


def _threshold(chances: NDArray[np.float64], gold: NDArray[np.int64]) -> float:
    """Return the probability with the best F1 over pairs."""
    grid = np.round(np.arange(0.2, 0.7, 0.02), 2)
    right = [int(((chances >= t) & (gold == 1)).sum()) for t in grid]
    said = [int((chances >= t).sum()) for t in grid]
    f1 = [2 * r / (s + int(gold.sum())) for r, s in zip(right, said, strict=True)]
    return float(grid[int(np.argmax(f1))])


def _listed(values: Any) -> list[float]:
    return [round(float(value), 5) for value in values]


def _rows(path: Path) -> Rows:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
