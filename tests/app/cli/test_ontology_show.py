"""``florilegium ontology show``: the term card, with the use in the user's own documents."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.app.conftest import Answer, call

SKOS = """\
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix adms: <http://www.w3.org/ns/adms#> .
@prefix : <https://example.org/w/> .
:s a skos:ConceptScheme ; dct:title "Waterways" ; owl:versionInfo "3" ;
   dct:license <https://example.org/licence> .
:water a skos:Concept ; skos:inScheme :s ; skos:prefLabel "Waterway"@en .
:weir a skos:Concept ; skos:inScheme :s ; skos:prefLabel "Weir"@en, "Wehr"@de ;
   skos:altLabel "dam"@en ; skos:definition "A low dam across a river."@en ;
   skos:broader :water ; skos:related :lock ; skos:notation "W1" ; adms:status "approved" ;
   skos:exactMatch <https://example.com/weir> ; skos:example "Teddington Weir" .
:lock a skos:Concept ; skos:inScheme :s ; skos:prefLabel "Lock"@en ; skos:broader :water .
:old a skos:Concept ; skos:inScheme :s ; skos:prefLabel "Sluice"@en ; owl:deprecated true ;
   dct:isReplacedBy :lock .
"""
TEXTS = ("The weir is broken. Mend the weir.", "A lock and a dam.", "Nothing of the kind.")


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Answer]:
    """Return the command line over a workspace whose three documents have been tagged."""
    folder = tmp_path_factory.mktemp("card")
    home, texts = folder / "home", folder / "texts"
    texts.mkdir()
    (folder / "waterways.ttl").write_text(SKOS)
    for number, text in enumerate(TEXTS):
        (texts / f"{number}.txt").write_text(text)

    def florilegium(*arguments: str | Path) -> Answer:
        return call("--home", home, "--quiet", *arguments)

    assert florilegium("ontology", "add", folder / "waterways.ttl").code == 0
    ran = florilegium("run", texts, "--collection", "river", "--ontology", "waterways")
    assert ran.code == 0, ran.err
    return florilegium


def card(florilegium: Callable[..., Answer], *arguments: str) -> dict[str, object]:
    (found,) = florilegium("ontology", "show", *arguments, "--json").json["concepts"]
    return dict(found)


@pytest.mark.parametrize(
    "wanted", ["https://example.org/w/weir", "waterways:weir", "Weir", "weir", "wehr", "dam", "W1"]
)
def test_any_name_finds_the_concept(workspace: Callable[..., Answer], wanted: str) -> None:
    assert card(workspace, wanted)["iri"] == "https://example.org/w/weir"


def test_the_card_has_everything_the_vocabulary_says(workspace: Callable[..., Answer]) -> None:
    found = card(workspace, "Weir")
    assert found["definition"] == "A low dam across a river."
    assert {(x["text"], x["language"], x["kind"]) for x in found["labels"]} == {  # type: ignore[attr-defined]
        ("Weir", "en", "pref"),
        ("Wehr", "de", "pref"),
        ("dam", "en", "alt"),
    }
    assert [x["label"] for x in found["broader"]] == ["Waterway"]  # type: ignore[attr-defined]
    assert [x["label"] for x in found["related"]] == ["Lock"]  # type: ignore[attr-defined]
    assert (found["notations"], found["xrefs"]) == (["W1"], ["https://example.com/weir"])
    assert (found["examples"], found["status"]) == (["Teddington Weir"], "approved")
    assert any("skos:broader" in axiom for axiom in found["axioms"])  # type: ignore[attr-defined]
    source = found["provenance"]
    assert (source["title"], source["version"]) == ("Waterways", "3")  # type: ignore[index]
    assert source["licence"] == "https://example.org/licence"  # type: ignore[index]
    assert str(source["file"]).endswith("waterways.ttl")  # type: ignore[index]
    above = card(workspace, "Waterway")
    assert [x["label"] for x in above["narrower"]] == ["Weir", "Lock"]  # type: ignore[attr-defined]


def test_the_use_is_counted_and_quoted_from_the_documents(workspace: Callable[..., Answer]) -> None:
    usage = card(workspace, "Weir")["usage"]
    (river,) = usage["collections"]  # type: ignore[index]
    assert (river["documents"], river["documents_with_narrower"], river["mentions"]) == (2, 2, 3)
    first, second = usage["quotes"]  # type: ignore[index]
    assert (first["text"], second["text"]) == ("weir", "dam")
    assert TEXTS[0][first["start"] : first["end"]] == "weir"
    (river,) = card(workspace, "Waterway")["usage"]["collections"]  # type: ignore[index]
    assert (river["documents"], river["documents_with_narrower"]) == (0, 2)


def test_the_words_on_screen_say_the_same(workspace: Callable[..., Answer]) -> None:
    shown = workspace("ontology", "show", "Weir").out
    for part in (
        *("Weir  (waterways:weir, waterways)", "dam@en (alt)", "Waterway (waterways:water)"),
        *("status     approved", "version 3", "https://example.org/licence", "ClassAssertion("),
        "0.txt 4–8: The [weir] is broken. Mend the weir.",
    ):
        assert part in shown
    assert len(workspace("ontology", "show", "Weir", "--quotes", "1").out) < len(shown)
    assert "replaced by: Lock" in workspace("ontology", "show", "Sluice").out


def test_an_unknown_name_is_answered_with_near_ones(workspace: Callable[..., Answer]) -> None:
    answer = workspace("ontology", "show", "wei")
    assert answer.code == 2
    assert "'Weir' (waterways:weir)" in answer.err
    answer = workspace("ontology", "show", "Weir", "--ontology", "nowhere")
    assert answer.code == 2
    assert "waterways" in answer.err
