"""Encode texts with a model in a process of its own, and measure what that took.

A process for each model: what one leaves in memory is not counted for the next, and a model that
does not fit into memory ends its own process only.
"""

from __future__ import annotations

import contextlib
import math
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipelines.engines import FLOAT32, INT8
from pipelines.errors import ModelError, PipelineError
from pipelines.models import ModelSpec, verify

Vectors = NDArray[np.float32]

CHILD = (
    sys.executable,
    "-c",
    "import sys; sys.path[:] = sys.argv[1:]; from pipelines.measure import serve; serve()",
)
"""The command of the child, which is given the parent's module path and nothing of its main script."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What encoding took. Memory in bytes, of the whole process: Python, torch, weights, texts.

    ``vectors`` has one row a text. ``tokens`` counts those of distinct texts; ``load_seconds`` is
    from nothing to the first vector, torch's import included.
    """

    vectors: Vectors
    tokens: int
    seconds: float
    load_seconds: float
    peak_memory: int

    @property
    def tokens_per_second(self) -> float:
        """Tokens a second from text to vector, tokenising included."""
        return self.tokens / self.seconds if self.seconds > 0 else 0.0


def measure(
    spec: ModelSpec,
    texts: Sequence[str],
    *,
    threads: int = 1,
    engine: str = FLOAT32,
    repeats: int = 1,
    folder: Path | None = None,
    own: Sequence[str] = (),
) -> Measured:
    """Return the vectors of ``texts`` by the model ``spec``, and what they took.

    The time is that of the fastest of ``repeats`` passes, which is the least disturbed one. An engine
    that must measure ranges first does so on ``own``, keeps them in ``folder``, and is timed after.

    Raises ``ModelError`` for a model that cannot be used or whose process ended early.
    """
    verify(spec)
    job = pickle.dumps((spec, list(texts), threads, engine, repeats, folder, list(own)))
    done = subprocess.run([*CHILD, *sys.path], input=job, capture_output=True, check=False)
    if done.returncode:
        raise ModelError(
            f"model {spec.id}: its process ended with exit code {done.returncode} before it was "
            f"done{', which is most often for lack of memory' if done.returncode < 0 else ''} "
            f"({spec.bytes:,} bytes of weights); leave it out, or try: florilegium models show "
            f"{spec.id}"
        )
    answer: Measured | str = pickle.loads(done.stdout)
    if isinstance(answer, str):
        raise ModelError(answer)
    return answer


def peak_memory() -> int:
    """Return the most bytes this process has held; 0 where the system does not say.

    ``VmHWM`` is of this program alone; ``ru_maxrss`` may hold what its parent had when it started.
    """
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/status").read_text("ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    with contextlib.suppress(ImportError):
        import resource

        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    return 0


def serve() -> None:
    """Do the one job on standard input and write its answer to standard output: the child."""
    spec, texts, threads, engine, repeats, folder, own = pickle.load(sys.stdin.buffer)
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no part of the answer
    try:
        if engine == INT8 and folder is not None and own:
            from pipelines.stages.quantise import prepare

            prepare(spec, own, folder)
        answer: Measured | str = _encode(spec, texts, threads, engine, repeats, folder)
    except PipelineError as error:
        answer = str(error)
    except Exception as error:
        answer = f"model {spec.id} cannot be used: {type(error).__name__}: {error}"
    with out:
        pickle.dump(answer, out)


def _encode(
    spec: ModelSpec,
    texts: list[str],
    threads: int,
    engine: str,
    repeats: int,
    folder: Path | None,
) -> Measured:
    start = time.perf_counter()
    encoder = _load(spec, threads, engine, folder)
    encoder.encode(["Ready?"])
    loaded = time.perf_counter()
    seconds = math.inf
    for _ in range(max(1, repeats)):
        begun = time.perf_counter()
        vectors = encoder.encode(texts)
        seconds = min(seconds, time.perf_counter() - begun)
    tokens = encoder.count_tokens(texts)
    return Measured(vectors, tokens, seconds, loaded - start, peak_memory())


def _load(spec: ModelSpec, threads: int, engine: str, folder: Path | None) -> Any:
    if spec.kind == "albert":
        from pipelines.stages.encode import Encoder

        return Encoder(spec, threads=threads, engine=engine, folder=folder)
    import torch
    import transformers

    from pipelines.stages.bert import BertEncoder

    said: Any = transformers.utils.logging
    said.set_verbosity_error()
    said.disable_progress_bar()
    torch.set_num_threads(threads)
    return BertEncoder(spec)
