"""One person, one browser: upload a table, watch the job, read a result, ask SPARQL."""

from __future__ import annotations

import json
import re
import urllib.parse
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.e2e.browser import choose, holds, settled, titled
from tests.e2e.server import Server, run_command

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

JOB_MILLISECONDS = 180_000

ONTOLOGY = """\
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix : <https://example.org/streets/> .

:scheme a skos:ConceptScheme ; dct:title "Streets" .
:parking a skos:Concept ; skos:prefLabel "Parking"@en ; skos:inScheme :scheme .
:permit a skos:Concept ; skos:prefLabel "Parking permit"@en ; skos:altLabel "permit"@en ;
    skos:broader :parking ; skos:inScheme :scheme .
:bus a skos:Concept ; skos:prefLabel "Bus service"@en ; skos:inScheme :scheme .
"""

ANSWERS = (
    ("North", "The parking permit costs far too much for people on a pension."),
    ("South", "Please keep the bus service in the evenings; I rely on it to come home."),
    ("North", "<img src=x onerror=\"document.title='broken'\"> The bus service is **late** $x^2$."),
    ("East", "I worry about parking near the school in the mornings."),
    ("West", "The streets are lovely as they are and nothing should change at all."),
)


def table() -> bytes:
    rows = ["Ward,What do you think of the plan?"]
    rows += [ward + ',"' + text.replace('"', '""') + '"' for ward, text in ANSWERS]
    return "\r\n".join(rows).encode()


@pytest.fixture(scope="module")
def prepared(home: Path) -> None:
    """Add the ontology before the server starts, as the read-me tells a user to."""
    file = home.with_name("streets.ttl")
    file.write_text(ONTOLOGY)
    run_command(home, "ontology", "add", str(file), "--id", "streets")


def upload(page: Page, server: Server, collection: str) -> None:
    page.goto(server.url)
    settled(page)
    page.get_by_role("textbox", name="Collection name").fill(collection)
    choose(page, "Recipe", "Consultation responses")
    choose(page, "Ontologies to tag with", "Streets")
    page.keyboard.press("Escape")
    page.locator("input[type=file]").set_input_files(
        [
            {"name": "answers.csv", "mimeType": "text/csv", "buffer": table()},
            {"name": "plan.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7\n"},
        ]
    )
    page.get_by_text("answers.csv").first.wait_for()
    page.get_by_role("button", name="Upload and process").click()


def finished(page: Page, collection: str) -> None:
    """Wait until the worker has done the collection's job and the page says so."""
    link = page.get_by_role("link", name=f"Open the results of {collection}")
    link.wait_for(timeout=JOB_MILLISECONDS)


def test_from_upload_to_answer(server: Server, page: Page) -> None:
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    upload(page, server, "plan answers")
    titled(page, "Upload · Florilegium")
    page.get_by_text("2 files received for plan answers").wait_for()

    # The job is shown, is done by the worker, and says what it did.
    finished(page, "plan answers")
    assert page.get_by_text("5 processed").first.is_visible()
    broken = page.get_by_role("row").filter(has_text="plan.pdf")
    assert "Failed" in broken.inner_text()
    page.get_by_role("link", name="Open the results of plan answers").click()

    # Counts by concept; the number for parking counts the permit too, and opens the documents.
    page.get_by_role("heading", name="Results").wait_for()
    titled(page, "Results · Florilegium")
    parking = page.get_by_role("row").filter(
        has=page.get_by_role("rowheader", name="Parking", exact=True)
    )
    parking.wait_for()
    assert parking.get_by_role("cell").all_inner_texts()[1:] == ["1", "2"]
    parking.get_by_role("link", name="2").click()
    page.get_by_text("2 documents", exact=True).wait_for()
    page.get_by_role("link", name=re.compile("row 2")).click()

    # One document: the words are boxed, and the table below gives their place.
    boxed = page.locator(".flo-text mark.flo-tag")
    boxed.wait_for()
    titled(page, "Document · Florilegium")
    assert boxed.inner_text().startswith("parking permit")
    tag = page.get_by_role("row").filter(has=page.get_by_role("link", name="Parking permit"))
    start, end = map(int, tag.get_by_role("cell").nth(3).inner_text().split("–"))
    assert ANSWERS[0][1][start:end] == "parking permit"
    assert page.get_by_role("link", name="Back to the list").is_visible()

    # SPARQL: the ready question about parking or anything narrower.
    page.get_by_role("link", name="SPARQL").click()
    settled(page)
    titled(page, "SPARQL · Florilegium")
    choose(page, "Ready questions", "The best evidence for a concept or anything narrower")
    choose(page, "Concept", "Parking (streets)")
    page.get_by_role("button", name="Put into the editor").click()
    holds(page.get_by_role("textbox", name="Query"), "flo:within")
    page.get_by_role("button", name="Run query").click()
    page.get_by_text("2 rows").wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download CSV").click()
    rows = download.value.path().read_text().splitlines()
    assert len(rows) == 3
    assert any(",parking permit," in row for row in rows)
    assert not errors


def test_a_hostile_answer_stays_text_in_the_browser(server: Server, page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    upload(page, server, "hostile")
    finished(page, "hostile")
    page.goto(f"{server.url}/results?collection=hostile&text=onerror")
    page.get_by_role("link", name=re.compile("row 4")).click()
    page.locator(".flo-text").wait_for()
    settled(page)
    shown = page.locator(".flo-text").evaluate(
        """element => {
            const copy = element.cloneNode(true);
            copy.querySelectorAll("sup").forEach(each => each.remove());
            return copy.textContent;
        }"""
    )
    assert shown == ANSWERS[2][1]
    assert page.locator(".flo-text img").count() == 0
    assert page.title() != "broken"
    assert not [url for url in asked if not url.startswith((server.url, "data:", "blob:"))]


def test_a_skipped_table_is_read_once_its_text_column_is_named(server: Server, page: Page) -> None:
    short = b"Ward,Mood\r\nNorth,happy\r\nSouth,sad\r\nEast,happy\r\n"
    file = {"name": "moods.csv", "mimeType": "text/csv", "buffer": short}

    def send() -> None:
        page.locator("input[type=file]").set_input_files([file])
        page.get_by_text("moods.csv").first.wait_for()
        page.get_by_role("button", name="Upload and process").click()
        page.get_by_text("1 file received for moods").wait_for()

    page.goto(server.url)
    settled(page)
    page.get_by_role("textbox", name="Collection name").fill("moods")
    send()
    page.get_by_text("name the columns under Text columns and upload again").wait_for(
        timeout=JOB_MILLISECONDS
    )
    assert page.get_by_text("--question").count() == 0

    page.goto(server.url)
    settled(page)
    page.get_by_text("A collection that exists").click()
    choose(page, "Collection", "moods")
    settled(page)
    page.get_by_role("textbox", name="Text columns").fill("mood")
    send()
    page.get_by_text("3 processed").wait_for(timeout=JOB_MILLISECONDS)


def test_the_endpoint_answers_what_the_page_shows(server: Server, page: Page) -> None:
    upload(page, server, "endpoint")
    finished(page, "endpoint")
    query = (
        "SELECT ?quote ?score { ?body flo:within <https://example.org/streets/parking> . "
        "?tag oa:hasBody ?body ; oa:hasTarget ?span ; itsrdf:taConfidence ?score . "
        "?span oa:hasSelector ?selector . ?selector oa:exact ?quote } ORDER BY ?quote"
    )
    request = urllib.request.Request(
        f"{server.endpoint}?{urllib.parse.urlencode({'query': query})}",
        headers={"Accept": "application/sparql-results+json"},
    )
    with urllib.request.urlopen(request, timeout=30) as response:
        bindings = json.load(response)["results"]["bindings"]
    assert {row["quote"]["value"] for row in bindings} >= {"parking", "parking permit"}


def test_a_wrong_query_is_answered_with_a_sentence(server: Server, page: Page) -> None:
    page.goto(f"{server.url}/sparql")
    settled(page)
    page.get_by_role("textbox", name="Query").fill(
        "SELECT * { SERVICE <http://example.org/> { ?s ?p ?o } }"
    )
    page.get_by_role("button", name="Run query").click()
    alert = page.get_by_role("alert")
    alert.wait_for()
    assert "SERVICE" in alert.inner_text()
    assert "Traceback" not in page.locator("body").inner_text()
