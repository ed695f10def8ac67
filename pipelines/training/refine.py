"""Refine a distilled student on near texts: seeded, resumable, scheduled by tokens.

    python -m pipelines.training.corpus --stage near
    python -m pipelines.training.refine --stage near --resume

A stage writes ``checkpoint.pt``, ``log.jsonl`` and ``model/`` in its folder. Started again with
``--resume`` and the same settings, it goes on from its checkpoint and comes to the same weights as a
run that was never stopped. Only the token budget may be changed on the way.
"""

from __future__ import annotations

import logging
from pathlib import Path

import click
import torch
from tokenizers import Tokenizer
from transformers import AlbertModel

from pipelines.models import EMBEDDED_ID, write_manifest
from pipelines.training import debian_packages
from pipelines.training.batches import token_counts
from pipelines.training.corpus import WORK
from pipelines.training.errors import TrainingError
from pipelines.training.export import export
from pipelines.training.groups import Groups
from pipelines.training.lexicon import Lexicon
from pipelines.training.refinement import Refinement
from pipelines.training.score_sts import benchmark_path, spearman
from pipelines.training.stages import Stage, read_stages
from pipelines.training.targets import WordVectors, word_vectors
from pipelines.training.teacher import load_teacher, sha256_of

log = logging.getLogger(__name__)


def make_run(
    stage: Stage, *, work: Path, start: Path, out: Path, tokens: int | None, report_every: int
) -> Refinement:
    """Return a stage's run, neither begun nor resumed."""
    recipe = stage.recipe(tokens)
    corpus = work / stage.name / "corpus.txt"
    lines = corpus.read_text(encoding="utf-8").splitlines()
    teacher, tokenizer = load_teacher()
    backend = tokenizer.backend_tokenizer
    judging = Tokenizer.from_str(backend.to_str())
    archive = debian_packages.fetch("wordnet-base", work / "deb")
    lexicon = Lexicon(debian_packages.unpack(archive, work / "unpacked"))
    frames = stage.frame_files()
    groups = Groups(
        lines, lexicon, recipe.plan, frames=frames, vocabulary=list(backend.get_vocab())
    )
    words: WordVectors | None = None
    if stage.lexical:
        counts = token_counts(lines, backend, teacher.config.vocab_size)
        words = word_vectors(teacher, counts, len(lines), tokenizer.all_special_ids)
    student = AlbertModel.from_pretrained(
        start, local_files_only=True, dtype=torch.float32, add_pooling_layer=False
    )
    benchmark = benchmark_path()
    return Refinement(
        out,
        recipe=recipe,
        teacher=teacher,
        student=student,
        batches=lambda position: groups.stream(backend, position),
        words=words,
        made_of={
            "corpus": sha256_of(corpus),
            "start": sha256_of(start / "model.safetensors"),
            **{path.stem: sha256_of(path) for path in frames},
        },
        score=lambda model: spearman(model, judging, benchmark) if benchmark else None,
        report_every=report_every,
    )


@click.command(help=__doc__)
@click.option("--stage", "name", type=click.Choice(list(read_stages())), required=True)
@click.option(
    "--work",
    type=click.Path(file_okay=False, path_type=Path),
    default=WORK,
    show_default=True,
    help="Folder of corpora and runs.",
)
@click.option(
    "--start",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Model folder to go on from, if not the stage before.",
)
@click.option("--out", type=click.Path(path_type=Path), help="The run's folder.")
@click.option("--tokens", type=int, help="Token budget, if not the stage's.")
@click.option(
    "--stop-after", type=int, help="Stop at this many tokens, if not where the stage ends."
)
@click.option("--threads", default=1, show_default=True)
@click.option("--report-every", default=500_000, show_default=True, help="Tokens.")
@click.option("--resume", is_flag=True, help="Go on from the checkpoint in --out, if there is one.")
def main(
    name: str,
    work: Path,
    start: Path | None,
    out: Path | None,
    tokens: int | None,
    stop_after: int | None,
    threads: int,
    report_every: int,
    resume: bool,
) -> None:
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_num_threads(threads)
    stage = read_stages()[name]
    work = work.resolve()
    start = start or work / stage.start / "model"
    out = out or work / name
    torch.manual_seed(stage.seed)
    try:
        run = make_run(
            stage, work=work, start=start, out=out, tokens=tokens, report_every=report_every
        )
        if resume and run.checkpoint_path.exists():
            run.resume()
        average = run.train(stop_after=stop_after or (None if tokens else stage.stop_after))
        _, tokenizer = load_teacher()
    except TrainingError as error:
        log.error("%s", error)
        raise SystemExit(error.exit_code) from error
    export(average, tokenizer, out / "model")
    write_manifest(
        out / "model",
        id=EMBEDDED_ID,
        revision=f"stage {name}, {run.progress.tokens} tokens, seed {stage.seed}, "
        f"from {sha256_of(start / 'model.safetensors')[:12]}",
        licence="Apache-2.0",
    )


if __name__ == "__main__":
    main()
