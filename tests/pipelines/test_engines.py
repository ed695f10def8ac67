"""Engines: lower precision stays near float32 and keeps a text's bits in any company; the choice."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from pipelines.engines import (
    BFLOAT16,
    CUDA,
    ENGINES,
    FLOAT32,
    INT8,
    LEAST_COSINE,
    EngineRow,
    best,
    read_choice,
    write_choice,
)
from pipelines.errors import ModelError
from pipelines.models import folder_spec
from pipelines.tune import tune
from tests.pipelines.stages.named import save_named, text

if TYPE_CHECKING:
    from pipelines.stages.encode import Encoder

TEXTS = [text(words, words) for words in (1, 3, 9, 9, 25, 60, 140)]


@pytest.fixture(scope="module")
def reduced() -> Encoder:
    """Return the embedded model with products in bfloat16."""
    from pipelines.stages.encode import Encoder

    return Encoder(engine=BFLOAT16)


def test_reduced_precision_stays_near(encoder: Encoder, reduced: Encoder) -> None:
    cosines = (encoder.encode(TEXTS) * reduced.encode(TEXTS)).sum(axis=1)
    assert cosines.mean() >= LEAST_COSINE
    assert cosines.min() >= 0.999


def test_reduced_precision_keeps_the_bits_of_a_text_in_any_company(reduced: Encoder) -> None:
    together = reduced.encode(TEXTS)
    for row, one in enumerate(TEXTS):
        assert np.array_equal(reduced.encode([one])[0], together[row])


def has_cuda() -> bool:
    """Say whether torch sees a device."""
    import torch

    return torch.cuda.is_available()


def test_a_device_that_is_not_there_is_said() -> None:
    from pipelines.stages.encode import Encoder

    if has_cuda():
        near = (Encoder(engine=CUDA).encode(TEXTS) * Encoder().encode(TEXTS)).sum(axis=1)
        assert near.min() >= 0.9999
    else:
        with pytest.raises(ModelError, match="torch sees no CUDA device"):
            Encoder(engine=CUDA)


def row(engine: str, speed: float, gain: float, *, allowed: bool = True) -> EngineRow:
    """Return what was measured of an engine."""
    return EngineRow(engine, speed, gain, 0.999, 0.99, 1, allowed)


def test_best_is_the_fastest_that_is_allowed_and_clearly_faster() -> None:
    reference = row(FLOAT32, 100, 1.0)
    assert best([reference, row(BFLOAT16, 200, 2.0)]) == BFLOAT16
    assert best([reference, row(BFLOAT16, 200, 2.0, allowed=False)]) == FLOAT32
    assert best([reference, row(BFLOAT16, 105, 1.05)]) == FLOAT32


def test_choice_is_kept_and_a_broken_one_is_refused(tmp_path: Path) -> None:
    assert read_choice(tmp_path) == FLOAT32
    path = write_choice(tmp_path, BFLOAT16, [row(BFLOAT16, 200, 2.0)])
    assert read_choice(tmp_path) == BFLOAT16
    path.write_text('engine = "steam"', "utf-8")
    with pytest.raises(ModelError, match="no engine 'steam'") as caught:
        read_choice(tmp_path)
    assert caught.value.exit_code == 78
    path.write_text("engine = ", "utf-8")
    with pytest.raises(ModelError, match="not readable TOML"):
        read_choice(tmp_path)


def test_choice_counts_for_the_weights_it_was_measured_with(tmp_path: Path) -> None:
    write_choice(tmp_path, INT8, [row(INT8, 200, 2.0)], model="a" * 64)
    assert read_choice(tmp_path, "a" * 64) == INT8
    assert read_choice(tmp_path, "b" * 64) == FLOAT32


def test_unknown_engine_is_refused() -> None:
    from pipelines.stages.encode import Encoder

    with pytest.raises(ModelError, match="expected one of float32, bfloat16"):
        Encoder(engine="steam")


def test_every_engine_is_measured(tmp_path: Path) -> None:
    from pipelines.stages.int8 import int8_missing

    heard: list[str] = []
    spec = folder_spec(save_named(tmp_path / "m"))
    rows = tune(spec, TEXTS, folder=tmp_path, said=heard.append)
    here = [FLOAT32, BFLOAT16] + [INT8] * (not int8_missing()) + [CUDA] * has_cuda()
    assert [one.engine for one in rows] == here
    left_out = set(ENGINES) - set(here)
    assert {line.split(":")[0] for line in heard if "left out" in line} == left_out
    assert (tmp_path / ".int8").is_dir() == (not int8_missing())
    assert rows[0].mean_cosine == pytest.approx(1.0, abs=1e-4)
    assert all(one.tokens_per_second > 0 for one in rows)
