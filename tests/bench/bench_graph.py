"""The graph's store: building it from SQL, and bringing small changes in.

``FLORILEGIUM_GRAPH_SCALE`` is the size (1: 20,000 documents, 240,000 tags); the default is 0.1.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import update

from app.graph_step import bring_in_step
from app.projection import rebuild_graph
from app.workspace import open_store
from db.models import Document, Result
from db.store import Store
from ontology.graphstore import CurrentGraph
from tests.bench.measure import gemm_gflops, print_row
from tests.bench.sparql_data import make_workspace


def main() -> None:
    """Print a row for the build, and one for each kind of change."""
    scale = float(os.environ.get("FLORILEGIUM_GRAPH_SCALE", "0.1"))
    with tempfile.TemporaryDirectory() as folder:
        settings = make_workspace(Path(folder), scale)
        store = open_store(settings)
        timed("build", lambda: rebuild_graph(settings, store))
        timed("nothing changed", lambda: bring_in_step(settings, store))
        reason(store, 1)
        timed("one document named", lambda: bring_in_step(settings, store, [1]))
        reason(store, 10)
        timed("ten found out", lambda: bring_in_step(settings, store))
        withdraw(store, 10)
        timed("ten gone", lambda: bring_in_step(settings, store))
        store.engine.dispose()
    print_row("graph: calibration", gemm_gflops=gemm_gflops(1))


def timed(case: str, work: Callable[[], CurrentGraph]) -> CurrentGraph:
    """Run ``work`` and print its seconds and what it left on disk."""
    wall, cpu = time.perf_counter(), time.process_time()
    graph = work()
    seconds, used = time.perf_counter() - wall, time.process_time() - cpu
    print_row(
        f"graph: {case}",
        documents=graph.manifest.documents,
        quads=graph.manifest.quads,
        seconds=seconds,
        cpu_seconds=used,
        quads_a_second=graph.manifest.quads / seconds if case == "build" else None,
        disk_mb=sum(file.stat().st_size for file in graph.db.iterdir()) / 2**20,
    )
    return graph


def reason(store: Store, documents: int) -> None:
    """Give the results of the first documents another reason."""
    with store.writing() as connection:
        first = Result.document_id <= documents
        connection.execute(update(Result).where(first).values(reason=f"changed {documents}"))


def withdraw(store: Store, documents: int) -> None:
    """Withdraw the first documents."""
    with store.writing() as connection:
        first = Document.id <= documents
        connection.execute(update(Document).where(first).values(withdrawn=True))


if __name__ == "__main__":
    main()
