"""How long the store takes for 10,000 documents with full results; one JSON line a case."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from db.engine import create_engine_for
from db.migrate import upgrade
from db.rows import DocumentRow, LabelRow, ResultInput, SentenceRow, SummaryRow, TagRow
from db.store import Store
from tests.db.samples import collection, put, run_all, vocabulary

pytestmark = pytest.mark.bench
SIZE = 10_000
T = TypeVar("T")


def timed(case: str, work: Callable[[], T], capsys: pytest.CaptureFixture[str]) -> T:
    """Run ``work`` and print its wall and CPU seconds."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    line = {
        "case": case,
        "size": SIZE,
        "seconds": round(time.perf_counter() - wall, 3),
        "cpu_seconds": round(time.process_time() - cpu, 3),
    }
    with capsys.disabled():
        print(json.dumps(line))  # noqa: T201
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


def test_store_at_size(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    engine = create_engine_for(f"sqlite:///{tmp_path / 'bench.sqlite'}")
    upgrade(engine)
    store = Store(engine)
    here = collection(store).id
    store.add_ontology(vocabulary())
    texts = {f"k{n}": f"Text number {n}. " + "word " * (5 + n % 150) for n in range(SIZE)}
    timed("put_file", lambda: put(store, here, texts), capsys)
    timed("put_file, unchanged", lambda: put(store, here, texts), capsys)
    saved = timed("save_results", lambda: run_all(store, here, result=rich), capsys)
    assert saved.saved == SIZE
    found = timed("pending, second run", lambda: store.pending(here, fingerprint="f1"), capsys)
    assert found.total == 0
    timed("documents_page, last", lambda: store.documents_page(here, offset=SIZE - 50), capsys)
    timed("concept_counts", lambda: store.concept_counts(here), capsys)
    timed("totals", lambda: store.totals(here), capsys)
    engine.dispose()
