"""Label indexes: cold and cached start, memory and size; HPO, and a million generated labels.

Each figure is that of a process of its own. ``cold`` reads the vocabulary, compiles the index and
writes it; ``cached`` maps it and tags one sentence. Memory is the peak of the process.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from ontology.index import Mechanisms, cached_index
from ontology.model import Concept, Label, Ontology
from tests.bench.concepts import hpo
from tests.bench.measure import gemm_gflops, print_row

CONCEPTS, LABELS, WORDS = 350_000, 1_000_000, 60_000
SENTENCE = "A girl with seizures, heart and kidney failure, and hypoplastic nails."
_SYLLABLES = [consonant + vowel for consonant in "bcdfglmnprst" for vowel in "aeiou"]


def main() -> None:
    """Print a row for each vocabulary and start."""
    for name in ("hpo", "generated"):
        with tempfile.TemporaryDirectory() as folder:
            for start in ("cold", "cached"):
                command = [sys.executable, "-m", "tests.bench.bench_index", name, start, folder]
                begun = time.perf_counter()
                done = subprocess.run(command, capture_output=True, text=True, check=True)
                values = json.loads(done.stdout)
                print_row(
                    f"index: {name}, {start}",
                    process_seconds=time.perf_counter() - begun,
                    **values,
                )
    print_row("index: calibration", gemm_gflops=gemm_gflops(1))


def measure(name: str, start: str, folder: str) -> None:
    """Make or map the index in ``folder`` and print what it cost, as JSON."""
    begun, cpu = time.perf_counter(), time.process_time()

    def load() -> Sequence[Ontology]:
        if start == "cached":
            raise SystemExit("the index is not where it was written")
        return [hpo() if name == "hpo" else generated()]

    index = cached_index(Path(folder), [(name, "bench")], load)
    ready, ready_cpu = time.perf_counter() - begun, time.process_time() - cpu
    if start == "cached":
        index.find(SENTENCE, Mechanisms())
    values = {
        "labels": index.labels,
        "start_seconds": ready,
        "start_cpu_seconds": ready_cpu,
        "seconds": time.perf_counter() - begun,
        "index_megabytes": index.size / 1e6,
        "process_peak_mib": _peak_mib(),
    }
    sys.stdout.write(json.dumps({key: round(value, 4) for key, value in values.items()}))


def _peak_mib() -> float:
    """Return this process's peak since it began; ``getrusage`` counts what its parent had too."""
    for line in Path("/proc/self/status").read_text("ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    raise OSError("/proc/self/status has no VmHWM")


def generated() -> Ontology:
    """Return a vocabulary of made-up words: 350,000 concepts, a million labels of 1 to 5 words."""
    chance = random.Random(5)
    words = sorted(
        {"".join(chance.choices(_SYLLABLES, k=chance.randint(2, 5))) for _ in range(WORDS)}
    )
    weights = [1 / (rank + 20) for rank in range(len(words))]
    picked = iter(chance.choices(words, weights, k=5 * LABELS))
    lengths = chance.choices((1, 2, 3, 4, 5), (1, 4, 5, 3, 2), k=LABELS)
    concepts: dict[str, Concept] = {}
    for number in range(CONCEPTS):
        iri = f"https://example.org/concept/{number}"
        texts = [
            " ".join(next(picked) for _ in range(lengths[place]))
            for place in range(number, LABELS, CONCEPTS)
        ]
        labels = tuple(
            Label(text, "en", "pref" if place == 0 else "alt") for place, text in enumerate(texts)
        )
        concepts[iri] = Concept(iri, f"ex:{number}", texts[0], labels)
    return Ontology("generated", "", "", "", "turtle", "0", concepts)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        measure(*sys.argv[1:])
    else:
        main()
