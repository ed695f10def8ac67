"""``florilegium ontology candidates``: from documents to a proposal that can be added."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.app.conftest import Answer, call

SKOS = """\
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix : <https://example.org/r/> .
:stop a skos:Concept ; skos:prefLabel "Bus stop"@en .
"""
TEXTS = (
    "The floating bus stop frightens me. The bus stop by the weir is shut.",
    "Move the floating bus stop. A weir is no place for a bus stop.",
    "The weir leaks. The dropped kerb is too high for a wheelchair.",
    "=1+1 A dropped kerb, please.",
)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Answer]:
    """Return the command line over four documents tagged with one concept."""
    folder = tmp_path_factory.mktemp("candidates")
    home, texts = folder / "home", folder / "texts"
    texts.mkdir()
    (folder / "roads.ttl").write_text(SKOS)
    for number, text in enumerate(TEXTS):
        (texts / f"{number}.txt").write_text(text)

    def florilegium(*arguments: str | Path) -> Answer:
        return call("--home", home, "--quiet", *arguments)

    assert florilegium("ontology", "add", folder / "roads.ttl").code == 0
    ran = florilegium("run", texts, "--collection", "roads", "--ontology", "roads")
    assert ran.code == 0, ran.err
    return florilegium


def test_what_no_concept_covers_is_ranked_with_counts_and_quotes(
    workspace: Callable[..., Answer],
) -> None:
    found = workspace("ontology", "candidates", "roads", "--json").json
    assert (found["ontologies"], found["documents"], found["lost_below"]) == (["roads"], 4, 0)
    terms = {term["label"]: term for term in found["terms"]}
    assert set(terms) == {"floating bus stop", "dropped kerb", "weir"}
    assert next(iter(terms)) == "floating bus stop"
    floating = terms["floating bus stop"]
    assert (floating["count"], floating["documents"]) == (2, 2)
    assert [each["label"] for each in floating["broader"]] == ["Bus stop"]
    for quote in floating["quotes"]:
        text = TEXTS[int(quote["document"].removesuffix(".txt"))]
        assert text[quote["start"] : quote["end"]] == quote["text"] == "floating bus stop"


def test_without_a_vocabulary_nothing_is_covered(
    workspace: Callable[..., Answer], tmp_path: Path
) -> None:
    empty = tmp_path / "empty.csv"
    empty.write_text("id,label\n1,zeppelin\n")
    workspace("ontology", "add", empty, "--id", "empty")
    found = workspace("ontology", "candidates", "roads", "--ontology", "empty", "--json").json
    assert "bus stop" in {term["label"] for term in found["terms"]}


def test_the_table_says_what_there_is(workspace: Callable[..., Answer]) -> None:
    shown = workspace("ontology", "candidates", "roads", "--limit", "1").out
    assert "1 candidate term in 4 documents of roads, against roads:" in shown
    assert "The floating bus stop frightens" in shown
    assert "dropped" not in shown


def test_a_proposal_can_be_added_and_covers_its_terms(
    workspace: Callable[..., Answer], tmp_path: Path
) -> None:
    out = tmp_path / "proposal.ttl"
    told = workspace("ontology", "candidates", "roads", "--out", out).out
    assert "Wrote 3 candidate terms" in told
    first = out.read_bytes()
    workspace("ontology", "candidates", "roads", "--out", out)
    assert out.read_bytes() == first
    assert workspace("ontology", "add", out, "--id", "proposal").code == 0
    (card,) = workspace("ontology", "show", "dropped kerb", "--json").json["concepts"]
    assert card["status"] == "draft"
    assert any("2.txt, characters" in example for example in card["examples"])
    left = workspace(
        *("ontology", "candidates", "roads", "--ontology", "roads", "--ontology", "proposal"),
        "--json",
    ).json
    assert left["terms"] == []


def test_a_csv_has_a_line_a_term_and_no_formula(
    workspace: Callable[..., Answer], tmp_path: Path
) -> None:
    out = tmp_path / "terms.csv"
    assert workspace("ontology", "candidates", "roads", "--out", out).code == 0
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[0]["term"] == "floating bus stop"
    assert {row["status"] for row in rows} == {"draft"}
    assert any("'=1+1 A dropped kerb, please." in row.values() for row in rows)
    assert not [cell for row in rows for cell in row.values() if cell[:1] in tuple("=+-@")]


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("nowhere",), 2, "roads"),
        (("roads", "--ontology", "none"), 2, "'none'"),
        (("roads", "--out", "terms.docx"), 2, ".ttl"),
        (("roads", "--out", "no/such/folder/terms.ttl"), 2, "Cannot write"),
        (("roads", "--least", "1"), 2, "--least"),
    ],
)
def test_what_is_wrong_is_said(
    workspace: Callable[..., Answer], arguments: tuple[str, ...], code: int, told: str
) -> None:
    answer = workspace("ontology", "candidates", *arguments)
    assert answer.code == code
    assert told in answer.err
