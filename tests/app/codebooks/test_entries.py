"""Codebooks as files: CSV, REFI-QDA and SKOS in, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.codebooks.entries import Entry, read_codebook
from app.codebooks.qdc import write_qdc
from app.errors import UsageError

CSV = """Theme,Definition,Broader,Examples
Charges,What parking costs,Parking,Too dear|Free for an hour
Parking,Where cars stand,,
"""
SKOS = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix t: <urn:themes:> .
t:parking a skos:Concept ; skos:prefLabel "Parking"@en ; skos:definition "Where cars stand"@en .
t:charges a skos:Concept ; skos:prefLabel "Charges"@en ; skos:broader t:parking ;
    skos:example "Too dear"@en .
"""


def _written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def test_a_csv_codebook_is_read_with_the_columns_people_use(tmp_path: Path) -> None:
    assert read_codebook(_written(tmp_path, "c.csv", CSV)) == [
        Entry("Parking", "Where cars stand"),
        Entry("Charges", "What parking costs", "Parking", ("Too dear", "Free for an hour")),
    ]


def test_semicolons_and_windows_letters_are_read(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    path.write_bytes("label;description\nCaf\u00e9s;Tea \u2013 and cake\n".encode("cp1252"))
    assert read_codebook(path) == [Entry("Caf\u00e9s", "Tea \u2013 and cake")]


def test_a_vocabulary_is_a_codebook(tmp_path: Path) -> None:
    parking, charges = read_codebook(_written(tmp_path, "c.ttl", SKOS))
    assert (parking.label, parking.description) == ("Parking", "Where cars stand")
    assert (charges.parent, charges.examples) == ("Parking", ("Too dear",))
    assert charges.concept == "urn:themes:charges"


def test_a_qda_codebook_comes_back_as_it_was_written(tmp_path: Path) -> None:
    entries = [Entry("Parking", "Where cars & vans stand"), Entry("Charges", "", "Parking")]
    path = tmp_path / "codes.qdc"
    path.write_bytes(write_qdc(entries, title="Bus lanes"))
    assert read_codebook(path) == entries
    assert path.read_bytes() == write_qdc(entries, title="Bus lanes")
    assert b'isCodable="true"' in path.read_bytes()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("label\nA\na\n", "the label 'a' twice"),
        ("label,parent\nA,B\n", "names the parent 'B', which is not there"),
        ("label,parent\nA,B\nB,A\n", "parents in a circle: A, B"),
        ("label\n", "no theme at all"),
        ("label,description\n,words\n", "a theme without a label"),
        ("text,count\nA,1\n", "no column for the theme's name; it has text, count"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        read_codebook(_written(tmp_path, "c.csv", text))


def test_two_codes_of_one_name_under_two_parents_are_told_apart(tmp_path: Path) -> None:
    code = '<Code name="{}" guid="{}" isCodable="true">{}</Code>'
    fares = [code.format("Cost", n, "") for n in (1, 2)]
    codes = code.format("Bus", 3, fares[0]) + code.format("Parking", 4, fares[1])
    book = f'<CodeBook xmlns="urn:QDA-XML:codebook:1.0"><Codes>{codes}</Codes></CodeBook>'
    found = read_codebook(_written(tmp_path, "c.qdc", book))
    assert {(e.label, e.parent) for e in found} == {
        *(("Bus", ""), ("Cost", "Bus"), ("Parking", ""), ("Parking: Cost", "Parking"))
    }


def test_a_missing_file_and_dangerous_xml_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        read_codebook(tmp_path / "none.csv")
    bomb = '<!DOCTYPE a [<!ENTITY a "x"><!ENTITY b "&a;&a;">]><CodeBook xmlns="urn:QDA-XML:codebook:1.0"/>'
    with pytest.raises(UsageError, match="refers to another entity"):
        read_codebook(_written(tmp_path, "bomb.qdc", bomb))
    other = '<Project xmlns="urn:QDA-XML:project:1.0"/>'
    with pytest.raises(UsageError, match="no REFI-QDA codebook"):
        read_codebook(_written(tmp_path, "project.qdc", other))
