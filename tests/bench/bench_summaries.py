"""Summaries: Opinosis, two sentences a topic, against the best and the mean gold; and a long text.

Peers where ``make bench-peer NAME=summaries`` installed them; they get our sentences.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pipelines.pipeline import Pipeline
from pipelines.recipes import Recipe, SummariseParameters, load_recipe
from pipelines.segment import segment
from pipelines.stages.encode import Encoder
from pipelines.stages.summarise import summarise
from pipelines.stages.vectors import Vectors
from pipelines.summaries.worth import centrality
from pipelines.types import Document, Segment
from tests.bench.measure import evaluation_data, gemm_gflops, print_row
from tests.bench.peers.apart import ask
from tests.bench.rouge import rouge_l, rouge_n

MEASURES: dict[str, Callable[[str, str], float]] = {
    "rouge1": lambda found, gold: rouge_n(found, gold, 1),
    "rouge2": lambda found, gold: rouge_n(found, gold, 2),
    "rougeL": rouge_l,
}
_WORDS = 7_000
_SAMPLES = 2_000
_GRID = tuple(product((0.25, 0.5), (0.5, 1.0, 1.5), (7, 8, 9, 10, 12), (0.2, 0.3, 0.4)))
"""length, phrases, ideal_words, redundancy: chosen on the other topics in the cross-validated row."""


class Topic(NamedTuple):
    """The opinions of a topic, their sentences and vectors, and people's summaries of them."""

    name: str
    text: str
    segments: Sequence[Segment]
    vectors: Vectors
    golds: list[str]

    @property
    def sentences(self) -> list[str]:
        """The sentences of the text."""
        return [self.text[one.start : one.end] for one in self.segments]


@dataclass(frozen=True, slots=True)
class Scores:
    """ROUGE of each topic against its best and its mean gold summary: [topics, 6]."""

    values: np.ndarray

    def columns(self, over: Scores | None = None) -> dict[str, float | list[float]]:
        """Return means with 95 % intervals of resampled topics; ``over`` adds the difference."""
        rng = np.random.default_rng(0)
        some = rng.integers(0, len(self.values), (_SAMPLES, len(self.values)))
        found: dict[str, float | list[float]] = {}
        for place, (name, gold) in enumerate(product(MEASURES, ("best", "mean"))):
            of_topic = self.values[:, place]
            found[f"{name}_{gold}"] = float(of_topic.mean())
            if gold == "best":
                found[f"{name}_{gold}_95"] = _interval(of_topic, some)
                if over is not None:
                    found[f"{name}_{gold}_less_95"] = _interval(
                        over.values[:, place] - of_topic, some
                    )
        return found


def main() -> None:
    """Print a row a method, the better ones last, and the time for a long text."""
    encoder = Encoder(threads=1)
    topics = list(_topics(evaluation_data() / "summarisation" / "opinosis", encoder))
    recipes = {name: load_recipe(name).summarise for name in ("general", "consultation")}
    ours = {
        f"recipe {name}": _scores([_ours(topic, parameters) for topic in topics], topics)
        for name, parameters in recipes.items()
    }
    best = ours["recipe consultation"]
    for name, found in _others(topics):
        _print(name, _scores(found, topics), best)
    for name, scores in ours.items():
        _print(name, scores, best)
    _print("parameters chosen on the other topics", _crossed(topics), best)
    _time_long(encoder, " ".join(topic.text for topic in topics))


def _print(method: str, scores: Scores, ours: Scores) -> None:
    print_row("summaries", data="opinosis", method=method, **scores.columns(ours))


def _topics(folder: Path, encoder: Encoder) -> Iterable[Topic]:
    for path in sorted((folder / "topics").iterdir()):
        text = path.read_text("utf-8", errors="replace")
        segments = segment(text)
        name = path.name.removesuffix(".txt.data")
        golds = [
            gold.read_text("utf-8", errors="replace")
            for gold in sorted((folder / "summaries-gold" / name).iterdir())
        ]
        vectors = encoder.encode([text[one.start : one.end] for one in segments])
        yield Topic(name, text, segments, vectors, golds)


def _ours(topic: Topic, parameters: SummariseParameters) -> list[str]:
    chosen = summarise(topic.text, topic.segments, topic.vectors, replace(parameters, sentences=2))
    return [one.text for one in chosen]


def _others(topics: Sequence[Topic]) -> Iterable[tuple[str, list[list[str]]]]:
    """Yield method and sentences: the first two, the two most central, and the peers' choice."""
    yield "lead", [topic.sentences[:2] for topic in topics]
    yield "centroid", [_central(topic) for topic in topics]
    items = [topic.sentences for topic in topics]
    for method in ("LexRank", "TextRank", "LSA"):
        if reply := ask("summaries", "sumy_summaries", items, method=method, count=2):
            yield f"{reply.version} {method}", reply.answers
    for first in (True, False):
        settings = {"shape": "minilm", "first": first, "count": 2}
        if reply := ask("summaries", "bert_summaries", items, **settings):
            said = "as it comes" if first else "use_first off"
            yield f"{reply.version}, MiniLM, {said}", reply.answers


def _central(topic: Topic) -> list[str]:
    order = np.argsort(-centrality(topic.vectors), kind="stable")
    return [topic.sentences[place] for place in order[:2]]


def _crossed(topics: Sequence[Topic]) -> Scores:
    """Return each topic's scores with the parameters that are best on all the others."""
    values = []
    for length, phrases, ideal, redundancy in _GRID:
        parameters = SummariseParameters(
            length=length, phrases=phrases, ideal_words=ideal, redundancy=redundancy
        )
        values.append(_scores([_ours(topic, parameters) for topic in topics], topics).values)
    grid = np.stack(values)
    of_topic = grid[:, :, ::2].mean(axis=2)
    others = of_topic.sum(axis=1, keepdims=True) - of_topic
    return Scores(np.stack([grid[others[:, t].argmax(), t] for t in range(len(topics))]))


def _scores(found: Sequence[Sequence[str]], topics: Sequence[Topic]) -> Scores:
    rows = []
    for sentences, topic in zip(found, topics, strict=True):
        text, row = " ".join(sentences), []
        for measure in MEASURES.values():
            values = [measure(text, gold) for gold in topic.golds]
            row += [max(values), float(np.mean(values))]
        rows.append(row)
    return Scores(np.array(rows))


def _interval(values: np.ndarray, some: np.ndarray) -> list[float]:
    low, high = np.quantile(values[some].mean(axis=1), (0.025, 0.975))
    return [round(float(low), 4), round(float(high), 4)]


def _time_long(encoder: Encoder, text: str) -> None:
    """Print the seconds for a text of 7,000 words, from sentences to summary, ours and a peer's."""
    text = " ".join(text.split()[:_WORDS])
    base = load_recipe("general")
    recipe = replace(base, stages=("summarise",), summarise=replace(base.summarise, sentences=2))
    gflops = gemm_gflops(1)
    for threads in (1, 2):
        each = encoder if threads == 1 else Encoder(threads=threads)
        wall, cpu = _least_seconds(each, recipe, text)
        name = f"florilegium, {threads} thread" + "s" * (threads > 1)
        values = {"seconds": wall, "cpu_seconds": cpu, "gflops": gflops}
        print_row("summaries", data="7,000 words", method=name, **values)
    sentences = [text[one.start : one.end] for one in segment(text)]
    for shape in ("minilm", "bert-large"):
        settings = {"shape": shape, "first": True, "count": 2}
        if reply := ask("summaries", "bert_summaries", [sentences], **settings):
            costs = {name: reply.costs[name] for name in ("seconds", "cpu_seconds")}
            name = f"{reply.version}, shape of {shape}"
            print_row("summaries", data="7,000 words", method=name, gflops=gflops, **costs)


def _least_seconds(encoder: Encoder, recipe: Recipe, text: str) -> tuple[float, float]:
    pipeline, found = Pipeline(recipe, encoder), []
    pipeline.process([Document("warm", text[:2_000])])
    for _ in range(3):
        wall, cpu = time.perf_counter(), time.process_time()
        (result,) = pipeline.process([Document("long", text)])
        found.append((time.perf_counter() - wall, time.process_time() - cpu))
        assert len(result.summary) == 2, result
    return min(found)


if __name__ == "__main__":
    main()
