"""Memory of encoding many sentences: what is held beside the texts and their vectors.

    python -m tests.bench.bench_memory --sentences 200000

A process for each number of sentences, all generated and distinct, in the engine asked for.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from pathlib import Path

from pipelines.engines import FLOAT32, INT8
from pipelines.measure import measure
from pipelines.models import embedded_spec
from pipelines.stages.int8 import int8_missing
from tests.bench.bench_encode import own_sentences
from tests.bench.measure import print_row

FEW = 5000
MILLION = 1_000_000
_WORDS = (
    "the bus road council library school doctor nurse garden winter is was never often late open "
    "closed because children people need safer quieter cheaper better and but near after"
)


def main() -> None:
    """Print one row a size, and what a million sentences would hold by the slope between them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sentences", type=int, default=40000)
    asked = parser.parse_args()
    engine = FLOAT32 if int8_missing() else INT8
    held: list[int] = []
    sizes = (FEW, asked.sentences)
    with tempfile.TemporaryDirectory() as folder:
        spec, own, models = embedded_spec(), own_sentences(), Path(folder)
        measure(spec, own[:1], engine=engine, folder=models, own=own)  # measures ranges, apart
        for size in sizes:
            took = measure(spec, generated(size), engine=engine, folder=models)
            held.append(took.peak_memory - took.vectors.nbytes)
            print_row(
                "memory",
                engine=engine,
                sentences=size,
                peak_bytes=took.peak_memory,
                vectors_bytes=took.vectors.nbytes,
                held_bytes=held[-1],
                tokens_per_second=took.tokens_per_second,
            )
    slope = (held[1] - held[0]) / (sizes[1] - sizes[0])
    print_row(
        "memory, extrapolated",
        sentences=MILLION,
        bytes_a_sentence=slope,
        held_bytes=held[1] + slope * (MILLION - sizes[1]),
    )


def generated(count: int) -> list[str]:
    """Return distinct sentences of 4 to 16 words."""
    chance, words = random.Random(11), _WORDS.split()
    return [
        f"{' '.join(chance.choices(words, k=chance.randint(3, 15)))} {number}"
        for number in range(count)
    ]


if __name__ == "__main__":
    main()
