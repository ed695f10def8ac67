"""RDF dumps: one mapping in three formats, one collection, no private words, each statement once."""

from __future__ import annotations

import gzip
import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pyoxigraph as ox
import pytest

from app.exports.dump import write_dump
from app.exports.quads import batches, collection_snapshot
from app.exports.types import Asked
from db.store import Store
from ontology.vocab import DATA, DCAT, DCT, FLO, OA, XSD
from tests.app.exports.conftest import Ask, texts
from tests.app.exports.web_annotation import annotations, as_triples, broken, read
from tests.ontology.test_people_graph import runs_of_words
from tests.ontology.test_shapes import dump, violations

SPDX = "http://spdx.org/rdf/terms#"
VOID = "http://rdfs.org/ns/void#"


@pytest.fixture(scope="module", params=("consultation", "historical", "clinical"))
def dumped(
    request: pytest.FixtureRequest, ask: Ask, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Asked, dict[str, int]]:
    """Return a request with the folder of three dumps of a sample, and their statements."""
    folder = tmp_path_factory.mktemp("dumps")
    asked = ask(request.param, folder, words=request.param != "clinical")
    kinds = ("nq", "ttl", "jsonld")
    rows = {kind: write_dump(_to(asked, folder / f"d.{kind}"), kind).rows for kind in kinds}
    return asked, rows


def _to(asked: Asked, path: Path) -> Asked:
    return replace(asked, path=path)


def _triples(path: Path) -> list[ox.Triple]:
    return [quad.triple for quad in ox.parse(path=str(path))]


def _quads(path: Path) -> list[ox.Quad]:
    return list(ox.parse(path=str(path)))


def test_the_three_formats_say_the_same(dumped: tuple[Asked, dict[str, int]]) -> None:
    asked, rows = dumped
    quads = _quads(asked.path / "d.nq")
    turtle = _triples(asked.path / "d.ttl")
    assert len(set(quads)) == len(quads) == rows["nq"]
    assert len(set(turtle)) == len(turtle) == rows["ttl"] == rows["jsonld"]
    default = {quad.triple for quad in quads if quad.graph_name == ox.DefaultGraph()}
    assert set(turtle) == default
    assert as_triples(read(asked.path / "d.jsonld")) == {_positioned(each) for each in turtle}


def _positioned(triple: ox.Triple) -> ox.Triple:
    """Return a triple as the context of the Web Annotation model reads positions."""
    if triple.predicate.value not in (f"{OA}start", f"{OA}end"):
        return triple
    assert isinstance(triple.object, ox.Literal)
    kind = ox.NamedNode(f"{XSD}nonNegativeInteger")
    return ox.Triple(
        triple.subject, triple.predicate, ox.Literal(triple.object.value, datatype=kind)
    )


def test_annotations_keep_every_must_of_the_model(dumped: tuple[Asked, dict[str, int]]) -> None:
    dump = read(dumped[0].path / "d.jsonld")
    assert list(broken(dump)) == []
    found = annotations(dump)
    turtle = _triples(dumped[0].path / "d.ttl")
    typed = [t for t in turtle if t.object == ox.NamedNode(f"{OA}Annotation")]
    assert len(found) == len(typed) > 100
    motives = {str(each["motivation"]) for each in found}
    assert motives == {"identifying", "classifying", "highlighting", "assessing"}


def test_a_must_that_is_broken_is_noticed(dumped: tuple[Asked, dict[str, int]]) -> None:
    dump = read(dumped[0].path / "d.jsonld")
    whole = next(a for a in annotations(dump) if isinstance(a["target"], dict))
    position = next(s for s in _selectors(whole) if s["type"] == "TextPositionSelector")
    for spoilt in (
        whole | {"id": None},
        whole | {"target": []},
        whole | {"target": whole["target"] | {"source": ["a:b", "a:c"]}},
        whole | {"target": whole["target"] | {"selector": [position | {"start": "3"}]}},
        whole | {"target": whole["target"] | {"selector": [position | {"end": None}]}},
        whole | {"motivation": "because"},
    ):
        assert list(broken(dump | {"@graph": [spoilt]})), spoilt
    assert list(broken(dump | {"@context": dump["@context"][1:]}))


def _selectors(annotation: dict[str, object]) -> list[dict[str, object]]:
    target = annotation["target"]
    assert isinstance(target, dict)
    found = target["selector"]
    return found if isinstance(found, list) else [found]


def test_quotes_of_the_dump_stand_in_the_text(ask: Ask, store: Store, tmp_path: Path) -> None:
    for name in ("historical", "clinical"):
        asked = ask(name, tmp_path / f"{name}.jsonld")
        write_dump(asked, "jsonld")
        dump = read(asked.path)
        keys = {
            each["id"]: each["dcterms:identifier"]
            for each in dump["@graph"]
            if each.get("type") == "foaf:Document"
        }
        stored, count = texts(store, name), 0
        for each in annotations(dump):
            if isinstance(each["target"], dict):
                for selector in _selectors(each):
                    if selector["type"] == "TextPositionSelector":
                        start, end = selector["start"], selector["end"]
                    else:
                        text = stored[keys[each["target"]["source"]]]
                        assert text[start:end] == selector["exact"]  # type: ignore[misc]
                        count += 1
        assert count > 100


def test_nothing_of_another_collection_is_in_it(dumped: tuple[Asked, dict[str, int]]) -> None:
    asked, _ = dumped
    quads = _quads(asked.path / "d.nq")
    owner = ox.NamedNode(f"{DATA}collection-{asked.collection.id}")
    owned = {q.object for q in quads if q.predicate.value == f"{DCT}isPartOf"}
    assert owned == {owner}
    spoken_of = {q.object for q in quads if q.predicate.value == f"{FLO}inDocument"}
    described = {q.subject for q in quads if q.predicate.value == f"{FLO}sha256"}
    assert spoken_of
    assert spoken_of <= described


def test_a_private_collection_keeps_its_words_unless_they_are_asked_for(
    ask: Ask, store: Store, tmp_path: Path
) -> None:
    stored = texts(store, "clinical")
    shown: dict[bool, dict[str, bytes]] = {}
    for words in (False, True):
        shown[words] = {}
        for kind in ("nq", "ttl", "jsonld"):
            asked = ask("clinical", tmp_path / f"{words}.{kind}", words=words)
            write_dump(asked, kind)
            shown[words][kind] = asked.path.read_bytes()
    exact = b"oa#exact"
    assert exact not in shown[False]["nq"]
    assert exact in shown[True]["nq"]
    assert b"private-text" not in shown[True]["nq"] + shown[False]["nq"]
    assert shown[True]["ttl"].count(b"oa:exact") > 100
    assert b"oa:exact" not in shown[False]["ttl"]
    assert b"TextQuoteSelector" not in shown[False]["jsonld"]
    with collection_snapshot(store, store.collection("clinical")) as snapshot:
        bare = replace(snapshot, documents=(), codebooks=(), campaigns=(), summaries=())
        known = runs_of_words(
            "".join(line for batch in batches(bare, words=False) for line in batch)
        )
    told = runs_of_words(shown[False]["nq"].decode().replace("\\n", " ")) - known
    for text in stored.values():
        assert runs_of_words(text) & told == set()


def test_a_packed_dump_is_the_same_and_has_no_date(ask: Ask, tmp_path: Path) -> None:
    plain, packed, again = (tmp_path / name for name in ("a.nq", "b.nq.gz", "c.nq.gz"))
    for path in (plain, packed, again):
        write_dump(ask("historical", path), "nq")
    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()
    assert packed.read_bytes() == again.read_bytes()


def test_the_description_describes_the_dump(ask: Ask, store: Store, tmp_path: Path) -> None:
    row = store.collection("historical")
    store.describe_collection(row.id, licence="https://example.org/licence", rights="The archive")
    asked = ask("historical", tmp_path / "h.nq.gz")
    written = write_dump(asked, "nq")
    assert written.beside == (tmp_path / "h.nq.gz.dcat.ttl",)
    told = {(t.predicate.value, _value(t.object)): t.subject for t in _triples(written.beside[0])}
    data = asked.path.read_bytes()
    dataset, file = told[f"{DCT}title", "historical"], told[f"{DCT}title", "h.nq.gz"]
    assert told[f"{DCAT}distribution", _value(file)] == dataset
    assert told[f"{VOID}triples", str(written.rows)] == dataset
    assert told[f"{DCAT}byteSize", str(len(data))] == file
    checksum = told[f"{SPDX}checksumValue", hashlib.sha256(data).hexdigest()]
    assert told[f"{SPDX}checksum", _value(checksum)] == file
    media = "https://www.iana.org/assignments/media-types/application/"
    assert told[f"{DCAT}mediaType", f"{media}n-quads"] == file
    assert told[f"{DCAT}compressFormat", f"{media}gzip"] == file
    run = store.runs(row.id)[-1].finished_at
    assert run is not None
    assert (f"{DCT}issued", f"{run:%Y-%m-%dT%H:%M:%SZ}") in told
    assert (f"{DCT}conformsTo", OA) in told
    assert (f"{DCT}license", "https://example.org/licence") in told
    assert (f"{DCT}rights", "The archive") in told
    said = Counter(
        q.predicate.value for q in ox.parse(gzip.decompress(data), format=ox.RdfFormat.N_QUADS)
    )
    assert said[f"{DCT}license"] == said[f"{DCT}rights"] == 2  # in its graph and in the default one


def _value(term: object) -> str:
    return str(getattr(term, "value", term))


def test_documents_are_read_one_after_the_other(store: Store) -> None:
    read: list[int] = []
    with collection_snapshot(store, store.collection("consultation")) as snapshot:

        def counted() -> Iterator[object]:
            for each in snapshot.documents:
                read.append(1)
                yield each

        stream = batches(replace(snapshot, documents=counted()), words=True)  # type: ignore[arg-type]
        for number, _ in enumerate(stream):
            assert len(read) <= number + 1
            if number == 20:
                break
    assert 20 <= len(read) <= 22


def test_a_store_that_loads_the_dump_counts_as_the_database_does(
    ask: Ask, store: Store, tmp_path: Path
) -> None:
    asked = ask("consultation", tmp_path / "c.nq")
    write_dump(asked, "nq")
    loaded = ox.Store()
    loaded.bulk_load(path=str(asked.path))
    query = (
        "PREFIX oa: <http://www.w3.org/ns/oa#> PREFIX prov: <http://www.w3.org/ns/prov#> "
        "SELECT (COUNT(*) AS ?n) { ?t oa:motivatedBy oa:%s ; prov:wasGeneratedBy ?run }"
    )
    totals = store.totals(asked.collection.id)
    for motive, wanted in (
        ("identifying", totals.tags),
        ("classifying", totals.labels),
        ("highlighting", totals.summary_sentences),
    ):
        (row,) = loaded.query(query % motive)  # type: ignore[misc]
        assert int(row["n"].value) == wanted  # type: ignore[index]


@pytest.mark.slow
def test_a_dump_conforms_to_the_shapes(ask: Ask, tmp_path: Path) -> None:
    for name in ("historical", "clinical", "consultation"):
        asked = ask(name, tmp_path / f"{name}.ttl")
        write_dump(asked, "ttl")
        loaded = ox.Store()
        loaded.bulk_load(path=str(asked.path))
        assert violations(dump(loaded)) == set()
