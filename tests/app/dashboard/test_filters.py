"""The Results page's choices survive the address, and nonsense in it does no harm."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

import pytest

from app.dashboard.filters import Filters

FULL = Filters(
    collection="parking survey",
    concept="https://example.org/a?b=c&d#e",
    narrower=False,
    label="consultation/Cost & fairness",
    outcome="processed",
    text="50% & “quoted” +plus",
    page=3,
    document=17,
    part=2,
)


def test_address_and_back_is_the_same_choice() -> None:
    assert Filters.from_params(FULL.params()) == FULL


def test_link_and_back_is_the_same_choice() -> None:
    query = dict(parse_qsl(urlsplit(FULL.href()).query))
    assert Filters.from_params(query) == FULL


def test_defaults_are_left_out_of_the_address() -> None:
    assert Filters(collection="a").params() == {"collection": "a"}
    assert Filters().href() == "results"


def test_words_sought_in_a_private_collection_stay_out_of_the_address() -> None:
    assert "text" not in FULL.params(private=True)
    assert "quoted" not in FULL.href(private=True)


@pytest.mark.parametrize("value", ["0", "-1", "x", "", "1.5", "²", "9" * 400])
def test_a_page_that_is_no_number_is_the_first(value: str) -> None:
    page = Filters.from_params({"page": value}).page
    assert page == 1 or value.startswith("9")


def test_a_huge_number_fits_the_database() -> None:
    assert Filters.from_params({"document": "9" * 400}).document == int("9" * 18)


def test_a_label_is_its_set_and_its_name() -> None:
    assert FULL.label_parts() == ("consultation", "Cost & fairness")
    assert Filters(label="Objection").label_parts() == (None, "Objection")
    assert Filters().label_parts() == (None, None)


def test_opening_a_document_keeps_the_list_it_came_from() -> None:
    assert FULL.listed().opened(5).listed() == FULL.listed()
    assert FULL.opened(5).part == 1
