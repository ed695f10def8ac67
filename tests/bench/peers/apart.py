"""Peers in an environment of their own, ``build/peers/PEER``: what they need clashes with ours.

They get texts, and never gold, as JSON; their answers are scored here as ours are.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

_ROOT = Path(__file__).parents[3]
_LONGEST = 3_000
"""Seconds after which a peer is given up."""


class Reply(NamedTuple):
    """A peer's answer to each item, and what it cost."""

    answers: list[Any]
    costs: dict[str, float]
    """CPU and wall seconds of building and of all items."""
    version: str


def ask(peer: str, module: str, items: Sequence[Any], **settings: Any) -> Reply | None:
    """Return what ``module`` of this package answers to each item; ``None``: not installed.

    Raises ``RuntimeError`` with the end of the peer's own message if it fails.
    """
    environment = _ROOT / "build/peers" / peer
    if not (environment / ".made").is_file():
        return None
    with tempfile.TemporaryDirectory(prefix="peer-") as folder:
        question, answer = Path(folder, "question.json"), Path(folder, "answer.json")
        question.write_text(json.dumps({"items": items, **settings}), "utf-8")
        run = subprocess.run(
            [environment / "bin/python", "-m", f"tests.bench.peers.{module}", question, answer],
            cwd=_ROOT,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
            capture_output=True,
            text=True,
            timeout=_LONGEST,
            check=False,
        )
        if run.returncode:
            raise RuntimeError(f"the peer {peer} failed: {run.stderr[-2_000:]}")
        said = json.loads(answer.read_text("utf-8"))
    return Reply(said["answers"], said["costs"], said["version"])
