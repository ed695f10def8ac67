"""What strangers may put into a vocabulary file: a clear error or a load, and nothing is fetched."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ontology.check import check
from ontology.errors import OntologyError
from ontology.hierarchy import MAX_DEPTH, closure
from ontology.load import load, loads, process
from ontology.load.sniff import TURTLE
from ontology.overlay_file import read_overlay
from tests.ontology.canary import Canary, canary
from tests.ontology.vocabularies import JSON_LD, N_TRIPLES, OWL_XML, SKOS_TURTLE

SKOS = "http://www.w3.org/2004/02/skos/core#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
OBO = "format-version: 1.2\n\n[Term]\nid: A:1\nname: cough\n"
FUNCTIONAL = (
    "Prefix(:=<urn:x:>)\nPrefix(rdfs:=<http://www.w3.org/2000/01/rdf-schema#>)\n"
    'Ontology(<urn:x>\nDeclaration(Class(:a))\nAnnotationAssertion(rdfs:label :a "cough")\n)\n'
)
MANCHESTER = (
    "Prefix: rdfs: <http://www.w3.org/2000/01/rdf-schema#>\nPrefix: : <urn:x:>\n"
    'Ontology: <urn:x>\nClass: :a\n    Annotations: rdfs:label "cough"\n'
)
OWX = (
    '<?xml version="1.0"?><Ontology xmlns="http://www.w3.org/2002/07/owl#" ontologyIRI="urn:x">'
    '<Declaration><Class IRI="urn:x:a"/></Declaration></Ontology>'
)
GRAPHS = json.dumps({"graphs": [{"id": "urn:x", "nodes": [{"id": "urn:x:a", "lbl": "cough"}]}]})


@pytest.fixture(scope="module")
def ear() -> Iterator[Canary]:
    with canary() as found:
        yield found
        assert found.heard == []


def rdf(body: str, doctype: str = "") -> str:
    return (
        f'<?xml version="1.0"?>{doctype}<rdf:RDF xmlns:rdf="{RDF}" xmlns:s="{SKOS}">'
        f'<s:Concept rdf:about="urn:x:a"><s:prefLabel>{body}</s:prefLabel></s:Concept></rdf:RDF>'
    )


def nested_bomb(at: str) -> str:
    lines = ['<!ENTITY a0 "ha">'] + [f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12)]
    return rdf("&a11;", f"<!DOCTYPE r [{''.join(lines)}]>")


def quadratic_bomb(at: str) -> str:
    return rdf("&a;" * 20_000, f'<!DOCTYPE r [<!ENTITY a "{"x" * 20_000}">]>')


def short_quadratic_bomb(at: str) -> str:
    return rdf("&a;" * 2_000_000, f'<!DOCTYPE r [<!ENTITY a "{"x" * 1_000}">]>')


REFUSED: dict[str, tuple[Callable[[str], str | bytes], str]] = {
    "nested entities": (nested_bomb, "refers to another entity"),
    "one long entity many times": (quadratic_bomb, "20,000 characters"),
    "one short entity millions of times": (short_quadratic_bomb, "amplification|allowed"),
    "an external entity over http": (
        lambda at: rdf("&a;", f'<!DOCTYPE r [<!ENTITY a SYSTEM "{at}">]>'),
        "external or parameter entity",
    ),
    "an external entity on disc": (
        lambda at: rdf("&a;", '<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/hostname">]>'),
        "external or parameter entity",
    ),
    "a parameter entity": (
        lambda at: rdf("x", f'<!DOCTYPE r [<!ENTITY % a SYSTEM "{at}"> %a;]>'),
        "external or parameter entity",
    ),
    "an external document type": (
        lambda at: rdf("x", f'<!DOCTYPE r SYSTEM "{at}">'),
        "external document type",
    ),
    "XML of 100,000 levels": (
        lambda at: rdf("<a>" * 100_000 + "</a>" * 100_000),
        "nests elements more than 200 deep",
    ),
    "JSON-LD of 5,000 levels": (
        lambda at: '{"@id": "urn:a", "urn:p": ' * 5_000 + '"x"' + "}" * 5_000,
        "nests more than 200 deep",
    ),
    "OBO Graphs of 5,000 levels": (
        lambda at: '{"graphs": [{"nodes": ' + "[" * 5_000 + "]" * 5_000 + "}]}",
        "nests more than 200 deep",
    ),
    "a JSON-LD context over http": (
        lambda at: json.dumps({"@context": at, "@id": "urn:a", "label": "x"}),
        "could not be read as json-ld",
    ),
    "a JSON-LD context on disc": (
        lambda at: json.dumps({"@context": "file:///etc/hostname", "@id": "urn:a", "label": "x"}),
        "could not be read as json-ld",
    ),
    "Turtle brackets of 100,000 levels": (
        lambda at: f"<urn:a> <{SKOS}prefLabel> " + "[ <urn:p> " * 100_000,
        "could not be read",
    ),
    "Turtle lists of 100,000 levels": (
        lambda at: f"<urn:a> <{SKOS}prefLabel> " + "( " * 100_000,
        "could not be read",
    ),
    "class expressions of 50,000 levels": (
        lambda at: "Ontology(" + "ObjectIntersectionOf(" * 50_000,
        "nests more than 200 deep",
    ),
    "an empty file": (lambda at: "", "is empty"),
    "an ontology without concepts": (
        lambda at: "<urn:x> a <http://www.w3.org/2002/07/owl#Ontology> .",
        "holds no concept",
    ),
    "nothing but NULs": (lambda at: b"\0" * 5_000, "could not be read|no syntax known"),
    "NULs within": (lambda at: OWL_XML.replace("Difficult", "\0Difficult"), "not well-formed"),
    "an encoding that is not": (
        lambda at: rdf("caf\xe9").encode("latin-1"),
        "not well-formed",
    ),
    "RDF/XML cut short": (lambda at: OWL_XML[:-200], "cut short"),
    "Turtle cut short": (lambda at: SKOS_TURTLE[: len(SKOS_TURTLE) // 2] + "\n:a s:p", "turtle"),
    "N-Triples cut short": (lambda at: N_TRIPLES.rstrip()[:-9], "Unexpected end of file"),
    "JSON-LD cut short": (lambda at: JSON_LD[:-20], "json-ld"),
    "functional syntax cut short": (lambda at: FUNCTIONAL[:-30], "owl-functional"),
    "OWL/XML cut short": (lambda at: OWX[:-30], "cut short"),
    "Manchester syntax cut short": (lambda at: MANCHESTER[:-8], "manchester"),
    "OBO cut short": (lambda at: OBO[:-12], "has a label"),
    "OBO Graphs cut short": (lambda at: GRAPHS[:-6], "obo-graphs"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_hostile_or_broken_file_is_refused_with_its_name(what: str, ear: Canary) -> None:
    make, said = REFUSED[what]
    text = make(ear.url)
    data = text.encode() if isinstance(text, str) else text
    with pytest.raises(OntologyError, match=said) as caught:
        loads(data, id="x", name="vocabulary.dat")
    assert "vocabulary.dat" in str(caught.value)
    assert caught.value.exit_code == 78


def test_an_import_over_http_is_missing_and_not_fetched(ear: Canary, tmp_path: Path) -> None:
    file = tmp_path / "a.ttl"
    file.write_text(
        f"@prefix owl: <http://www.w3.org/2002/07/owl#> . <urn:x> owl:imports <{ear.url}> ."
        f'<urn:x:a> a <{SKOS}Concept> ; <{SKOS}prefLabel> "a" .'
    )
    assert load(file, id="x").missing_imports == (ear.url,)


def test_an_import_from_another_folder_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / "secret.ttl").write_text(SKOS_TURTLE)
    file = tmp_path / "in" / "a.ttl"
    file.parent.mkdir()
    file.write_text(
        "@prefix owl: <http://www.w3.org/2002/07/owl#> . <urn:x> owl:imports "
        "<https://e.org/secret.ttl>, <file:///etc/hostname> ."
        f'<urn:x:a> a <{SKOS}Concept> ; <{SKOS}prefLabel> "a" .'
    )
    (file.parent / "catalog-v001.xml").write_text(
        '<catalog><uri name="https://e.org/secret.ttl" uri="../secret.ttl"/></catalog>'
    )
    found = load(file, id="x")
    assert len(found.missing_imports) == 2
    assert list(found.concepts) == ["urn:x:a"]


def test_an_overlay_in_turtle_is_parsed_with_the_same_limits(tmp_path: Path) -> None:
    file = tmp_path / "over.ttl"
    file.write_text("<urn:a> <urn:p> " + "[ <urn:p> " * 100_000)
    with pytest.raises(OntologyError, match=r"over\.ttl"):
        read_overlay(file)


def test_a_label_of_10_000_characters_is_loaded_whole() -> None:
    found = loads(rdf("x" * 10_000).encode(), id="x")
    assert found.concepts["urn:x:a"].label == "x" * 10_000


def test_a_term_list_cut_within_a_quotation_is_flagged() -> None:
    assert loads(b'id,label\n1,"a ""b""\nc"\n', id="x").problems == ()
    (problem,) = loads(b'id,label\n1,cough\n2,"hoarse vo', id="x").problems
    assert "line 3: its quotation is not closed" in problem


def test_utf_16_without_a_mark_is_no_vocabulary() -> None:
    with pytest.raises(OntologyError, match=r"no syntax known|could not be read|holds no"):
        loads(SKOS_TURTLE.encode("utf-16-le"), id="x", name="a.dat")


def circle(length: int) -> bytes:
    return "".join(
        f'<urn:c{n}> <{SKOS}prefLabel> "label {n}" .\n'
        f"<urn:c{n}> <{SKOS}broader> <urn:c{(n + 1) % length}> .\n"
        for n in range(length)
    ).encode()


def test_a_circle_of_3_000_parents_is_flagged_and_its_closure_bounded() -> None:
    found = loads(circle(3_000), id="x")
    pairs = sum(1 for _ in closure(found))
    assert pairs == 3_000 * (MAX_DEPTH + 1)
    kinds = [problem.kind for problem in check(found)]
    assert kinds.count("cycle") == kinds.count("deep-hierarchy") == 1


def test_a_hierarchy_made_to_fill_the_disc_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ontology.hierarchy.SPARE_PAIRS", 0)
    monkeypatch.setattr("ontology.hierarchy.MAX_ABOVE", 20)
    with pytest.raises(OntologyError, match="under more than 20 others each"):
        sum(1 for _ in closure(loads(circle(300), id="x")))


def test_the_memory_limit_is_named_with_the_file_and_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(process, "MEMORY", 90 << 20)
    monkeypatch.setattr(process, "MEMORY_PER_BYTE", 0)
    data = "id,label\n" + "".join(f"{n},label of {n}\n" for n in range(60_000))
    with pytest.raises(OntologyError, match=r"big\.csv .* 90 MiB .* Cut out the branch"):
        loads(data.encode(), id="x", name="big.csv")


def test_the_time_limit_is_named_with_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "SECONDS", 1)
    monkeypatch.setattr(process, "BYTES_PER_SECOND", 1 << 40)
    data = "id,label\n" + "".join(f"{n},label of {n}\n" for n in range(150_000))
    with pytest.raises(OntologyError, match=r"slow\.csv .* 1 seconds"):
        loads(data.encode(), id="x", name="slow.csv")


_PROBE = """
import json, sys
sys.path.insert(0, {root!r})
from ontology.load.libraries import load_before_sealing
from ontology.sandbox import forbid_files, forbid_sockets
load_before_sealing(["pyoxigraph"], ["pyoxigraph"])
import socket
sealed = forbid_sockets()
forbid_files()
refused = []
for name, attempt in (("file", lambda: open("/etc/hostname")), ("socket", socket.socket)):
    try:
        attempt()
    except OSError:
        refused.append(name)
print(json.dumps([sealed, refused]))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="seccomp is Linux")
def test_a_sealed_process_opens_neither_files_nor_sockets() -> None:
    root = str(Path(process.__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-c", _PROBE.format(root=root)], capture_output=True, check=True
    )
    assert json.loads(done.stdout) == [True, ["file", "socket"]]


def test_a_parser_that_is_killed_leaves_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = process._Child.answer

    def killed(child: process._Child, beside: process.Beside) -> list[object]:
        os.kill(child._process.pid, signal.SIGKILL)
        child._process.wait()
        return answer(child, beside) and ["died"]

    monkeypatch.setattr(process._Child, "answer", killed)
    with pytest.raises(OntologyError, match=r"a\.ttl .* crashed \(SIGKILL"):
        loads(SKOS_TURTLE.encode(), id="x", name="a.ttl")


def test_an_answer_that_makes_no_sense_is_no_ontology(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process._Child, "answer", lambda child, beside: ["head", {"id": 1}])
    with pytest.raises(OntologyError, match="makes no sense"):
        loads(SKOS_TURTLE.encode(), id="x", name="a.ttl")


@pytest.mark.slow
@pytest.mark.parametrize("syntax", [TURTLE, "obo", "csv"])
def test_a_file_of_200_mb_is_loaded_or_refused_within_its_limits(
    tmp_path: Path, syntax: str
) -> None:
    line, head = {
        TURTLE: (
            f'<urn:c%d> <{SKOS}prefLabel> "label number %d of a great many labels"@en .\n',
            "",
        ),
        "obo": (
            "[Term]\nid: A:%d\nname: label number %d of a great many\n\n",
            "format-version: 1.2\n\n",
        ),
        "csv": ("%d,label number %d of a great many labels\n", "id,label\n"),
    }[syntax]
    file = tmp_path / "big.dat"
    with file.open("w") as sink:
        sink.write(head)
        number = 0
        while sink.tell() < 200_000_000:
            block = [line % (n, n) for n in range(number, number + 10_000)]
            number += len(block)
            sink.write("".join(block))
    said = ""
    try:
        count = len(load(file, id="x").concepts)
    except OntologyError as error:
        said, count = str(error), 0
    assert count == number or ("big.dat" in said and "allowed for a file of this size" in said)
