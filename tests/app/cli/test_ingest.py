"""``florilegium ingest``: the import report, the mapping file, and what a collection remembers."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.app.conftest import call

HEAD = "Response ID,Are you a resident?,Which do you use?,What do you think?,How are you?,E-mail\n"
OPINIONS = (
    "The parking permit costs far too much for people on a pension",
    "Please keep the bus in the evenings because I rely on it to come home",
    "I worry about the cars parking beside the school in the mornings",
    "The streets are lovely as they are and nothing should change",
    "More benches along the river would help those who cannot walk far",
    "n/a",
)
MOODS = ("fine", "tired", "fine", "cross", "fine", "tired")


def answers() -> str:
    rows = [
        f"R{i},{'Yes' if i % 2 else 'No'},Bus; Tram,{opinion},{mood},p{i}@example.org\n"
        for i, (opinion, mood) in enumerate(zip(OPINIONS, MOODS, strict=True), start=1)
    ]
    return HEAD + "".join(rows)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    file = tmp_path / "answers.csv"
    file.write_text(answers(), "utf-8")
    return file


@pytest.fixture
def folder(tmp_path: Path, table: Path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    table.rename(folder / "answers.csv")
    (folder / "letter.txt").write_text("The library should be open late on Thursdays.")
    (folder / "broken.xlsx").write_bytes(b"PK\x03\x04 this is no workbook")
    (folder / "numbers.csv").write_text("a,b\n1,2\n3,4\n")
    return folder


def by_name(answer) -> dict:
    return {Path(report["path"]).name: report for report in answer.json["files"]}


def edit(mapping: Path, column: str, role: str) -> None:
    """Give ``column`` another role, as a person would with an editor."""
    import tomlkit

    document = tomlkit.parse(mapping.read_text("utf-8"))
    text = mapping.read_text("utf-8")
    lines = [line for line in text.splitlines() if line.lstrip().startswith(f'"{column}"')]
    assert len(lines) == 1, (document, text)
    before = next(role for role in ROLES if f'"{role}"' in lines[0])
    after = lines[0].replace(f'"{before}"', f'"{role}"', 1)
    mapping.write_text(text.replace(lines[0], after), "utf-8")


ROLES = [
    "closed_single",
    "closed_multi",
    "free_text",
    "question",
    "identifier",
    "scale",
    "number",
    "date",
    "demographic",
    "personal",
    "status",
    "system",
    "empty",
]


def test_the_json_has_a_row_for_each_file_and_totals(folder, florilegium):
    answer = florilegium("ingest", folder, "--collection", "c", "--json")
    assert answer.code == 3
    files = by_name(answer)
    assert {name: report["outcome"] for name, report in files.items()} == {
        "answers.csv": "read",
        "letter.txt": "read",
        "broken.xlsx": "failed",
        "numbers.csv": "skipped",
    }
    assert files["answers.csv"]["header_rows"] == [1]
    assert files["answers.csv"]["rows"] == 6
    assert files["broken.xlsx"]["reason"]
    counts = answer.json["totals"]
    assert counts["documents"] == sum(report["documents"] for report in files.values())
    assert (counts["files"], counts["read"]) == (4, 2)


def test_columns_come_with_role_reason_and_options(table, florilegium):
    answer = florilegium("ingest", table, "--collection", "c", "--json")
    columns = {c["name"]: c for c in by_name(answer)["answers.csv"]["columns"]}
    assert columns["What do you think?"]["role"] == "free_text"
    assert columns["Response ID"]["role"] == "identifier"
    assert columns["E-mail"]["role"] == "personal"
    assert all(column["reason"] for column in columns.values())
    assert columns["Are you a resident?"]["options"] == ["Yes", "No"]


def test_a_table_without_free_text_still_shows_its_columns(folder, florilegium):
    report = by_name(florilegium("ingest", folder, "--collection", "c", "--json"))["numbers.csv"]
    assert [column["name"] for column in report["columns"]] == ["a", "b"]


def test_what_says_nothing_is_counted_with_the_rule(table, florilegium):
    report = by_name(florilegium("ingest", table, "--collection", "c", "--json"))["answers.csv"]
    assert sum(report["empty"].values()) == 1
    assert report["documents"] == 6


def test_the_text_report_shows_columns_problems_and_what_to_type(folder, home):
    answer = call("--home", home, "ingest", folder, "--collection", "c")
    for words in ("What do you think?", "free_text", "6 rows → 6 documents", "broken.xlsx: failed"):
        assert words in answer.out, words
    assert "--write-mapping" in answer.err
    assert "florilegium run --collection c" in answer.err


def test_what_could_not_be_read_before_is_named_again(folder, florilegium):
    florilegium("ingest", folder, "--collection", "c")
    answer = florilegium("ingest", folder, "--collection", "c")
    assert answer.code == 0
    assert "broken.xlsx: failed" in answer.out
    assert "4 unchanged" in answer.out


def test_what_to_type_next_keeps_what_was_asked(table, home):
    asked = ("--question", "How are you?", "--recipe", "consultation")
    answer = call("--home", home, "ingest", table, "--collection", "c", *asked, "--dry-run")
    assert "--question 'How are you?'" in answer.err.splitlines()[-1]
    assert "--recipe consultation" in answer.err.splitlines()[-1]


def test_a_dry_run_reports_and_stores_nothing(table, florilegium, home):
    answer = florilegium("ingest", table, "--collection", "c", "--dry-run", "--json")
    assert by_name(answer)["answers.csv"]["documents"] == 6
    assert not home.exists()


def test_a_dry_run_shows_files_that_are_known_already(table, florilegium):
    florilegium("ingest", table, "--collection", "c")
    answer = florilegium("ingest", table, "--collection", "c", "--dry-run", "--json")
    assert by_name(answer)["answers.csv"]["documents"] == 6


def test_the_mapping_is_written_edited_and_read_back(table, florilegium, tmp_path):
    mapping = tmp_path / "roles.toml"
    write = ("--dry-run", "--write-mapping", mapping)
    assert florilegium("ingest", table, "--collection", "c", *write).code == 0
    edit(mapping, "How are you?", "free_text")
    answer = florilegium("ingest", table, "--collection", "c", "--mapping", mapping, "--json")
    columns = {c["name"]: c["role"] for c in by_name(answer)["answers.csv"]["columns"]}
    assert columns["How are you?"] == "free_text"
    assert by_name(answer)["answers.csv"]["documents"] == 12


def test_an_unedited_mapping_changes_nothing(table, florilegium, tmp_path):
    mapping = tmp_path / "roles.toml"
    plain = florilegium(
        *("ingest", table, "--collection", "a", "--write-mapping", mapping, "--json")
    )
    mapped = florilegium("ingest", table, "--collection", "b", "--mapping", mapping, "--json")
    roles = [
        [(c["name"], c["role"]) for c in by_name(one)["answers.csv"]["columns"]]
        for one in (plain, mapped)
    ]
    assert roles[0] == roles[1]
    assert plain.json["totals"] == mapped.json["totals"]


def test_the_mapping_of_files_that_are_known_already_can_be_written(table, florilegium, tmp_path):
    fresh, known = tmp_path / "fresh.toml", tmp_path / "known.toml"
    florilegium("ingest", table, "--collection", "c", "--write-mapping", fresh)
    florilegium("ingest", table, "--collection", "c", "--write-mapping", known)
    assert known.read_text("utf-8") == fresh.read_text("utf-8")


def test_an_existing_mapping_file_is_not_written_over(table, florilegium, tmp_path):
    mapping = tmp_path / "roles.toml"
    mapping.write_text("# mine\n")
    answer = florilegium("ingest", table, "--collection", "c", "--write-mapping", mapping)
    assert answer.code == 2
    assert "roles-2.toml" in answer.err
    assert shlex.join(["--mapping", str(mapping)]) in answer.err
    assert mapping.read_text() == "# mine\n"
    assert (
        "no folder"
        in (
            florilegium(
                "ingest", table, "--collection", "c", "--write-mapping", tmp_path / "no/m.toml"
            )
        ).err
    )


def test_a_mapping_is_remembered_by_ingest_and_run(table, florilegium, tmp_path):
    mapping = tmp_path / "roles.toml"
    florilegium("ingest", table, "--collection", "c", "--write-mapping", mapping, "--dry-run")
    edit(mapping, "How are you?", "free_text")
    florilegium("ingest", table, "--collection", "c", "--mapping", mapping)
    mapping.unlink()
    again = florilegium("ingest", table, "--collection", "c", "--json").json
    assert (again["unchanged"], again["files"]) == (1, [])
    assert "mapping" in again["remembered"][0]
    table.write_text(
        answers() + "R7,Yes,Bus,The trees are too few and too small here,fine,x@y.org\n"
    )
    report = florilegium("run", table, "--collection", "c", "--json").json
    assert report["files"]["read"] == 1
    listed = florilegium("documents", "c", "--json").json["documents"]
    assert len(listed) == 14


def test_a_mapping_can_be_forgotten(table, florilegium, tmp_path):
    mapping = tmp_path / "roles.toml"
    florilegium("ingest", table, "--collection", "c", "--write-mapping", mapping, "--dry-run")
    edit(mapping, "How are you?", "free_text")
    florilegium("ingest", table, "--collection", "c", "--mapping", mapping)
    answer = florilegium("ingest", table, "--collection", "c", "--no-mapping", "--json").json
    assert answer["totals"]["documents"] == 6
    assert answer["remembered"] == []
    florilegium("ingest", table, "--collection", "c", "--mapping", mapping)
    answer = florilegium("ingest", table, "--collection", "c", "--mapping", "", "--json").json
    assert answer["totals"]["documents"] == 6


def test_a_text_column_is_remembered_and_can_be_forgotten(table, florilegium):
    named = ("ingest", table, "--collection", "c", "--question", "How are you?", "--json")
    first = florilegium(*named).json
    assert first["remembered"] == []
    again = florilegium("ingest", table, "--collection", "c", "--json").json
    assert again["unchanged"] == 1
    assert "How are you?" in again["remembered"][0]
    forgotten = florilegium("ingest", table, "--collection", "c", "--question", "", "--json").json
    assert forgotten["totals"]["read"] == 1
    assert florilegium("ingest", table, "--collection", "c", "--json").json["remembered"] == []


def test_a_dry_run_does_not_make_the_collection_remember(table, florilegium):
    florilegium("ingest", table, "--collection", "c")
    florilegium("ingest", table, "--collection", "c", "--question", "How are you?", "--dry-run")
    assert florilegium("ingest", table, "--collection", "c", "--json").json["remembered"] == []


def test_a_mapping_that_is_not_there_exits_2_and_one_that_is_wrong_78(table, florilegium, tmp_path):
    gone = florilegium("ingest", table, "--collection", "c", "--mapping", tmp_path / "gone.toml")
    assert gone.code == 2
    assert "--write-mapping" in gone.err
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("this is = = no TOML")
    assert florilegium("ingest", table, "--collection", "c", "--mapping", wrong).code == 78
    assert florilegium("run", table, "--collection", "c", "--mapping", wrong).code == 78


def test_files_inside_an_archive_are_rows_of_their_own(tmp_path, florilegium):
    import zipfile

    with zipfile.ZipFile(tmp_path / "post.zip", "w") as archive:
        archive.writestr("a.txt", "The library should be open late.")
        archive.writestr("b/c.txt", "The park needs a gate that closes.")
    answer = florilegium("ingest", tmp_path / "post.zip", "--collection", "c", "--json")
    inner = [report["path"].partition("!/")[2] for report in answer.json["files"]]
    assert sorted(inner) == ["", "a.txt", "b/c.txt"]
    assert answer.json["totals"]["documents"] == 2


@pytest.mark.parametrize(
    ("setting", "name"),
    [("READ_SECONDS", "seconds"), ("UNPACKED_MB", "unpacked_mb"), ("ARCHIVE_DEPTH", "depth")],
)
def test_limits_are_settings(monkeypatch, home, setting, name):
    from app.settings import load_settings

    monkeypatch.setenv(f"FLORILEGIUM_{setting}", "7")
    assert getattr(load_settings(home=home).limits, name) == 7


def test_every_limit_has_a_setting(home):
    from dataclasses import fields

    from app.settings import Settings
    from pipelines.readers import Limits

    doubled = {f.name: getattr(Limits(), f.name) + 1 for f in fields(Limits)}
    named = {
        "seconds": "read_seconds", "memory_mb": "read_memory_mb", "unpacked_mb": "unpacked_mb",
        "ratio": "unpacked_ratio", "members": "archive_members", "depth": "archive_depth",
        "columns": "table_columns", "cells": "sheet_cells", "field_mb": "field_mb",
    }  # fmt: skip
    settings = Settings(**{named[limit]: value for limit, value in doubled.items()})
    assert settings.limits == Limits(**doubled)


def test_an_ingest_told_to_end_keeps_what_was_read_and_exits_75(tmp_path: Path) -> None:
    for number in range(3):
        lines = [
            f"{row},Answer number {row} says the buses should come later" for row in range(40_000)
        ]
        (tmp_path / f"{number}.csv").write_text("ID,Why?\n" + "\n".join(lines), "utf-8")
    home = tmp_path / "home"
    command = [sys.executable, "-P", "-c", "from app.cli.main import main; main()", "--home", home]
    running = subprocess.Popen(
        [*command, "ingest", tmp_path, "--collection", "c", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=Path(__file__).parents[3],
    )
    while not (home / "florilegium.sqlite").exists():
        time.sleep(0.05)
    time.sleep(0.5)
    running.send_signal(signal.SIGTERM)
    out, err = running.communicate(timeout=120)
    assert running.returncode == 75, err
    assert b"Stopped before the end" in err
    assert json.loads(out)["documents"] < 120_000
