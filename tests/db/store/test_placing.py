"""What becomes of a file's documents: each column counts, repeats are found, memory stays flat."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from db.errors import KeyCollision
from db.rows import DocumentInput
from db.store import Store
from tests.db.samples import collection, doc, pending_rows, put, run_all, source


def test_who_wrote_it_and_what_was_noticed_are_kept(store: Store) -> None:
    here = collection(store).id
    aside = "preview submission: Status is “Survey Preview”"
    given = doc("a", "one", respondent="R_1é", aside=aside, flags=("cut", "garbled"))
    store.put_file(here, source(), [given, doc("b", "two")])
    for row in (store.document("a").document, pending_rows(store, here)[0]):
        assert (row.respondent, row.aside, row.flags) == ("R_1é", aside, ("cut", "garbled"))
    plain = store.document("b").document
    assert (plain.respondent, plain.aside, plain.flags) == ("", "", ())
    with store.export(here) as export:
        assert [e.document.flags for e in export.documents] == [("cut", "garbled"), ()]


@pytest.mark.parametrize(
    "other",
    [
        {"question": "Why?"},
        {"metadata": {"Ward": "South"}},
        {"metadata": {}},
        {"locator": "row 9"},
        {"respondent": "R_2"},
        {"aside": "test submission"},
        {"flags": ("ocr",)},
        {"input_hash": "other"},
    ],
)
def test_a_change_of_one_column_alone_is_an_update(store: Store, other: dict[str, Any]) -> None:
    here = collection(store).id
    first: dict[str, Any] = {"metadata": {"Ward": "North"}, "locator": "row 1"}
    store.put_file(here, source(), [doc("a", "one", **first)])
    run_all(store, here)
    counts = store.put_file(here, source(), [doc("a", "one", **(first | other))])
    assert (counts.updated, counts.untouched) == (1, 0)
    row = store.document("a")
    assert {name: getattr(row.document, name) for name in other} == other
    assert (row.result is None) == ("input_hash" in other)


def test_names_that_are_not_utf8_are_visible_in_every_column(store: Store) -> None:
    here = collection(store).id
    given = doc("a", "one", respondent="a\x00", aside="\udce9", flags=("x\x00",))
    store.put_file(here, source(), [given])
    assert store.put_file(here, source(), [given]).untouched == 1
    row = store.document("a").document
    assert (row.respondent, row.aside, row.flags) == ("a\\x00", "\\udce9", ("x\\x00",))


def test_duplicates_repeat_a_text_under_the_same_question(store: Store) -> None:
    here = collection(store).id
    given = [
        doc("1a", "Yes", question="A"),
        doc("1b", "Yes", question="B"),
        doc("2a", "Yes", question="A"),
        doc("3a", "Yes", question="A"),
        doc("4a", "Yes"),
        doc("5a", "Yes"),
        doc("6a", "yes", question="A"),
    ]
    assert store.put_file(here, source(), given).duplicates == 3
    assert store.put_file(here, source(), given).duplicates == 3


def test_blank_texts_are_no_duplicates(store: Store) -> None:
    here = collection(store).id
    texts = ["", "", " \u2003\n", " \u2003\n", "one"]
    given = [doc(f"k{n}", t) for n, t in enumerate(texts)]
    assert store.put_file(here, source(), given).duplicates == 0


def test_duplicates_of_another_file_count_for_the_later_one(store: Store) -> None:
    here = collection(store).id
    assert put(store, here, {"a": "one", "b": "two"}, "/d/a.csv").duplicates == 0
    assert put(store, here, {"c": "one", "d": "three"}, "/d/b.csv").duplicates == 1
    assert put(store, here, {"a": "one", "b": "two"}, "/d/a.csv").duplicates == 0
    other = collection(store, "other").id
    assert put(store, other, {"a": "one"}, "/d/a.csv").duplicates == 0


def test_a_withdrawn_text_makes_no_duplicate(store: Store) -> None:
    here = collection(store).id
    put(store, here, {"a": "one", "b": "two"}, "/d/a.csv")
    put(store, here, {"b": "two"}, "/d/a.csv")
    assert put(store, here, {"c": "one"}, "/d/c.csv").duplicates == 0


def test_duplicate_flags_follow_a_changed_text(store: Store) -> None:
    here = collection(store).id
    put(store, here, {"a": "one", "b": "one", "c": "two", "d": "two"})
    run_all(store, here)
    assert store.totals(here).duplicate == 2
    put(store, here, {"a": "two", "b": "one", "c": "two", "d": "two"})
    run_all(store, here)
    flagged = {row.key for row in store.documents_page(here, duplicate=True).rows if row.duplicate}
    assert flagged == {"c", "d"}


def test_a_mixed_file_is_counted_once_each(store: Store) -> None:
    here = collection(store).id
    put(store, here, {"same": "1", "moved": "2", "changed": "3", "gone": "4", "back": "5"})
    put(store, here, {"same": "1", "moved": "2", "changed": "3", "gone": "4"})
    counts = put(store, here, {"same": "1", "new": "6", "changed": "0", "back": "5", "moved": "2"})
    assert (counts.added, counts.updated, counts.untouched) == (1, 1, 2)
    assert (counts.returned, counts.withdrawn, counts.documents) == (1, 1, 5)
    order = [row.key for row in store.documents_page(here).rows]
    assert order == ["same", "new", "changed", "back", "moved"]
    assert [row.documents for row in store.sources(here)] == [5]


def test_the_first_of_several_repeated_keys_is_named(store: Store) -> None:
    here = collection(store).id
    keys = ["z", *(f"k{n}" for n in range(1500)), "b", "z", "b"]
    with pytest.raises(KeyCollision, match="'z' occurs twice in one file"):
        store.put_file(here, source(), (doc(key, "text") for key in keys))
    assert store.totals(here).documents == 0


def test_two_keys_that_look_alike_when_shown_collide(store: Store) -> None:
    here = collection(store).id
    with pytest.raises(KeyCollision, match="occurs twice"):
        store.put_file(here, source(), [doc("a\x00", "one"), doc("a\\x00", "two")])


def test_a_refused_file_leaves_the_connection_fit_for_the_next(store: Store) -> None:
    here = collection(store).id
    put(store, here, {"a": "one"}, "/d/a.csv")

    def broken() -> Iterator[DocumentInput]:
        yield doc("x", "text")
        raise OSError("disc gone")

    for _ in range(3):
        with pytest.raises(KeyCollision, match=r"'a' belongs to /d/a\.csv"):
            put(store, here, {"b": "two", "a": "two"}, "/d/b.csv")
        with pytest.raises(OSError, match="disc gone"):
            store.put_file(here, source("/d/b.csv"), broken())
    assert [row.path for row in store.sources(here)] == ["/d/a.csv"]
    assert put(store, here, {"b": "two"}, "/d/b.csv").added == 1


def test_memory_does_not_grow_with_the_file(store: Store) -> None:
    here = collection(store).id
    metadata = {f"column {n}": f"value {n}" for n in range(10)}
    one = doc("", "some text", metadata=metadata)

    def many() -> Iterator[DocumentInput]:
        return (replace(one, key=f"k{number}") for number in range(12_000))

    store.put_file(here, source(), many())
    tracemalloc.start()
    assert store.put_file(here, source(), many()).untouched == 12_000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4_000_000


def test_a_few_long_texts_are_not_held_together(store: Store) -> None:
    here = collection(store).id
    given = (doc(f"k{number}", f"{number} " + "long " * 500_000) for number in range(20))
    tracemalloc.start()
    assert store.put_file(here, source(), given).added == 20
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 25_000_000  # of 50 million characters
