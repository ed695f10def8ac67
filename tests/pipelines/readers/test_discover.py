"""Finding files: order, links, hidden entries, names that stay unique and stable."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pipelines.readers import PathMissing, discover, file_sha256
from pipelines.types import FileOutcome


def put(path: Path, text: str = "words") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_a_folder_is_walked_in_sorted_order(tmp_path: Path) -> None:
    for name in ("b.txt", "a.txt", "sub/z.txt", "sub/deep/y.txt", "another/x.txt"):
        put(tmp_path / name)
    names = [file.relative for file in discover([tmp_path]).files]
    assert names == ["a.txt", "b.txt", "another/x.txt", "sub/z.txt", "sub/deep/y.txt"]


def test_a_file_carries_its_folder_size_and_time(tmp_path: Path) -> None:
    path = put(tmp_path / "sub/deep/y.txt", "1234")
    (file,) = discover([tmp_path]).files
    assert (file.folder, file.size, file.mtime_ns) == ("sub/deep", 4, path.stat().st_mtime_ns)
    assert file.path == path


def test_a_file_named_directly_has_its_parent_as_root(tmp_path: Path) -> None:
    path = put(tmp_path / "sub/y.txt")
    (file,) = discover([path]).files
    assert (file.root, file.relative, file.folder) == (tmp_path / "sub", "y.txt", "")


def test_a_relative_path_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / "in/y.txt")
    monkeypatch.chdir(tmp_path / "in")
    (file,) = discover(["../in"]).files
    assert file.path == tmp_path / "in/y.txt"


def test_every_missing_path_is_named_at_once(tmp_path: Path) -> None:
    with pytest.raises(PathMissing) as caught:
        discover([tmp_path / "no", tmp_path, tmp_path / "nor"])
    assert caught.value.paths == (str(tmp_path / "no"), str(tmp_path / "nor"))
    assert caught.value.exit_code == 2


def test_a_path_given_twice_is_found_once(tmp_path: Path) -> None:
    path = put(tmp_path / "sub/y.txt")
    assert len(discover([tmp_path, path, tmp_path, tmp_path / "sub"]).files) == 1


def test_a_link_back_to_a_folder_is_left_out_with_the_reason(tmp_path: Path) -> None:
    put(tmp_path / "sub/y.txt")
    (tmp_path / "sub/loop").symlink_to(tmp_path, target_is_directory=True)
    found = discover([tmp_path])
    assert [file.relative for file in found.files] == ["sub/y.txt"]
    (report,) = found.left_out
    assert report.path == str(tmp_path / "sub/loop")
    assert report.outcome is FileOutcome.SKIPPED
    assert report.reason == f"leads back to {str(tmp_path)!r}, which is already read"


def test_a_link_to_another_folder_is_followed(tmp_path: Path) -> None:
    put(tmp_path / "elsewhere/y.txt")
    root = tmp_path / "root"
    root.mkdir()
    (root / "link").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    assert [file.relative for file in discover([root]).files] == ["link/y.txt"]


def test_a_link_to_nothing_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "dead").symlink_to(tmp_path / "gone")
    (report,) = discover([tmp_path]).left_out
    assert (report.outcome, report.kind) == (FileOutcome.SKIPPED, "link")
    assert "link to nothing" in report.reason


def test_links_that_form_a_ring_are_skipped(tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to(tmp_path / "two")
    (tmp_path / "two").symlink_to(tmp_path / "one")
    assert [r.kind for r in discover([tmp_path]).left_out] == ["link", "link"]


def test_hidden_entries_and_lock_files_are_listed_as_skipped(tmp_path: Path) -> None:
    put(tmp_path / ".git/config")
    put(tmp_path / ".hidden.txt")
    put(tmp_path / "~$open.xlsx")
    found = discover([tmp_path])
    assert found.files == ()
    assert sorted(Path(r.path).name for r in found.left_out) == [
        ".git",
        ".hidden.txt",
        "~$open.xlsx",
    ]
    assert {r.outcome for r in found.left_out} == {FileOutcome.SKIPPED}


def test_a_hidden_file_named_directly_is_taken(tmp_path: Path) -> None:
    assert len(discover([put(tmp_path / ".hidden.txt")]).files) == 1


def test_a_pipe_is_skipped(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    (report,) = discover([tmp_path]).left_out
    assert "not a regular file" in report.reason


def test_a_name_that_is_not_utf8_fails_with_a_name_that_can_be_shown(tmp_path: Path) -> None:
    try:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt")).write_text("x")
    except OSError:
        pytest.skip("this file system takes only UTF-8 names")
    (report,) = discover([tmp_path]).left_out
    assert report.outcome is FileOutcome.FAILED
    assert report.path.endswith(r"caf\xe9.txt")


def test_a_folder_that_may_not_be_entered_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: str) -> None:  # root may enter every folder, so the system cannot be asked
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "scandir", refuse)
    (report,) = discover([tmp_path]).left_out
    assert (report.outcome, report.kind) == (FileOutcome.FAILED, "folder")
    assert report.reason == "cannot open the folder: Permission denied"


def test_the_workspace_is_not_entered(tmp_path: Path) -> None:
    put(tmp_path / "home/florilegium.txt")
    put(tmp_path / "y.txt")
    found = discover([tmp_path], exclude=[tmp_path / "home"])
    assert [file.relative for file in found.files] == ["y.txt"]
    assert found.left_out[0].reason == "the workspace itself"


def test_two_roots_with_the_same_relative_name_get_different_names(tmp_path: Path) -> None:
    first, second = put(tmp_path / "jan/a.csv"), put(tmp_path / "feb/a.csv")
    one, two = discover([first.parent, second.parent]).files
    assert one.name == "a.csv"
    assert two.name.startswith("a~")
    assert two.name.endswith(".csv")


def test_a_new_file_does_not_take_a_name_the_collection_has(tmp_path: Path) -> None:
    first, second = put(tmp_path / "jan/a.csv"), put(tmp_path / "feb/a.csv")
    known = {str(first): "a.csv"}
    (new,) = discover([second.parent], known=known).files
    assert new.name != "a.csv"
    (again,) = discover([second.parent], known={**known, str(second): new.name}).files
    assert again.name == new.name


def test_a_known_file_keeps_its_name_through_another_root(tmp_path: Path) -> None:
    path = put(tmp_path / "in/sub/a.csv")
    (file,) = discover([path], known={str(path): "sub/a.csv"}).files
    assert file.name == "sub/a.csv"


def test_the_hash_is_that_of_the_bytes(tmp_path: Path) -> None:
    expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert file_sha256(put(tmp_path / "a", "abc")) == expected


def test_ten_thousand_files_are_found(tmp_path: Path) -> None:
    for folder in range(100):
        (tmp_path / f"{folder}").mkdir()
        for name in range(100):
            (tmp_path / f"{folder}/{name}.txt").touch()
    assert len(discover([tmp_path]).files) == 10_000


def test_importing_the_readers_loads_no_format_library() -> None:
    heavy = ["charset_normalizer", "python_calamine", "pandas", "spacy", "numpy", "csv", "zipfile"]
    code = f"import sys, pipelines.readers; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
