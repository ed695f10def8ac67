"""The documentation says what is there, and names no machine."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.cli.main import COMMANDS
from app.settings import Settings
from tests.docs.cli_reference import PATH, reference

ROOT = Path(__file__).parents[2]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")),
    *sorted((ROOT / "app").rglob("*.md")),
    *sorted((ROOT / "pipelines").rglob("*.md")),
]


def test_the_command_reference_is_what_help_says():
    assert PATH.read_text("utf-8") == reference(), "write it again with: make docs"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_its_heading(command):
    assert f"## florilegium {command}\n" in PATH.read_text("utf-8")


def test_every_setting_is_described():
    assert all(field.description for field in Settings.model_fields.values())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_to_files_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_page_names_a_place_on_a_machine(page):
    text = page.read_text("utf-8")
    assert not re.search(r"/(work|root|home|tmp)/", text)


def test_commands_shown_in_the_readme_exist():
    text = (ROOT / "README.md").read_text("utf-8")
    shown = re.findall(
        r"^(?:\.venv/bin/)?florilegium (?:--home \S+ )?([a-z-]+)", text, re.MULTILINE
    )
    assert shown
    assert set(shown) <= set(COMMANDS)
