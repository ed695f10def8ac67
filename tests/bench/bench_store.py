"""How long the store takes for 10,000 documents with full results, on a SQLite file."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from db.engine import create_engine_for
from db.migrate import upgrade
from db.rows import DocumentRow, LabelRow, ResultInput, SentenceRow, SummaryRow, TagRow
from db.store import Store
from tests.bench.measure import gemm_gflops, print_row
from tests.db.samples import collection, put, run_all, vocabulary

SIZE = 10_000
T = TypeVar("T")


def main() -> None:
    """Print one row a step, with wall and CPU seconds."""
    print_row("store: calibration", gemm_gflops=gemm_gflops(1))
    with tempfile.TemporaryDirectory() as folder:
        engine = create_engine_for(f"sqlite:///{Path(folder) / 'bench.sqlite'}")
        upgrade(engine)
        store = Store(engine)
        here = collection(store).id
        store.add_ontology(vocabulary())
        texts = {f"k{n}": f"Text number {n}. " + "word " * (5 + n % 150) for n in range(SIZE)}
        timed("put_file", lambda: put(store, here, texts))
        timed("put_file, unchanged", lambda: put(store, here, texts))
        saved = timed("save_results", lambda: run_all(store, here, result=rich))
        assert saved.saved == SIZE
        timed("pending, second run", lambda: store.pending(here, fingerprint="f1"))
        timed("documents_page, last", lambda: store.documents_page(here, offset=SIZE - 50))
        timed("concept_counts", lambda: store.concept_counts(here))
        timed("totals", lambda: store.totals(here))
        engine.dispose()


def timed(case: str, work: Callable[[], T]) -> T:
    """Run ``work`` and print its wall and CPU seconds."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    print_row(
        f"store: {case}",
        documents=SIZE,
        seconds=time.perf_counter() - wall,
        cpu_seconds=time.process_time() - cpu,
    )
    return result


def rich(row: DocumentRow) -> ResultInput:
    """Return a result of eight sentences, three summary lines, twelve labels and five tags."""
    text, step = row.text, len(row.text) // 8
    places = [(n * step, (n + 1) * step) for n in range(8)]
    iris = ("urn:c:place", "urn:c:park", "urn:c:playground")
    return ResultInput(
        "processed",
        sentences=tuple(SentenceRow(n, *place) for n, place in enumerate(places)),
        summary=tuple(
            SummaryRow(n + 1, a, b, text[a:b], 0.5) for n, (a, b) in enumerate(places[:3])
        ),
        labels=tuple(LabelRow("s", f"l{n}", 0.5, n < 2, 0, 20, text[:20]) for n in range(12)),
        tags=tuple(
            TagRow("places", iris[n % 3], "", "", n, n + 5, text[n : n + 5], 0.9, "label")
            for n in range(5)
        ),
    )


if __name__ == "__main__":
    main()
