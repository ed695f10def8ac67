"""The engines that run an ALBERT, and which one this machine uses: chosen by measuring, never by belief.

An engine of lower precision is in the list because on development data its scores stay within 0.002
(STS-B) and 0.003 (multi-label comments) of float32's; it counts on a machine where its vectors stay
near too: a mean cosine of ``LEAST_COSINE`` or more and none below ``WORST_COSINE``. Light: nothing
here imports torch.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pipelines.errors import ModelError

FLOAT32, BFLOAT16, INT8, CUDA = "float32", "bfloat16", "int8", "cuda"
ENGINES: Mapping[str, str] = {
    FLOAT32: "packed, every product in float32: the reference",
    BFLOAT16: "packed, products of the layers and attention in bfloat16, sums in float32",
    INT8: "packed, products of the layers in 8 bits of fixed ranges, attention in bfloat16",
    CUDA: "packed, every product in float32 on the first CUDA device",
}
LEAST_COSINE, WORST_COSINE = 0.995, 0.97
LEAST_GAIN = 1.1
"""Times as fast as float32 that an engine must be to be worth other last digits."""

CHOICE = "engine.toml"


@dataclass(frozen=True, slots=True)
class EngineRow:
    """How an engine did: speed, and its vectors' cosines with those of float32.

    ``allowed`` says that the vectors are near enough.
    """

    engine: str
    tokens_per_second: float
    gain: float
    mean_cosine: float
    least_cosine: float
    peak_memory: int
    allowed: bool


def require(engine: str) -> str:
    """Return ``engine``. Raises ``ModelError`` where there is none of that name."""
    if engine not in ENGINES:
        raise ModelError(
            f"no engine {engine!r}: expected one of {', '.join(ENGINES)}. "
            "Let the machine choose: florilegium models tune"
        )
    return engine


def best(rows: list[EngineRow]) -> str:
    """Return the fastest allowed engine; float32 where no other is clearly faster."""
    allowed = [row for row in rows if row.allowed and row.gain >= LEAST_GAIN]
    return max(allowed, key=lambda row: row.tokens_per_second).engine if allowed else FLOAT32


def read_choice(folder: Path, model: str = "") -> str:
    """Return the engine written down in ``folder``; float32 where none is.

    A choice that was measured with other weights than ``model``, their sha256, does not count.

    Raises ``ModelError`` for a file that cannot be read or an engine that does not exist.
    """
    path = folder / CHOICE
    if not path.is_file():
        return FLOAT32
    try:
        written = tomllib.loads(path.read_text("utf-8"))
        engine = require(str(written.get("engine", "")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ModelError(
            f"{path} is not readable TOML: {error}; write it again: florilegium models tune"
        ) from error
    return FLOAT32 if model and model != written.get("model") else engine


def write_choice(folder: Path, engine: str, rows: list[EngineRow], *, model: str = "") -> Path:
    """Write the engine to use, and why, into ``folder``; ``model`` is the weights' sha256."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / CHOICE
    lines = [f"engine = {json.dumps(require(engine))}"]
    lines += [f"model = {json.dumps(model)}"] if model else []
    lines += [
        f"# {row.engine}: {row.tokens_per_second:,.0f} tokens/s, mean cosine {row.mean_cosine:.4f}"
        for row in rows
    ]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path
