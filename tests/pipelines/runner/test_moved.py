"""Files that were renamed, moved, copied, replaced or deleted, and what becomes of documents."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from tests.pipelines.runner.conftest import Shelf

BUS = "The bus is late every morning and nobody tells us why."
GATE = "The park needs a new gate at the northern end."
CSV = (
    "id,answer\n1,The buses never come on time any more\n2,A safe crossing near the school please\n"
)


def test_a_renamed_file_keeps_its_documents_and_results(shelf: Shelf):
    path = shelf.write("a.csv", CSV)
    shelf.read()
    shelf.process()
    ids = shelf.ids
    path.rename(path.with_name("b.csv"))
    done = shelf.read()
    assert (done.reports, done.unchanged, done.gone, done.changed) == ([], 1, 0, True)
    assert shelf.ids == ids
    assert set(shelf.sources) == {"b.csv"}
    assert shelf.process() == []
    assert not shelf.read().changed


def test_a_moved_file_may_be_changed_afterwards(shelf: Shelf):
    path = shelf.write("a.txt", BUS)
    shelf.read()
    ids = shelf.ids
    moved = shelf.folder / "deeper" / "b.txt"
    moved.parent.mkdir()
    path.rename(moved)
    shelf.read()
    moved.write_text(BUS + " Still.")
    shelf.read()
    assert shelf.ids == ids
    assert list(shelf.texts.values()) == [BUS + " Still."]


def test_a_renamed_folder_keeps_all(shelf: Shelf):
    for number in range(300):
        shelf.write(f"old/{number:04}.txt", f"Letter {number % 140} about the bus.")
    shelf.read()
    shelf.process()
    ids = sorted(shelf.ids.values())
    (shelf.folder / "old").rename(shelf.folder / "new")
    done = shelf.read()
    assert (done.reports, done.unchanged) == ([], 300)
    assert all(path.startswith("new/") for path in shelf.sources)
    assert sorted(shelf.ids.values()) == ids
    assert shelf.process() == []
    # Identical files stay who they were by name.
    assert all(Path(r.path).name == Path(r.relative).name for r in shelf.sources.values())


def test_of_two_identical_files_the_renamed_one_moves(shelf: Shelf):
    shelf.write("a.txt", BUS)
    second = shelf.write("b.txt", BUS)
    shelf.read()
    shelf.process()
    ids = shelf.ids
    second.rename(second.with_name("c.txt"))
    shelf.read()
    assert set(shelf.sources) == {"a.txt", "c.txt"}
    assert shelf.sources["c.txt"].relative == "b.txt"
    assert (shelf.ids, shelf.process()) == (ids, [])


def test_a_copy_is_not_a_move(shelf: Shelf):
    path = shelf.write("a.txt", BUS)
    shelf.read()
    shelf.process()
    shutil.copy2(path, path.with_name("b.txt"))
    done = shelf.read()
    assert len(done.reports) == 1
    assert set(shelf.texts) == {"a.txt", "b.txt"}
    assert shelf.process() == ["b.txt"]


def test_a_file_out_of_reach_is_not_one_that_moved(shelf: Shelf, tmp_path: Path):
    path = shelf.write("closed/a.txt", BUS)
    shelf.read()
    (shelf.folder / "closed").rename(tmp_path / "aside")
    (shelf.folder / "closed").symlink_to(shelf.folder / "closed")  # a loop: nobody can look
    shelf.write("copy.txt", BUS)
    shelf.read()
    assert str(path) in {row.path for row in shelf.store.sources(shelf.id)}


def test_a_new_file_under_the_old_name_is_another_one(shelf: Shelf):
    path = shelf.write("a.txt", BUS)
    shelf.read()
    shelf.process()
    ids = shelf.ids
    path.rename(path.with_name("b.txt"))
    shelf.read()
    shelf.write("a.txt", GATE)
    shelf.read()
    assert sorted(shelf.texts.values()) == sorted([BUS, GATE])
    assert shelf.ids["a.txt"] == ids["a.txt"]
    assert shelf.texts["a.txt"] == BUS
    assert len(shelf.process()) == 1


def test_a_moved_archive_moves_its_members(shelf: Shelf):
    path = shelf.zip("a.zip", {"one.txt": BUS, "two.csv": CSV, "bad.xlsx": b"PK\x03\x04 no"})
    shelf.read()
    shelf.process()
    ids = shelf.ids
    path.rename(path.with_name("b.zip"))
    done = shelf.read()
    assert (done.reports, done.unchanged) == ([], 4)
    assert shelf.broken(done) == {"b.zip!/bad.xlsx": "failed"}
    assert set(shelf.sources) == {f"b.zip{x}" for x in ("", "!/one.txt", "!/two.csv", "!/bad.xlsx")}
    shelf.zip("b.zip", {"one.txt": BUS, "two.csv": CSV + "3,More trees along the main road\n"})
    shelf.read()
    assert len(shelf.process()) == 1
    assert ids.items() <= shelf.ids.items()


def test_a_file_replaced_by_one_without_answers_withdraws_its_documents(shelf: Shelf):
    shelf.write("a.csv", CSV)
    shelf.read()
    shelf.process()
    shelf.write("a.csv", "id,colour\n1,Red\n2,Blue\n3,Red\n")
    done = shelf.read()
    assert shelf.broken(done) == {"a.csv": "skipped"}
    assert done.changed
    assert shelf.texts == {}
    assert not shelf.read().changed
    shelf.write("a.csv", CSV)
    shelf.read()
    assert len(shelf.texts) == 2
    assert shelf.process() == []


def test_a_file_that_breaks_keeps_what_was_read_of_it(shelf: Shelf):
    shelf.zip("a.zip", {"one.txt": BUS})
    shelf.read()
    shelf.write("a.zip", b"PK\x03\x04 this is broken")
    done = shelf.read()
    assert shelf.broken(done) == {"a.zip": "failed"}
    assert set(shelf.texts) == {"a.zip!/one.txt"}
    shelf.zip("a.zip", {"one.txt": BUS})
    assert shelf.read().failures == []


def test_deleted_files_keep_their_documents_and_are_counted(shelf: Shelf, tmp_path: Path):
    path = shelf.write("a.txt", BUS)
    shelf.write("deeper/b.txt", GATE)
    shelf.zip("c.zip", {"one.txt": "One more.", "two.txt": "And another."})
    shelf.read()
    shelf.process()
    path.unlink()
    (shelf.folder / "c.zip").unlink()
    done = shelf.read()
    assert done.gone == 2
    assert len(shelf.texts) == 4
    assert not done.changed
    other = tmp_path / "elsewhere"
    other.mkdir()
    assert shelf.read(other).gone == 0
    assert shelf.read(shelf.folder / "deeper").gone == 0


def test_documents_with_the_same_text_stay_apart(shelf: Shelf):
    shelf.write(
        "a.csv", "id,answer\n1,The bus is always late here\n2,The bus is always late here\n"
    )
    shelf.write("b.txt", "The bus is always late here")
    done = shelf.read()
    assert sum(report.duplicates for report in done.reports) == 1  # by question
    assert len(shelf.process()) == 3
    os.utime(shelf.folder / "b.txt")
    assert (shelf.read().reports, shelf.process()) == ([], [])
