"""Measure the engines on this machine, each in a process of its own, on the same texts."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from pipelines.engines import ENGINES, FLOAT32, LEAST_COSINE, WORST_COSINE, EngineRow
from pipelines.errors import ModelError
from pipelines.measure import measure
from pipelines.models import ModelSpec

_REPEATS = 4


def tune(
    spec: ModelSpec,
    texts: Sequence[str],
    *,
    own: Sequence[str] = (),
    folder: Path | None = None,
    threads: int = 1,
    said: Callable[[str], None] = lambda _: None,
) -> list[EngineRow]:
    """Return one row an engine that runs here, float32 first; cosines are of texts with a token.

    ``own`` are sentences of the program's, always the same ones, that ranges are measured on (by
    default ``texts``), and ``folder`` is where what comes of that is kept. ``said`` is told each
    engine's speed, or why it does not run here. Raises ``ModelError`` for a model that cannot be
    used.
    """
    if folder is None:
        with tempfile.TemporaryDirectory() as made:
            return tune(spec, texts, own=own, folder=Path(made), threads=threads, said=said)
    reference = measure(spec, texts, threads=threads, engine=FLOAT32, repeats=_REPEATS)
    rows: list[EngineRow] = []
    for engine in ENGINES:
        try:
            measured = (
                reference
                if engine == FLOAT32
                else measure(
                    spec,
                    texts,
                    threads=threads,
                    engine=engine,
                    repeats=_REPEATS,
                    folder=folder,
                    own=own or texts,
                )
            )
        except ModelError as error:
            said(f"{engine}: left out: {error}")
            continue
        cosines = (measured.vectors * reference.vectors).sum(axis=1)
        there = cosines[np.abs(reference.vectors).sum(axis=1) > 0]
        mean, worst = (float(there.mean()), float(there.min())) if len(there) else (1.0, 1.0)
        rows.append(
            EngineRow(
                engine=engine,
                tokens_per_second=round(measured.tokens_per_second, 1),
                gain=round(measured.tokens_per_second / reference.tokens_per_second, 2),
                mean_cosine=round(mean, 5),
                least_cosine=round(worst, 5),
                peak_memory=measured.peak_memory,
                allowed=mean >= LEAST_COSINE and worst >= WORST_COSINE,
            )
        )
        said(f"{engine}: {rows[-1].tokens_per_second:,.0f} tokens/s")
    return rows
