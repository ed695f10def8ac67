"""What people decide, and what was erased."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class DecisionInput:
    """A decision about one thing in one document, before it is stored.

    ``kind``: tag, label, theme or summary. ``scheme`` and ``item`` name what it is about: ontology
    and IRI, label set and label, codebook and theme key; both empty for a summary sentence.
    ``verdict``: accepted, rejected, corrected or added. ``replacement`` is what stands instead
    (corrected): the same keys ``scheme``, ``item``, ``start``, ``end``, ``text``. ``result_id``
    is the machine's result that the person saw.
    """

    document_id: int
    kind: str
    scheme: str
    item: str
    start: int
    end: int
    text: str
    verdict: str
    reviewer: str
    reason: str = ""
    replacement: Mapping[str, Any] = field(default_factory=dict)
    result_id: int | None = None


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """A stored decision; ``current`` until the same reviewer decides about the same thing again."""

    id: int
    collection_id: int
    document_id: int
    kind: str
    scheme: str
    item: str
    start: int
    end: int
    text: str
    verdict: str
    replacement: Mapping[str, Any]
    reviewer: str
    reason: str
    created_at: datetime
    current: bool
    result_id: int | None
    run_id: int | None


@dataclass(frozen=True, slots=True)
class ErasureRow:
    """What was erased, when, by whom and why. ``kind``: document or run; ``counts``: how much."""

    id: int
    collection_id: int
    kind: str
    key_hash: str
    sha256: str
    erased_at: datetime
    author: str
    reason: str
    counts: Mapping[str, Any]
