"""Bounded, read-only SPARQL over the current graph (signatures; being implemented)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class QueryAnswer:
    """A whole answer. ``kind`` is ``select``, ``ask``, ``construct`` or ``describe``."""

    kind: str
    body: bytes
    media_type: str


def run_query(
    graph_dir: Path,
    query: str,
    *,
    format: str = "json",
    params: Mapping[str, str] | None = None,
    timeout: float = 20.0,
    with_text: bool = False,
    max_rows: int = 1_000_000,
    max_bytes: int = 64 * 1024 * 1024,
) -> QueryAnswer:
    """Answer ``query`` in a process of its own.

    ``format``: table, csv, tsv, json, xml, ttl, nt, rdfxml, jsonld or a media type. ``params`` are
    values for the query's variables of that name: IRIs in ``<>`` or N-Triples literals. Raises
    QueryRefused, QueryTimeout, QueryStopped, GraphMissing.
    """
    raise NotImplementedError
