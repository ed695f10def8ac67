"""``florilegium export`` and ``collections set``: every format from the command line, and ``forget``."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.app.conftest import Answer, call

VOCABULARY = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<urn:x:parking> a skos:Concept ; skos:prefLabel "parking"@en .
"""
ROWS = (
    "Response ID,What do you think?",
    "R1,Zygomorphic words of one person about parking near the school gate.",
    "R2,More parking for people who come to the library by car please.",
)
BINARY = {"xlsx": b"PK", "docx": b"PK", "refi-qda": b"PK"}
NAMES = {"refi-qda": "p.qdpx", "nq": "d.nq.gz", "parquet": "tables"}


def ask(home: Path, *words: str | Path) -> Answer:
    return call("--home", home, "--quiet", *words)


def read(home: Path, file: Path) -> Any:
    recipe = home.parent / "mine.toml"
    recipe.write_text('id = "mine"\nstages = ["tag"]\n')
    return ask(
        *(home, "run", file, "--collection", "c", "--ontology", "v"),
        *("--recipe", recipe, "--question", "What do you think?", "--json"),
    ).json


def _keys(home: Path) -> list[str]:
    return [row["key"] for row in ask(home, "documents", "c", "--json").json["documents"]]


@pytest.fixture
def filled(tmp_path: Path, home: Path) -> Path:
    """Return a workspace with a collection of two answers."""
    file = tmp_path / "answers.csv"
    file.write_text("\n".join(ROWS) + "\n")
    (tmp_path / "v.ttl").write_text(VOCABULARY)
    assert ask(home, "ontology", "add", tmp_path / "v.ttl", "--id", "v").code == 0
    assert read(home, file)["documents"]["processed"] == 2
    return home


def test_every_format_is_written(filled: Path, tmp_path: Path) -> None:
    kinds = ("xlsx", "csv", "docx", "html", "ttl", "nq", "jsonld", "parquet", "refi-qda")
    for kind in kinds:
        out = tmp_path / "out" / NAMES.get(kind, f"f.{kind}")
        answer = ask(filled, "export", "c", "--format", kind, "--out", out, "--json")
        assert answer.code == 0, answer.err
        assert answer.json["path"] == str(out)
        assert answer.json["rows"] > 0
        assert all(Path(each).is_file() for each in answer.json["beside"])
        if kind in BINARY:
            assert out.read_bytes().startswith(BINARY[kind])
    assert gzip.decompress((tmp_path / "out" / "d.nq.gz").read_bytes()).endswith(b" .\n")
    assert json.loads((tmp_path / "out" / "f.jsonld").read_text())["@graph"]
    assert not [each for each in (tmp_path / "out").iterdir() if each.name.startswith(".")]
    told = ask(filled, "export", "c", "--format", "csv", "--out", tmp_path / "x.csv")
    assert told.out == f"Wrote {tmp_path / 'x.csv'}: 2 documents.\n"


def test_what_cannot_be_written_says_why(filled: Path, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("")
    for words, said in (
        (("c", "--format", "csv", "--out", tmp_path / "folder"), "that is a folder"),
        (("c", "--format", "csv", "--out", tmp_path / "file" / "x.csv"), "Cannot write"),
        (("c", "--format", "refi-qda", "--out", tmp_path / "x.zip"), "ends in .qdpx"),
        (("c", "--format", "csv", "--out", filled / "florilegium.sqlite"), "keeps"),
        (("c", "--format", "parquet", "--out", filled), "keeps"),
        (("c", "--format", "csv", "--out", filled / "graph" / "x"), "keeps"),
        (("c", "--format", "pdf", "--out", tmp_path / "x.pdf"), "'pdf' is not one of"),
        (("nope", "--format", "csv", "--out", tmp_path / "x.csv"), "no collection 'nope'"),
        (("c", "--format", "docx", "--out", "x", "--codebook", "b"), "no codebook 'b'"),
        (("c", "--format", "docx", "--out", "x", "--version", "2"), "there is none here"),
        (("c", "--format", "html", "--out", "x", "--by", "Wart"), "no such column in 'c'"),
    ):
        answer = ask(filled, "export", *words)
        assert answer.code == 2, (words, answer.err)
        assert said in answer.err
    assert not (tmp_path / "x.csv").exists()


def test_a_description_goes_into_the_graph_and_the_dumps(filled: Path, tmp_path: Path) -> None:
    licence = "https://example.org/licence"
    words = ("--title", "Parking", "--licence", licence, "--rights", "The council")
    answer = ask(filled, "collections", "set", "c", *words, "--private", "--json")
    assert answer.code == 0, answer.err
    assert answer.json == {
        "name": "c",
        "title": "Parking",
        "licence": licence,
        "rights": "The council",
        "private": True,
    }
    assert answer.err == ""
    listed = ask(filled, "collections", "--json").json["collections"][0]
    assert listed["title"], listed["private"] == ("Parking", True)
    query = "SELECT ?t ?l ?r { ?c dct:title ?t ; dct:license ?l ; dct:rights ?r }"
    found = ask(filled, "sparql", query, "--format", "csv").out.split("\n")[1].strip()
    assert found == f"Parking,{licence},The council"
    quotes = "SELECT ?x { ?s oa:exact ?x }"
    assert ask(filled, "sparql", quotes, "--format", "csv").out.split() == ["x"]
    out = tmp_path / "d.ttl"
    assert (
        ask(filled, "export", "c", "--format", "ttl", "--out", out, "--json").json["words"] is False
    )
    assert licence in out.read_text()
    assert "oa:exact" not in out.read_text()
    assert licence in (tmp_path / "d.ttl.dcat.ttl").read_text()
    again = ask(filled, "collections", "set", "c", "--public", "--rights", "", "--json").json
    assert (again["private"], again["rights"], again["title"]) == (False, "", "Parking")
    assert len(ask(filled, "sparql", quotes, "--format", "csv").out.split()) > 1
    nothing = ask(filled, "collections", "set", "c")
    assert nothing.code == 2
    assert "Nothing to set" in nothing.err


def test_forget_removes_the_dumps_that_held_the_document(filled: Path, tmp_path: Path) -> None:
    inside, outside = filled / "dumps", tmp_path / "elsewhere"
    for kind, name in (
        ("nq", "d.nq.gz"),
        ("refi-qda", "p.qdpx"),
        ("parquet", "tables"),
        ("csv", "c.csv"),
    ):
        assert ask(filled, "export", "c", "--format", kind, "--out", inside / name).code == 0
    assert ask(filled, "export", "c", "--format", "nq", "--out", outside / "d.nq").code == 0
    (inside / "notes.txt").write_text("mine, and without a word of theirs")
    told = ask(filled, "forget", _keys(filled)[0], "--by", "ann", "--yes", "--json")
    assert told.code == 0, told.err
    removed = {Path(each).name for each in told.json["files"]}
    assert {"d.nq.gz", "d.nq.gz.dcat.ttl", "p.qdpx", "tables", "c.csv"} <= removed
    assert [each.name for each in inside.iterdir()] == ["notes.txt"]
    assert any("d.nq (an export, outside" in each for each in told.json["unreached"])
    assert (outside / "d.nq").is_file()


def test_forget_leaves_dumps_from_before_the_document_came(filled: Path, tmp_path: Path) -> None:
    before = filled / "dumps" / "before.nq"
    assert ask(filled, "export", "c", "--format", "nq", "--out", before).code == 0
    more = tmp_path / "more.csv"
    more.write_text(
        "Response ID,What do you think?\nR9,A late answer about parking in the evening.\n"
    )
    assert read(filled, more)["documents"]["processed"] == 1
    after = filled / "dumps" / "after.nq"
    assert ask(filled, "export", "c", "--format", "nq", "--out", after).code == 0
    (key,) = (k for k in _keys(filled) if "R9" in k)
    told = ask(filled, "forget", key, "--by", "ann", "--yes", "--json")
    assert told.code == 0, told.err
    assert before.is_file()
    assert not after.exists()
