"""Adapting to a collection's own texts: neighbours found, general sentences kept, labels scored.

Public-service comments (NHS) and clinical dialogues (MTS-Dialog and ACI-Bench, training parts). The
texts are read without their labels; labels are scored by the small learner of ``models compare``
on vectors before and after, the same folds, a fixed sample of rows.
"""

from __future__ import annotations

import csv
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from app.cli.adapt import general_sentences
from pipelines.adapt.adapt import adapt
from pipelines.adapt.types import AdaptRecipe
from pipelines.compare import _HEAD, _trial
from pipelines.learn.types import Codes, Example, Examples
from pipelines.models import ModelSpec, embedded_spec
from pipelines.stages.encode import Encoder
from tests.bench.bench_mts import TRAIN, read_dialogues
from tests.bench.bench_nhs import read_comments
from tests.bench.measure import evaluation_data, gemm_gflops, print_row

TOKENS = 60_000
ROWS = 1_000
SEED = 20


def main() -> None:
    """Print one row a collection."""
    comments, codes = read_comments()
    _bench("nhs_fft_pxtextmining", [row.text for row in comments], _coded(comments, codes))
    clinical = evaluation_data() / "clinical"
    dialogues = read_dialogues(clinical / "mts-dialog" / TRAIN)
    with (clinical / "aci-bench" / "train.csv").open(encoding="utf-8", newline="") as file:
        longer = [row["dialogue"] for row in csv.DictReader(file)]
    labels = tuple(sorted({row.labels[0] for row in dialogues}))
    sample = random.Random(SEED).sample(dialogues, min(ROWS, len(dialogues)))
    texts = [row.text for row in dialogues] + longer
    _bench("mts-dialog, aci-bench", texts, Examples(labels, tuple(sample), True))


def _coded(rows: Sequence[Example], codes: Codes) -> Examples:
    """Return a sample of the rows with their codes as labels, codes of ten rows or more."""
    places = random.Random(SEED).sample(range(len(rows)), min(ROWS, len(rows)))
    names = [str(n) for n in range(codes.shape[1]) if codes[places, n].sum() >= 10]
    coded = [
        Example(rows[p].id, rows[p].text, tuple(n for n in names if codes[p, int(n)]))
        for p in places
    ]
    return Examples(tuple(names), tuple(row for row in coded if row.labels), False)


def _bench(data: str, texts: Sequence[str], examples: Examples) -> None:
    general = general_sentences()
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        made = adapt(
            texts,
            general,
            Path(folder),
            name="adapted",
            collection=data,
            recipe=AdaptRecipe(tokens=TOKENS, seed=SEED),
        )
        seconds = time.perf_counter() - start
        assert made.spec is not None
        assert made.judgement is not None
        before, after = (_labels(spec, examples) for spec in (embedded_spec(), made.spec))
    judged = made.judgement
    print_row(
        "adapt",
        data=data,
        documents=made.documents,
        passages=made.passages,
        tokens=made.progress.tokens,
        neighbours_before=judged.before,
        neighbours_after=judged.after,
        gain=judged.gain,
        gain_low=judged.interval[0],
        gain_high=judged.interval[1],
        pairs=judged.pairs,
        nearness=judged.nearness,
        order=judged.order,
        helped=judged.helped,
        label_rows=len(examples.rows),
        labels=len(examples.labels),
        samples_f1_before=before[0],
        samples_f1_after=after[0],
        macro_f1_before=before[1],
        macro_f1_after=after[1],
        seconds=seconds,
        training_tokens_per_second=made.progress.tokens / made.progress.seconds,
        gemm_gflops=gemm_gflops(1),
    )


def _labels(spec: ModelSpec, examples: Examples) -> tuple[float, float]:
    """Return samples-F1 (the accuracy where each text has one label) and macro-F1."""
    vectors = Encoder(spec, threads=1).encode(examples.texts)
    scores = _trial("vectors", _HEAD, examples, vectors).scores
    return scores.samples_f1, scores.macro_f1


if __name__ == "__main__":
    main()
