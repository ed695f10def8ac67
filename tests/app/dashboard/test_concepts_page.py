"""The Concepts page over a real database and vocabulary: list, search, card and its documents."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

from streamlit.testing.v1 import AppTest

from app.dashboard.concept_data import document_counts
from app.dashboard.concept_place import Place
from app.settings import load_settings
from app.workspace import add_ontology
from db.rows import QuoteRow
from db.store import Store
from tests.app.dashboard.conftest import Open, page_html
from tests.app.dashboard.test_results_page import rows_of
from tests.app.dashboard.workspace_data import BASE


def find(page: AppTest, words: str) -> AppTest:
    next(box for box in page.text_input if box.label == "Find a concept").input(words)
    next(button for button in page.button if button.label == "Find").click()
    return page.run()


def test_without_vocabulary_the_page_says_what_to_do(home: Path, open_page: Open) -> None:
    from db.engine import create_engine_for
    from db.migrate import upgrade

    home.mkdir()
    upgrade(create_engine_for(f"sqlite:///{home / 'florilegium.sqlite'}"))
    page = open_page("concepts")
    assert not page.exception
    assert "florilegium ontology add" in page_html(page)


def test_the_top_is_listed_with_what_is_right_below_it(store: Store, open_page: Open) -> None:
    page = open_page("concepts")
    assert not page.exception
    rows = rows_of(page_html(page), "1 concept with nothing above, of 4 concepts in all; 2 right")
    assert [row[0] for row in rows] == ["Transport", "Bus service", "Parking"]
    collection = store.collection("streets")
    counted = {row.iri: row for row in store.concept_counts(collection.id)}
    parking = counted[BASE + "parking"]
    assert rows[2][3:] == [str(parking.documents), str(parking.documents_with_narrower)]
    assert document_counts(store, "streets")[BASE + "parking"] == (
        parking.documents,
        parking.documents_with_narrower,
    )


def test_words_find_concepts_and_stay_in_the_address(store: Store, open_page: Open) -> None:
    page = find(open_page("concepts"), "permit park")
    assert not page.exception
    assert page.query_params["words"] == "permit park"
    rows = rows_of(page_html(page), "1 concept found")
    assert rows[0][0] == "Parking permit"
    page = find(page, "zeppelin")
    assert "No name of a concept has all these words" in page_html(page)


def test_the_card_says_what_is_known_and_links_to_neighbours(store: Store, open_page: Open) -> None:
    page = open_page("concepts", ontology="streets", concept=BASE + "parking")
    assert not page.exception
    shown = page_html(page)
    assert "<h2>Parking</h2>" in shown
    links = {
        text: unescape(href) for href, text in re.findall(r'href="([^"]+)">([^<]*)</a>', shown)
    }
    assert links["Transport"] == Place("streets", BASE + "transport").href()
    assert links["Parking permit"] == Place("streets", BASE + "permit").href()
    assert "Streets and transport" in shown
    assert any("ClassAssertion(skos:Concept" in code.value for code in page.code)


def test_the_card_counts_the_documents_and_opens_them(store: Store, open_page: Open) -> None:
    page = open_page("concepts", ontology="streets", concept=BASE + "parking")
    shown = page_html(page)
    usage = store.concept_usage("streets", BASE + "parking", quotes=10)
    (row,) = rows_of(shown, "A number opens its documents")
    (streets,) = usage.collections
    assert row[:4] == [
        "streets",
        *(f"{n:,}" for n in (streets.documents, streets.documents_with_narrower)),
        f"{streets.mentions:,}",
    ]
    assert "narrower=no" in shown
    assert len(re.findall('<mark class="flo-tag">', shown)) == len(usage.quotes) == 10
    assert f"document={usage.quotes[0].document_id}" in shown


def test_an_unknown_concept_or_vocabulary_is_said(store: Store, open_page: Open) -> None:
    page = open_page("concepts", ontology="streets", concept="urn:nothing")
    assert not page.exception
    assert "streets has no concept urn:nothing" in page_html(page)
    page = open_page("concepts", ontology="nowhere")
    assert not page.exception
    assert "There is no vocabulary nowhere" in page_html(page)


def test_hostile_names_and_quotes_stay_text(store: Store, home: Path, open_page: Open) -> None:
    from app.dashboard.concepts_view import _quote

    file = home / "hostile.csv"
    bad = "<img src=x onerror=alert(1)> [a](javascript:b)"
    file.write_text(f'id,label,definition\n1,"{bad}","{bad}"\n')
    row = add_ontology(load_settings(), store, file, "hostile")
    (concept,) = store.concepts("hostile")
    for page in (
        open_page("concepts", ontology=row.name),
        open_page("concepts", ontology=row.name, concept=concept.iri),
    ):
        assert not page.exception
        assert "<img" not in page_html(page)
        assert "&lt;img src=x" in page_html(page)
    quote = QuoteRow(1, bad, bad, 0, 5, bad, bad, bad, experiencer=bad, negated=True)
    assert "<img" not in _quote(quote)


def test_a_result_names_lead_to_cards(store: Store, open_page: Open) -> None:
    shown = unescape(page_html(open_page("results", collection="streets")))
    assert Place("streets", BASE + "parking").href() in shown
