"""The label matcher alone: megabytes a second on one core, and what loading and building cost."""

from __future__ import annotations

import time
from pathlib import Path

from ontology.index import LabelIndex
from ontology.load import load
from tests.bench.measure import evaluation_data, gemm_gflops, print_row

BYTES = 10_000_000


def main() -> None:
    """Print one row for a heritage thesaurus and one for a symptom ontology."""
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
        found = len(index.find(text))
        seconds = time.perf_counter() - built
        print_row(
            "tag",
            data=path.stem,
            labels=index.labels,
            load_seconds=loaded - start,
            build_seconds=built - loaded,
            matches=found,
            seconds=seconds,
            megabytes_per_second=len(text.encode()) / 1e6 / seconds,
        )


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
