"""Uploads land in the workspace whole, once, under a harmless name."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from app.dashboard import uploads


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("responses.csv", "responses.csv"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\me\\notes.txt", "notes.txt"),
        ("Réponses (été) 2024.xlsx", "Réponses (été) 2024.xlsx"),
        ("шум.txt", "шум.txt"),
        (".hidden.csv", "hidden.csv"),
        ("a\x00b\nc.csv", "a_b_c.csv"),
        ("what?<is>|this*.md", "what__is__this_.md"),
        ("..", "file"),
        ("", "file"),
        ("\u202egnp.exe.csv", "_gnp.exe.csv"),
    ],
)
def test_file_name_becomes_harmless_and_keeps_its_extension(given: str, kept: str) -> None:
    assert uploads.safe_name(given) == kept


def test_a_long_name_is_shortened_before_its_extension() -> None:
    name = uploads.safe_name("x" * 500 + ".csv")
    assert len(name) == uploads.LONGEST_NAME
    assert name.endswith("x.csv")


@pytest.mark.parametrize("name", ["parking-survey", "Parking survey 2024", "Łódź_1", "a"])
def test_ordinary_collection_names_are_taken(name: str) -> None:
    assert uploads.collection_problem(name) is None


@pytest.mark.parametrize("name", ["", "  ", "../up", "a/b", " a", "a ", "a\nb", "<b>", "x" * 81])
def test_other_collection_names_are_refused_with_a_sentence(name: str) -> None:
    problem = uploads.collection_problem(name)
    assert problem is not None
    assert problem.endswith(".")


@pytest.mark.parametrize("name", ["plain", "../../up", "a/b", "..", "", "x" * 300])
def test_collection_folder_is_always_directly_inside_uploads(tmp_path: Path, name: str) -> None:
    folder = uploads.collection_folder(tmp_path, name)
    assert folder.resolve().parent == tmp_path.resolve()


def test_collections_with_clashing_names_have_folders_apart(tmp_path: Path) -> None:
    folders = {uploads.collection_folder(tmp_path, name) for name in ("a_b", "a/b", "a?b", "b")}
    assert len(folders) == 4


def test_upload_is_stored_byte_for_byte_below_its_hash(tmp_path: Path) -> None:
    data = bytes(range(256)) * 10_000
    stored = uploads.store_upload(tmp_path / "new", "data.csv", io.BytesIO(data))
    assert stored.path.read_bytes() == data
    assert stored.size == len(data)
    assert stored.path.parent.name == stored.sha256[:16]
    assert stored.new


def test_the_same_file_twice_is_one_file(tmp_path: Path) -> None:
    first = uploads.store_upload(tmp_path, "a.csv", io.BytesIO(b"x,y"))
    second = uploads.store_upload(tmp_path, "a.csv", io.BytesIO(b"x,y"))
    assert second.path == first.path
    assert not second.new
    assert len([p for p in tmp_path.rglob("*") if p.is_file()]) == 1


def test_another_file_of_the_same_name_stands_beside_the_first(tmp_path: Path) -> None:
    first = uploads.store_upload(tmp_path, "a.csv", io.BytesIO(b"one"))
    second = uploads.store_upload(tmp_path, "a.csv", io.BytesIO(b"two"))
    assert first.path.read_bytes() == b"one"
    assert second.path.read_bytes() == b"two"


def test_upload_is_read_a_chunk_at_a_time(tmp_path: Path) -> None:
    class Counted(io.BytesIO):
        largest = 0

        def read(self, size: int | None = -1) -> bytes:
            assert size is not None
            assert 0 < size <= uploads.CHUNK
            return super().read(size)

    stored = uploads.store_upload(tmp_path, "big.txt", Counted(b"z" * (3 * uploads.CHUNK + 5)))
    assert stored.size == 3 * uploads.CHUNK + 5


def test_an_upload_that_breaks_off_leaves_nothing(tmp_path: Path) -> None:
    class Broken(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise OSError("connection lost")

    with pytest.raises(OSError, match="connection lost"):
        uploads.store_upload(tmp_path, "a.csv", Broken())
    assert not [p for p in tmp_path.rglob("*") if p.is_file()]
