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
PATIENCE = 30_000
"""Milliseconds that an expectation waits; the machine may be busy."""


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


def role_of(page: Page, column: int, role: str) -> None:
    """Choose a role for a column (from 0) of the first table of an import report, by the mouse."""
    grid = page.get_by_test_id("stDataFrame").first
    grid.scroll_into_view_if_needed()
    box = grid.bounding_box()
    assert box is not None
    middle = GRID_ROW * (column + 1.5)
    grid.dblclick(position={"x": box["width"] * 0.35, "y": middle})
    page.keyboard.type(role)
    page.get_by_text(role).last.wait_for()
    page.keyboard.press("Enter")
    settled(page)


def titled(page: Page, title: str) -> None:
    """Wait until the browser calls the page ``title``."""
    from playwright.sync_api import expect

    expect(page).to_have_title(title, timeout=PATIENCE)


def holds(box: Locator, words: str) -> None:
    """Wait until a text box holds ``words``; a form filled by the server takes a moment."""
    from playwright.sync_api import expect

    expect(box).to_have_value(re.compile(re.escape(words)), timeout=PATIENCE)
