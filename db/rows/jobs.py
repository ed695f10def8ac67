"""Jobs of the queue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class JobRow:
    """A job. ``state``: queued, running, done, failed or cancelled."""

    id: int
    kind: str
    collection_id: int | None
    payload: Mapping[str, Any]
    state: str
    progress: int
    total: int
    message: str
    result: Mapping[str, Any]
    lease_owner: str | None
    lease_until: datetime | None
    attempts: int
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
