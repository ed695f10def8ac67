"""The label matcher alone: megabytes a second on one core, beside pyahocorasick on the same labels.

pyahocorasick finds the labels' characters and nothing else: no whole words, no other forms.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from ontology.index import ONLY_LABELS, LabelIndex, Mechanisms
from ontology.load import load
from ontology.model import Ontology
from tests.bench.measure import evaluation_data, gemm_gflops, print_row

BYTES = 10_000_000
MECHANISMS = {
    "labels only": ONLY_LABELS,
    "every mechanism but fuzzy": Mechanisms(),
    "every mechanism": Mechanisms(fuzzy=True),
}


def main() -> None:
    """Print rows for a heritage thesaurus and for a symptom ontology."""
    data = evaluation_data()
    print_row("tag: calibration", gemm_gflops=gemm_gflops(1))
    text = mixed_text(data)
    for path in (
        data / "ontologies/fish/FISH_Archaeological_Objects_20260204_Full.rdf",
        data / "ontologies/symp/symp.owl",
    ):
        start = time.perf_counter()
        vocabulary = load(path, id="bench")
        loaded = time.perf_counter()
        index = LabelIndex.build([vocabulary])
        built = time.perf_counter()
        size = len(text.encode()) / 1e6
        print_row(
            "tag: start",
            data=path.stem,
            labels=index.labels,
            load_seconds=loaded - start,
            build_seconds=built - loaded,
        )
        for name, mechanisms in MECHANISMS.items():
            begun, cpu = time.perf_counter(), time.process_time()
            found = len(index.find(text, mechanisms))
            seconds, cpu = time.perf_counter() - begun, time.process_time() - cpu
            speed("tag: " + name, path.stem, found, seconds, cpu, size)
        automaton = aho_corasick(vocabulary)
        lower = text.lower()
        begun, cpu = time.perf_counter(), time.process_time()
        found = sum(1 for _ in automaton.iter(lower))
        seconds, cpu = time.perf_counter() - begun, time.process_time() - cpu
        speed("tag: pyahocorasick", path.stem, found, seconds, cpu, size)


def speed(case: str, data: str, matches: int, seconds: float, cpu: float, size: float) -> None:
    """Print how fast a text of ``size`` megabytes was gone through; a core is its CPU time."""
    print_row(
        case,
        data=data,
        matches=matches,
        seconds=seconds,
        cpu_seconds=cpu,
        megabytes_per_second=size / seconds,
        megabytes_per_cpu_second=size / cpu,
    )


def aho_corasick(vocabulary: Ontology) -> Any:
    """Return the automaton of the labels in lower case."""
    import ahocorasick

    automaton = ahocorasick.Automaton()
    for concept in vocabulary.concepts.values():
        for label in concept.labels:
            automaton.add_word(label.text.lower(), concept.curie)
    automaton.make_automaton()
    return automaton


def mixed_text(data: Path) -> str:
    """Return about ten megabytes of dialogues, newspapers and comments, repeated as needed."""
    paths = sorted(
        [
            *(data / "clinical/mts-dialog").glob("*.csv"),
            *(data / "historical/overproof").glob("*.txt"),
            *(data / "consultation/polis_opendata").glob("*/comments.csv"),
        ]
    )
    once = "".join(path.read_text("utf-8", errors="replace") for path in paths)
    return once * (BYTES // len(once.encode()) + 1)


if __name__ == "__main__":
    main()
