"""``florilegium campaigns`` and ``summarise --collection``: from a table of answers to what is kept."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.app.conftest import Answer, call

LETTER = (
    "Please do not close the library on Mill Lane. Hundreds of families use its reading groups each "
    "week and the nearest other branch is two bus rides away from us."
)
OWN = "My late mother learnt to read there."
QUESTION = "What do you think of the plan?"
ANSWERS = (
    ("R1", LETTER, "Yes"),
    ("R2", f"{LETTER}\n\n{OWN}", "Yes"),
    ("R3", f"Dear all,\n\n{LETTER.upper()}\n\nKind regards,\nJo", "Yes"),
    ("R4", "The car park is always full on market days. Parking costs too much as well.", "Yes"),
    ("R5", "Parking permits for residents would help our whole street.", "No"),
    ("R6", "Mrs Patel at the parking office was rude. Ring me about parking on 01632 960983.", "Yes"),
    ("R7", "More benches by the river, please, and a path that is lit at night.", "Yes"),
)  # fmt: skip


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Answer]:
    """Return the command line over a table of seven answers, processed."""
    folder = tmp_path_factory.mktemp("campaigns")
    home, file = folder / "home", folder / "in" / "answers.csv"
    file.parent.mkdir()
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(("Respondent ID", QUESTION, "May we publish your response?"))
        writer.writerows(ANSWERS)

    def florilegium(*arguments: str | Path) -> Answer:
        return call("--home", home, "--quiet", *arguments)

    ran = florilegium("run", file.parent, "--collection", "plan", "--recipe", "consultation")
    assert ran.code == 0, ran.err
    return florilegium


def test_a_campaign_is_found_stored_and_counted_on_both_bases(
    workspace: Callable[..., Answer],
) -> None:
    found = workspace("campaigns", "find", "plan", "--json").json
    assert (found["all_responses"], found["counted_once"]) == (7, 5)
    (campaign,) = found["campaigns"]
    assert campaign["kind"] == "campaign"
    own = {m["document"]: [span["text"] for span in m["own"]] for m in campaign["members"]}
    assert sorted(own.values()) == [[], [], [OWN.rstrip(".")]]
    listed = workspace("campaigns", "list", "plan", "--json").json
    assert listed == found
    assert "counted once" in workspace("campaigns", "list", "plan").out


def test_nothing_personal_or_refused_is_quoted(workspace: Callable[..., Answer]) -> None:
    made = workspace(
        "summarise", "--collection", "plan", "--query", "what do they say about parking?", "--json"
    ).json
    texts = [sentence["text"] for sentence in made["sentences"]]
    assert texts
    assert all("arking" in text or "car park" in text for text in texts)
    assert not any(word in text for text in texts for word in ("Patel", "01632", "permits"))
    assert made["details"]["left_out"] == {
        "name after a title in it": 1,
        "telephone number in it": 1,
        "the respondent refused publication": 1,
    }


def test_a_summary_of_a_question_has_places_and_quotes(workspace: Callable[..., Answer]) -> None:
    arguments = ("--question", QUESTION, "--sentences", "2", "--quotes", "1")
    made = workspace("summarise", "--collection", "plan", *arguments, "--json").json
    assert (made["kind"], made["subject"]) == ("question", QUESTION)
    assert {"summary", "central"} <= {sentence["role"] for sentence in made["sentences"]}
    by_respondent = {row[0]: row[1] for row in ANSWERS}
    for sentence in made["sentences"]:
        text = next(t for r, t in by_respondent.items() if r in sentence["document"])
        assert text[sentence["start"] : sentence["end"]] == sentence["text"]


def test_what_is_not_there_is_said_with_what_is(workspace: Callable[..., Answer]) -> None:
    answer = workspace("summarise", "--collection", "plan", "--question", "Why?")
    assert answer.code == 2
    assert QUESTION in answer.err
    answer = workspace("summarise", "--collection", "plan", "--respondent", "R99")
    assert answer.code == 2
    assert "R99" in answer.err


def test_group_options_need_a_collection(workspace: Callable[..., Answer]) -> None:
    answer = workspace("summarise", "-", "--theme", "t1")
    assert answer.code == 2
    assert "--collection" in answer.err


@pytest.mark.parametrize(
    ("option", "value", "most"), [("--words", "12", 12), ("--share", "0.5", 8)]
)
def test_a_text_within_words_or_a_share(tmp_path: Path, option: str, value: str, most: int) -> None:
    file = tmp_path / "a.txt"
    file.write_text(
        "The weir leaks badly. The kerb is too high. Mend the weir. Fix the old bridge."
    )
    found = json.loads(call("summarise", file, option, value, "--json").out)["sentences"]
    assert 0 < sum(len(one["text"].split()) for one in found) <= most
    assert all(file.read_text()[one["start"] : one["end"]] == one["text"] for one in found)
