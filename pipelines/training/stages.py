"""The stages of refinement as ``stages.toml`` gives them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from pipelines.training.groups import GroupPlan
from pipelines.training.recipe import Refining, Schedule

STAGES = Path(__file__).with_suffix(".toml")


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage: what it starts from, what it reads, how it trains.

    ``start`` names the folder whose ``model`` it goes on from; ``lines`` says how often each source's
    lines come.
    """

    name: str
    start: str
    lines: dict[str, int]
    tokens: int
    stop_after: int
    seed: int
    embedding_rate: float
    other_rate: float
    everyday: int
    words: int
    vocabulary: int
    lexical: float
    frames: tuple[str, ...]

    def recipe(self, tokens: int | None = None) -> Refining:
        """Return what decides the stage's weights; ``tokens`` is a budget other than its own."""
        return Refining(
            plan=GroupPlan(
                seed=self.seed,
                everyday=self.everyday,
                words=self.words,
                vocabulary=self.vocabulary,
            ),
            schedule=Schedule(
                tokens=tokens or self.tokens,
                embedding_rate=self.embedding_rate,
                other_rate=self.other_rate,
                warm_up=0.02,
            ),
            lexical=self.lexical,
        )

    def frame_files(self) -> list[Path]:
        """Return the files of the stage's frames."""
        return [STAGES.with_name(f"{name}.toml") for name in self.frames]


def read_stages(path: Path = STAGES) -> dict[str, Stage]:
    """Return the stages by name, in their order."""
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["stage"]
    return {row["name"]: Stage(**{**row, "frames": tuple(row["frames"])}) for row in rows}
