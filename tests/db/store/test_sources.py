"""Files of a collection: what the reader said, files inside files, moved and withdrawn ones."""

from __future__ import annotations

from db.store import Store
from tests.db.samples import collection, pending_rows, put, run_all, source


def test_a_source_keeps_the_report_of_its_reading(store: Store) -> None:
    here = collection(store).id
    report = {"tables": [{"layout": "generic", "rows": 3}], "empty": {"blank": 2}, "flags": {}}
    store.record_source(here, source(report=report))
    assert [row.report for row in store.sources(here)] == [report]
    store.put_file(here, source(), [])
    assert [row.report for row in store.sources(here)] == [{}]


def test_files_inside_a_file_are_found_by_its_path(store: Store) -> None:
    here = collection(store).id
    for path in ("/d/a.zip", "/d/a.zip!/b.csv", "/d/a.zip!/c.eml!/d.txt", "/d/A.zip!/e.csv"):
        store.record_source(here, source(path))
    inside = [row.path for row in store.sources_inside(here, "/d/a.zip")]
    assert inside == ["/d/a.zip!/b.csv", "/d/a.zip!/c.eml!/d.txt"]
    assert [row.path for row in store.sources_inside(here, "/d/a.zip!/c.eml")] == inside[1:]
    assert store.sources_inside(collection(store, "other").id, "/d/a.zip") == []


def test_wildcards_in_a_path_stand_for_themselves(store: Store) -> None:
    here = collection(store).id
    for path in ("/d/100%_é.zip!/a.csv", "/d/100 xé.zip!/a.csv"):
        store.record_source(here, source(path))
    assert len(store.sources_inside(here, "/d/100%_é.zip")) == 1


def test_a_moved_file_takes_the_files_inside_along(store: Store) -> None:
    here = collection(store).id
    outer = put(store, here, {}, "/old/á.zip").source_id
    put(store, here, {"á.zip!/b.csv#r1": "one"}, "/old/á.zip!/b.csv")
    put(store, here, {"c": "two"}, "/old/á.zip.csv")
    run_all(store, here)
    store.move_source(outer, "/new place/á.zip")
    assert [row.path for row in store.sources(here)] == [
        "/new place/á.zip",
        "/new place/á.zip!/b.csv",
        "/old/á.zip.csv",
    ]
    assert store.totals(here).processed == 2


def test_moving_a_file_that_is_not_there_changes_nothing(store: Store) -> None:
    here = collection(store).id
    put(store, here, {"a": "one"})
    store.move_source(999, "/new/a.csv")
    assert [row.path for row in store.sources(here)] == ["/data/a.csv"]


def test_a_withdrawn_file_gives_up_its_documents_and_results(store: Store) -> None:
    here = collection(store).id
    gone = put(store, here, {"a": "one", "b": "two"}, "/d/a.csv").source_id
    put(store, here, {"c": "one"}, "/d/c.csv")
    run_all(store, here)
    assert store.withdraw_source(gone) == 2
    assert store.withdraw_source(gone) == 0
    totals = store.totals(here)
    assert (totals.documents, totals.withdrawn, totals.processed) == (1, 2, 1)
    assert store.document("a").result is None
    assert [row.key for row in store.documents_page(here).rows] == ["c"]
    assert [row.documents for row in store.sources(here)] == [0, 1]


def test_a_text_is_no_duplicate_once_the_earlier_file_is_withdrawn(store: Store) -> None:
    here = collection(store).id
    gone = put(store, here, {"a": "one"}, "/d/a.csv").source_id
    put(store, here, {"b": "one"}, "/d/b.csv")
    run_all(store, here)
    assert store.totals(here).duplicate == 1
    store.withdraw_source(gone)
    assert store.totals(here).duplicate == 0


def test_a_withdrawn_file_comes_back_with_its_results(store: Store) -> None:
    here = collection(store).id
    gone = put(store, here, {"a": "one"}).source_id
    run_all(store, here)
    store.withdraw_source(gone)
    known = store.known_source(here, "/data/a.csv")
    assert known is not None
    assert known.mtime_ns == 0  # "read it again"
    assert put(store, here, {"a": "one"}).returned == 1
    assert pending_rows(store, here) == []
    assert store.totals(here).processed == 1


def test_withdrawing_an_unknown_file_withdraws_nothing(store: Store) -> None:
    assert store.withdraw_source(999) == 0
