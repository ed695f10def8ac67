"""Candidates compared on the user's own labels: grouped, repeated cross-validation.

Rows of one group, or with the same words, never stand on both sides. Curves and thresholds
are set inside each training part, on scores of its rows that the model had not seen, so that
nothing of the held-out part is used. Predictions of all folds are pooled; a repeat is another way to cut.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from pipelines.learn.calibrate import Curves, fit_curves
from pipelines.learn.candidates import CANDIDATES, FLOOR
from pipelines.learn.features import TextTable
from pipelines.learn.groups import assign_folds
from pipelines.learn.metrics import Scores, mean_interval, samples_f1, score
from pipelines.learn.scorer import Candidate, Prepared, WithSvm
from pipelines.learn.thresholds import Rule, fit_rule
from pipelines.learn.types import Codes, Floats, Integers

_WORTH_SAYING = 60.0  # seconds


@dataclass(frozen=True, slots=True)
class Decision:
    """What turns a candidate's scores into probabilities and labels."""

    curves: Curves
    rule: Rule

    def probabilities(self, scores: Floats) -> Floats:
        """Return probabilities, [rows, labels]; those of a single-label set add up to 1."""
        values = self.curves.probabilities(scores)
        if self.rule.single:
            values = values / np.maximum(values.sum(axis=1, keepdims=True), 1e-9)
        return values


@dataclass(frozen=True, slots=True)
class Trial:
    """One candidate over all repeats: probabilities and labels of unseen rows, and its scores.

    ``probabilities`` and ``found`` are [repeats, rows, labels]; ``values`` is the mean samples-F1 of
    every row over the repeats.
    """

    name: str
    probabilities: Floats
    found: Codes
    values: np.ndarray[tuple[int], np.dtype[np.float64]]
    scores: Scores
    interval: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Comparison:
    """All candidates, the one that won, and by how much it beats the floor (95 % interval)."""

    trials: tuple[Trial, ...]
    chosen: Trial
    gain: float
    gain_interval: tuple[float, float]


def decide(scores: Floats, codes: Codes, *, single: bool, floor: bool = False) -> Decision:
    """Set curves and thresholds on unseen scores, both [rows, labels].

    Rows of nan were seen: a candidate that is slow to learn holds out a part of the rows once.
    """
    known = ~np.isnan(scores).any(axis=1)
    scores, codes = scores[known], codes[known]
    curves = fit_curves(scores, codes)
    if floor and not single:
        return Decision(curves, _at_zero(curves))
    values = Decision(curves, Rule((), single=single)).probabilities(scores)
    return Decision(curves, fit_rule(values, codes, single=single))


def _at_zero(curves: Curves) -> Rule:
    """Return the rule of the plain SVM: each label's probability at score 0 is its threshold."""
    nothing = np.zeros((1, len(curves.slopes)), dtype=np.float32)
    return Rule(tuple(float(value) for value in curves.probabilities(nothing)[0]), least_one=True)


def _tried(
    candidate: Candidate, prepared: Prepared, rest: TextTable, *, single: bool
) -> tuple[Decision, Floats]:
    """Return the decision from the training part and the scores of the held-out one."""
    if isinstance(candidate, WithSvm):
        # Its line is at 0, so no unseen scores are needed; a common curve stands in for its own.
        labels = prepared.codes.shape[1]
        curves = Curves(np.full(labels, 2.0, np.float32), np.full(labels, -0.5, np.float32))
        rule = Rule((), single=True) if single else _at_zero(curves)
        return Decision(curves, rule), candidate.plain(prepared).score(rest)
    scorer, unseen = prepared.learn(candidate)
    return decide(unseen, prepared.codes, single=single), scorer.score(rest)


def compare(
    table: TextTable,
    codes: Codes,
    groups: Integers,
    described: Floats,
    *,
    single: bool,
    folds: int = 5,
    seeds: tuple[int, ...] = (0, 1, 2),
    least: int = 1,
    candidates: Mapping[str, Candidate] = CANDIDATES,
    settled: str = "",
    said: Callable[[str], None] = lambda _: None,
) -> Comparison:
    """Return how every candidate does on rows it has not seen; ``least`` as in ``metrics.score``.

    The winner has the best mean samples-F1 (for a single-label set that is the accuracy); ties go
    to the candidate that is named first. ``settled`` names one that runs whoever wins.
    """
    folds, start = max(2, min(folds, int(groups.max()) + 1)), time.monotonic()
    shape = (len(seeds), *codes.shape)
    said_values = {name: np.zeros(shape, dtype=np.float32) for name in candidates}
    found = {name: np.zeros(shape, dtype=np.bool_) for name in candidates}
    for repeat, seed in enumerate(seeds):
        fold = assign_folds(groups, codes, folds, seed)
        for number in range(folds):
            inside, outside = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
            if not len(inside) or not len(outside):
                continue
            _, renumbered = np.unique(groups[inside], return_inverse=True)
            part, rest = table.take(inside), table.take(outside)
            prepared = Prepared.of(part, codes[inside], renumbered, described)
            for name, candidate in candidates.items():
                decision, scores = _tried(candidate, prepared, rest, single=single)
                values = decision.probabilities(scores)
                said_values[name][repeat, outside] = values
                found[name][repeat, outside] = decision.rule.assign(values)
            done = repeat * folds + number + 1
            left = (time.monotonic() - start) / done * (folds * len(seeds) + 1 - done)
            ahead = f", about {left / 60:.0f} minutes to go" if left > _WORTH_SAYING else ""
            said(f"repeat {repeat + 1} of {len(seeds)}, fold {number + 1} of {folds}{ahead}")
    trials = tuple(
        _trial(name, codes, groups, said_values[name], found[name], least) for name in candidates
    )
    able = [trial for trial in trials if trial.name == settled] or trials
    chosen = max(able, key=lambda trial: round(float(trial.values.mean()), 4))
    floor = next((trial for trial in trials if trial.name == FLOOR), trials[0])
    difference = chosen.values - floor.values
    return Comparison(trials, chosen, float(difference.mean()), mean_interval(difference, groups))


def _trial(
    name: str, codes: Codes, groups: Integers, values: Floats, found: Codes, least: int
) -> Trial:
    each = [score(codes, of_repeat, least=least) for of_repeat in found]
    by_row = np.mean([samples_f1(codes, of_repeat) for of_repeat in found], axis=0)
    return Trial(
        name=name,
        probabilities=values,
        found=found,
        values=by_row,
        scores=Scores(
            *(
                float(np.mean([getattr(one, key) for one in each]))
                for key in ("samples_f1", "micro_f1", "macro_f1", "exact")
            )
        ),
        interval=mean_interval(by_row, groups),
    )
