"""One training run in its folder: steps, checkpoints, log lines."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from torch.optim import AdamW, Optimizer
from transformers import AlbertModel, BertModel, PreTrainedTokenizerFast

from pipelines.training import checkpoint, losses
from pipelines.training.batches import pad, stream, token_counts
from pipelines.training.checkpoint import Progress
from pipelines.training.initialise import initialise, new_student
from pipelines.training.recipe import Recipe, Schedule

log = logging.getLogger(__name__)


def make_optimiser(student: AlbertModel, schedule: Schedule) -> AdamW:
    """Return AdamW with the embeddings' rate and the rest's; ``initial`` keeps the full rates."""
    groups: list[dict[str, Any]] = []
    for inside, rate in ((True, schedule.embedding_rate), (False, schedule.other_rate)):
        parameters = [
            parameter
            for name, parameter in student.named_parameters()
            if name.startswith("embeddings.") is inside
        ]
        groups.append({"params": parameters, "lr": rate, "initial": rate})
    return AdamW(groups, betas=(0.9, 0.98), weight_decay=0.01, fused=True)


def write_line(
    folder: Path,
    progress: Progress,
    schedule: Schedule,
    means: Mapping[str, float],
    score: float | None,
) -> None:
    """Log where a run is, and add it as a line to ``log.jsonl`` in its folder.

    ``means`` are the unweighted parts of the loss since the line before, by name.
    """
    line = {
        "step": progress.step,
        "tokens": progress.tokens,
        "budget": schedule.tokens,
        "seconds": round(progress.seconds, 1),
        "tokens_per_second": round(progress.tokens / max(progress.seconds, 1e-9)),
        **{name: round(mean, 6) for name, mean in means.items()},
        "sts_dev": None if score is None else round(score, 4),
    }
    log.info("%s", json.dumps(line))
    with (folder / "log.jsonl").open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(line) + "\n")


def step(
    student: AlbertModel,
    teacher: BertModel,
    optimiser: Optimizer,
    batch: list[list[int]],
    recipe: Recipe,
    tokens: int,
) -> tuple[float, float, float]:
    """Train on one batch; return the unweighted parts of its loss."""
    ids, mask = pad(batch)
    with torch.no_grad():
        wanted = teacher(input_ids=ids, attention_mask=mask).last_hidden_state
    states = student(input_ids=ids, attention_mask=mask).last_hidden_state
    parts = losses.loss_parts(states, wanted, mask)
    factor = recipe.schedule.factor(tokens)
    for group in optimiser.param_groups:
        group["lr"] = group["initial"] * factor
    optimiser.zero_grad(set_to_none=True)
    losses.total(parts, recipe.weights, tokens / recipe.schedule.tokens).backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(student.parameters(), 1.0)
    optimiser.step()
    sentence, token, similarity = (part.item() for part in parts)
    return sentence, token, similarity


class Run:
    """One training run in its folder."""

    def __init__(
        self,
        folder: Path,
        *,
        recipe: Recipe,
        teacher: BertModel,
        tokenizer: PreTrainedTokenizerFast,
        lines: Sequence[str],
        corpus_sha256: str,
        score: Callable[[AlbertModel], float | None] = lambda student: None,
        report_every: int = 300_000,
    ) -> None:
        self.folder, self.recipe = folder, recipe
        self.teacher, self.tokenizer, self.lines = teacher, tokenizer, lines
        self.score, self.report_every = score, report_every
        self.settings: dict[str, Any] = {"recipe": asdict(recipe), "corpus": corpus_sha256}
        self.progress = Progress()
        torch.manual_seed(recipe.plan.seed)
        self.student = new_student(teacher, recipe.shape)
        self.optimiser = make_optimiser(self.student, recipe.schedule)

    @property
    def checkpoint_path(self) -> Path:
        return self.folder / "checkpoint.pt"

    def start(self) -> None:
        """Start the student from the teacher and the corpus's token counts."""
        backend = self.tokenizer.backend_tokenizer
        counts = token_counts(self.lines, backend, self.teacher.config.vocab_size)
        initialise(self.student, self.teacher, counts)

    def resume(self) -> None:
        """Go on from the folder's checkpoint. Raises BadCheckpoint if it is of another run.

        The token budget may differ: the schedule is the new budget's from here on, and the log
        says so.
        """
        self.progress = checkpoint.restore(
            self.checkpoint_path,
            settings=self.settings,
            student=self.student,
            optimiser=self.optimiser,
            may_change={"recipe.schedule.tokens"},
        )

    def report(self, parts: tuple[float, float, float], batches: int) -> None:
        """Save a checkpoint, score the student and write a line of ``log.jsonl``."""
        progress = self.progress
        checkpoint.save(
            self.checkpoint_path,
            settings=self.settings,
            progress=progress,
            student=self.student,
            optimiser=self.optimiser,
        )
        score = self.score(self.student.train(False))
        self.student.train()
        names = ("sentence", "tokens_loss", "similarity")
        means = {name: part / max(1, batches) for name, part in zip(names, parts, strict=True)}
        write_line(self.folder, progress, self.recipe.schedule, means, score)

    def train(self, *, stop_after: int | None = None) -> AlbertModel:
        """Train to the end of the schedule, or to ``stop_after`` tokens; return the student."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.student.train()
        progress, budget = self.progress, self.recipe.schedule.tokens
        end = min(budget, stop_after or budget)
        if progress.step == 0:
            self.report((0.0, 0.0, 0.0), 0)
        sums, batches = (0.0, 0.0, 0.0), 0
        next_report = progress.tokens + self.report_every
        backend = self.tokenizer.backend_tokenizer
        source = stream(self.lines, backend, self.recipe.plan, progress.position)
        while progress.tokens < end:
            began = time.monotonic()
            following, batch = next(source)
            parts = step(
                self.student, self.teacher, self.optimiser, batch, self.recipe, progress.tokens
            )
            sums = (sums[0] + parts[0], sums[1] + parts[1], sums[2] + parts[2])
            batches += 1
            progress.step += 1
            progress.tokens += sum(map(len, batch))
            progress.seconds += time.monotonic() - began
            progress.position = following
            if progress.tokens >= min(next_report, end):
                self.report(sums, batches)
                sums, batches = (0.0, 0.0, 0.0), 0
                next_report = progress.tokens + self.report_every
        self.student.train(False)
        return self.student
