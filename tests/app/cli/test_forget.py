"""``florilegium forget`` and ``runs withdraw``: gone from SQL, graph and workspace for good."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.app.conftest import Answer, call

VOCABULARY = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<urn:x:parking> a skos:Concept ; skos:prefLabel "parking"@en .
"""
MARKER = "Zygomorphic words of one person about parking"
ROWS = (
    "Response ID,What do you think?",
    f"R1,{MARKER} near the school gate.",
    "R2,More parking for people who come to the library by car please.",
    "R3,There is far too much parking in the square on market days.",
)
ALL = "SELECT (COUNT(DISTINCT ?d) AS ?n) WHERE { ?tag flo:inDocument ?d }"


def ask(home: Path, *words: str | Path) -> Answer:
    return call("--home", home, "--quiet", *words)


def run(home: Path, file: Path) -> Any:
    recipe = home.parent / "mine.toml"
    recipe.write_text('id = "mine"\nstages = ["tag"]\n')
    return ask(
        *(home, "run", file, "--collection", "c", "--ontology", "v"),
        *("--recipe", recipe, "--question", "What do you think?", "--json"),
    ).json


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "answers.csv"
    path.write_text("\n".join(ROWS) + "\n")
    return path


@pytest.fixture
def filled(tmp_path: Path, home: Path, file: Path) -> Path:
    """Return a workspace with a collection, an uploaded copy, a backup, and a note of the user's."""
    (tmp_path / "v.ttl").write_text(VOCABULARY)
    assert ask(home, "ontology", "add", tmp_path / "v.ttl", "--id", "v").code == 0
    assert run(home, file)["documents"]["processed"] == 3
    upload = home / "uploads" / "c" / "0123" / "answers.csv"
    upload.parent.mkdir(parents=True)
    shutil.copy(file, upload)
    with (
        closing(sqlite3.connect(home / "florilegium.sqlite")) as now,
        closing(sqlite3.connect(home / "before.sqlite")) as copy,
    ):
        now.backup(copy)
    (home / "notes.txt").write_text(f"{ROWS[1][3:]} (look at this one)")
    return home


def holding(folder: Path) -> list[str]:
    return sorted(
        path.name
        for path in folder.rglob("*")
        if path.is_file() and b"Zygomorphic" in path.read_bytes()
    )


def documents(home: Path) -> list[str]:
    return [row["key"] for row in ask(home, "documents", "c", "--json").json["documents"]]


def test_nothing_of_a_forgotten_document_is_left(filled: Path, file: Path) -> None:
    assert {"answers.csv", "before.sqlite", "notes.txt"} < set(holding(filled))
    key = documents(filled)[0]
    answer = ask(
        filled, "forget", key, "--by", "ann", "--reason", "asked for it", "--yes", "--json"
    )
    assert answer.code == 0, answer.err
    told = answer.json
    assert (told["documents"], told["warnings"]) == (1, [])
    assert told["removed"]["tags"] == 1
    assert [Path(path).name for path in told["files"]] == ["before.sqlite", "answers.csv"]
    assert any(str(file) in each and "source file" in each for each in told["unreached"])
    assert any("notes.txt" in each for each in told["unreached"])
    assert (told["audit"][0]["author"], told["audit"][0]["reason"]) == ("ann", "asked for it")
    assert holding(filled) == ["notes.txt"]  # the user's own file, which was named
    assert key not in answer.out.replace(str(file), "")
    assert len(documents(filled)) == 2
    count = ask(filled, "sparql", ALL, "--format", "csv").out.split()[1]
    assert count == "2"


def test_it_does_not_come_back_when_its_file_is_read_again(filled: Path, file: Path) -> None:
    key = documents(filled)[0]
    assert ask(filled, "forget", key, "--by", "ann", "--yes").code == 0
    file.write_text(file.read_text() + "R4,A late answer about parking in the evening.\n")
    report = run(filled, file)
    assert (report["documents"]["skipped"], report["documents"]["processed"]) == (1, 1)
    assert [(f["outcome"], f["reason"]) for f in report["failures"]] == [("skipped", "forgotten")]
    assert key not in documents(filled)
    assert len(documents(filled)) == 3
    assert holding(filled / "graph") == []


def test_all_of_one_persons_documents_go(filled: Path) -> None:
    answer = ask(filled, "forget", "--respondent", "R2", "--collection", "c", "--by", "a", "--yes")
    assert answer.code == 0, answer.err
    assert "Forgotten: 1 document." in answer.out
    assert "Not reached:" in answer.out
    assert len(documents(filled)) == 2


def test_what_cannot_be_done_says_why(filled: Path) -> None:
    for words, said in (
        ((), "not both"),
        (("x", "--respondent", "R1"), "not both"),
        (("--respondent", "R99"), "No document of the respondent 'R99'"),
        (("no-such-key",), "no document with id or key 'no-such-key'"),
        ((documents(filled)[0], "--json"), "--json needs --yes"),
    ):
        answer = ask(filled, "forget", *words, "--by", "ann")
        assert answer.code == 2
        assert said in answer.err
    assert len(documents(filled)) == 3


def test_a_withdrawn_run_makes_the_earlier_results_current(filled: Path, file: Path) -> None:
    (filled.parent / "v.ttl").write_text(VOCABULARY.replace("parking", "library"))
    ask(filled, "ontology", "add", filled.parent / "v.ttl", "--id", "v")
    run(filled, file)
    second = ask(filled, "runs", "list", "c", "--json").json["runs"][-1]["id"]
    answer = ask(filled, "runs", "withdraw", "c", str(second), "--reason", "wrong", "--json")
    assert answer.code == 0, answer.err
    assert answer.json["counts"] == {"run": second, "results": 3, "current_again": 3}
    assert answer.json["warnings"] == []
    tags = [ask(filled, "document", key, "--json").json["tags"] for key in documents(filled)]
    assert [[tag["iri"] for tag in each] for each in tags] == [["urn:x:parking"]] * 3
    states = [run["state"] for run in ask(filled, "runs", "list", "c", "--json").json["runs"]]
    assert states[-1] == "withdrawn"
    assert ask(filled, "runs", "withdraw", "c", "99").code == 2
