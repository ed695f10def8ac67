"""``florilegium ontology``: add with branches and overlays, check, show and export."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.app.conftest import call

OBO = """format-version: 1.2
ontology: d

[Term]
id: D:1
name: symptom

[Term]
id: D:2
name: haemorrhage
synonym: "bleed" EXACT layperson []
xref: MESH:D006470
is_a: D:1

[Term]
id: D:3
name: nosebleed
is_a: D:2
is_a: D:9

[Term]
id: D:4
name: cough
is_a: D:1
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "d.obo"
    path.write_text(OBO)
    return path


def tagged(home: Path, text: str) -> list[str]:
    answer = call("--home", home, "tag", text, "--ontology", "d", "--json")
    return [tag["text"] for tag in answer.json["tags"]]


def test_a_branch_is_all_that_is_tagged(home: Path, file: Path) -> None:
    answer = call("--home", home, "ontology", "add", file, "--branch", "D:2", "--json").json
    assert (answer["id"], answer["format"], answer["concepts"]) == ("d", "obo", 2)
    assert tagged(home, "cough and nosebleed, a bleed") == ["nosebleed", "bleed"]


def test_an_overlay_takes_part_and_changes_the_hash(home: Path, file: Path, tmp_path: Path) -> None:
    plain = call("--home", home, "ontology", "add", file, "--json").json
    assert tagged(home, "hemorrhage, cough") == ["hemorrhage", "cough"]
    overlay = tmp_path / "d.toml"
    overlay.write_text('[labels]\nspelling = true\nstop = ["cough"]\n')
    laid = call("--home", home, "ontology", "add", file, "--overlay", overlay, "--json").json
    assert laid["sha256"] != plain["sha256"]
    overlay.unlink()
    file.unlink()
    assert tagged(home, "hemorrhage, cough") == ["hemorrhage"]


def test_a_start_maps_the_index_that_add_made(
    home: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call("--home", home, "ontology", "add", file)
    monkeypatch.setattr("ontology.kept.load", None)
    assert tagged(home, "a nosebleed") == ["nosebleed"]


@pytest.mark.parametrize("overlay", [False, True])
def test_a_changed_copy_is_refused(home: Path, file: Path, overlay: bool) -> None:
    call("--home", home, "ontology", "add", file, *(["--branch", "D:1"] if overlay else []))
    (copy,) = home.rglob("*.obo")
    copy.write_text(OBO + "! changed\n")
    answer = call("--home", home, "tag", "nosebleed", "--ontology", "d")
    assert answer.code == 78
    assert "expected" in answer.err
    assert "ontology add" in answer.err


def test_imports_are_kept_with_the_ontology(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "top.obo"
    file.write_text(OBO.replace("ontology: d", "ontology: d\nimport: https://example.org/low.obo"))
    (tmp_path / "low.obo").write_text("format-version: 1.2\n\n[Term]\nid: E:1\nname: toothache\n")
    added = call("--home", home, "ontology", "add", file, "--id", "d", "--json").json
    assert added["concepts"] == 5
    (tmp_path / "low.obo").unlink()
    assert tagged(home, "a toothache") == ["toothache"]


def test_an_unknown_branch_is_named(home: Path, file: Path) -> None:
    answer = call("--home", home, "ontology", "add", file, "--branch", "D:77")
    assert answer.code == 78
    assert "'D:77'" in answer.err


def test_check_lists_all_problems(file: Path) -> None:
    file.write_text(OBO.replace("name: cough", "name: haemorrhage\nrubbish"))
    answer = call("ontology", "check", file, "--json")
    assert answer.code == 0
    assert [each["kind"] for each in answer.json["problems"]] == [
        "duplicate-label",
        "missing-parent",
        "unread",
    ]
    assert answer.json["shared_labels"] == ["haemorrhage"]
    words = call("ontology", "check", file).out
    assert "duplicate label: 1" in words
    assert "line 24" in words


def test_show_gives_types_and_references(home: Path, file: Path) -> None:
    call("--home", home, "ontology", "add", file)
    shown = call("--home", home, "ontology", "show", "D:2").out
    assert "bleed (exact, layperson)" in shown
    assert "MESH:D006470" in shown
    assert "SubClassOf(obo:D_2 obo:D_1)" in shown


@pytest.mark.parametrize("syntax", ["turtle", "rdf-xml", "json-ld", "n-triples", "owl-functional"])
def test_export_can_be_added_again(home: Path, file: Path, tmp_path: Path, syntax: str) -> None:
    call("--home", home, "ontology", "add", file)
    out = tmp_path / "out"
    answer = call("--home", home, "ontology", "export", "d", "--format", syntax, "--out", out)
    assert answer.code == 0
    again = call("ontology", "check", out, "--json").json
    assert (again["format"], again["concepts"]) == (syntax, 4)


def test_export_writes_to_standard_output(home: Path, file: Path) -> None:
    call("--home", home, "ontology", "add", file)
    answer = call("--home", home, "ontology", "export", "d", "--format", "json-ld")
    assert json.loads(answer.out)["@graph"]


def test_export_says_where_it_cannot_write(home: Path, file: Path, tmp_path: Path) -> None:
    call("--home", home, "ontology", "add", file)
    answer = call("--home", home, "ontology", "export", "d", "--out", tmp_path / "no" / "x.ttl")
    assert answer.code == 2
    assert "--out" in answer.err
