"""One person, one browser: the Models page draws its charts and gives them away as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from pipelines.comparisons import save_comparison
from tests.app.dashboard.test_models_page import comparison
from tests.e2e.browser import PATIENCE, choose, settled, titled
from tests.e2e.server import Server, run_command

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def prepared(home: Path) -> None:
    """Make a workspace with a database and a comparison."""
    run_command(home, "db", "upgrade")
    save_comparison(home / "models", comparison())


def test_the_charts_are_drawn_and_can_be_kept(page: Page, server: Server) -> None:
    from playwright.sync_api import expect

    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(server.url)
    settled(page)
    page.get_by_role("link", name="Models").click()
    titled(page, "Models · Florilegium")
    charts = page.get_by_test_id("stVegaLiteChart")
    expect(charts).to_have_count(6, timeout=4 * PATIENCE)
    for number in range(6):
        drawn = charts.nth(number).locator("canvas, svg.marks").first
        drawn.scroll_into_view_if_needed(timeout=4 * PATIENCE)
        expect(drawn).to_be_visible(timeout=4 * PATIENCE)
    expect(page.get_by_role("cell", name="Lan et al. 2019").first).to_be_visible()
    settled(page)
    for kind, first in (("SVG", b"<svg"), ("PNG", b"\x89PNG"), ("CSV", b"\xef\xbb\xbfModel")):
        with page.expect_download(timeout=4 * PATIENCE) as coming:
            page.get_by_role("button", name=f"Download {kind}").first.click()
        path = coming.value.path()
        assert path.read_bytes().startswith(first)
        if kind == "SVG":
            ElementTree.parse(path)
    assert {url.split("/")[2] for url in asked if url.startswith("http")} == {
        server.url.split("/")[2]
    }


def test_a_chosen_score_changes_the_table_beside_the_chart(page: Page, server: Server) -> None:
    from playwright.sync_api import expect

    page.goto(f"{server.url}/models")
    settled(page)
    choose(page, "Score, on your labels", "Macro F1")
    settled(page)
    summary = page.get_by_text("Score per million parameters: the numbers").first
    summary.scroll_into_view_if_needed()
    summary.click()
    expect(
        page.get_by_role("columnheader", name="Macro F1").locator("visible=true").last
    ).to_be_visible(timeout=PATIENCE)
