"""Leases on a database that one long write transaction keeps for itself."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, select, update

from db.models import CollectionLock, Job
from db.types import utc_now


def extend_leases(connection: Connection, began: datetime) -> None:
    """Add the time since ``began`` to every lease that held then; for SQLite alone.

    Its one writer keeps everybody else from renewing, and a lease must not run out for that. To be
    called last in a write transaction that may last, ``began`` being the time when it had the lock:
    nobody sees the leases in between. On PostgreSQL renewals wait for nobody.
    """
    if connection.dialect.name != "sqlite":
        return
    since = utc_now() - began
    for key, until in (
        (CollectionLock.collection_id, CollectionLock.lease_until),
        (Job.id, Job.lease_until),
    ):
        for id, ends in connection.execute(select(key, until).where(until > began)).all():
            assert ends is not None
            connection.execute(update(key.class_).where(key == id).values(lease_until=ends + since))
