"""Score a model on the STS benchmark: Spearman's correlation of cosines with human judgements.

    python -m pipelines.training.score_sts pipelines/embedded

The benchmark (Cer et al. 2017, https://aclanthology.org/S17-2001) is found through
``FLORILEGIUM_EVAL_DATA``. It is a development score: never trained on, but recipes were compared by it.
"""

from __future__ import annotations

import csv
import logging
import os
from collections.abc import Sequence
from pathlib import Path

import click
import torch
from scipy.stats import spearmanr
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn.functional import normalize
from transformers import AutoModel, AutoTokenizer

from pipelines.training.batches import pad
from pipelines.training.errors import MissingSource, TrainingError
from pipelines.training.losses import mean_pool
from pipelines.training.open_sets import EVAL_DATA_VARIABLE

log = logging.getLogger(__name__)


@torch.inference_mode()
def embed(
    model: nn.Module, tokenizer: Tokenizer, texts: Sequence[str], *, batch: int = 64
) -> Tensor:
    """Return unit sentence vectors, float32 of shape (texts, H), cut at 128 tokens."""
    tokenizer.no_padding()
    tokenizer.enable_truncation(128)
    encoded = [text.ids for text in tokenizer.encode_batch(list(texts))]
    order = sorted(range(len(encoded)), key=lambda index: len(encoded[index]))
    rows: dict[int, Tensor] = {}
    for start in range(0, len(order), batch):
        here = order[start : start + batch]
        ids, mask = pad([encoded[index] for index in here])
        states = model(input_ids=ids, attention_mask=mask).last_hidden_state.float()
        vectors = normalize(mean_pool(states, mask), dim=-1)
        rows.update(zip(here, vectors, strict=True))
    return torch.stack([rows[index] for index in range(len(encoded))])


def read_pairs(path: Path) -> tuple[list[str], list[str], list[float]]:
    """Read a headerless file of sentence, sentence, similarity from 0 to 5."""
    if not path.is_file():
        raise MissingSource(f"{path} does not exist: {EVAL_DATA_VARIABLE} must name the data")
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.reader(stream))
    return [row[0] for row in rows], [row[1] for row in rows], [float(row[2]) for row in rows]


def benchmark_path(part: str = "dev") -> Path | None:
    """Return the benchmark's file, or None if ``FLORILEGIUM_EVAL_DATA`` is not set."""
    setting = os.environ.get(EVAL_DATA_VARIABLE)
    return Path(setting) / "sts" / f"stsb-en-{part}.csv" if setting else None


def spearman(model: nn.Module, tokenizer: Tokenizer, path: Path) -> float:
    """Return Spearman's correlation of the model's cosines with the file's judgements."""
    left, right, judged = read_pairs(path)
    vectors = embed(model, tokenizer, left + right)
    cosines = (vectors[: len(left)] * vectors[len(left) :]).sum(-1)
    return float(spearmanr(cosines.numpy(), judged).statistic)


@click.command(help=__doc__)
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--part", default="dev", show_default=True, help="Part of the benchmark.")
def main(folder: Path, part: str) -> None:
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    model = AutoModel.from_pretrained(
        folder, local_files_only=True, dtype=torch.float32, add_pooling_layer=False
    )
    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    try:
        path = benchmark_path(part)
        if path is None:
            raise MissingSource(
                f"{EVAL_DATA_VARIABLE} is not set: name the evaluation data's folder"
            )
        score = spearman(model.eval(), tokenizer.backend_tokenizer, path)
    except TrainingError as error:
        log.error("%s", error)
        raise SystemExit(error.exit_code) from error
    log.info("STS-B %s Spearman %.4f", part, score)


if __name__ == "__main__":
    main()
