"""Fixtures and rules for every test: a clean environment, and no skip where all is required."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

EVALUATION = "evaluation data"

# Two threads of torch beside another busy process wait for each other: one is nearly as fast, and steady.
os.environ.setdefault("OMP_NUM_THREADS", "1")


def pytest_report_header() -> list[str]:
    """Print the versions a failure may depend on."""
    import sqlite3

    return [f"SQLite {sqlite3.sqlite_version}"]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Turn a skip into a failure when FLORILEGIUM_REQUIRE_ALL is set, evaluation data aside."""
    report = yield
    if (
        os.environ.get("FLORILEGIUM_REQUIRE_ALL")
        and report.skipped
        and not hasattr(report, "wasxfail")
    ):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if EVALUATION not in reason and "FLORILEGIUM_EVAL_DATA" not in reason:
            report.outcome = "failed"
            report.longrepr = f"skipped although FLORILEGIUM_REQUIRE_ALL is set: {reason}"
    return report


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Remove the program's settings from the environment, so that a test sees the defaults."""
    for name in list(os.environ):
        if name.startswith("FLORILEGIUM_") and name not in (
            "FLORILEGIUM_EVAL_DATA",
            "FLORILEGIUM_REQUIRE_ALL",
        ):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture(scope="session")
def evaluation_data() -> Path:
    """Return the folder of public evaluation data, or skip with the reason."""
    named = os.environ.get("FLORILEGIUM_EVAL_DATA")
    if not named:
        pytest.skip("evaluation data: FLORILEGIUM_EVAL_DATA is unset")
    return Path(named)
