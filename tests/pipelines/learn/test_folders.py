"""Folders of trained sets: replaced whole, by any number of writers."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor

from pipelines.learn.folders import HEAD, put_folder, trained_names


def test_writers_at_the_same_time_leave_one_whole_set(tmp_path):
    folder = tmp_path / "labels" / "themes"

    def write(number: int) -> None:
        for _ in range(10):
            put_folder({HEAD: b"%d" % number, "weights": b"%d" % number * 999}, folder)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))
    head = (folder / HEAD).read_bytes()
    assert (folder / "weights").read_bytes() == head * 999
    assert [path.name for path in folder.parent.iterdir()] == ["themes"]


def test_a_file_of_the_set_before_does_not_stay(tmp_path):
    folder = tmp_path / "themes"
    put_folder({HEAD: b"1", "old": b"1"}, folder)
    put_folder({HEAD: b"2"}, folder)
    assert [path.name for path in folder.iterdir()] == [HEAD]


def test_what_a_killed_writer_left_is_no_set_and_goes_after_a_day(tmp_path):
    fresh, stale = (tmp_path / f".themes.{name}.part" for name in ("fresh", "stale"))
    for left in (fresh, stale):
        left.mkdir()
        (left / HEAD).write_bytes(b"{}")
    os.utime(stale, (time.time() - 90_000,) * 2)
    put_folder({HEAD: b"{}"}, tmp_path / "themes")
    assert trained_names(tmp_path) == ("themes",)
    assert fresh.exists()
    assert not stale.exists()
