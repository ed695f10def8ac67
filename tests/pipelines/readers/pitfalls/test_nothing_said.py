"""Pitfalls 21 to 24 and 35: answers that say nothing, and what a table reader makes of them."""

from __future__ import annotations

from pathlib import Path

from pipelines.answers import assess
from pipelines.readers import ReadOptions
from tests.pipelines.readers.pitfalls.material import (
    LIBRARY,
    PARKING,
    VISITING,
    cycle,
    got,
    numbered,
    write_csv,
)
from tests.pipelines.readers.pitfalls.workbook import write

KINDS = cycle(["Resident", "Business", "Visitor"], 12)


def test_pitfall_21_many_ways_to_say_nothing(tmp_path: Path) -> None:
    nothing = ["Did not answer", "Nothing", "n/a", "-", "no comment", "none", "", "N/A."]
    texts = [*nothing, *PARKING[8:]]
    header = ["Ref", "Responding as", "Any other comments?"]
    read = got(write_csv(tmp_path / "n.csv", [header, *numbered(KINDS, texts)]))
    assert read.texts == texts
    assert sum(read.report.empty.values()) == len(nothing)
    assert read.report.empty["blank"] == 1


def test_pitfall_22_nothing_is_praise_under_one_question_and_empty_under_another(
    tmp_path: Path,
) -> None:
    good = ["Nothing", "Nothing.", "Everything", *VISITING[3:]]
    better = ["Nothing", "nothing at all", "Everything", *reversed(LIBRARY[3:])]
    header = ["Ref", "What was good?", "How could we improve?"]
    read = got(write_csv(tmp_path / "g.csv", [header, *numbered(good, better)]))
    assert len(read.documents) == 24
    assert sum(read.report.empty.values()) == 2
    said_nothing = [d for d in read.documents if not assess(d.text, d.question).answers]
    assert {(d.question, d.text) for d in said_nothing} == {
        ("What was good?", "Nothing"),
        ("What was good?", "Nothing."),
    }


def test_pitfall_22_the_question_may_stand_in_its_own_column(tmp_path: Path) -> None:
    header = ["Comment ID", "Question", "Answer"]
    questions = cycle(["What was good?", "What could we do better?"], 12)
    texts = ["Nothing", "Nothing", *VISITING[2:]]
    read = got(write_csv(tmp_path / "l.csv", [header, *numbered(questions, texts)]))
    assert [document.question for document in read.documents] == questions
    assert sum(read.report.empty.values()) == 1


def test_pitfall_23_words_for_missing_are_kept_as_written(tmp_path: Path) -> None:
    words = [
        "N/A",
        "None",
        "null",
        "NaN",
        "NA",
        "#N/A",
        "<NA>",
        "nan",
        "NULL",
        "n/a",
        "-nan",
        "TRUE",
    ]
    texts = ["None", "N/A", "null", *LIBRARY[3:]]
    header = ["Ref", "Ward", "Comment"]
    for read in (
        got(write_csv(tmp_path / "w.csv", [header, *numbered(words, texts)])),
        got(write(tmp_path / "w.xlsx", {"Data": [header, *numbered(words, texts)]})),
    ):
        assert read.values("Ward") == words
        assert read.texts == texts


def test_pitfall_23_a_column_that_is_blank_in_the_sample_keeps_its_late_values(
    tmp_path: Path,
) -> None:
    late = [*[""] * 11, "Organisation"]
    header = ["Ref", "Responding as", "Comment"]
    path = write_csv(tmp_path / "late.csv", [header, *numbered(late, LIBRARY)])
    read = got(path, ReadOptions(sample_rows=8))
    assert read.texts == list(LIBRARY)
    assert read.documents[11].metadata["Responding as"] == "Organisation"


def test_pitfall_24_references_are_not_views(tmp_path: Path) -> None:
    references = ["See above", "see attached", "As Q3", "Same as my answer to question 2."]
    views = ["As above, but the crossing matters most to me", *PARKING[5:]]
    texts = [*references, *views]
    header = ["Ref", "Responding as", "Please explain your answer"]
    read = got(write_csv(tmp_path / "r.csv", [header, *numbered(KINDS, texts)]))
    assert read.texts == texts
    assert read.report.empty == {"reference": 4}


def test_pitfall_35_transcribers_marks(tmp_path: Path) -> None:
    texts = [
        "<DK>",
        "<RF>",
        "THE COST OF PARKING//NO",
        " //interviewer: could not name one// ",
        "too dear// and nowhere to park//because of the hospital",
        *PARKING[5:],
    ]
    header = ["caseID", "verbatim"]
    read = got(write_csv(tmp_path / "v.csv", [header, *numbered(texts)]))
    assert read.texts == texts
    assert [assess(text, "verbatim").answers for text in texts[:5]] == [
        False,
        False,
        True,
        True,
        True,
    ]
