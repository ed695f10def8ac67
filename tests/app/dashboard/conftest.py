"""A workspace in a temporary folder and the dashboard run over it without a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import app.dashboard
from db.store import Store
from tests.app.dashboard.workspace_data import make_workspace

MAIN = Path(app.dashboard.__file__).parent / "main.py"

Open = Callable[..., AppTest]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return an empty workspace folder that the settings point at."""
    monkeypatch.setenv("FLORILEGIUM_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("FLORILEGIUM_DATABASE_URL", raising=False)
    monkeypatch.setenv("FLORILEGIUM_CONFIG", str(tmp_path / "config.toml"))
    (tmp_path / "config.toml").touch()
    st.cache_resource.clear()
    yield tmp_path / "home"
    st.cache_resource.clear()


@pytest.fixture
def store(home: Path) -> Store:
    """Return the store of a filled workspace."""
    return make_workspace(home)


@pytest.fixture
def open_page(home: Path) -> Open:
    """Return a function that opens a page of the dashboard with address parameters."""

    def opened(view: str = "upload", **params: str) -> AppTest:
        test = AppTest.from_file(str(MAIN), default_timeout=30)
        for name, value in params.items():
            test.query_params[name] = value
        if view != "upload":
            test.switch_page(f"views/{view}.py")
            for name, value in params.items():
                test.query_params[name] = value
        return test.run()

    return opened


def page_html(test: AppTest) -> str:
    """Return all HTML of our own that the page shows."""
    bodies = (element.proto.body for element in test.get("html"))
    return "\n".join(body for body in bodies if not body.startswith("<style>"))
