"""A way to call the command line, and one demo workspace for all tests of a session."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest


class Answer(NamedTuple):
    """How a command ended, and what it printed."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one object on stdout."""
        return json.loads(self.out)


def call(*arguments: str | Path) -> Answer:
    """Run the command line in this process."""
    from app.cli.main import run

    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run([str(argument) for argument in arguments])
    texts = [stream.buffer.getvalue().decode() for stream in (out, err)]  # type: ignore[attr-defined]
    return Answer(code, *texts)


def spawn(*arguments: str | Path, code: str = "", **keywords: Any) -> Answer:
    """Run the command line in a process of its own; ``code`` runs after it, before it leaves."""
    script = (
        f"import sys\nfrom app.cli.main import run\nrc = run(sys.argv[1:])\n{code}\nsys.exit(rc)"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", script, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=300,
        **keywords,
    )
    return Answer(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a fresh workspace folder."""
    return tmp_path / "home"


@pytest.fixture
def florilegium(home: Path) -> Callable[..., Answer]:
    """Return the command line bound to a fresh workspace."""
    return lambda *arguments: call("--home", home, "--quiet", *arguments)


@pytest.fixture(scope="session")
def demo_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the demo workspace once; its JSON answer lies beside the database."""
    folder = tmp_path_factory.mktemp("demo") / "home"
    answer = spawn(
        "--home", folder, "demo", "--json", env=os.environ | {"FLORILEGIUM_HOME": str(folder)}
    )
    assert answer.code == 0, answer.err
    (folder / "demo.json").write_text(answer.out, "utf-8")
    return folder
