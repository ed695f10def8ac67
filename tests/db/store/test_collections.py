"""Collections, runs and the run lease."""

from __future__ import annotations

import time

import pytest

from db.errors import Locked, NotFound
from db.store import Store
from tests.db.samples import collection, put, run_all


def test_a_collection_is_made_once(store: Store) -> None:
    first = store.ensure_collection("parks", recipe="general")
    again = store.ensure_collection("parks", recipe="general")
    assert first == again
    assert store.collection("parks") == first
    assert first.text_private is False


def test_a_collection_follows_its_recipe_and_privacy_only_when_told(store: Store) -> None:
    store.ensure_collection("notes", recipe="clinical", text_private=True, title="Notes")
    row = store.ensure_collection("notes", recipe="general")
    assert (row.recipe, row.text_private, row.title) == ("general", True, "Notes")


def test_a_description_changes_only_where_told(store: Store) -> None:
    row = collection(store)
    assert (row.licence, row.rights) == ("", "")
    told = store.describe_collection(row.id, title="Parks", licence="https://example.org/l")
    assert (told.title, told.licence, told.rights) == ("Parks", "https://example.org/l", "")
    told = store.describe_collection(row.id, rights="The council", text_private=True)
    assert (told.title, told.rights, told.text_private) == ("Parks", "The council", True)
    assert store.describe_collection(row.id) == told == store.collection(row.name)
    again = store.ensure_collection(row.name, recipe=row.recipe)
    assert (again.licence, again.text_private) == ("https://example.org/l", True)


def test_an_unknown_collection_is_not_found_and_names_the_known(store: Store) -> None:
    collection(store, "parks")
    with pytest.raises(NotFound, match="parks") as caught:
        store.collection("park")
    assert caught.value.exit_code == 2


def test_listing_counts_documents_and_shows_the_last_run(store: Store) -> None:
    here = collection(store, "parks").id
    collection(store, "zoo")
    put(store, here, {"a": "one", "b": "two"})
    put(store, here, {"a": "one"})
    run_all(store, here, fingerprint="f1")
    run_all(store, here, fingerprint="f2")
    parks, zoo = store.collections()
    assert (parks.name, parks.documents) == ("parks", 1)
    assert parks.last_run is not None
    assert parks.last_run.fingerprint == "f2"
    assert (zoo.name, zoo.documents, zoo.last_run) == ("zoo", 0, None)


def test_a_run_keeps_its_details_and_counts(store: Store) -> None:
    here = collection(store).id
    details = {"model": {"id": "albert", "sha256": "ab"}, "parameters": [1, 2.5, None, True]}
    run = store.start_run(here, recipe="general", fingerprint="f1", details=details)
    store.finish_run(run, "finished", {"processed": 3})
    (row,) = store.runs(here)
    assert (row.id, row.details, row.counts) == (run, details, {"processed": 3})
    assert row.state == "finished"
    assert row.finished_at is not None
    assert row.finished_at >= row.started_at


def test_a_run_that_died_is_marked_interrupted_by_the_next(store: Store) -> None:
    here = collection(store).id
    store.start_run(here, recipe="general", fingerprint="f1", details={})
    store.start_run(here, recipe="general", fingerprint="f1", details={})
    assert [run.state for run in store.runs(here)] == ["interrupted", "running"]


def test_an_unknown_run_state_is_refused(store: Store) -> None:
    with pytest.raises(ValueError, match="expected finished"):
        store.finish_run(1, "done", {})


def test_two_runs_cannot_hold_one_collection(store: Store) -> None:
    here = collection(store).id
    store.lock_collection(here, "host:1", 60)
    with pytest.raises(Locked, match="'parks' is being run by host:1") as caught:
        store.lock_collection(here, "host:2", 60)
    assert caught.value.exit_code == 75
    store.lock_collection(here, "host:1", 60)
    store.lock_collection(collection(store, "zoo").id, "host:2", 60)


def test_an_unlocked_collection_is_free(store: Store) -> None:
    here = collection(store).id
    store.lock_collection(here, "host:1", 60)
    store.unlock_collection(here, "host:2")
    with pytest.raises(Locked):
        store.lock_collection(here, "host:2", 60)
    store.unlock_collection(here, "host:1")
    store.lock_collection(here, "host:2", 60)


def test_an_expired_lease_passes_to_the_next(store: Store) -> None:
    here = collection(store).id
    store.lock_collection(here, "host:1", 0.05)
    time.sleep(0.1)
    store.lock_collection(here, "host:2", 60)
    assert store.renew_collection(here, "host:1", 60) is False
    assert store.renew_collection(here, "host:2", 60) is True


def test_how_files_are_read_is_kept_until_told_otherwise(store: Store) -> None:
    assert store.ensure_collection("parks", recipe="general").reading == {}
    reading = {"questions": ["Q1"], "mapping": '[columns]\n"Wárd" = "demographic"\n'}
    store.ensure_collection("parks", recipe="general", reading=reading)
    assert store.ensure_collection("parks", recipe="clinical").reading == reading
    assert store.collections()[0].reading == reading
    assert store.ensure_collection("parks", recipe="clinical", reading={}).reading == {}
