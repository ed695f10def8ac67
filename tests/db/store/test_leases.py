"""A lease does not run out because a long write keeps its holder from renewing it."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from db.engine import create_engine_for
from db.errors import Locked
from db.queue import Queue
from db.rows import DocumentInput
from db.store import Store
from db.store.leases import extend_leases
from db.types import utc_now
from tests.db.samples import collection, doc, source


def _hold_the_database(store: Store, seconds: float) -> None:
    with store.writing() as connection:
        began = utc_now()
        time.sleep(seconds)
        extend_leases(connection, began)


def test_a_lease_is_renewed_while_a_file_is_taken(store: Store, url: str) -> None:
    """Reading may last minutes; nobody waits for it, not even a writer without patience."""
    here = collection(store).id
    store.lock_collection(here, "me", 60)
    hasty = create_engine_for(url, busy_seconds=0)
    renewed = []

    def slow() -> Iterator[DocumentInput]:
        for number in range(2_500):
            if not number % 500:
                renewed.append(Store(hasty).renew_collection(here, "me", 60))
            yield doc(f"k{number}", "text")

    assert store.put_file(here, source(), slow()).added == 2_500
    assert renewed == [True] * 5
    hasty.dispose()


def test_the_documents_may_come_from_the_same_database(store: Store) -> None:
    here, there = collection(store, "here").id, collection(store, "there").id
    store.put_file(here, source(), [doc("a", "one"), doc("b", "two")])

    def copied() -> Iterator[DocumentInput]:
        for row in store.documents_page(here).rows:
            store.record_source(there, source(f"/noted/{row.key}", outcome="skipped"))
            yield doc(row.key, store.document(row.id).document.text)

    assert store.put_file(there, source(), copied()).added == 2
    assert len(store.sources(there)) == 3


@pytest.mark.parametrize("backend", ["sqlite"])
def test_a_lease_outlives_a_long_write(store: Store, queue: Queue, backend: str) -> None:
    here = collection(store).id
    job = queue.enqueue("run", {})
    store.lock_collection(here, "me", 0.3)
    queue.claim("me", lease_seconds=0.3)
    _hold_the_database(store, 0.6)
    with pytest.raises(Locked, match="being run by me"):
        store.lock_collection(here, "other", 60)
    assert queue.claim("other") is None
    assert store.renew_collection(here, "me", 60)
    assert queue.renew(job, "me")


@pytest.mark.parametrize("backend", ["sqlite"])
def test_a_lease_that_had_run_out_stays_so(store: Store, backend: str) -> None:
    here = collection(store).id
    store.lock_collection(here, "dead", 0)
    _hold_the_database(store, 0.1)
    store.lock_collection(here, "other", 60)


@pytest.mark.postgres
@pytest.mark.parametrize("backend", ["postgresql"])
def test_postgresql_needs_no_extended_lease(store: Store, backend: str) -> None:
    here = collection(store).id
    store.lock_collection(here, "me", 0.1)
    _hold_the_database(store, 0.2)
    store.lock_collection(here, "other", 60)
