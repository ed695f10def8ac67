"""``florilegium review``: what people decide is stored, listed, shown and in the graph."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.app.conftest import Answer, call

VOCABULARY = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<urn:x:parking> a skos:Concept ; skos:prefLabel "parking"@en .
<urn:x:library> a skos:Concept ; skos:prefLabel "library"@en .
"""
TEXT = "Parking by the library is bad."


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a workspace with one collection that was tagged and labelled."""
    folder = tmp_path_factory.mktemp("review")
    (folder / "in").mkdir()
    (folder / "in" / "a.txt").write_text(TEXT)
    (folder / "in" / "b.txt").write_text("More parking, please.")
    (folder / "v.ttl").write_text(VOCABULARY)
    home = folder / "home"
    for words in (
        ("ontology", "add", folder / "v.ttl", "--id", "v"),
        ("run", folder / "in", "--collection", "c", "--ontology", "v", "--recipe", "consultation"),
    ):
        answer = call("--home", home, "--quiet", *words)
        assert answer.code == 0, answer.err
    return home


def ask(home: Path, *words: str) -> Answer:
    return call("--home", home, "--quiet", *words)


def shown(home: Path, key: str = "a.txt") -> Any:
    return ask(home, "document", key, "--json").json


def name(home: Path, kind: str, number: int = 1, key: str = "a.txt") -> str:
    """Return the graph's name of an annotation of a document's current result."""
    from app.settings import load_settings
    from app.workspace import open_store

    result = open_store(load_settings(home=home)).document(key).result
    assert result is not None
    return f"{kind}-{result.id}-{number}"


def test_a_tag_is_rejected_and_the_document_says_so(home: Path) -> None:
    target = name(home, "tag")
    answer = ask(home, "review", target, "--reject", "--reviewer", "ann", "--reason", "a street")
    assert answer.code == 0, answer.err
    assert "Rejected by ann: urn:x:parking" in answer.out
    first, second = shown(home)["tags"]
    assert first["decision"]["verdict"] == "rejected"
    assert (first["decision"]["reviewer"], first["decision"]["reason"]) == ("ann", "a street")
    assert second["decision"] is None
    assert "a street" in ask(home, "document", "a.txt").out


def test_the_same_name_as_an_iri_and_options_first(home: Path) -> None:
    from ontology.vocab import DATA

    target = DATA + name(home, "tag", 2)
    done = ask(home, "review", target, "--accept", "--reviewer", "ann", "--json").json
    assert (done["verdict"], done["item"], done["warnings"]) == ("accepted", "urn:x:library", [])
    assert done["run_id"] is not None


def test_a_label_is_decided_about_as_a_whole(home: Path) -> None:
    labels = [each for each in shown(home)["labels"] if each["assigned"]]
    if not labels:
        pytest.skip("the recipe assigns no label to this text")
    done = ask(home, "review", name(home, "labelling"), "--accept", "--reviewer", "ann", "--json")
    assert done.json["item"] == labels[0]["label"]
    found = {each["label"]: each["decision"] for each in shown(home)["labels"]}
    assert found[labels[0]["label"]]["verdict"] == "accepted"


def test_a_summary_sentence_is_accepted(home: Path) -> None:
    done = ask(home, "review", name(home, "highlight"), "--accept", "--reviewer", "ann", "--json")
    assert done.code == 0, done.err
    assert shown(home)["summary"][0]["decision"]["verdict"] == "accepted"


def test_a_correction_names_the_concept_by_its_label(home: Path) -> None:
    target = name(home, "tag", key="b.txt")
    done = ask(home, "review", target, "--correct", "Library", "--reviewer", "bob", "--json").json
    assert done["replacement"] == {
        "scheme": "v",
        "item": "urn:x:library",
        "start": 5,
        "end": 12,
        "text": "parking",
    }


def test_something_that_was_missed_is_added_at_its_place(home: Path) -> None:
    done = ask(
        home,
        "review",
        "b.txt",
        "--add",
        "urn:x:library",
        "--at",
        "0-4",
        "--reviewer",
        "ann",
        "--json",
    ).json
    assert (done["verdict"], done["text"], done["result_id"]) == ("added", "More", None)
    assert done["id"] in [each["id"] for each in shown(home, "b.txt")["decisions"]]


def test_decisions_are_listed_and_taken_back(home: Path) -> None:
    target = name(home, "tag")
    for verdict in ("--accept", "--reject"):
        ask(home, "review", target, verdict, "--reviewer", "eve")
    rows = ask(home, "review", "list", "c", "--json").json["decisions"]
    (mine,) = [row for row in rows if row["reviewer"] == "eve"]
    assert mine["verdict"] == "rejected"
    everything = ask(home, "review", "list", "c", "--all", "--json").json["decisions"]
    assert len([row for row in everything if row["reviewer"] == "eve"]) == 2
    assert "eve" in ask(home, "review", "list", "c", "--document", "a.txt").out
    assert ask(home, "review", "withdraw", str(mine["id"])).code == 0
    rows = ask(home, "review", "list", "c", "--json").json["decisions"]
    assert "eve" not in [row["reviewer"] for row in rows]


def test_the_reviewer_is_the_user_unless_named(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = name(home, "tag")
    monkeypatch.setenv("USER", "grace")
    assert ask(home, "review", target, "--accept", "--json").json["reviewer"] == "grace"
    monkeypatch.setenv("FLORILEGIUM_REVIEWER", "Grace H.")
    assert ask(home, "review", target, "--accept", "--json").json["reviewer"] == "Grace H."
    for variable in ("USER", "USERNAME", "FLORILEGIUM_REVIEWER"):
        monkeypatch.delenv(variable, raising=False)
    answer = ask(home, "review", target, "--accept")
    assert answer.code == 2
    assert "--reviewer NAME" in answer.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("tag-99999-1", "--accept"), "no result 99999"),
        (("TAG-77", "--accept"), "names no annotation; expected one such as"),
        (("a.txt", "--reject"), "names no annotation"),
        (("a.txt", "--add", "urn:x:library"), "No place in document"),
        (("a.txt", "--add", "urn:x:library", "--at", "9-9999"), "is not in document"),
        (("a.txt", "--add", "urn:x:nothing", "--at", "0-4"), "No concept 'urn:x:nothing'"),
        (("a.txt", "--add", "", "--at", "0-4"), "Nothing is named"),
        (("a.txt", "--add", "nothing", "--kind", "label"), "expected one of"),
        (("b.txt",), "expected exactly one of"),
        (("b.txt", "--accept", "--reject"), "2 decisions"),
    ],
)
def test_what_does_not_fit_says_what_would(home: Path, words: tuple[str, ...], said: str) -> None:
    answer = ask(home, "review", *words, "--reviewer", "ann")
    assert answer.code == 2
    assert said in answer.err


def test_a_number_beyond_the_results_tags_is_counted(home: Path) -> None:
    answer = ask(home, "review", name(home, "tag", 9), "--accept", "--reviewer", "ann")
    assert answer.code == 2
    assert "has 2 of that kind, numbered from 1" in answer.err


def test_decisions_are_in_the_graph(home: Path) -> None:
    ask(home, "review", name(home, "tag"), "--reject", "--reviewer", "ida")
    query = "SELECT (COUNT(*) AS ?n) WHERE { ?r a flo:ReviewDecision ; dct:creator 'ida' }"
    answer = ask(home, "sparql", query, "--format", "json")
    assert answer.code == 0, answer.err
    (row,) = json.loads(answer.out)["results"]["bindings"]
    assert row["n"]["value"] == "1"
