"""The Results page over a real database: counts, lists, documents, and what the address does."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from app.dashboard import queries
from app.dashboard.filters import Filters
from db.store import Store
from tests.app.dashboard.conftest import Open, page_html
from tests.app.dashboard.workspace_data import BASE, HOSTILE


def rows_of(markup: str, caption: str) -> list[list[str]]:
    """Return the texts of the cells of the table whose caption begins so."""
    table = next(t for t in markup.split("<table")[1:] if f"<caption>{caption}" in t)
    body = table.split("<tbody>")[1].split("</tbody>")[0]
    cells = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row) for row in body.split("<tr>")[1:]]
    return [[unescape(re.sub(r"<[^>]+>", "", cell)) for cell in row] for row in cells]


def links_of(markup: str) -> dict[tuple[str, ...], str]:
    return {
        tuple(sorted(dict(parse_qsl(urlsplit(unescape(href)).query)).items())): text
        for href, text in re.findall(r'<a class="flo-link" href="([^"]+)">([^<]*)</a>', markup)
    }


def test_without_collections_the_page_says_what_to_do(home: Path, open_page: Open) -> None:
    from db.engine import create_engine_for
    from db.migrate import upgrade

    home.mkdir()
    upgrade(create_engine_for(f"sqlite:///{home / 'florilegium.sqlite'}"))
    page = open_page("results")
    assert not page.exception
    assert "Upload documents" in page_html(page)


def test_a_missing_database_is_a_sentence_with_the_next_command(
    home: Path, open_page: Open
) -> None:
    home.mkdir()
    page = open_page("results")
    assert not page.exception
    assert 'role="alert"' in page_html(page)
    assert "florilegium db upgrade" in page_html(page)


def test_the_first_collection_opens_and_stands_in_the_address(
    store: Store, open_page: Open
) -> None:
    page = open_page("results")
    assert not page.exception
    assert page.query_params["collection"] == "streets"


def test_totals_are_those_of_the_store(store: Store, open_page: Open) -> None:
    markup = page_html(open_page("results", collection="streets"))
    totals = store.totals(store.collection("streets").id)
    assert totals.documents == 60
    assert f"<dt>documents</dt><dd>{totals.documents}</dd>" in markup
    assert f"<dt>tags</dt><dd>{totals.displayed_tags:,}</dd>" in markup
    assert "<dt>failed</dt>" not in markup


def test_every_number_opens_as_many_documents_as_it_says(store: Store, open_page: Open) -> None:
    markup = page_html(open_page("results", collection="streets"))
    collection = store.collection("streets").id
    opened = 0
    for params, text in links_of(markup).items():
        filters = Filters.from_params(dict(params))
        if (filters.concept or filters.label) and text.replace(",", "").isdigit():
            found = queries.documents(store, collection, filters).total
            assert found == int(text.replace(",", "")), params
            opened += 1
    assert opened >= 8


def test_narrower_concepts_count_towards_their_broader_one(store: Store, open_page: Open) -> None:
    markup = page_html(open_page("results", collection="streets"))
    counts = {row[0]: row for row in rows_of(markup, "4 concepts found")}
    assert counts["Transport"][2] == "0"
    assert int(counts["Transport"][3]) > int(counts["Bus service"][3])


def test_documents_are_paged_in_sql_and_the_page_is_kept_in_the_address(
    store: Store, open_page: Open
) -> None:
    page = open_page("results", collection="streets", page="3")
    rows = rows_of(page_html(page), "60 documents, 51 to 60 shown")
    assert len(rows) == 10
    assert rows[0][:2] == ["streets.csv, row 51", "What do you think?"]


def test_a_list_without_questions_has_no_column_for_them(store: Store, open_page: Open) -> None:
    assert '<th scope="col">Question</th>' in page_html(open_page("results", collection="streets"))
    markup = page_html(open_page("results", collection="travels"))
    assert '<th scope="col">Question</th>' not in markup
    assert rows_of(markup, "1 document")[0][0] == "letter.txt"


def test_counts_say_what_tags_and_labels_are(store: Store, open_page: Open) -> None:
    markup = page_html(open_page("results", collection="streets"))
    assert "negated, historical and family mentions are counted" in markup
    assert "(zero-shot), not calibrated" in markup
    assert "were learnt from coded texts" in markup


def test_without_tags_the_reason_is_given(store: Store, open_page: Open) -> None:
    asked = page_html(open_page("results", collection="travels"))
    assert "No ontology was chosen for this collection&#x27;s last run." in asked
    document = page_html(open_page("results", collection="travels", document="63"))
    assert "No ontology was chosen for this collection&#x27;s last run." in document
    run = store.start_run(
        store.collection("travels").id,
        recipe="general",
        fingerprint="f" * 64,
        details={"ontologies": [{"id": "streets", "sha256": "0" * 64}]},
    )
    store.finish_run(run, "finished", {})
    document = page_html(open_page("results", collection="travels", document="63"))
    assert "No concept of streets was found." in document


def test_a_document_opens_with_a_few_facts_and_the_rest_folded(
    store: Store, open_page: Open
) -> None:
    page = open_page("results", collection="travels", document="63")
    assert [box.label for box in page.expander if "fact" in box.label] == ["4 facts from the file"]
    markup = page_html(page)
    first, rest = re.findall(r'<dl class="flo-facts">(.*?)</dl>', markup)
    assert re.findall("<dt>(.*?)</dt>", first) == ["Collection", "Outcome", "Length"]
    assert re.findall("<dt>(.*?)</dt>", rest) == ["Author", "Date", "place", "shelf"]
    page = open_page("results", collection="streets", document="1")
    assert not [box for box in page.expander if "fact" in box.label]


def test_the_legend_names_only_what_the_text_shows(store: Store, open_page: Open) -> None:
    both = page_html(open_page("results", collection="streets", document="1"))
    assert "boxed words" in both
    assert "dotted underline" in both
    plain = page_html(open_page("results", collection="travels", document="63"))
    assert "boxed words" not in plain
    assert "dotted underline" in plain
    beyond = page_html(open_page("results", collection="streets", document="60", part="2"))
    assert "boxed words" in beyond
    assert "dotted underline" not in beyond
    assert "flo-legend" not in page_html(open_page("results", collection="streets", document="59"))


def test_a_page_beyond_the_last_is_the_last(store: Store, open_page: Open) -> None:
    page = open_page("results", collection="streets", page="99")
    assert not page.exception
    assert "60 documents, 51 to 60 shown" in page_html(page)


def test_filters_of_the_address_fill_the_form_and_the_list(store: Store, open_page: Open) -> None:
    page = open_page(
        "results", collection="streets", concept=BASE + "permit", text="pensioners", label=""
    )
    assert not page.exception
    concept = next(box for box in page.selectbox if box.label == "Concept")
    assert concept.value == BASE + "permit"
    assert (
        next(box for box in page.text_input if box.label == "Text contains").value == "pensioners"
    )
    rows = rows_of(page_html(page), "29 documents, 1 to 25 shown")
    assert len(rows) == 25


def test_filtering_puts_the_choice_into_the_address(store: Store, open_page: Open) -> None:
    page = open_page("results", collection="streets")
    next(box for box in page.selectbox if box.label == "Outcome").select("empty")
    next(b for b in page.button if b.label == "Filter documents").click()
    page.run()
    assert page.query_params["outcome"] == "empty"
    rows = rows_of(page_html(page), "1 document")
    assert [row[2:4] for row in rows] == [["(no text)", "–"]]


def test_words_sought_in_a_private_collection_filter_without_entering_the_address(
    store: Store, open_page: Open
) -> None:
    page = open_page("results", collection="ward")
    next(box for box in page.text_input if box.label == "Text contains").input("sore throat")
    next(b for b in page.button if b.label == "Filter documents").click()
    page.run()
    assert "text" not in page.query_params
    assert len(rows_of(page_html(page), "1 document")) == 1


def test_filters_that_fit_nothing_say_so(store: Store, open_page: Open) -> None:
    page = open_page("results", collection="streets", text="no such words")
    assert "No document fits these filters" in page_html(page)


def test_an_unknown_collection_is_named_with_those_there_are(store: Store, open_page: Open) -> None:
    markup = page_html(open_page("results", collection="nowhere"))
    assert "no collection named nowhere" in markup
    assert 'href="results?collection=ward"' in markup


def test_skipped_files_are_listed_with_their_reason(store: Store, open_page: Open) -> None:
    markup = page_html(open_page("results", collection="streets"))
    assert ["/inbox/plan.pdf", "", "Skipped", "0", "no reader for .pdf"] in rows_of(
        markup, "2 files"
    )


def test_a_document_shows_its_words_boxed_and_its_evidence(store: Store, open_page: Open) -> None:
    page = open_page("results", collection="streets", document="1")
    assert not page.exception
    markup = page_html(page)
    assert re.search(r'<mark class="flo-tag"[^>]*>parking permit<sup', markup)
    assert rows_of(markup, "2 tags of 2 concepts") == [
        ["1", "Parking permit", "parking permit", "4–18", "0.95", "label", "–"],
        ["2", "Bus service", "bus service", "66–77", "0.95", "label", "–"],
    ]
    assert rows_of(markup, "Assigned")[0][:2] == ["Cost", "0.71"]
    assert "What do you think?" in markup


def test_a_hostile_document_is_shown_as_text(store: Store, open_page: Open) -> None:
    page = open_page("results", collection="streets", document="58")
    markup = page_html(page)
    assert store.document(58).document.text == HOSTILE
    assert "&lt;img src=x onerror=alert(1)&gt;" in markup
    assert "<img" not in markup
    assert "\u202e" not in markup
    shown = [element.value for element in (*page.markdown, *page.caption, *page.title)]
    assert not [value for value in shown if "alert(1)" in value or "**bold**" in value]


def test_an_empty_document_says_that_it_is_empty(store: Store, open_page: Open) -> None:
    assert "The document is empty" in page_html(
        open_page("results", collection="streets", document="59")
    )


def test_a_long_document_is_shown_in_parts_with_its_offsets(store: Store, open_page: Open) -> None:
    markup = page_html(open_page("results", collection="streets", document="60", part="2"))
    assert "Part 2 of 2: characters 40,000 to 68,000" in markup
    first = int(rows_of(markup, "4,000 tags of 1 concept")[0][3].split("–")[0].replace(",", ""))
    assert first >= 40_000 - len("Parking")


def test_an_unknown_document_is_a_sentence_with_a_way_back(store: Store, open_page: Open) -> None:
    page = open_page("results", collection="streets", document="999")
    assert not page.exception
    assert "Back to the list" in page_html(page)
    assert 'role="alert"' in page_html(page)


def test_a_private_text_is_shown_on_its_own_machine(store: Store, open_page: Open) -> None:
    assert "Sore throat" in page_html(open_page("results", collection="ward", document="61"))
