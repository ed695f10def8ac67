"""Files inside archives and mail: sources of their own, known with the file around them."""

from __future__ import annotations

import mailbox
import tempfile
from pathlib import Path

import pytest

from tests.pipelines.runner.conftest import Shelf, mail

BUS = "The bus is late every morning and nobody tells us why."
GATE = "The park needs a new gate at the northern end."
CSV = (
    "id,answer\n1,The buses never come on time any more\n2,A safe crossing near the school please\n"
)
BROKEN = b"PK\x03\x04 this is no workbook"


@pytest.fixture
def sealed(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Return what makes every unpacking fail from ``seal`` on: there is no folder for it."""
    return monkeypatch


def seal(sealed: pytest.MonkeyPatch) -> None:
    sealed.setattr(tempfile, "tempdir", "/no/such/folder")


def test_files_inside_are_sources_of_their_own(shelf: Shelf):
    shelf.zip("a.zip", {"x/one.txt": BUS, "two.csv": CSV})
    shelf.write("b.eml", mail("See the letter.", {"letter.txt": GATE.encode()}))
    done = shelf.read()
    assert set(shelf.sources) == {
        *("a.zip", "a.zip!/x/one.txt", "a.zip!/two.csv"),
        *("b.eml", "b.eml!/letter.txt"),
    }
    assert len(done.reports) == 5
    assert done.documents == len(shelf.texts) == 5
    assert shelf.texts["a.zip!/x/one.txt"] == BUS


def test_messages_of_an_mbox_have_their_attachments_inside(shelf: Shelf):
    box = mailbox.mbox(str(shelf.folder / "box.mbox"))
    for number in (1, 2):
        box.add(mail(f"Message {number} is about buses.", {"note.txt": f"Note {number}".encode()}))
    box.close()
    shelf.read()
    inner = {path for path in shelf.sources if "!/" in path}
    assert inner == {"box.mbox!/message 1/note.txt", "box.mbox!/message 2/note.txt"}
    shelf.process()
    again = shelf.read()
    assert (again.unchanged, again.reports, shelf.process()) == (3, [], [])


def test_an_unchanged_archive_is_known_whole_and_not_unpacked(shelf: Shelf, sealed):
    shelf.zip("a.zip", {"one.txt": BUS, "bad.xlsx": BROKEN, "../out.txt": GATE})
    first = shelf.read()
    assert shelf.broken(first)["a.zip!/bad.xlsx"] == "failed"
    listed = shelf.broken(first)
    shelf.process()
    seal(sealed)
    again = shelf.read()
    assert again.reports == []
    assert again.unchanged == 3
    assert shelf.broken(again) == listed
    assert all("known from an earlier run" in failure.reason for failure in again.failures)
    assert shelf.process() == []
    shelf.folder.joinpath("a.zip").touch()
    assert shelf.read().reports == []


def test_a_changed_archive_keeps_what_is_the_same_and_withdraws_what_is_gone(shelf: Shelf):
    shelf.zip("a.zip", {"one.txt": BUS, "two.txt": GATE, "three.txt": "A third letter."})
    shelf.read()
    shelf.process()
    ids = shelf.ids
    shelf.zip("a.zip", {"one.txt": BUS, "two.txt": GATE + " Soon.", "four.txt": "A fourth letter."})
    done = shelf.read()
    assert done.changed
    assert shelf.process() == ["a.zip!/four.txt", "a.zip!/two.txt"]
    assert set(shelf.texts) == {f"a.zip!/{n}.txt" for n in ("one", "two", "four")}
    assert shelf.ids["a.zip!/one.txt"] == ids["a.zip!/one.txt"]
    assert shelf.sources["a.zip!/three.txt"].outcome == "skipped"
    again = shelf.read()
    assert (again.reports, again.unchanged, again.failures) == ([], 4, [])
    shelf.zip("a.zip", {"one.txt": BUS, "three.txt": "A third letter."})
    shelf.read()
    assert shelf.process() == []  # what is back has its result already
    assert set(shelf.texts) == {"a.zip!/one.txt", "a.zip!/three.txt"}


def test_a_member_of_the_same_size_and_time_is_known_by_its_bytes(shelf: Shelf):
    import os

    path = shelf.zip("a.zip", {"one.txt": "aaaa bbbb", "two.txt": "short"})
    os.utime(path, (1_700_000_000, 1_700_000_000))
    shelf.read()
    shelf.zip("a.zip", {"one.txt": "cccc dddd", "two.txt": "a longer one"})
    os.utime(path, (1_700_000_000, 1_700_000_000))
    shelf.read()
    assert shelf.texts["a.zip!/one.txt"] == "cccc dddd"


def test_a_member_that_fails_does_not_lose_the_others(shelf: Shelf):
    shelf.zip("a.zip", {"a.txt": BUS, "bad.xlsx": BROKEN, "z.txt": GATE})
    done = shelf.read()
    assert shelf.broken(done) == {"a.zip!/bad.xlsx": "failed"}
    assert set(shelf.texts) == {"a.zip!/a.txt", "a.zip!/z.txt"}
    assert shelf.sources["a.zip"].outcome == "read"


def test_retry_failed_reads_an_archive_whose_member_failed(shelf: Shelf):
    shelf.zip("a.zip", {"a.txt": BUS, "bad.xlsx": BROKEN})
    shelf.zip("b.zip", {"a.txt": GATE})
    shelf.read()
    shelf.process()
    done = shelf.read(retry_failed=True)
    assert {Path(r.path).name for r in done.reports} == {"a.zip", "bad.xlsx"}
    assert shelf.process() == []


def test_a_failed_member_that_is_gone_is_not_listed_or_tried_for_ever(shelf: Shelf):
    shelf.zip("a.zip", {"a.txt": BUS, "bad.xlsx": BROKEN})
    shelf.read()
    shelf.zip("a.zip", {"a.txt": BUS})
    shelf.read()
    again = shelf.read(retry_failed=True)
    assert (again.reports, again.failures) == ([], [])


def test_an_archive_that_becomes_empty_withdraws_all_that_was_in_it(shelf: Shelf):
    shelf.zip("a.zip", {"a.txt": BUS, "b.txt": GATE})
    shelf.read()
    shelf.zip("a.zip", {})
    done = shelf.read()
    assert shelf.texts == {}
    assert done.changed


def test_archives_inside_archives(shelf: Shelf, sealed):
    import io
    import zipfile

    def packed(members: dict[str, str]) -> bytes:
        sink = io.BytesIO()
        with zipfile.ZipFile(sink, "w") as archive:
            for name, content in members.items():
                archive.writestr(name, content)
        return sink.getvalue()

    inner = packed({"deep.txt": BUS, "gone.txt": GATE})
    shelf.zip("a.zip", {"in.zip": inner, "top.txt": "On top."})
    shelf.read()
    shelf.process()
    assert shelf.texts["a.zip!/in.zip!/deep.txt"] == BUS
    shelf.zip("a.zip", {"in.zip": inner, "top.txt": "On top, changed."})
    shelf.read()
    assert shelf.process() == ["a.zip!/top.txt"]
    shelf.zip("a.zip", {"in.zip": packed({"deep.txt": BUS}), "top.txt": "On top, changed."})
    shelf.read()
    assert shelf.process() == []
    assert set(shelf.texts) == {"a.zip!/in.zip!/deep.txt", "a.zip!/top.txt"}
    shelf.zip("a.zip", {"top.txt": "On top, changed."})
    shelf.read()
    assert set(shelf.texts) == {"a.zip!/top.txt"}
    seal(sealed)
    assert shelf.read().reports == []


def test_a_mapping_that_touches_a_member_reads_its_archive_again(shelf: Shelf):
    shelf.zip("a.zip", {"two.csv": CSV, "one.txt": BUS})
    shelf.zip("b.zip", {"other.csv": CSV})
    shelf.read()
    shelf.process()
    mapping = (
        '[[table]]\nfile = "two.csv"\n[table.columns]\nanswer = "closed_single"\nid = "free_text"\n'
    )
    done = shelf.read(mapping=mapping)
    assert {Path(r.path).name for r in done.reports} == {"a.zip", "two.csv"}
    assert shelf.read(mapping=mapping).reports == []


def test_a_folder_whose_name_ends_like_an_archive_is_a_folder(shelf: Shelf):
    path = shelf.write("Important!/a.txt", BUS)
    shelf.read()
    shelf.process()
    path.rename(path.with_name("b.txt"))
    done = shelf.read()
    assert (done.unchanged, done.reports, shelf.process()) == (1, [], [])
