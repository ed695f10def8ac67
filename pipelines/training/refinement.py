"""One run of refinement: the distilled student goes on with sentence vectors and near pairs.

Where distillation shows single lines and asks for the teacher's token states, refinement shows
groups of related texts and asks for the teacher's vectors and for the similarities between the
texts of a batch. A moving average of the weights is what is scored and kept.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import normalize
from torch.optim import Optimizer
from transformers import AlbertModel, BertModel

from pipelines.training import checkpoint
from pipelines.training.batches import Position, buckets, pad
from pipelines.training.checkpoint import Progress
from pipelines.training.losses import mean_pool, pair_parts
from pipelines.training.recipe import Refining
from pipelines.training.run import make_optimiser, write_line
from pipelines.training.targets import WordVectors, mixed

Batches = Callable[[Position], Iterator[tuple[Position, list[list[int]]]]]


@torch.no_grad()
def blend(average: AlbertModel, student: AlbertModel, keep: float) -> None:
    """Move every averaged weight towards the student's: ``keep`` of itself, the rest of that."""
    for mean, weight in zip(average.parameters(), student.parameters(), strict=True):
        mean.lerp_(weight, 1.0 - keep)


class Refinement:
    """One run of refinement in its folder."""

    def __init__(
        self,
        folder: Path,
        *,
        recipe: Refining,
        teacher: BertModel,
        student: AlbertModel,
        batches: Batches,
        words: WordVectors | None = None,
        made_of: dict[str, str],
        score: Callable[[AlbertModel], float | None] = lambda student: None,
        report_every: int = 250_000,
    ) -> None:
        self.folder, self.recipe, self.teacher = folder, recipe, teacher
        self.student, self.average = student, copy.deepcopy(student).requires_grad_(False)
        self.batches, self.score, self.report_every = batches, score, report_every
        self.words = words
        self.settings: dict[str, Any] = {"recipe": asdict(recipe), "made_of": made_of}
        self.progress = Progress()
        self.optimiser: Optimizer = make_optimiser(student, recipe.schedule)

    @property
    def checkpoint_path(self) -> Path:
        return self.folder / "checkpoint.pt"

    def resume(self) -> None:
        """Go on from the folder's checkpoint. Raises BadCheckpoint if it is of another run."""
        self.progress = checkpoint.restore(
            self.checkpoint_path,
            settings=self.settings,
            student=self.student,
            optimiser=self.optimiser,
            average=self.average,
            may_change={"recipe.schedule.tokens"},
        )

    def vectors(self, model: AlbertModel | BertModel, ids: Tensor, mask: Tensor) -> Tensor:
        """Return a model's unit vectors, float32 of shape (texts, H)."""
        padded = bool((mask == 0).any())
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self.recipe.bfloat16):
            states = model(input_ids=ids, attention_mask=mask if padded else None).last_hidden_state
        return normalize(mean_pool(states.float(), mask), dim=-1)

    @torch.no_grad()
    def target(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Return the unit vectors that the student is to give, float32 of shape (texts, H)."""
        wanted = self.vectors(self.teacher, ids, mask)
        if self.words is None:
            return wanted
        return mixed(wanted, self.words.of(ids, mask), self.recipe.lexical)

    def step(self, batch: list[list[int]]) -> tuple[float, float]:
        """Train on one batch; return the unweighted parts of its loss."""
        wanted, made = [], []
        for part in buckets(batch):
            ids, mask = pad(part)
            wanted.append(self.target(ids, mask))
            made.append(self.vectors(self.student, ids, mask))
        weights = self.recipe.weights
        sentence, pairs = pair_parts(torch.cat(made), torch.cat(wanted), weights)
        factor = self.recipe.schedule.factor(self.progress.tokens)
        for group in self.optimiser.param_groups:
            group["lr"] = group["initial"] * factor
        self.optimiser.zero_grad(set_to_none=True)
        (weights.sentence * sentence + weights.pairs * pairs).backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.student.parameters(), 1.0)
        self.optimiser.step()
        keep = min(self.recipe.keep, (self.progress.step + 1) / (self.progress.step + 10))
        blend(self.average, self.student, keep)
        return sentence.item(), pairs.item()

    def report(self, parts: tuple[float, float], batches: int) -> None:
        """Save a checkpoint, score the average and write a line of ``log.jsonl``."""
        progress = self.progress
        checkpoint.save(
            self.checkpoint_path,
            settings=self.settings,
            progress=progress,
            student=self.student,
            optimiser=self.optimiser,
            average=self.average,
        )
        score = self.score(self.average.train(False))
        names = ("sentence", "pairs")
        means = {name: part / max(1, batches) for name, part in zip(names, parts, strict=True)}
        write_line(self.folder, progress, self.recipe.schedule, means, score)

    def train(self, *, stop_after: int | None = None) -> AlbertModel:
        """Train to the end of the schedule, or to ``stop_after`` tokens; return the average."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.student.train()
        progress, budget = self.progress, self.recipe.schedule.tokens
        end = min(budget, stop_after or budget)
        if progress.step == 0:
            self.report((0.0, 0.0), 0)
        sums, batches = (0.0, 0.0), 0
        next_report = progress.tokens + self.report_every
        source = self.batches(progress.position)
        while progress.tokens < end:
            began = time.monotonic()
            following, batch = next(source)
            parts = self.step(batch)
            sums = (sums[0] + parts[0], sums[1] + parts[1])
            batches += 1
            progress.step += 1
            progress.tokens += sum(map(len, batch))
            progress.seconds += time.monotonic() - began
            progress.position = following
            if progress.tokens >= min(next_report, end):
                self.report(sums, batches)
                sums, batches = (0.0, 0.0), 0
                next_report = progress.tokens + self.report_every
        return self.average
