"""Compiled indexes: kept by content, mapped from then on, made again when broken."""

from __future__ import annotations

from pathlib import Path

import pytest

from ontology.index import InvalidIndex, LabelIndex, cached_index, index_key
from ontology.index.compile import compile_index
from ontology.load import loads
from ontology.model import Ontology
from tests.ontology.vocabularies import OWL_XML, SKOS_TURTLE

TEXT = "An omnibus at the bus stop; the driver had shortness of breath. A raitiovaunu."


@pytest.fixture
def ontologies() -> list[Ontology]:
    return [loads(SKOS_TURTLE.encode(), id="t"), loads(OWL_XML.encode(), id="d")]


def keys(ontologies: list[Ontology]) -> list[tuple[str, str]]:
    return [(each.id, each.sha256) for each in ontologies]


def never() -> list[Ontology]:
    raise AssertionError("the ontologies were loaded")


def test_a_second_start_maps_what_the_first_one_built(
    tmp_path: Path, ontologies: list[Ontology]
) -> None:
    built = cached_index(tmp_path, keys(ontologies), lambda: ontologies)
    mapped = cached_index(tmp_path, keys(ontologies), never)
    assert mapped.labels == built.labels > 0
    assert mapped.find(TEXT) == built.find(TEXT) == LabelIndex.build(ontologies).find(TEXT)
    assert len(mapped.find(TEXT)) == 5


def test_the_key_tells_order_name_and_content() -> None:
    pairs = [("a", "1"), ("b", "2")]
    others = [pairs[::-1], pairs[:1], [("a", "1"), ("b", "3")], [("a", "1"), ("c", "2")]]
    assert len({index_key(each) for each in [pairs, *others]}) == 5


@pytest.mark.parametrize("damage", ["cut", "empty", "other", "version"])
def test_a_broken_index_is_made_again(
    tmp_path: Path, ontologies: list[Ontology], damage: str
) -> None:
    cached_index(tmp_path, keys(ontologies), lambda: ontologies)
    (path,) = tmp_path.iterdir()
    data = path.read_bytes()
    spoilt = {
        "cut": data[:-8],
        "empty": b"",
        "other": b"something else altogether",
        "version": data.replace(b'"version": 2', b'"version": 0', 1),
    }
    path.unlink()
    path.write_bytes(spoilt[damage])
    with pytest.raises(InvalidIndex):
        LabelIndex.open(path)
    assert cached_index(tmp_path, keys(ontologies), lambda: ontologies).find(TEXT)
    assert path.read_bytes() == data


def test_a_file_where_the_folder_should_be_keeps_the_index_in_memory(
    tmp_path: Path, ontologies: list[Ontology]
) -> None:
    (tmp_path / "file").write_text("x")
    index = cached_index(tmp_path / "file", keys(ontologies), lambda: ontologies)
    assert index.find(TEXT)


def test_the_same_ontologies_compile_to_the_same_bytes(ontologies: list[Ontology]) -> None:
    assert compile_index(ontologies) == compile_index(ontologies)
