"""A ready question asked of SQL, and its answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Asked:
    """The values of a question; None or empty where it asks for none.

    ``concept`` is an IRI, ``collection`` a name, ``tag`` a local name (``tag-12-3``), ``document``,
    ``run`` and ``other`` are row ids. ``year`` tells the year of a document from its source's id
    and its metadata.
    """

    limit: int = 1_000_000
    concept: str = ""
    collection: str = ""
    tag: str = ""
    reviewer: str = ""
    codebook: str = ""
    document: int = 0
    run: int = 0
    other: int = 0
    year: Callable[[int, Mapping[str, Any]], int | None] | None = None


@dataclass(frozen=True, slots=True)
class SqlAnswer:
    """Rows under named columns; None where a row has no value."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
