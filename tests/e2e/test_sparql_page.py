"""The SPARQL page in a browser: a ready question, its chart, and its address opened again."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.app.dashboard.workspace_data import make_workspace
from tests.e2e.browser import choose, holds, settled
from tests.e2e.server import Server, run_command

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def prepared(home: Path) -> None:
    """Fill the workspace and build its graph before the server starts."""
    make_workspace(home).engine.dispose()
    run_command(home, "graph", "rebuild")


def test_a_question_is_answered_charted_and_bookmarked(server: Server, page: Page) -> None:
    page.goto(f"{server.url}/sparql")
    settled(page)
    choose(page, "Ready questions", "Documents about a concept or anything narrower")
    choose(page, "Concept", "Parking (streets)")
    settled(page)
    page.get_by_role("textbox", name=re.compile("^Limit")).fill("5")
    page.get_by_role("textbox", name=re.compile("^Limit")).press("Enter")
    settled(page)
    page.get_by_role("button", name="Ask").click()
    page.get_by_text("5 rows").wait_for()
    assert page.get_by_text("The limit of 5 rows was reached").is_visible()
    holds(page.get_by_role("textbox", name="Query"), "PREFIX flo:")
    assert "ready=documents-about" in page.url
    address = page.url

    page.goto(address)
    settled(page)
    page.get_by_text("5 rows").wait_for()

    page.goto(f"{server.url}/sparql?ready=counts-by-top-concept")
    settled(page)
    page.get_by_text("Show as chart").click()
    page.get_by_test_id("stVegaLiteChart").wait_for()
    assert page.get_by_role("button", name="Download CSV").is_visible()
