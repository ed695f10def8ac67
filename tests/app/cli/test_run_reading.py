"""``florilegium run`` and what it reads: archives, kept apart, remembered, stopped, a second run."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
import uuid
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from tests.app.conftest import call, spawn

BUS = "The bus is late every morning and nobody tells us why."
FRENCH = "Le bus est toujours en retard le matin et personne ne nous dit jamais pourquoi."
DISJOINT = ("processed", "partial", "empty", "other_language", "failed", "parked")
STATUS = (
    "Response ID,Status,What should we do?\n"
    "R1,Complete,The buses never come on time any more\n"
    "R2,Incomplete,A safe crossing near the school please\n"
    "R3,Complete,No comment\n"
    "R4,Complete,More trees and benches along the main road\n"
)
INCLUDE = '[[table]]\nfile = "*.csv"\napart = "include"\n'
HEAVY = [
    "torch",
    "transformers",
    "spacy",
    "pandas",
    "rdflib",
    "lxml",
    "selectolax",
    "pypdfium2",
    "calamine",
    "python_calamine",
    "tomlkit",
    "py3langid",
    "ftfy",
    "sklearn",
]


def sums_up(counts: dict[str, int]) -> bool:
    return counts["total"] == sum(counts[name] for name in DISJOINT)


def test_a_member_that_fails_is_told_once_by_the_exit_code(tmp_path, florilegium):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("one.txt", BUS)
        archive.writestr("bad.xlsx", b"PK\x03\x04 this is no workbook")
    answer = florilegium("run", tmp_path / "a.zip", "--json")
    assert answer.code == 3
    assert answer.json["documents"]["processed"] == 1
    again = florilegium("run", tmp_path / "a.zip", "--json")
    assert (again.code, again.json["files"]["failed"]) == (0, 0)
    assert [Path(f["path"]).name for f in again.json["failures"]] == ["bad.xlsx"]
    assert florilegium("run", tmp_path / "a.zip", "--retry-failed").code == 3
    assert florilegium("run", tmp_path / "a.zip").code == 0


def test_what_is_kept_apart_is_skipped_until_the_mapping_takes_it_in(tmp_path, florilegium):
    (tmp_path / "a.csv").write_text(STATUS)
    (tmp_path / "map.toml").write_text(INCLUDE)
    dry = florilegium("run", tmp_path / "a.csv", "--dry-run", "--json").json["documents"]
    assert (dry["total"], dry["skipped"]) == (3, 1)
    counts = florilegium("run", tmp_path / "a.csv", "--json").json["documents"]
    assert (counts["total"], counts["processed"], counts["empty"], counts["skipped"]) == (
        3,
        2,
        1,
        1,
    )
    assert sums_up(counts)
    listed = florilegium("documents", "default", "--outcome", "skipped", "--json").json["documents"]
    assert [(row["key"], row["outcome"]) for row in listed] == [("a.csv#R2/c3", "skipped")]
    again = florilegium("run", tmp_path / "a.csv", "--json").json["documents"]
    assert (again["total"], again["skipped"]) == (0, 0)
    taken = florilegium("run", tmp_path / "a.csv", "--mapping", tmp_path / "map.toml", "--json")
    assert taken.json["documents"]["processed"] == 1
    assert (
        florilegium("documents", "default", "--outcome", "skipped", "--json").json["documents"]
        == []
    )


def test_a_mapping_that_ingest_was_given_holds_for_run(tmp_path, florilegium):
    (tmp_path / "a.csv").write_text(STATUS)
    (tmp_path / "map.toml").write_text(INCLUDE)
    mapped = ("--mapping", tmp_path / "map.toml")
    florilegium("ingest", tmp_path / "a.csv", "--collection", "c", *mapped)
    report = florilegium("run", tmp_path / "a.csv", "--collection", "c", "--json").json
    assert (report["files"]["read"], report["files"]["unchanged"]) == (0, 1)
    assert (report["documents"]["total"], report["documents"]["skipped"]) == (4, 0)
    (tmp_path / "b.csv").write_text(STATUS)
    report = florilegium("run", tmp_path / "b.csv", "--collection", "c", "--json").json
    assert (report["documents"]["total"], report["documents"]["skipped"]) == (4, 0)


def test_other_languages_empties_and_the_rest_sum_to_the_total(tmp_path, florilegium):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.txt").write_text(BUS)
    (folder / "b.txt").write_text(FRENCH)
    (folder / "c.txt").write_text(" \n")
    (folder / "d.csv").write_text(STATUS)
    (folder / "e.txt").write_text(BUS)
    counts = florilegium("run", folder, "--json").json["documents"]
    assert sums_up(counts)
    assert counts == {
        "total": 7,
        "processed": 4,
        "partial": 0,
        "empty": 2,
        "duplicate": 1,
        "other_language": 1,
        "failed": 0,
        "parked": 0,
        "skipped": 1,
    }


def test_files_that_are_gone_are_counted_and_a_withdrawal_reaches_the_graph(tmp_path, florilegium):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.csv").write_text("id,answer\n1,The buses never come on time any more\n")
    (folder / "b.txt").write_text(BUS)
    florilegium("run", folder)
    (folder / "b.txt").unlink()
    (folder / "a.csv").write_text("id,colour\n1,Red\n2,Red\n")
    report = florilegium("run", folder, "--json").json
    assert (report["files"]["gone"], report["files"]["skipped"]) == (1, 1)
    count = "SELECT (COUNT(DISTINCT ?d) AS ?n) { ?part flo:inDocument ?d }"
    assert florilegium("sparql", count, "--format", "csv").out.split()[1] == "1"


# --- stopped while it reads -----------------------------------------------------------------------
def large_table(folder: Path) -> None:
    chance = random.Random(3)
    words = BUS.split()
    with (folder / "b.csv").open("w") as sink:
        sink.write("id,What should we do?,What else?\n")
        for number in range(25_000):
            texts = (" ".join(chance.choices(words, k=12)) for _ in range(2))
            sink.write(f"R{number},{','.join(texts)}\n")


def large_archive(folder: Path) -> None:
    with zipfile.ZipFile(folder / "b.zip", "w") as archive:
        archive.writestr("a.eml", f"From: a@example.org\nSubject: Buses\n\n{BUS}\n")
        for number in range(400):
            archive.writestr(f"{number}.txt", f"Letter {number}. {BUS}")


def stored(home: Path) -> list[str]:
    """Return the paths of the files that have documents."""
    try:
        uri = f"file:{home / 'florilegium.sqlite'}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True)) as database:
            query = "SELECT DISTINCT path FROM documents JOIN sources ON sources.id = source_id"
            return [path for (path,) in database.execute(query)]
    except sqlite3.OperationalError:
        return []


def processes(mark: str) -> list[int]:
    """Return the processes that have ``mark`` in their environment."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (folder / "environ").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue
    return found


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")
@pytest.mark.parametrize("make", [large_table, large_archive])
@pytest.mark.parametrize(
    ("number", "expected"),
    [(signal.SIGTERM, 75), (signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)],
)
def test_a_signal_while_it_reads(tmp_path, home, make, number, expected):
    folder, temporary = tmp_path / "in", tmp_path / "temporary"
    folder.mkdir()
    temporary.mkdir()
    (folder / "a.txt").write_text(BUS)
    make(folder)
    mark = f"FLO_MARK_{uuid.uuid4().hex}"
    process = subprocess.Popen(
        [
            *(sys.executable, "-P", "-c", "from app.cli.main import main; main()"),
            *("--home", str(home), "run", str(folder), "--quiet"),
        ],
        env={**os.environ, "TMPDIR": str(temporary), mark: "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    enough = 1 if make is large_table else 5
    end = time.monotonic() + 120
    while len(stored(home)) < enough and process.poll() is None and time.monotonic() < end:
        time.sleep(0.02)
    process.send_signal(number)
    _, err = process.communicate(timeout=120)
    assert process.returncode == expected, err
    kept = stored(home)
    assert str(folder / "a.txt") in kept
    assert not any(path.endswith("b.csv") for path in kept)
    assert len(kept) < 400
    end = time.monotonic() + 20
    while processes(mark) and time.monotonic() < end:
        time.sleep(0.1)
    assert processes(mark) == []
    if number != signal.SIGKILL:
        assert list(temporary.iterdir()) == []
        assert "Traceback" not in err
    again = call("--home", home, "ingest", folder, "--collection", "default", "--json")
    assert again.code == 0, again.err
    assert len(stored(home)) == (2 if make is large_table else 402)


# --- a second run ---------------------------------------------------------------------------------
def small_files(folder: Path) -> None:
    for number in range(2_000):
        (folder / f"{number:04}.txt").write_text(f"Letter {number} is about the late bus.")


def conversations(folder: Path) -> None:
    for number in range(20):
        inner = folder / f"conversation{number}"
        inner.mkdir()
        head = "timestamp,datetime,comment-id,author-id,agrees,disagrees,moderated,comment-body\n"
        rows = (
            f"15000{n:05},Mon Jan 01 10:00:00 UTC 2018,{n},{n % 7},{n % 5},{n % 3},1,"
            f"We should improve road number {n} in town {number} because buses are late\n"
            for n in range(50)
        )
        (inner / "comments.csv").write_text(head + "".join(rows))
        votes = (f"15000{n:05},Mon Jan 01 10:00:00 UTC 2018,{n % 50},{n},1\n" for n in range(200))
        (inner / "votes.csv").write_text(
            "timestamp,datetime,comment-id,voter-id,vote\n" + "".join(votes)
        )
    (folder / "map.toml").write_text(INCLUDE)


@pytest.mark.parametrize("make", [pytest.param(small_files, marks=pytest.mark.slow), conversations])
def test_a_second_run_reads_nothing_and_imports_nothing_heavy(tmp_path, home, make):
    folder = tmp_path / "in"
    folder.mkdir()
    make(folder)
    mapped = ("--mapping", folder / "map.toml") if make is conversations else ()
    collection = ("--collection", "c")
    call("--home", home, "ingest", folder, *collection, *mapped)
    settle(home)
    check = f"assert not {set(HEAVY)!r} & set(sys.modules), {set(HEAVY)!r} & set(sys.modules)"
    answer = spawn("--home", home, "run", folder, *collection, "--json", "--quiet", code=check)
    assert answer.code == 0, answer.err
    assert answer.json["files"]["read"] == answer.json["documents"]["total"] == 0


def settle(home: Path) -> None:
    """Save a result for each pending document, and bring the graph in step, without the model."""
    from app.jobs import RunRequest
    from app.projection import rebuild_graph
    from app.run_plan import make_plan
    from app.settings import load_settings
    from app.workspace import open_store
    from db.rows import ResultInput

    settings = load_settings(home=home)
    store = open_store(settings)
    known = store.collection("c")
    plan = make_plan(store, RunRequest("c"), known)
    mark = plan.fingerprint.value
    run = store.start_run(known.id, recipe=plan.recipe_reference, fingerprint=mark, details={})
    for rows in store.pending(known.id, fingerprint=mark).batches:
        store.save_results(
            run,
            recipe=plan.recipe_reference,
            fingerprint=mark,
            batch=[(row, ResultInput("processed")) for row in rows],
        )
    store.finish_run(run, "finished", {})
    rebuild_graph(settings, store)
