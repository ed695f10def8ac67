"""Judging: neighbours found, intervals, what counts as help, ties that find nothing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from pipelines.adapt.judge import judge, reciprocal_ranks
from pipelines.stages.vectors import Vectors

HELD = [(f"left {n} a", f"right {n} b") for n in range(60)]
GENERAL = [f"general {n} c" for n in range(40)]


class Model:
    """Vectors by number: a pair's two are near where ``pairs`` is large, alike with 0 spread."""

    def __init__(self, pairs: float, *, moved: float = 0.0, spread: float = 1.0) -> None:
        self.pairs, self.moved, self.spread = pairs, moved, spread

    @property
    def dimensions(self) -> int:
        return 32

    def encode(self, texts: Sequence[str]) -> Vectors:
        rows = []
        for text in texts:
            kind, number, _ = text.split()
            topic = np.random.default_rng(int(number)).normal(size=32)
            own = np.random.default_rng([int(number), len(kind)]).normal(size=32)
            away = np.random.default_rng([int(number), 99]).normal(size=32)
            mixed = topic + self.moved * away if kind == "general" else self.pairs * topic + own
            rows.append(self.spread * mixed + (1 - self.spread))
        made = np.array(rows)
        return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True), dtype=np.float32)


def test_a_model_that_finds_more_neighbours_helped() -> None:
    found = judge(Model(0.2), Model(1.5), HELD, GENERAL, seed=1)
    assert found.helped
    assert (found.pairs, found.among) == (60, 59)
    assert 0 < found.before < found.after <= 1
    assert found.interval[0] <= found.gain <= found.interval[1]
    assert found.gain == pytest.approx(found.after - found.before, abs=2e-4)
    assert found.nearness == pytest.approx(1.0, abs=1e-4)


def test_the_same_model_did_not_help_and_neither_did_a_worse_one() -> None:
    same = judge(Model(0.5), Model(0.5), HELD, GENERAL, seed=1)
    assert (same.helped, same.gain, same.interval) == (False, 0.0, (0.0, 0.0))
    worse = judge(Model(1.5), Model(0.2), HELD, GENERAL, seed=1)
    assert not worse.helped
    assert worse.interval[1] < 0


def test_a_gain_that_wrecks_general_sentences_is_no_help() -> None:
    found = judge(Model(0.2), Model(1.5, moved=2.0), HELD, GENERAL, seed=1)
    assert found.interval[0] > 0
    assert found.nearness < 0.9
    assert not found.helped


def test_a_model_that_finds_all_alike_finds_nothing() -> None:
    pairs = [(a, b) for a, b in HELD]
    others = [[n for n in range(60) if n != row] for row in range(60)]
    ranks = reciprocal_ranks(Model(1.0, spread=0.0), pairs, others)
    assert ranks == pytest.approx(1 / 60)
