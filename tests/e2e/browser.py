"""Debian's Chromium through Playwright: nothing is downloaded, nothing but the server is asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
WIDE = {"width": 1280, "height": 900}
TALLEST = 6000
GRID_ROW = 35
"""Pixels of a row in a grid that can be edited."""
PATIENCE = 60_000
"""Milliseconds that an expectation waits; the machine may be busy."""
TRIES = 6
"""How often a cell is opened by a double click before giving up."""


@contextmanager
def browsing() -> Iterator[Browser]:
    """Start a headless Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        try:
            yield browser
        finally:
            browser.close()


def new_page(browser: Browser) -> Page:
    """Open a window of its own, in British English, that waits patiently."""
    page = browser.new_context(viewport=WIDE, locale="en-GB").new_page()  # type: ignore[arg-type]
    page.set_default_timeout(PATIENCE)
    return page


def settled(page: Page) -> None:
    """Wait until the page has drawn and Streamlit runs no script."""
    page.get_by_role("heading", level=1).first.wait_for()
    page.wait_for_function(
        '() => !document.querySelector(\'[data-testid="stApp"][data-test-script-state="running"]\')'
    )
    page.wait_for_timeout(400)


def whole_picture(page: Page, path: Path) -> None:
    """Take a picture of all of the page; Streamlit scrolls inside it, so the window is grown."""
    page.set_viewport_size(WIDE)  # type: ignore[arg-type]
    height = page.evaluate(
        "() => document.querySelector('[data-testid=\"stMain\"]')?.scrollHeight ?? 0"
    )
    page.set_viewport_size({"width": WIDE["width"], "height": min(max(height, 900), TALLEST)})
    page.wait_for_timeout(400)
    page.screenshot(path=path)
    page.set_viewport_size(WIDE)  # type: ignore[arg-type]


def choose(page: Page, label: str, option: str) -> None:
    """Choose an option of a Streamlit select box or multiselect by its visible text."""
    box: Locator = page.get_by_role("combobox", name=label)
    box.click()
    box.fill(option)
    page.get_by_role("option", name=option).first.click()


def grid_shows(grid: Locator, role: str, words: list[str]) -> None:
    """Wait until the cells of a grid that have the ARIA ``role`` hold ``words``.

    A grid is a picture: its words are for screen readers, and are written some time after it is
    drawn, and only while it is in view.
    """
    from playwright.sync_api import expect

    grid.scroll_into_view_if_needed()
    cells = grid.get_by_role(role, include_hidden=True)  # type: ignore[arg-type]
    expect(cells).to_have_text(words, timeout=PATIENCE)


def role_of(page: Page, column: int, role: str) -> None:
    """Choose a role for a column (from 0) of the first table of an import report, by the mouse."""
    from playwright.sync_api import Error, expect

    grid = page.get_by_test_id("stDataFrame").first
    grid.scroll_into_view_if_needed()
    # The picture is drawn once the words behind it are there.
    expect(grid.get_by_role("columnheader", include_hidden=True).first).to_be_attached(
        timeout=PATIENCE
    )
    box = grid.bounding_box()
    assert box is not None
    at = {"x": box["width"] * 0.35, "y": GRID_ROW * (column + 1.5)}
    editor = page.locator("#portal input")
    for _attempt in range(TRIES):
        grid.dblclick(position=at)  # type: ignore[arg-type]
        try:
            expect(editor.first).to_be_focused(timeout=PATIENCE / TRIES)
            break
        except (AssertionError, Error):
            page.keyboard.press("Escape")
    editor.first.fill(role)
    page.locator("#portal").get_by_role("option", name=role).first.click()
    expect(editor).to_have_count(0, timeout=PATIENCE)
    settled(page)


def titled(page: Page, title: str) -> None:
    """Wait until the browser calls the page ``title``."""
    from playwright.sync_api import expect

    expect(page).to_have_title(title, timeout=PATIENCE)


def holds(box: Locator, words: str) -> None:
    """Wait until a text box holds ``words``; a form filled by the server takes a moment."""
    from playwright.sync_api import expect

    expect(box).to_have_value(re.compile(re.escape(words)), timeout=PATIENCE)
