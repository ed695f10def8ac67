"""``florilegium run``: outcomes, exit codes, a second run, a folder of awkward files."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.app.conftest import call, spawn

TEXT = "The new crossing is welcome. Parking near the school is difficult, and buses are late."


@pytest.fixture
def awkward(tmp_path: Path) -> Path:
    """Return a folder with one file of each trouble."""
    folder = tmp_path / "awkward"
    folder.mkdir()
    (folder / "empty.txt").write_bytes(b"")
    (folder / "utf16.txt").write_bytes(TEXT.encode("utf-16"))
    (folder / "latin1.txt").write_bytes(
        "The café on Queen’s Parade wants £5 parking.".encode("cp1252")
    )
    (folder / "ragged.csv").write_text(
        "id,answer\n1,The buses never come on time any more\n"
        "2,We would like a safe crossing near the school,surplus\n3\n",
        "utf-8",
    )
    (folder / "scan.pdf").write_bytes(b"%PDF-1.4\n%%EOF\n")
    (folder / "broken.xlsx").write_bytes(b"PK\x03\x04 this is no workbook")
    (folder / "loop").symlink_to(folder, target_is_directory=True)
    return folder


def test_a_folder_of_awkward_files_ends_with_a_reason_for_each_and_exit_3(awkward, florilegium):
    answer = florilegium("run", awkward, "--json")
    assert answer.code == 3
    report = answer.json
    assert report["files"]["read"] == 4
    assert report["files"]["failed"] == 2
    assert report["files"]["skipped"] == 1
    reasons = {Path(f["path"]).name: (f["outcome"], f["reason"]) for f in report["failures"]}
    assert reasons["scan.pdf"][0] == "failed"
    assert reasons["loop"][0] == "skipped"
    assert reasons["broken.xlsx"][0] == "failed"
    assert all(reason for _, reason in reasons.values())
    counts = report["documents"]
    assert counts["empty"] == 2
    assert counts["processed"] == 4
    disjoint = ("processed", "partial", "empty", "other_language", "failed", "parked")
    assert counts["total"] == sum(counts[name] for name in disjoint)
    assert any("ragged.csv" in warning for warning in report["warnings"])


def test_the_same_call_again_exits_0_and_still_lists_what_failed(awkward, florilegium):
    florilegium("run", awkward)
    answer = florilegium("run", awkward, "--json")
    assert answer.code == 0
    assert answer.json["documents"]["total"] == 0
    assert answer.json["files"]["failed"] == 0
    assert "broken.xlsx" in {Path(f["path"]).name for f in answer.json["failures"]}
    again = florilegium("run", awkward, "--retry-failed", "--json")
    assert again.code == 3


def test_a_second_run_never_imports_torch(awkward, home):
    call("--home", home, "run", awkward)
    answer = spawn(
        *("--home", home, "run", awkward, "--json"),
        code="assert not {'torch', 'transformers', 'spacy', 'pandas', 'rdflib'} & set(sys.modules)",
    )
    assert answer.code == 0, answer.err


def test_text_is_kept_to_the_character(tmp_path, florilegium):
    odd = "  One line.\r\nAnother — with “quotes”, a tab\t and e\u0301.\r\n\r\n"
    (tmp_path / "odd.txt").write_bytes(odd.encode())
    florilegium("run", tmp_path / "odd.txt", "--collection", "c")
    assert florilegium("document", "odd.txt", "--json").json["text"] == odd


def test_a_changed_file_is_read_again_and_an_unchanged_one_is_not(tmp_path, florilegium):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.txt").write_text("The library is open late.")
    (folder / "b.txt").write_text("The park needs a new gate.")
    florilegium("run", folder)
    (folder / "a.txt").write_text("The library is now closed on Mondays.")
    report = florilegium("run", folder, "--json").json
    assert (report["files"]["read"], report["files"]["unchanged"]) == (1, 1)
    assert report["documents"]["processed"] == 1
    shown = florilegium("document", "a.txt", "--json").json
    assert shown["text"] == "The library is now closed on Mondays."
    assert shown["summary"][0]["text"] == "The library is now closed on Mondays."


def test_a_touched_file_with_the_same_bytes_is_not_read_again(tmp_path, florilegium):
    (tmp_path / "a.txt").write_text("The library is open late.")
    florilegium("run", tmp_path / "a.txt")
    (tmp_path / "a.txt").touch()
    report = florilegium("run", tmp_path / "a.txt", "--json").json
    assert (report["files"]["read"], report["files"]["unchanged"]) == (0, 1)


def test_duplicates_are_counted_and_processed(tmp_path, florilegium):
    for name in "abc":
        (tmp_path / f"{name}.txt").write_text("Please keep the bus to the hospital.")
    counts = florilegium("run", tmp_path, "--json").json["documents"]
    assert (counts["processed"], counts["duplicate"]) == (3, 2)


def test_a_dry_run_writes_nothing(tmp_path, florilegium, home):
    (tmp_path / "a.txt").write_text("The library is open late.")
    answer = florilegium("run", tmp_path / "a.txt", "--dry-run", "--json")
    assert answer.code == 0
    assert answer.json["documents"]["total"] == 1
    assert not home.exists()


def test_a_text_that_no_database_can_keep_is_listed_as_failed(tmp_path, florilegium):
    (tmp_path / "rows.csv").write_text(
        "id,answer\n1,A perfectly good answer about buses\n2,An answer with \x00 in the middle of it\n"
    )
    answer = florilegium("run", tmp_path / "rows.csv", "--json")
    assert answer.json["documents"]["processed"] + answer.json["documents"]["failed"] == 2 or (
        answer.json["files"]["failed"] == 1
    )
    assert answer.code == 3


def test_question_names_the_text_column(tmp_path, florilegium):
    (tmp_path / "rows.csv").write_text("id,mood,colour\n1,good,Red\n2,good,Blue\n3,bad,Red\n")
    skipped = florilegium("run", tmp_path / "rows.csv", "--collection", "a", "--json").json
    assert skipped["files"]["skipped"] == 1
    taken = florilegium(
        "run", tmp_path / "rows.csv", "--collection", "b", "--question", "colour", "--json"
    ).json
    assert taken["documents"]["total"] == 3


def test_ndjson_prints_one_object_a_document(tmp_path, florilegium):
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text(f"Letter {name} is about the buses.")
    lines = florilegium("run", tmp_path, "--ndjson").out.strip().splitlines()
    assert [json.loads(line).get("document") for line in lines] == ["a.txt", "b.txt", None]
    assert json.loads(lines[-1])["report"]["documents"]["processed"] == 2


def test_a_run_on_a_locked_collection_exits_75(tmp_path, florilegium, home):
    (tmp_path / "a.txt").write_text("The library is open late.")
    florilegium("run", tmp_path / "a.txt")
    from app.settings import load_settings
    from app.workspace import open_store

    store = open_store(load_settings(home=home))
    store.lock_collection(store.collection("default").id, "somebody else", 60)
    answer = florilegium("run", tmp_path / "a.txt")
    assert answer.code == 75
    assert "somebody else" in answer.err


def test_a_stale_schema_exits_78_and_names_the_command(florilegium, home):
    from sqlalchemy import text

    from app.settings import load_settings
    from app.workspace import open_store

    store = open_store(load_settings(home=home), create=True)
    with store.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0000'"))
    answer = florilegium("collections")
    assert answer.code == 78


def test_results_are_the_same_in_one_run_and_after_an_interruption(tmp_path):
    """A run stopped between batches and taken up again stores what an unbroken one does."""
    folder = tmp_path / "in"
    folder.mkdir()
    for i in range(12):
        (folder / f"{i:02}.txt").write_text(
            " ".join(f"Sentence {j} of letter {i} is about bus {j * i}." for j in range(i + 1))
        )
    from app.jobs import RunRequest
    from app.runs import Hooks, execute_run
    from app.settings import load_settings

    request = RunRequest("c", (str(folder),), "consultation")
    whole = load_settings(home=tmp_path / "whole")
    execute_run(whole, request)
    broken = load_settings(home=tmp_path / "broken").model_copy(update={"batch_documents": 3})
    seen: list[str] = []
    stop = Hooks(document=lambda row, result: seen.append(row.key), stop=lambda: len(seen) >= 3)
    first = execute_run(broken, request, stop)
    assert first.stopped
    second = execute_run(broken, request)
    assert second.documents["processed"] == 9
    for i in range(12):
        one = call("--home", whole.home, "document", f"{i:02}.txt", "--json").json
        two = call("--home", broken.home, "document", f"{i:02}.txt", "--json").json
        for name in ("summary", "labels", "tags", "fingerprint"):
            assert one[name] == two[name]


def _start(home, folder, stderr):
    """Start a run in small batches, so that a signal comes between two of them."""
    return subprocess.Popen(
        [
            *(sys.executable, "-P", "-c", "from app.cli.main import main; main()"),
            *("--home", str(home), "run", str(folder), "--ndjson", "--quiet"),
        ],
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        env={**os.environ, "FLORILEGIUM_BATCH_DOCUMENTS": "10"},
    )


def _cut_short(home, folder, number):
    """Start a run, send it the signal ``number`` after its first line, return code and stderr."""
    process = _start(home, folder, subprocess.PIPE)
    assert process.stdout is not None
    assert json.loads(process.stdout.readline())["outcome"] == "processed"
    process.send_signal(number)
    _, err = process.communicate(timeout=120)
    return process.returncode, err


def _letters(folder):
    """Write 300 letters of sentences that are all different: nothing is encoded once for all."""
    folder.mkdir()
    for i in range(300):
        lines = (f"In letter {i} the bus number {i * 40 + j} was late again." for j in range(40))
        (folder / f"{i:03}.txt").write_text(" ".join(lines))


def test_sigterm_finishes_the_batch_and_exits_75(tmp_path, home):
    folder = tmp_path / "in"
    _letters(folder)
    process = _start(home, folder, subprocess.DEVNULL)
    assert process.stdout is not None
    first = process.stdout.readline()
    process.send_signal(signal.SIGTERM)
    rest = process.stdout.read()
    assert process.wait(timeout=120) == 75
    assert json.loads(first)["outcome"] == "processed"
    saved = (first + rest).count('"outcome"')
    assert saved < 300
    report = call("--home", home, "run", folder, "--json").json
    assert report["documents"]["processed"] == 300 - saved


def test_ctrl_c_exits_130_and_keeps_the_counts_of_what_was_committed(tmp_path, home):
    _letters(tmp_path / "in")
    code, err = _cut_short(home, tmp_path / "in", signal.SIGINT)
    assert code == 130, err
    (run,) = call("--home", home, "runs", "list", "--json").json["runs"]
    (row,) = call("--home", home, "collections", "--json").json["collections"]
    assert run["state"] == "interrupted"
    assert run["counts"]["processed"] == row["processed"]
    assert 0 < row["processed"] < 300


def test_a_run_that_was_killed_is_taken_up_at_once(tmp_path, home):
    _letters(tmp_path / "in")
    code, err = _cut_short(home, tmp_path / "in", signal.SIGKILL)
    assert code == -signal.SIGKILL, err
    (row,) = call("--home", home, "collections", "--json").json["collections"]
    answer = call("--home", home, "run", tmp_path / "in", "--json")
    assert answer.code == 0, answer.err
    assert answer.json["documents"]["processed"] == 300 - row["processed"]
    count = "SELECT (COUNT(DISTINCT ?d) AS ?n) { ?part flo:inDocument ?d }"
    assert call("--home", home, "sparql", count, "--format", "csv").out.split()[1] == "300"


def test_it_runs_under_crons_empty_environment(tmp_path, home):
    (tmp_path / "a.txt").write_text("The library is open late.")
    answer = spawn("--home", home, "run", tmp_path / "a.txt", "--quiet", "--json", env={}, cwd="/")
    assert answer.code == 0, answer.err
    assert answer.err == ""


def test_no_progress_bar_where_there_is_no_terminal(tmp_path, home):
    (tmp_path / "a.txt").write_text("The library is open late.")
    answer = spawn("--home", home, "run", tmp_path / "a.txt")
    assert answer.code == 0
    assert "\r" not in answer.err


def test_a_collection_that_takes_a_clinical_recipe_becomes_private(tmp_path, florilegium):
    (tmp_path / "a.txt").write_text("No chest pain today.")
    florilegium("ingest", tmp_path / "a.txt", "--collection", "notes")
    (listed,) = florilegium("collections", "--json").json["collections"]
    assert not listed["private"]
    florilegium("run", "--collection", "notes", "--recipe", "clinical")
    (listed,) = florilegium("collections", "--json").json["collections"]
    assert listed["private"]


def test_a_run_that_finds_the_collection_locked_does_not_change_its_recipe(
    tmp_path, florilegium, home
):
    (tmp_path / "a.txt").write_text("The library is open late.")
    florilegium("run", tmp_path / "a.txt")
    from app.settings import load_settings
    from app.workspace import open_store

    store = open_store(load_settings(home=home))
    store.lock_collection(store.collection("default").id, "somebody else", 60)
    assert florilegium("run", "--recipe", "clinical").code == 75
    assert store.collection("default").recipe == "general"
