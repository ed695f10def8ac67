"""Summaries: Opinosis, two sentences a topic, ROUGE against the best and the mean gold summary."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from pipelines.pipeline import Pipeline
from pipelines.recipes import load_recipe
from pipelines.stages.encode import Encoder
from pipelines.types import Document
from tests.bench.measure import evaluation_data, print_row
from tests.bench.rouge import rouge_l, rouge_n

MEASURES: dict[str, Callable[[str, str], float]] = {
    "rouge1": lambda found, gold: rouge_n(found, gold, 1),
    "rouge2": lambda found, gold: rouge_n(found, gold, 2),
    "rougeL": rouge_l,
}


def main() -> None:
    """Print a row for the lead sentences and one for each recipe's parameters."""
    folder = evaluation_data() / "summarisation" / "opinosis"
    paths = sorted((folder / "topics").iterdir())
    texts = [_text(path) for path in paths]
    golds = [_golds(folder, path) for path in paths]
    lead = [" ".join(text.splitlines()[:2]) for text in texts]
    print_row("summarise", data="opinosis", method="lead", **_scores(lead, golds))
    encoder = Encoder(threads=1)
    documents = [Document(path.name, text) for path, text in zip(paths, texts, strict=True)]
    for name in ("general", "consultation"):
        recipe = load_recipe(name)
        recipe = replace(
            recipe, stages=("summarise",), summarise=replace(recipe.summarise, sentences=2)
        )
        start = time.perf_counter()
        results = Pipeline(recipe, encoder).process(documents)
        seconds = time.perf_counter() - start
        found = [" ".join(sentence.text for sentence in result.summary) for result in results]
        print_row(
            "summarise",
            data="opinosis",
            method=f"recipe {name}",
            sentences=sum(len(result.sentences) for result in results),
            seconds=seconds,
            **_scores(found, golds),
        )


def _text(path: Path) -> str:
    return path.read_text("utf-8", errors="replace")


def _golds(folder: Path, topic: Path) -> list[str]:
    name = topic.name.removesuffix(".txt.data")
    return [_text(path) for path in sorted((folder / "summaries-gold" / name).iterdir())]


def _scores(found: list[str], golds: list[list[str]]) -> dict[str, float]:
    scores: dict[str, float] = {}
    for name, measure in MEASURES.items():
        values = [
            [measure(text, gold) for gold in of_topic]
            for text, of_topic in zip(found, golds, strict=True)
        ]
        scores[f"{name}_best"] = float(np.mean([max(topic) for topic in values]))
        scores[f"{name}_mean"] = float(np.mean([np.mean(topic) for topic in values]))
    return scores


if __name__ == "__main__":
    main()
