"""What things are called: files whose names clash, collections that are ready."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.dashboard import naming, queries
from db.rows import SourceInput
from db.store import Store
from pipelines.readers import discover


@pytest.fixture
def three(tmp_path: Path) -> list[Path]:
    """Return three files of one name, as three uploads leave them."""
    files = [tmp_path / folder / "responses.csv" for folder in ("aa", "bb", "cc")]
    for file in files:
        file.parent.mkdir()
        file.write_text(f"answer\nThis is what {file.parent.name} thinks of it\n")
    return files


def named(store: Store, files: list[Path]) -> list[str]:
    """Read the files into a collection one after another and return what they are called."""
    collection = store.ensure_collection("clash", recipe="general", text_private=False)
    for file in discover(files).files:
        store.record_source(
            collection.id, SourceInput(path=str(file.path), relative=file.name, outcome="read")
        )
    return [
        naming.file_names(store.sources(collection.id))[row.id]
        for row in sorted(store.sources(collection.id), key=lambda row: row.id)
    ]


def test_files_of_one_name_are_told_apart_in_words(store: Store, three: list[Path]) -> None:
    assert named(store, three) == [
        "responses.csv",
        "responses.csv (second file of this name)",
        "responses.csv (third file of this name)",
    ]


def test_the_list_of_files_goes_by_name(store: Store, three: list[Path]) -> None:
    named(store, three[::-1])
    sources = store.sources(store.collection("clash").id)
    assert [cells[0].text for cells in queries.source_cells(sources)] == [
        "responses.csv",
        "responses.csv (second file of this name)",
        "responses.csv (third file of this name)",
    ]


def test_a_name_that_only_looks_renamed_is_kept(store: Store) -> None:
    collection = store.ensure_collection("looks", recipe="general", text_private=False)
    store.record_source(
        collection.id,
        SourceInput(path="/in/a~86a2d6b1.csv", relative="a~86a2d6b1.csv", outcome="read"),
    )
    assert list(naming.file_names(store.sources(collection.id)).values()) == ["a~86a2d6b1.csv"]


def test_a_file_that_could_not_be_opened_is_called_by_its_path(store: Store) -> None:
    sources = store.sources(store.collection("streets").id)
    assert sorted(naming.file_names(sources).values()) == ["/inbox/plan.pdf", "streets.csv"]


def test_nothing_is_ready_before_the_first_run(store: Store) -> None:
    assert naming.ready_line([]) == ""
    assert naming.ready_line(store.collections()[:1]) == "1 collection is ready"
    unrun = store.ensure_collection("unrun", recipe="general", text_private=False)
    assert naming.ready_line([unrun]) == ""
    assert naming.no_concept(unrun).startswith("This collection has not been run yet")
