"""Concepts by OAK's own text annotator, over the same labels written as OBO."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from tests.bench.peers.answer import Answering, serve


def build(question: dict[str, Any]) -> Answering:
    """Return text to the CURIEs in it, over the question's (CURIE, labels) ``concepts``."""
    from oaklib import get_adapter

    with tempfile.TemporaryDirectory(prefix="oak-") as folder:
        path = Path(folder, "concepts.obo")
        path.write_text(_obo(question["concepts"]), "utf-8")
        adapter = get_adapter(f"simpleobo:{path}")
        list(adapter.annotate_text("word"))  # makes its lexical index

    def answer(text: str) -> list[str]:
        return sorted({found.object_id for found in adapter.annotate_text(text)})

    return answer


def _obo(concepts: Iterable[tuple[str, Sequence[str]]]) -> str:
    lines = ["format-version: 1.2", "ontology: bench", ""]
    for curie, (name, *others) in concepts:
        lines += ["[Term]", f"id: {curie}", f"name: {name}"]
        for other in others:
            quoted = other.replace("\\", "").replace('"', "'")
            lines.append(f'synonym: "{quoted}" EXACT []')
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    serve("oaklib", build, warm=False)
