"""Every command of the help page about exports writes what it says from the demo workspace."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

import app
from tests.app.conftest import call

PAGE = (Path(app.__file__).parent / "help" / "exports.md").read_text("utf-8")
COMMANDS = [
    shlex.split(line)[1:]
    for line in re.findall(r"^florilegium (?:export|collections) .*$", PAGE, re.MULTILINE)
]


@pytest.fixture(scope="module")
def home(demo_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo workspace's database in a workspace of its own."""
    home = tmp_path_factory.mktemp("export-help") / "home"
    home.mkdir()
    shutil.copy(demo_home / "florilegium.sqlite", home)
    return home


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_command_of_the_page_works(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = call("--home", home, *command)
    assert answer.code == 0, answer.err
    assert answer.out.strip()
    if command[0] == "export":
        assert (tmp_path / command[command.index("--out") + 1]).exists()


def test_the_page_names_every_format() -> None:
    from app.cli.export import KINDS
    from app.exports.parquet import TABLES
    from app.exports.write import KINDS as WRITTEN

    assert set(KINDS) == set(WRITTEN)
    assert set(KINDS) == {c[c.index("--format") + 1] for c in COMMANDS if c[0] == "export"}
    assert all(f"`{name}.parquet`" in PAGE for name in TABLES)
