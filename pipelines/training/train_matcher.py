"""Train the shipped response to label matcher: ``python -m pipelines.training.train_matcher FOLDER``.

FOLDER holds the train part of IBM's key point data (Apache-2.0; Friedman et al. 2021): arguments,
key points of 24 subjects, and which argument makes which point. Nothing else is read. What is
estimated from words (polarity) is taken out of the fold when the models over it are fitted. To be run
whenever the embedded model changes; the same data and model give the same bytes.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save
from sklearn.linear_model import LogisticRegression

from pipelines.learn.agreement import agreed
from pipelines.learn.likeness import NAMES, Likeness
from pipelines.learn.matcher import POLARITY, SHIPPED
from pipelines.learn.polarity import Polarity, without_direction
from pipelines.learn.sides import NAMES as SIDE_NAMES
from pipelines.learn.sides import Sides
from pipelines.learn.types import Floats, Integers
from pipelines.learn.words import content_words, stem
from pipelines.stages.encode import Encoder
from pipelines.training.key_points import Subject, read_subjects
from pipelines.training.train_polarity import fit_polarity

FOLDS = 4
SHARPNESS = 0.05  # C of the matcher
PULLS = (0.5, 1.0, 1.5, 2.0, 3.0, 5.0)  # how much the side's log-odds move those of a label


def main(folder: Path) -> None:
    """Train, and write ``matcher.json`` and ``polarity.safetensors``."""
    subjects = list(read_subjects(folder, "train"))
    encoder = Encoder(threads=1)
    values, polarity = fit(subjects, encoder)
    values |= {
        "encoder": encoder.spec.sha256,
        "data": "IBM/KPA_2021_shared_task, train part (24 subjects), Apache-2.0",
    }
    lines = (
        f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"
        for key, value in values.items()
    )
    SHIPPED.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    POLARITY.write_bytes(save(polarity.arrays()))
    for path in (SHIPPED, POLARITY):
        sys.stdout.write(f"{path.name}: {path.stat().st_size:,} bytes\n")


def fit(subjects: Sequence[Subject], encoder: Encoder) -> tuple[dict[str, Any], Polarity]:
    """Return the coefficients in their JSON form, and polarity."""
    idf, unknown = words_by_rarity(subjects)
    matcher = _fit_matcher(subjects, encoder, idf, unknown)
    sides = _fit_sides(subjects, encoder, idf, unknown, matcher)
    values = matcher | sides
    values |= {
        "idf": {word: round(value, 2) for word, value in sorted(idf.items())},
        "unknown": round(unknown, 2),
    }
    return values, fit_polarity(*spoken_rows(subjects, encoder)).polarity


def words_by_rarity(subjects: Sequence[Subject]) -> tuple[dict[str, float], float]:
    """Return how much a stem tells, log(1 + N / (1 + arguments with it)), and that of any other."""
    texts = [text for subject in subjects for text in subject.arguments]
    counts = Counter(one for text in texts for one in {stem(w) for w in content_words(text)})
    total = len(texts)
    return (
        {word: float(np.log(1 + total / (1 + n))) for word, n in counts.items() if n > 1},
        float(np.log(1 + total)),
    )


def spoken_rows(
    subjects: Sequence[Subject], encoder: Encoder
) -> tuple[list[str], list[str], Floats, Floats, Integers]:
    """Return texts, questions, vectors without the question, stances, numbers of the subject."""
    texts = [text for subject in subjects for text in subject.arguments]
    sizes = [len(subject.arguments) for subject in subjects]
    owners = np.repeat(np.arange(len(subjects)), sizes)
    asked = encoder.encode([subject.topic for subject in subjects])
    free = without_direction(encoder.encode(texts), asked[owners])
    stances = np.concatenate([np.sign(subject.stances) for subject in subjects])
    questions = [subject.topic for subject in subjects for _ in subject.arguments]
    return texts, questions, free, stances.astype(np.float32), owners


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
    features: list[NDArray[np.float32]] = []
    targets: list[NDArray[np.bool_]] = []
    offered: list[tuple[NDArray[np.float32], NDArray[np.float32], Floats]] = []
    texts, questions, free, stances, owners = spoken_rows(subjects, encoder)
    for fold in range(FOLDS):
        rows = np.flatnonzero(owners % FOLDS != fold)
        polarity = fit_polarity(
            [texts[row] for row in rows],
            [questions[row] for row in rows],
            free[rows],
            stances[rows],
            owners[rows],
        ).polarity
        for subject in subjects[fold::FOLDS]:
            everyone, all_points = np.arange(len(subject.arguments)), np.arange(len(subject.points))
            table = _likeness(subject, everyone, all_points, encoder, idf, unknown)
            scaled = (table - np.array(matcher["means"])) / np.array(matcher["scales"])
            odds = np.asarray(scaled @ np.array(matcher["weights"]) + matcher["intercept"], "f4")
            named = ["for" if stance > 0 else "against" for stance in subject.point_stances]
            likeness = Likeness(subject.points, encoder, idf, unknown)
            sides = Sides(subject.points, named, likeness, encoder, polarity)
            vectors = encoder.encode(subject.arguments)
            for question in (subject.topic, ""):  # both ways to be asked
                asked = [question] * len(vectors)
                features.append(sides.features(subject.arguments, asked, vectors, odds))
                targets.append(subject.stances > 0)
                offered.append((odds, sides.side, vectors))
    x, y = np.concatenate(features), np.concatenate(targets)
    scales = x.std(axis=0) + 1e-6
    model = LogisticRegression(C=1.0, fit_intercept=False).fit(x / scales, y)
    side = [model.decision_function(one / scales) for one in features]
    moved = [
        [odds + pull * s[:, None] * of for s, (odds, of, _) in zip(side, offered, strict=True)]
        for pull in PULLS
    ]
    wrong = [_wrong(of_pull, offered, y) for of_pull in moved]
    best = int(np.argmin(wrong))
    drawn = [
        agreed(odds, vectors, [str(row) for row in range(len(odds))], [""] * len(odds))
        for odds, (_, _, vectors) in zip(moved[best], offered, strict=True)
    ]
    return {
        "side_features": list(SIDE_NAMES),
        "side_weights": _listed(model.coef_[0]),
        "side_scales": _listed(scales),
        "side_pull": PULLS[best],
        "side_accuracy_other_subjects": round(float(model.score(x / scales, y)), 4),
        "wrong_side_other_subjects": round(wrong[best], 4),
        "wrong_side_collective": round(_wrong(drawn, offered, y), 4),
    }


def _wrong(
    odds: Sequence[NDArray[np.float32]],
    offered: Sequence[tuple[NDArray[np.float32], NDArray[np.float32], Floats]],
    gold: NDArray[np.bool_],
) -> float:
    """Return the share of arguments whose best point is on the other side."""
    said = [side[of.argmax(axis=1)] > 0 for of, (_, side, _) in zip(odds, offered, strict=True)]
    return float((np.concatenate(said) != gold).mean())


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


if __name__ == "__main__":
    main(Path(sys.argv[1]))
