"""A curator in the browser: look a concept up, read its card, open the documents behind it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.e2e.browser import PATIENCE, choose, settled, titled
from tests.e2e.server import Server, run_command
from tests.e2e.test_upload_to_sparql import ONTOLOGY

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

TEXTS = (
    "The parking permit costs far too much. I worry about parking near the school.",
    "Please keep the bus service in the evenings.",
)


@pytest.fixture(scope="module")
def prepared(home: Path) -> None:
    """Fill the workspace with a vocabulary and two documents tagged with it."""
    folder = home.with_name("letters")
    folder.mkdir()
    for number, text in enumerate(TEXTS):
        (folder / f"{number}.txt").write_text(text)
    file = home.with_name("streets.ttl")
    file.write_text(ONTOLOGY)
    run_command(home, "ontology", "add", str(file), "--id", "streets")
    run_command(home, "run", str(folder), "--collection", "letters", "--ontology", "streets")


def test_from_a_word_to_the_card_and_its_documents(server: Server, page: Page) -> None:
    from playwright.sync_api import expect

    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(server.url)
    settled(page)
    page.get_by_role("link", name="Concepts").click()
    titled(page, "Concepts · Florilegium")
    page.get_by_text("2 concepts with nothing above, of 3 concepts in all").wait_for()
    settled(page)
    choose(page, "Vocabulary", "Streets")
    page.get_by_role("textbox", name="Find a concept").fill("permit")
    page.get_by_role("textbox", name="Find a concept").press("Enter")
    page.get_by_text("1 concept found").wait_for()
    settled(page)
    page.get_by_role("link", name="Parking permit").click()

    # The card: names, what is above, where it comes from, its axioms.
    page.get_by_role("heading", name="Parking permit", level=2).wait_for()
    names = page.get_by_role("table").filter(has=page.get_by_text("2 names"))
    expect(names.get_by_role("rowheader")).to_have_text(
        ["Parking permit", "permit"], timeout=PATIENCE
    )
    settled(page)
    page.get_by_text("Axioms (OWL functional syntax)").click()
    page.get_by_text("ClassAssertion(skos:Concept").wait_for()
    settled(page)

    # Its neighbour, and the documents behind a number.
    page.get_by_role("link", name="Parking", exact=True).click()
    page.get_by_role("heading", name="Parking", level=2, exact=True).wait_for()
    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="letters"))
    for cell in range(3):  # documents, with narrower, mentions
        expect(row.get_by_role("cell").nth(cell)).to_have_text("1", timeout=PATIENCE)
    expect(page.locator("ul.flo-quotes mark")).to_have_text(["parking"], timeout=PATIENCE)
    settled(page)
    row.get_by_role("link", name="1").first.click()
    page.get_by_role("heading", name="Results").wait_for()
    page.get_by_text("1 document", exact=True).wait_for()
    assert re.search(r"concept=[^&]*parking", page.url)
    assert not errors


def test_a_link_to_a_card_that_is_no_more_says_so(server: Server, page: Page) -> None:
    page.goto(f"{server.url}/concepts?ontology=streets&concept=urn:gone")
    settled(page)
    page.get_by_role("alert").get_by_text("streets has no concept urn:gone").wait_for()
    page.get_by_role("link", name="Back to the list").click()
    page.get_by_text("2 concepts with nothing above").wait_for()
