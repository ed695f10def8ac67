"""``collections``, ``documents`` and ``document``: who wrote it, how it ended, and why."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.app.conftest import call, spawn

ROWS = (
    "Response ID,Status,Ward,Do you support it?,What do you think?,What else?",
    "R1,Complete,North,Yes,The parking permit costs far too much for people on a pension.,n/a",
    "R2,Partial,South,No,Please keep the bus in the evenings because I rely on it.,Thank you all.",
    "R3,Complete,North,No,Rwy'n poeni am y traffig a'r llifogydd yn yr ardal hon bob gaeaf.,None",
    "R4,Complete,South,Yes,I worry about the cars parking beside the school.,Nothing to add.",
    "R5,Complete,South,Yes,The cafÃ© by the river should stay open; itâ€™s lovely.,Keep it up!",
)
MAPPING = """
[[table]]
file = "*.csv"
[table.columns]
"Do you support it?" = "closed_single"
"What do you think?" = "free_text"
"What else?" = "free_text"
"""


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a workspace with one collection that was run."""
    folder = tmp_path_factory.mktemp("show")
    (folder / "answers.csv").write_text("\n".join(ROWS), "utf-8")
    (folder / "roles.toml").write_text(MAPPING, "utf-8")
    home = folder / "home"
    done = spawn(
        *("--home", home, "run", folder / "answers.csv", "--collection", "park"),
        *("--recipe", "consultation", "--mapping", folder / "roles.toml", "--json"),
        env=os.environ | {"FLORILEGIUM_HOME": str(home)},
    )
    assert done.code == 0, done.err
    return home


def shown(home: Path, *arguments: str) -> str:
    answer = call("--home", home, *arguments)
    assert answer.code == 0, answer.err
    return answer.out


def detail(home: Path, key: str) -> dict:
    return json.loads(shown(home, "document", f"answers.csv#{key}", "--json"))


def test_the_json_of_a_document_says_who_wrote_it_and_why_it_is_kept_apart(filled):
    apart = detail(filled, "R2/c5")
    assert (apart["respondent"], apart["outcome"], apart["flags"]) == ("R2", "skipped", [])
    assert "Partial" in apart["aside"]
    assert apart["question"] == "What do you think?"
    assert apart["metadata"]["Do you support it?"] == "No"
    garbled = detail(filled, "R5/c5")
    assert (garbled["flags"], garbled["aside"]) == (["garbled"], "")


def test_a_document_is_shown_with_everything_known_of_it(filled):
    said = shown(filled, "document", "answers.csv#R2/c5")
    assert "Question: What do you think?\n" in said
    assert "Respondent: R2\n" in said
    assert "Outcome: kept apart (incomplete submission: Status is “Partial”). It is stored," in said
    assert "From the file:\n" in said
    assert "  Do you support it?: No\n" in said
    assert "Noticed" not in said
    assert "Noticed: garbled by a wrong" in shown(filled, "document", "answers.csv#R5/c5")


def test_a_document_in_another_language_says_so(filled):
    said = shown(filled, "document", "answers.csv#R3/c5")
    assert "Outcome: other language (written in Welsh" in said
    assert "the recipe does not read that language" in said


def test_a_listing_says_how_each_ended_and_why(filled):
    lines = shown(filled, "documents", "park").splitlines()
    assert lines[0].split() == [
        *("document", "outcome", "question", "why", "noticed", "labels", "tags", "text")
    ]
    told = {line.split()[0]: line for line in lines[2:]}
    assert "kept apart" in told["answers.csv#R2/c5"]
    assert "incomplete submission" in told["answers.csv#R2/c5"]
    assert "other language" in told["answers.csv#R3/c5"]
    assert "says nothing" in told["answers.csv#R1/c6"]
    assert "garbled" in told["answers.csv#R5/c5"]


def test_the_listing_as_json_has_respondents_and_flags(filled):
    rows = json.loads(shown(filled, "documents", "park", "--json"))["documents"]
    by_key = {row["key"]: row for row in rows}
    assert by_key["answers.csv#R5/c5"]["respondent"] == "R5"
    assert by_key["answers.csv#R5/c5"]["flags"] == ["garbled"]


def test_a_narrow_terminal_has_short_lines_and_whole_keys(filled, monkeypatch):
    monkeypatch.setattr("app.cli.show.line_width", lambda: 80)
    lines = shown(filled, "documents", "park").splitlines()
    assert max(len(line) for line in lines) <= 90
    assert any(line.startswith("answers.csv#R2/c5 ") for line in lines)
    assert "why" not in lines[0].split()


def test_the_numbers_of_a_collection_add_up(filled):
    head, _, row = shown(filled, "collections").splitlines()
    assert "say nothing" in head
    assert "kept apart" in head
    (listed,) = json.loads(shown(filled, "collections", "--json"))["collections"]
    names = ("processed", "partial", "empty", "other_language", "skipped", "failed", "pending")
    assert listed["documents"] == sum(listed[name] for name in names) == 10
    assert str(listed["skipped"]) in row.split()
