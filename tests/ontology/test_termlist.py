"""CSV term lists: columns told by their headings."""

from __future__ import annotations

from pathlib import Path

import pytest

from ontology.errors import OntologyError
from ontology.load import load, loads
from ontology.model import Label

LIST = """id,label,alt labels,definition,broader,notation,language
1,Building,,A roofed thing.,,B,en
2,Mill,windmill|water mill,Grinds.,1,M,en
3,Barn,,,Building,,en
,,x,,,,
"""


def test_columns_are_told_by_their_headings() -> None:
    found = loads(LIST.encode(), id="v", name="v.csv")
    mill = found.concepts["urn:florilegium:v:2"]
    assert found.format == "csv"
    assert set(mill.labels) == {
        Label("Mill", "en", "pref"),
        Label("windmill", "en", "alt"),
        Label("water mill", "en", "alt"),
    }
    assert (mill.definition, mill.notation, mill.curie) == ("Grinds.", "M", "v:2")
    assert mill.broader == ("urn:florilegium:v:1",)


def test_a_parent_may_be_given_by_label_and_a_row_without_one_is_named() -> None:
    found = loads(LIST.encode(), id="v")
    assert found.concepts["urn:florilegium:v:3"].broader == ("urn:florilegium:v:1",)
    assert found.problems == ("line 5: no label",)


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_other_delimiters(delimiter: str) -> None:
    text = LIST.replace(",", delimiter).encode("utf-16")
    assert len(loads(text, id="v").concepts) == 3


def test_one_column_of_terms_is_a_list() -> None:
    found = loads(b"Term\nmill\nbarn\n", id="v")
    assert [each.label for each in found.concepts.values()] == ["mill", "barn"]


def test_iris_are_kept_and_retired_rows_deprecated() -> None:
    text = "uri,prefLabel,valid_flag\nhttps://example.org/a,mill,Y\nhttps://example.org/b,barn,N\n"
    found = loads(text.encode(), id="v").concepts
    assert not found["https://example.org/a"].deprecated
    assert found["https://example.org/b"].deprecated


def test_years_of_a_period_list_are_a_note() -> None:
    text = "NAME,PERIOD_UID,PARENT_UID,MIN_DATE,MAX_DATE\nRoman,7,,43,410\n"
    (roman,) = loads(text.encode(), id="p").concepts.values()
    assert roman.notes == ("Years: 43 to 410",)


def test_two_rows_of_one_identifier_are_kept_apart() -> None:
    text = "id,label\n7,Roman\n7,Saxon\n"
    found = loads(text.encode(), id="p")
    assert [each.label for each in found.concepts.values()] == ["Roman", "Saxon"]
    assert "occurs again" in found.problems[0]


@pytest.mark.parametrize("text", ["name,age\nx,1\n", "respondent,answer\n1,yes\n"])
def test_other_tables_are_no_term_lists(text: str) -> None:
    with pytest.raises(OntologyError, match="no syntax known"):
        loads(text.encode(), id="v")


@pytest.mark.eval
def test_a_real_period_list_has_all_its_periods(evaluation_data: Path) -> None:
    found = load(evaluation_data / "ontologies/fish/HE_Periods1_20260408.csv", id="p")
    assert len(found.concepts) == 149
    assert sum(bool(each.notes) for each in found.concepts.values()) >= 146
