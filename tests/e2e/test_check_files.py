"""One person, one browser: check files, see how they would be read, change a role, read them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.e2e.browser import grid_shows, role_of, settled, titled
from tests.e2e.server import Server

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

JOB_MILLISECONDS = 180_000
ROWS = (
    "Response ID,Ward,What do you think of the plan?,Mood",
    "R1,North,The parking permit costs far too much for people on a pension.,tired",
    "R2,South,Please keep the bus in the evenings; I rely on it to come home.,fine",
    "R3,North,I worry about the cars parking near the school in the mornings.,cross",
    "R4,South,The streets are lovely as they are and nothing should change at all.,fine",
    "R5,South,n/a,tired",
)
MOOD = 3
"""The place of the last column in the list of columns."""


def check(page: Page, server: Server, collection: str) -> None:
    page.goto(server.url)
    settled(page)
    page.get_by_role("textbox", name="Collection name").fill(collection)
    page.locator("input[type=file]").set_input_files(
        [
            {"name": "answers.csv", "mimeType": "text/csv", "buffer": "\r\n".join(ROWS).encode()},
            {"name": "broken.xlsx", "mimeType": "", "buffer": b"PK\x03\x04 no workbook"},
            {"name": "tune.mp3", "mimeType": "audio/mpeg", "buffer": b"ID3\x04 no text"},
        ]
    )
    page.get_by_text("tune.mp3").first.wait_for()
    page.get_by_role("button", name="Check the files").click()
    page.get_by_role("button", name="Read and process").wait_for(timeout=JOB_MILLISECONDS)
    settled(page)


def test_files_are_checked_a_role_is_changed_and_they_are_read(server: Server, page: Page) -> None:
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    check(page, server, "checked")
    titled(page, "Upload · Florilegium")

    # All problems at once, and what became of the rows; nothing is stored yet.
    problems = page.get_by_role("table").filter(has=page.get_by_text("Problems:"))
    assert "broken.xlsx" in problems.inner_text()
    assert "tune.mp3" in problems.inner_text()
    files = page.get_by_role("table").filter(has=page.get_by_text("Files:"))
    assert "answers.csv" in files.inner_text()
    assert page.get_by_text("5 rows → 5 documents").is_visible()

    # The report is there again in a window that was opened afresh.
    address = page.url
    assert re.search(r"\?check=\d+$", address)
    page.goto(server.url)
    page.get_by_role("link", name="Open the import report").first.click()
    page.get_by_role("button", name="Read and process").wait_for()
    assert page.url == address

    # A column of short answers becomes text to read.
    settled(page)
    role_of(page, MOOD, "Free text")
    page.get_by_text("1 role changed").wait_for()
    page.get_by_role("button", name="Read and process").click()
    page.get_by_text("3 files of checked will be read").wait_for()
    link = page.get_by_role("link", name="Open the results of checked")
    link.wait_for(timeout=JOB_MILLISECONDS)
    link.click()
    page.get_by_role("heading", name="Results").wait_for()
    settled(page)
    page.get_by_role("tab", name="Documents").click()
    page.get_by_text("10 documents", exact=True).wait_for()
    assert not errors


def test_the_report_has_no_control_without_a_name(server: Server, page: Page) -> None:
    check(page, server, "named")
    nameless = page.get_by_role("main").get_by_role("button", name=re.compile("^$"))
    assert nameless.count() == 0
    grid = page.get_by_test_id("stDataFrame").first
    grid_shows(grid, "columnheader", ["Column", "Read as", "Why, and what is in it"])
