"""The engines that run an ALBERT, and which one this machine uses: chosen by measuring, never by belief.

An engine of lower precision is offered only where its vectors stay those of float32: a mean cosine
of ``LEAST_COSINE`` or more, and on the program's own development data scores within 0.002 (STS-B)
and 0.003 (multi-label comments). Light: nothing here imports torch.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pipelines.errors import ModelError

FLOAT32, BFLOAT16 = "float32", "bfloat16"
ENGINES: Mapping[str, str] = {
    FLOAT32: "packed, every product in float32: the reference",
    BFLOAT16: "packed, products of the layers in bfloat16, sums in float32",
}
LEAST_COSINE = 0.995
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


def read_choice(folder: Path) -> str:
    """Return the engine written down in ``folder``; float32 where none is.

    Raises ``ModelError`` for a file that cannot be read or an engine that does not exist.
    """
    path = folder / CHOICE
    if not path.is_file():
        return FLOAT32
    try:
        return require(str(tomllib.loads(path.read_text("utf-8")).get("engine", "")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ModelError(
            f"{path} is not readable TOML: {error}; write it again: florilegium models tune"
        ) from error


def write_choice(folder: Path, engine: str, rows: list[EngineRow]) -> Path:
    """Write the engine to use, and why, into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / CHOICE
    lines = [f"engine = {json.dumps(require(engine))}"]
    lines += [
        f"# {row.engine}: {row.tokens_per_second:,.0f} tokens/s, mean cosine {row.mean_cosine:.4f}"
        for row in rows
    ]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path
