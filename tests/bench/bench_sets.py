"""The bundled label sets on texts that they were not learnt from.

Richness on our own answers kept apart, kind on the bundled samples (hand-labelled), section on the
dialogues of MTS-Dialog's test 1. Sentiment has no part of its own to test on: its cross-validated
figure is in its card, and is repeated here.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from pipelines.bundled import bundled_folder, bundled_names, load_bundled
from pipelines.learn.labeller import Labeller
from pipelines.stages.encode import Encoder
from tests.bench.bench_mts import TEST, read_dialogues
from tests.bench.measure import evaluation_data, print_row

GOLD = Path(__file__).parents[1] / "pipelines" / "learn" / "gold"
SAMPLES = Path(__file__).parents[2] / "app" / "samples"


def main() -> None:
    """Print one row a set."""
    encoder = Encoder(threads=1)
    for name in bundled_names():
        trained = load_bundled(name)
        size = sum(path.stat().st_size for path in bundled_folder(name).iterdir())
        texts, gold, data = test_part(name)
        row = {
            "set": name,
            "bytes": size,
            "cross_validated": trained.report["scores"]["exact"],
            "fits_the_encoder": trained.encoder == encoder.spec.sha256,
        }
        if texts:
            values = Labeller(trained, encoder).probabilities(texts, [""] * len(texts))
            found = [trained.labels[label] for label in values.argmax(axis=1)]
            right = [a == b for a, b in zip(found, gold, strict=True)]
            row |= {"data": data, "rows": len(texts), "accuracy": sum(right) / len(right)}
        print_row("sets", **row)


def test_part(name: str) -> tuple[Sequence[str], Sequence[str], str]:
    """Return texts, their labels and where they come from; nothing for a set without such a part."""
    if name == "richness":
        rows = _rows(GOLD / "richness.csv")
        return [r["text"] for r in rows], [r["labels"] for r in rows], "own answers, kept apart"
    if name == "kind":
        rows = _rows(GOLD / "kind.csv")
        texts = [(SAMPLES / r["sample"]).read_text("utf-8") for r in rows]
        return texts, [r["labels"] for r in rows], "bundled samples"
    if name == "section":
        dialogues = read_dialogues(evaluation_data() / "clinical" / "mts-dialog" / TEST)
        return (
            [row.text for row in dialogues],
            [row.labels[0] for row in dialogues],
            "mts-dialog test 1",
        )
    return [], [], ""


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


if __name__ == "__main__":
    main()
