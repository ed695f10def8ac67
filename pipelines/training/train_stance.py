"""Make the bundled set ``stance`` from arguments for and against the proposals of 24 subjects.

Arguments are one sentence long and answers are not, so several of one side are put together too. Two
labels have no examples in that set and are put together from it: *mixed*, arguments for and against
in one text; *neither*, an argument on another subject, and lines of ``stance.toml``, which has
answers that say outright where they stand, too. Polarity, and the weights over it, are checked on subjects that neither has seen.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

from pipelines.learn.calibrate import unsure_band
from pipelines.learn.crossvalidate import Comparison, Trial, decide
from pipelines.learn.features import TextTable
from pipelines.learn.groups import text_marks
from pipelines.learn.metrics import mean_interval, samples_f1, score
from pipelines.learn.prototypes import Prototypes
from pipelines.learn.stance import LABELS, StanceScorer, stance_features
from pipelines.learn.train import report
from pipelines.learn.trained import TrainedSet
from pipelines.learn.types import Codes, Example, Examples, Floats, Integers
from pipelines.stages.encode import Encoder
from pipelines.training.key_points import Subject, read_subjects
from pipelines.training.train_matcher import FOLDS, spoken_rows
from pipelines.training.train_polarity import fit_polarity

DATA = "consultation/ibm_kpa_2021"
SHIPPED = "words, classes and vectors, turned by the question"
FLOOR = "most frequent label"
_MIXED, _OTHER, _LINES = 30, 30, 2  # a subject: mixed, of another subject; uses of a line
_LONG = 16  # a subject and label: texts of several arguments, every second one with a line first
_MANY, _FEW = (2, 7), 2  # arguments in a long text; more than so few may grant a point
_SHARPNESS = 1.0
_LINE_WEIGHT = 12.0
"""A line of ``stance.toml`` stands for so many answers; nearly every consultation has its likes."""


def make(folder: Path, encoder: Encoder) -> TrainedSet:
    """Return the set; FOLDER holds the open data sets. Seeded: the same data give the same set."""
    subjects = list(read_subjects(folder / DATA, "train"))
    examples, owners = _examples(subjects)
    table = _table(examples, encoder)
    codes = examples.codes()
    lines = {line for label, some in _lines().items() if label != "mixed" for line in some}
    counts = np.array([_LINE_WEIGHT if text in lines else 1.0 for text in examples.texts], "f4")
    unseen = np.zeros((len(owners), len(LABELS)), dtype=np.float32)
    features = _unseen_features(subjects, table, owners, encoder)
    for fold in range(FOLDS):
        inside, outside = owners % FOLDS != fold, owners % FOLDS == fold
        means, scales, weights, offsets = _weigh(features[inside], codes[inside], counts[inside])
        unseen[outside] = (features[outside] - means) / scales @ weights + offsets
    decision = decide(unseen, codes, single=True)
    said = decision.probabilities(unseen)
    polarity = fit_polarity(*spoken_rows(subjects, encoder)).polarity
    comparison = _comparison(codes, owners, said, decision.rule.assign(said))
    return TrainedSet(
        id="stance",
        labels=LABELS,
        scorer=StanceScorer(polarity, *_weigh(features, codes, counts)),
        curves=decision.curves,
        rule=decision.rule,
        encoder=encoder.spec.sha256,
        prototypes=Prototypes(np.zeros((len(LABELS), encoder.dimensions), dtype=np.float32)),
        questions=True,
        band=unsure_band(said, codes),
        descriptions=("",) * len(LABELS),
        seen=text_marks(examples.texts),
        report=report("stance", examples, comparison, owners),
    )


def _examples(subjects: list[Subject]) -> tuple[Examples, Integers]:
    """Return the coded texts, and the number of each one's subject."""
    rng = np.random.default_rng(0)
    words = _words()
    rows: list[tuple[int, str, str]] = []
    for number, subject in enumerate(subjects):
        sides = [
            [a for a, s in zip(subject.arguments, subject.stances, strict=True) if s * side > 0]
            for side in (1, -1)
        ]
        for label, arguments in zip(LABELS[:2], sides, strict=True):
            rows += [(number, text, label) for text in arguments]
        for place in range(_MIXED):
            one, two = (
                sides[(place + n) % 2][rng.integers(len(sides[(place + n) % 2]))] for n in (0, 1)
            )
            joint = words["joints"][place % len(words["joints"])]
            rows.append((number, one.rstrip(" .") + joint + two, "mixed"))
        rows += [(number, text, label) for text, label in _long_texts(sides, rng)]
        others = [s for n, s in enumerate(subjects) if n != number]
        for _ in range(_OTHER):
            other = others[rng.integers(len(others))]
            rows.append((number, other.arguments[rng.integers(len(other.arguments))], "neither"))
    for label, lines in _lines().items():
        for place, line in enumerate(lines * _LINES):
            rows.append((place % len(subjects), line, label))
    examples = tuple(
        Example(str(place), text, (label,), question=subjects[number].topic, group=str(number))
        for place, (number, text, label) in enumerate(rows)
    )
    owners = np.array([number for number, _, _ in rows], dtype=np.int64)
    return Examples(LABELS, examples, single=True, descriptions=("",) * len(LABELS)), owners


def _long_texts(sides: list[list[str]], rng: np.random.Generator) -> Iterator[tuple[str, str]]:
    """Yield texts of several arguments with their label.

    Every second one says outright where it stands; one of a side may then grant the others a point.
    """
    for place in range(_LONG):
        for label in LABELS[:3]:
            side = LABELS.index(label)
            owners = [n % 2 if label == "mixed" else side for n in range(rng.integers(*_MANY))]
            outright = place % 2 == 1
            if outright and label != "mixed":
                owners[-1] = 1 - side if len(owners) > _FEW else side
            parts = [sides[owner][rng.integers(len(sides[owner]))] for owner in owners]
            if outright:
                said = LABELS[:2] if label == "mixed" else (label,)
                lines = [_lines()[each][rng.integers(len(_lines()[each]))] for each in said]
                parts = [lines[0], *parts, *lines[1:]]
            yield " ".join(part.rstrip(" .") + "." for part in parts), label


def _table(examples: Examples, encoder: Encoder) -> TextTable:
    texts, questions = tuple(examples.texts), tuple(examples.questions)
    return TextTable(texts, questions, encoder.encode(texts), encoder.encode(questions))


def _unseen_features(
    subjects: list[Subject], table: TextTable, owners: Integers, encoder: Encoder
) -> Floats:
    """Return the features of every text by a polarity that has not seen its subject."""
    texts, questions, free, stances, of_row = spoken_rows(subjects, encoder)
    found: list[Floats] = []
    places: list[Integers] = []
    for fold in range(FOLDS):
        rows = np.flatnonzero(of_row % FOLDS != fold)
        polarity = fit_polarity(
            [texts[row] for row in rows],
            [questions[row] for row in rows],
            free[rows],
            stances[rows],
            of_row[rows],
        ).polarity
        places.append(np.flatnonzero(owners % FOLDS == fold))
        found.append(stance_features(table.take(places[-1]), polarity))
    order = np.argsort(np.concatenate(places))
    return np.asarray(np.concatenate(found)[order], dtype=np.float32)


@cache
def _words() -> Mapping[str, list[str]]:
    found: Mapping[str, list[str]] = tomllib.loads(
        Path(__file__).with_name("stance.toml").read_text("utf-8")
    )
    return found


@cache
def _lines() -> Mapping[str, tuple[str, ...]]:
    """Return the lines of ``stance.toml`` by label; *mixed* ones are put together from two."""
    words = _words()
    lines = {label: tuple(words[label]) for label in ("support", "oppose", "neither")}
    pairs = zip(lines["support"], lines["oppose"][::-1], words["joints"] * 3, strict=False)
    mixed = tuple(one.rstrip(" .") + joint + two for one, two, joint in pairs)
    return lines | {"mixed": mixed}


def _weigh(features: Floats, codes: Codes, counts: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return means, scales, weights [features, labels] and offsets [labels].

    ``counts`` says for how many answers each row stands.
    """
    means, scales = features.mean(axis=0), features.std(axis=0) + np.float32(1e-6)
    model = LogisticRegression(C=_SHARPNESS, max_iter=1000)
    model.fit((features - means) / scales, codes.argmax(axis=1), counts)
    return means, scales, model.coef_.T.astype(np.float32), model.intercept_.astype(np.float32)


def _comparison(codes: Codes, owners: Integers, said: Floats, found: Codes) -> Comparison:
    """Return the figures beside those of the most frequent label."""
    plain = np.zeros_like(codes)
    plain[:, int(codes.sum(axis=0).argmax())] = True
    shares = np.broadcast_to(codes.mean(axis=0, dtype=np.float32), codes.shape)
    trials = [
        Trial(
            name,
            values[None],
            assigned[None],
            samples_f1(codes, assigned),
            score(codes, assigned),
            mean_interval(samples_f1(codes, assigned), owners),
        )
        for name, values, assigned in ((FLOOR, shares, plain), (SHIPPED, said, found))
    ]
    gain = trials[1].values - trials[0].values
    return Comparison(tuple(trials), trials[1], float(gain.mean()), mean_interval(gain, owners))
