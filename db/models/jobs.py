"""The queue."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import CASCADE, Base


class Job(Base):
    """A piece of work for a worker, held under a lease while it runs."""

    __tablename__ = "jobs"
    __table_args__ = (Index(None, "state", "id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str]
    collection_id: Mapped[int | None] = mapped_column(
        ForeignKey("collections.id", ondelete=CASCADE)
    )
    payload: Mapped[dict[str, Any]]
    state: Mapped[str]
    progress: Mapped[int]
    total: Mapped[int]
    message: Mapped[str]
    result: Mapped[dict[str, Any]]
    lease_owner: Mapped[str | None]
    lease_until: Mapped[datetime | None]
    attempts: Mapped[int]
    created_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]
