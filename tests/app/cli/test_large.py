"""A text of five megabytes in one line: read in windows, never cut, in bounded memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.app.conftest import call

MEBIBYTE = 1024 * 1024
MOST_MEMORY_MIB = 1_500
PARTS = (
    "The bus to the market comes late on a Tuesday, and number {i} says nobody answers the telephone.",
    "We asked for a crossing by the school in the year {i}; it was promised, then forgotten.",
    "Parking permits went up to £{i} without a word of warning!",
)


@pytest.mark.slow
def test_a_single_line_of_five_megabytes_is_processed_whole(tmp_path, home):
    sentences, size, i = [], 0, 0
    while size < 5 * MEBIBYTE:
        sentence = PARTS[i % len(PARTS)].format(i=i)
        sentences.append(sentence)
        size += len(sentence.encode()) + 1
        i += 1
    text = " ".join(sentences)
    (tmp_path / "long.txt").write_text(text, "utf-8")
    process = subprocess.Popen(
        [
            *(sys.executable, "-P", "-c", "from app.cli.main import main; main()"),
            *("--home", str(home), "run", str(tmp_path / "long.txt"), "--json", "--quiet"),
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert json.loads(out)["documents"]["processed"] == 1
    assert usage.ru_maxrss / 1024 < MOST_MEMORY_MIB
    shown = call("--home", home, "document", "long.txt", "--json").json
    assert shown["text"] == text
    assert shown["summary"]
    for part in (*shown["summary"], *shown["labels"], *shown["tags"]):
        assert text[part["start"] : part["end"]] == part["text"]
    listed = call("--home", home, "collections", "--json").json["collections"][0]
    assert listed["sentences"] == len(sentences)
