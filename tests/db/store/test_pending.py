"""What is still to do: keys, order, paths, attempts."""

from __future__ import annotations

from db.store import Store
from tests.db.samples import collection, failed, full, pending_rows, put, run_all


def test_the_second_run_has_nothing_to_do(store: Store) -> None:
    here = collection(store).id
    put(store, here, {"a": "one", "b": ""})
    assert run_all(store, here).saved == 2
    assert pending_rows(store, here) == []


def test_another_fingerprint_makes_everything_pending(store: Store) -> None:
    here = collection(store).id
    put(store, here, {"a": "one", "b": "two"})
    run_all(store, here, fingerprint="f1")
    assert len(pending_rows(store, here, "f2")) == 2


def test_the_longest_text_comes_first_then_the_lower_id(store: Store) -> None:
    here = collection(store).id
    put(store, here, {"a": "bb", "b": "ééé", "c": "aa", "d": "a much longer one"})
    assert [row.key for row in pending_rows(store, here)] == ["d", "b", "a", "c"]


def test_batches_keep_to_size_and_characters(store: Store) -> None:
    here = collection(store).id
    put(store, here, {"long": "x" * 50, **{f"s{n}": "y" * 10 for n in range(5)}})
    found = store.pending(here, fingerprint="f1", batch_size=2, batch_characters=30)
    assert [len(batch) for batch in found.batches] == [1, 2, 2, 1]


def test_work_left_by_a_crash_is_what_is_pending_after(store: Store) -> None:
    here = collection(store).id
    put(store, here, {f"k{n}": f"text {n}" for n in range(6)})
    run = store.start_run(here, recipe="general", fingerprint="f1", details={})
    batches = store.pending(here, fingerprint="f1", batch_size=4).batches
    batch = [(row, full(row.text)) for row in next(batches)]
    store.save_results(run, recipe="general", fingerprint="f1", batch=batch)
    assert store.pending(here, fingerprint="f1").total == 2


def test_only_files_below_the_paths_are_taken(store: Store) -> None:
    here = collection(store).id
    for path in ("/d/a.csv", "/d/sub/b.csv", "/d/sub2/c.csv", "/d/SUB/d.csv", "/d/s%b/e.csv"):
        put(store, here, {path[-5]: path}, path)

    def keys(*paths: str) -> list[str]:
        return sorted(row.key for row in pending_rows(store, here, paths=list(paths)))

    assert keys("/d/sub") == ["b"]
    assert keys("/d/a.csv", "/d/sub2/") == ["a", "c"]
    assert keys("/d/s%b") == ["e"]
    assert keys("/d") == ["a", "b", "c", "d", "e"]
    assert keys("/") == ["a", "b", "c", "d", "e"]
    assert keys() == []


def test_a_failed_document_is_tried_three_times_then_parked(store: Store) -> None:
    here = collection(store).id
    put(store, here, {"a": "one", "b": "two"})
    for attempt in (1, 2, 3):
        assert store.parked(here, fingerprint="f1") == []
        run_all(store, here, result=lambda row: failed() if row.key == "a" else full(row.text))
        assert store.totals(here).failed == 1, attempt
    assert pending_rows(store, here) == []
    (parked,) = store.parked(here, fingerprint="f1")
    assert (parked.key, parked.attempts, parked.path) == ("a", 3, "/data/a.csv")
    assert parked.reason == "stage tag: boom"


def test_retry_failed_takes_up_the_parked(store: Store) -> None:
    here = collection(store).id
    put(store, here, {"a": "one"})
    for _ in range(3):
        run_all(store, here, result=lambda row: failed())
    assert [r.key for r in pending_rows(store, here, retry_failed=True)] == ["a"]
    run_all(store, here, retry_failed=True)
    assert store.parked(here, fingerprint="f1") == []
    assert (store.totals(here).processed, store.totals(here).failed) == (1, 0)


def test_a_parked_document_is_pending_again_when_its_text_changes(store: Store) -> None:
    here = collection(store).id
    put(store, here, {"a": "one"})
    for _ in range(3):
        run_all(store, here, result=lambda row: failed())
    put(store, here, {"a": "one, mended"})
    assert [row.key for row in pending_rows(store, here)] == ["a"]
    assert store.parked(here, fingerprint="f1") == []


def test_a_fingerprint_used_before_is_reinstated(store: Store) -> None:
    here = collection(store).id
    put(store, here, {"a": "one", "b": "two"})
    run_all(store, here, fingerprint="f1")
    run_all(store, here, fingerprint="f2")
    assert store.reinstate(here, recipe="general", fingerprint="f2") == 0
    assert store.reinstate(here, recipe="general", fingerprint="f1") == 2
    result = store.document("a").result
    assert result is not None
    assert result.fingerprint == "f1"
    assert store.totals(here).processed == 2


def test_results_of_a_renamed_recipe_become_the_new_names(store: Store) -> None:
    here = collection(store, recipe="/a.toml").id
    put(store, here, {"a": "one", "b": "two"})
    run_all(store, here, recipe="/a.toml", fingerprint="f1")
    store.ensure_collection("parks", recipe="/b.toml")
    assert store.totals(here).pending == 2
    assert store.reinstate(here, recipe="/b.toml", fingerprint="f1") == 2
    assert store.reinstate(here, recipe="/b.toml", fingerprint="f1") == 0
    assert (store.totals(here).processed, store.totals(here).pending) == (2, 0)


def test_a_failed_result_of_a_renamed_recipe_stays_failed(store: Store) -> None:
    here = collection(store, recipe="/a.toml").id
    put(store, here, {"a": "one"})
    run_all(store, here, recipe="/a.toml", fingerprint="f1", result=lambda row: failed())
    store.ensure_collection("parks", recipe="/b.toml")
    assert store.reinstate(here, recipe="/b.toml", fingerprint="f1") == 1
    assert store.totals(here).failed == 1
