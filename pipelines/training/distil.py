"""Distil the embedded ALBERT from the teacher: seeded, resumable, scheduled by tokens.

    python -m pipelines.training.distil --resume

A run writes ``checkpoint.pt``, ``log.jsonl`` and, at the end, ``model/`` in its folder. Started
again with ``--resume`` and the same settings, it goes on from its checkpoint and comes to the same
weights as a run that was never stopped. Only the token budget may be changed on the way; the log
keeps the budget of every line.
"""

from __future__ import annotations

import logging
from pathlib import Path

import click
import torch
from tokenizers import Tokenizer

from pipelines.models import EMBEDDED_ID, write_manifest
from pipelines.training.batches import BatchPlan
from pipelines.training.corpus import WORK
from pipelines.training.errors import TrainingError
from pipelines.training.export import export
from pipelines.training.initialise import StudentShape
from pipelines.training.recipe import Recipe, Schedule
from pipelines.training.run import Run
from pipelines.training.score_sts import benchmark_path, spearman
from pipelines.training.teacher import load_teacher, sha256_of

log = logging.getLogger(__name__)


@click.command(help=__doc__)
@click.option(
    "--corpus",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    default=WORK / "corpus.txt",
    show_default=True,
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=WORK / "run",
    show_default=True,
    help="The run's folder.",
)
@click.option("--tokens", default=6_000_000, show_default=True, help="Token budget.")
@click.option("--seed", default=20, show_default=True)
@click.option("--groups", default=2, show_default=True, help="Groups of shared layers.")
@click.option("--embedding-size", default=128, show_default=True)
@click.option("--batch-tokens", default=2048, show_default=True)
@click.option("--threads", default=1, show_default=True)
@click.option("--stop-after", type=int, help="Stop at this many tokens, short of the budget.")
@click.option("--resume", is_flag=True, help="Go on from the checkpoint in --out, if there is one.")
def main(
    corpus: Path,
    out: Path,
    tokens: int,
    seed: int,
    groups: int,
    embedding_size: int,
    batch_tokens: int,
    threads: int,
    stop_after: int | None,
    resume: bool,
) -> None:
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_num_threads(threads)
    recipe = Recipe(
        plan=BatchPlan(seed=seed, tokens=batch_tokens),
        schedule=Schedule(tokens=tokens),
        shape=StudentShape(embedding_size=embedding_size, groups=groups),
    )
    benchmark = benchmark_path()
    try:
        teacher, tokenizer = load_teacher()
        judging = Tokenizer.from_str(tokenizer.backend_tokenizer.to_str())
        run = Run(
            out,
            recipe=recipe,
            teacher=teacher,
            tokenizer=tokenizer,
            lines=corpus.read_text(encoding="utf-8").splitlines(),
            corpus_sha256=sha256_of(corpus),
            score=lambda student: spearman(student, judging, benchmark) if benchmark else None,
        )
        if resume and run.checkpoint_path.exists():
            run.resume()
        else:
            run.start()
        student = run.train(stop_after=stop_after)
    except TrainingError as error:
        log.error("%s", error)
        raise SystemExit(error.exit_code) from error
    export(student, tokenizer, out / "model")
    write_manifest(
        out / "model",
        id=EMBEDDED_ID,
        revision=f"{tokens} tokens of corpus {sha256_of(corpus)[:12]}, seed {seed}",
        licence="Apache-2.0",
    )


if __name__ == "__main__":
    main()
