"""Files and their documents: new, changed, gone, back, refused."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from db.errors import KeyCollision
from db.rows import DocumentInput
from db.store import Store
from tests.db.samples import collection, doc, pending_rows, put, run_all, source


def test_a_document_is_kept_to_the_character(store: Store) -> None:
    here = collection(store).id
    text = "  Line one\r\nΩ🙂 é\u0301\tend \u2028\ufeff\n"
    given = doc(
        "a#1/Q", text, question="Q: “Why?”", metadata={"Ward": "Élm", "n": ""}, locator="row 1"
    )
    store.put_file(here, source(), [given])
    (row,) = pending_rows(store, here)
    assert row.text == text
    assert (row.question, row.metadata, row.locator) == (
        "Q: “Why?”",
        {"Ward": "Élm", "n": ""},
        "row 1",
    )
    assert (row.key, row.sha256, row.input_hash) == (given.key, given.sha256, given.input_hash)


def test_the_same_file_again_touches_nothing(store: Store) -> None:
    here = collection(store).id
    first = put(store, here, {"a": "one", "b": "two"})
    run_all(store, here)
    again = put(store, here, {"a": "one", "b": "two"})
    assert (first.added, first.documents) == (2, 2)
    assert (again.untouched, again.added, again.updated, again.withdrawn) == (2, 0, 0, 0)
    assert again.source_id == first.source_id
    assert store.totals(here).processed == 2


def test_a_changed_text_keeps_its_id_and_loses_its_current_result(store: Store) -> None:
    here = collection(store).id
    put(store, here, {"a": "one", "b": "two"})
    run_all(store, here)
    before = store.document("a").document.id
    assert put(store, here, {"a": "one, changed", "b": "two"}).updated == 1
    detail = store.document("a")
    assert (detail.document.id, detail.document.text) == (before, "one, changed")
    assert detail.result is None
    assert [row.key for row in pending_rows(store, here)] == ["a"]
    assert (store.totals(here).processed, store.totals(here).pending) == (1, 1)


def test_a_text_put_back_finds_its_old_result_again(store: Store) -> None:
    here = collection(store).id
    for text in ("one", "other"):
        put(store, here, {"a": text})
        run_all(store, here)
    put(store, here, {"a": "one"})
    assert pending_rows(store, here) == []
    result = store.document("a").result
    assert result is not None
    assert result.summary[0].text == "one"


def test_a_metadata_change_outside_the_input_hash_keeps_the_result(store: Store) -> None:
    here = collection(store).id
    store.put_file(here, source(), [doc("a", "one", metadata={"age": "40"})])
    run_all(store, here)
    counts = store.put_file(here, source(), [doc("a", "one", metadata={"age": "41"})])
    detail = store.document("a")
    assert counts.updated == 1
    assert detail.document.metadata == {"age": "41"}
    assert detail.result is not None


def test_a_key_that_is_gone_is_withdrawn_and_comes_back_whole(store: Store) -> None:
    here = collection(store).id
    put(store, here, {"a": "one", "b": "two"})
    run_all(store, here)
    assert put(store, here, {"a": "one"}).withdrawn == 1
    totals = store.totals(here)
    assert (totals.documents, totals.withdrawn, totals.processed) == (1, 1, 1)
    assert store.document("b").result is None
    assert pending_rows(store, here, "f2")[0].key == "a"
    assert put(store, here, {"a": "one", "b": "two"}).returned == 1
    assert store.totals(here).processed == 2
    assert pending_rows(store, here) == []


def test_documents_of_other_files_are_left_alone(store: Store) -> None:
    here = collection(store).id
    put(store, here, {"a": "one"}, "/data/a.csv")
    put(store, here, {"b": "two"}, "/data/b.csv")
    put(store, here, {}, "/data/a.csv")
    assert [row.key for row in pending_rows(store, here)] == ["b"]


def test_a_new_row_order_is_followed_without_new_work(store: Store) -> None:
    here = collection(store).id
    put(store, here, {"a": "one", "b": "two"})
    run_all(store, here)
    assert put(store, here, {"b": "two", "a": "one"}).untouched == 2
    assert [row.key for row in store.documents_page(here).rows] == ["b", "a"]
    assert store.totals(here).processed == 2


def test_a_key_twice_in_one_file_is_refused_and_nothing_stored(store: Store) -> None:
    here = collection(store).id
    with pytest.raises(KeyCollision, match="'a' occurs twice"):
        store.put_file(here, source(), [doc("a", "one"), doc("a", "two")])
    assert store.sources(here) == []


def test_a_key_of_another_file_is_refused_by_name(store: Store) -> None:
    here = collection(store).id
    put(store, here, {"a": "one"}, "/data/north/a.csv")
    with pytest.raises(ValueError, match=r"/data/north/a\.csv"):
        put(store, here, {"a": "two"}, "/data/south/a.csv")
    assert store.document("a").document.text == "one"


def test_a_moved_file_keeps_its_documents(store: Store) -> None:
    here = collection(store).id
    old = put(store, here, {"a": "one"}, "/old/a.csv")
    run_all(store, here)
    (known,) = store.sources(here, relative="a.csv")
    store.move_source(known.id, "/new/a.csv")
    assert put(store, here, {"a": "one"}, "/new/a.csv").untouched == 1
    assert store.known_source(here, "/old/a.csv") is None
    assert old.source_id == known.id


def test_a_withdrawn_key_may_come_back_in_another_file(store: Store) -> None:
    here = collection(store).id
    put(store, here, {"a": "one"}, "/data/a.csv")
    put(store, here, {}, "/data/a.csv")
    assert put(store, here, {"a": "one"}, "/data/b.csv").returned == 1
    assert put(store, here, {}, "/data/a.csv").withdrawn == 0
    assert store.totals(here).documents == 1


@pytest.mark.parametrize("bad", ["nul \x00 here", "half \ud83d here"])
def test_an_unstorable_text_is_rejected_alone_and_listed(store: Store, bad: str) -> None:
    here = collection(store).id
    given = [doc("a", "one"), doc("b", bad, locator="row 2"), doc("c", "three")]
    counts = store.put_file(here, source(warnings=("ragged",)), given)
    assert (counts.added, counts.documents) == (2, 2)
    (rejected,) = counts.rejected
    assert (rejected.key, rejected.locator) == ("b", "row 2")
    assert "character 4" in rejected.reason or "character 5" in rejected.reason
    known = store.known_source(here, "/data/a.csv")
    assert known is not None
    assert known.documents == 2
    assert known.warnings[0] == "ragged"
    assert known.warnings[1].startswith("row 2: ")


def test_a_document_that_becomes_unstorable_is_withdrawn(store: Store) -> None:
    here = collection(store).id
    put(store, here, {"a": "one"})
    counts = put(store, here, {"a": "one\x00"})
    assert (len(counts.rejected), counts.withdrawn) == (1, 1)


def test_names_that_are_not_utf8_are_stored_visibly(store: Store) -> None:
    here = collection(store).id
    path = "/data/caf\udce9.txt"
    given = doc("caf\udce9.txt", "one", metadata={"file": "caf\udce9.txt", "x": "\x00"})
    store.put_file(here, source(path), [given])
    assert store.put_file(here, source(path), [given]).untouched == 1
    known = store.known_source(here, path)
    assert known is not None
    assert known.path == "/data/caf\\udce9.txt"
    assert store.document("caf\\udce9.txt").document.metadata["x"] == "\\x00"


def test_a_reader_that_fails_half_way_leaves_the_old_state(store: Store) -> None:
    here = collection(store).id
    put(store, here, {"a": "one"})

    def broken() -> Iterator[DocumentInput]:
        for number in range(1200):
            yield doc(f"n{number}", "text")
        raise OSError("disc gone")

    with pytest.raises(OSError, match="disc gone"):
        store.put_file(here, source(), broken())
    assert [row.key for row in pending_rows(store, here)] == ["a"]


_KILLED = """
import sys, time
from db.engine import create_engine_for
from db.store import Store
from tests.db.samples import doc, source
def slow():
    for number in range(1500):
        yield doc(f"n{number}", "text")
    print("half way", flush=True)
    time.sleep(60)
Store(create_engine_for(sys.argv[1])).put_file(int(sys.argv[2]), source(), slow())
"""


def test_a_killed_reader_leaves_the_last_committed_state(store: Store, url: str) -> None:
    here = collection(store).id
    put(store, here, {"a": "one"})
    reader = subprocess.Popen(
        [sys.executable, "-c", _KILLED, url, str(here)], stdout=subprocess.PIPE, text=True
    )
    assert reader.stdout is not None
    assert reader.stdout.readline() == "half way\n"
    reader.kill()
    reader.communicate(timeout=60)
    assert [row.key for row in pending_rows(store, here)] == ["a"]
    assert put(store, here, {"a": "one", "b": "two"}).added == 1


def test_a_file_of_many_chunks_is_kept_in_order(store: Store) -> None:
    here = collection(store).id
    put(store, here, {f"k{n:04}": f"text {n}" for n in range(1300)})
    page = store.documents_page(here, offset=1290, limit=20)
    assert page.total == 1300
    assert [row.key for row in page.rows] == [f"k{n:04}" for n in range(1290, 1300)]


def test_a_source_keeps_what_the_reader_said(store: Store) -> None:
    here = collection(store).id
    given = source(
        "/data/scan.pdf",
        outcome="skipped",
        reason="no reader for .pdf",
        size=5_000_000_000,
        mtime_ns=1_790_000_000_123_456_789,
        sha256="ab",
        encoding="cp1252",
        rows=3,
        columns=({"name": "Q1", "role": "text", "reason": "prose"},),
        warnings=("row 3: ragged",),
        options="q=Q1",
    )
    id = store.record_source(here, given)
    row = store.known_source(here, "/data/scan.pdf")
    assert row is not None
    assert (row.id, row.size, row.mtime_ns) == (id, given.size, given.mtime_ns)
    assert (row.columns, row.warnings, row.options) == (given.columns, given.warnings, "q=Q1")
    assert (row.outcome, row.reason, row.encoding) == ("skipped", "no reader for .pdf", "cp1252")


def test_recording_a_failure_keeps_the_documents_read_before(store: Store) -> None:
    here = collection(store).id
    put(store, here, {"a": "one"})
    store.record_source(here, source(outcome="failed", reason="broken zip"))
    assert store.totals(here).documents == 1
    assert [row.outcome for row in store.sources(here)] == ["failed"]


def test_a_touched_source_keeps_everything_else(store: Store) -> None:
    here = collection(store).id
    id = put(store, here, {"a": "one"}).source_id
    store.touch_source(id, size=9, mtime_ns=8)
    row = store.known_source(here, "/data/a.csv")
    assert row is not None
    assert (row.size, row.mtime_ns, row.documents) == (9, 8, 1)
