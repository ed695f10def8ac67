"""Browser tests: a real server over a real workspace, a real browser, and both kept on failure."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.e2e import browser as chromium
from tests.e2e.server import Server, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """On failure add the server's log and a screenshot to the report."""
    report = yield
    if report.when == "call" and report.failed:
        values = getattr(item, "funcargs", {})
        if server := values.get("server"):
            report.sections.append(("server log", server.log[-20_000:]))
        if page := values.get("page"):
            target = Path(values["tmp_path"]) / "failure.png"
            try:
                page.screenshot(path=target, full_page=True)
                report.sections.append(("screenshot", f"{page.url}\n{target}"))
            except Exception as error:  # the browser itself may be gone
                report.sections.append(("screenshot", f"none: {error}"))
    return report


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Return a headless Chromium, or skip with the reason."""
    if importlib.util.find_spec("playwright") is None:
        pytest.skip("playwright is not installed; run: pip install 'florilegium[dev]'")
    if not chromium.CHROMIUM.exists():
        pytest.skip(f"{chromium.CHROMIUM} is missing; run: apt-get install -y chromium")
    with chromium.browsing() as started:
        yield started


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """Return a fresh browser window; a failure leaves its picture in ``tmp_path``."""
    opened = chromium.new_page(browser)
    yield opened
    opened.context.close()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the workspace folder of the module's server."""
    return tmp_path_factory.mktemp("serve") / "home"


@pytest.fixture(scope="module")
def prepared(home: Path) -> None:
    """Prepare nothing; a test module overrides this to fill the workspace first."""


@pytest.fixture(scope="module")
def server(browser: Browser, prepared: None, home: Path) -> Iterator[Server]:
    """Return ``florilegium serve`` running over the workspace that ``prepared`` has filled."""
    with serving(home, home.with_name("serve.log")) as running:
        yield running
