"""Measure the engines on this machine, each in a process of its own, on the same texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from pipelines.engines import ENGINES, FLOAT32, LEAST_COSINE, EngineRow
from pipelines.measure import measure
from pipelines.models import ModelSpec

_REPEATS = 4


def tune(
    spec: ModelSpec,
    texts: Sequence[str],
    *,
    threads: int = 1,
    said: Callable[[str], None] = lambda _: None,
) -> list[EngineRow]:
    """Return one row an engine, float32 first; cosines are of the texts that have a token.

    Raises ``ModelError`` for a model that cannot be used.
    """
    reference = measure(spec, texts, threads=threads, engine=FLOAT32, repeats=_REPEATS)
    rows: list[EngineRow] = []
    for engine in ENGINES:
        measured = (
            reference
            if engine == FLOAT32
            else measure(spec, texts, threads=threads, engine=engine, repeats=_REPEATS)
        )
        cosines = (measured.vectors * reference.vectors).sum(axis=1)
        there = cosines[np.abs(reference.vectors).sum(axis=1) > 0]
        mean = float(there.mean()) if len(there) else 1.0
        rows.append(
            EngineRow(
                engine=engine,
                tokens_per_second=round(measured.tokens_per_second, 1),
                gain=round(measured.tokens_per_second / reference.tokens_per_second, 2),
                mean_cosine=round(mean, 5),
                least_cosine=round(float(there.min()) if len(there) else 1.0, 5),
                peak_memory=measured.peak_memory,
                allowed=mean >= LEAST_COSINE,
            )
        )
        said(f"{engine}: {rows[-1].tokens_per_second:,.0f} tokens/s")
    return rows
