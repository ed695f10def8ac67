"""Every command of the help page about SPARQL answers over the demo workspace."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import app
from ontology.queries import ready_queries
from tests.app.conftest import call

PAGE = (Path(app.__file__).parent / "help" / "sparql.md").read_text("utf-8")
COMMANDS = [
    shlex.split(line.partition(" > ")[0])[1:]
    for line in re.findall(r"^florilegium sparql .*$", PAGE, re.MULTILINE)
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_command_of_the_page_answers(demo_home: Path, command: list[str]) -> None:
    if "runs-disagree" in command:  # the demo's collections have one run each: any two will do
        assert "other=2" in " ".join(command)
    answer = call("--home", demo_home, *command)
    assert answer.code == 0, answer.err
    assert answer.out.strip()


def test_the_page_has_every_question_with_its_parameters() -> None:
    for query in ready_queries():
        section = PAGE.partition(f"\n### {query.title}\n")[2].partition("\n### ")[0]
        assert f"florilegium sparql --ready {query.name}" in section, query.name
        for each in query.params:
            assert f"| `{each.name}` | {each.about} | `{each.example}` |" in section, query.name
