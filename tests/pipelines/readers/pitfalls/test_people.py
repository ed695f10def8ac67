"""Pitfalls 5, 30, 31 and 34: submissions that are no answers, people who answer twice, names."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.types import Role
from tests.pipelines.readers.pitfalls.material import (
    FLOOD,
    LIBRARY,
    PARKING,
    VISITING,
    cycle,
    got,
    numbered,
    write_csv,
)


@pytest.mark.parametrize(
    ("header", "kept", "apart"),
    [
        ("Status", "Complete", ["Partial", "Preview", "Test"]),
        ("Status", "Completed", ["Incomplete", "Survey Preview", "Spam"]),
        ("Response status", "Submitted", ["In progress", "Partial", "Test"]),
        ("Finished", "True", ["False"]),
    ],
)
def test_pitfall_05_test_preview_and_partial_submissions_are_kept_apart(
    tmp_path: Path, header: str, kept: str, apart: list[str]
) -> None:
    statuses = [kept] * 12
    for i, status in enumerate(apart):
        statuses[3 * i + 1] = status
    rows = [["Response ID", header, "Please explain"], *numbered(statuses, FLOOD)]
    read = got(write_csv(tmp_path / "s.csv", rows))
    assert read.roles[header] == Role.STATUS
    assert read.texts == list(FLOOD)  # all are kept
    for document, status in zip(read.documents, statuses, strict=True):
        assert bool(document.aside) is (status != kept), status
        assert status == kept or status in document.aside
    assert sum(read.report.aside.values()) == len(apart)


def test_pitfall_05_a_closed_question_is_not_a_status(tmp_path: Path) -> None:
    rows = [
        ["Ref", "Is the test centre complete?", "Please explain"],
        *numbered(cycle(["Complete", "Partial"], 12), FLOOD),
    ]
    read = got(write_csv(tmp_path / "q.csv", rows))
    assert not any(document.aside for document in read.documents)


def test_pitfall_30_several_rows_for_one_person(tmp_path: Path) -> None:
    people = [f"P{1 + i // 3:02d}" for i in range(12)]
    rows = [["Participant ID", "Theme", "Comment"]]
    themes = cycle(["Cost", "Access", "Safety"], 12)
    rows += [list(row) for row in zip(people, themes, PARKING, strict=True)]
    read = got(write_csv(tmp_path / "p.csv", rows))
    assert read.roles["Participant ID"] == Role.IDENTIFIER
    assert read.texts == list(PARKING)
    assert [document.respondent for document in read.documents] == people
    assert len({document.key for document in read.documents}) == 12


def test_pitfall_30_the_person_is_named_only_in_the_first_of_his_rows(tmp_path: Path) -> None:
    rows = [["Ref", "Responding as", "Comment"]]
    for i, text in enumerate(LIBRARY):
        first = i % 3 == 0
        rows.append([f"L{i // 3}" if first else "", "Resident" if first else "", text])
    read = got(write_csv(tmp_path / "n.csv", rows))
    assert read.texts == list(LIBRARY)
    assert len({document.key for document in read.documents}) == 12


def test_pitfall_31_one_person_answers_twice(tmp_path: Path) -> None:
    users = ["u-17", "u-18", "u-17", *(f"u-{i}" for i in range(20, 29))]
    rows = [["Submission ID", "User ID", "What worries you?"], *numbered(users, FLOOD)]
    read = got(write_csv(tmp_path / "u.csv", rows))
    assert read.roles["Submission ID"] == Role.IDENTIFIER
    assert read.roles["User ID"] == Role.IDENTIFIER
    assert [document.respondent for document in read.documents] == users
    assert len({document.key for document in read.documents}) == 12


def test_pitfall_31_all_answers_of_one_row_have_one_respondent(tmp_path: Path) -> None:
    rows = [["What was good?", "What could be better?"]]
    rows += [list(row) for row in zip(VISITING, LIBRARY, strict=True)]
    read = got(write_csv(tmp_path / "a.csv", rows))
    by_text = {document.text: document.respondent for document in read.documents}
    assert [by_text[text] for text in VISITING] == [by_text[text] for text in LIBRARY]
    assert len({by_text[text] for text in VISITING}) == 12
    assert all(by_text.values())


def test_pitfall_34_personal_columns_are_never_stored(tmp_path: Path) -> None:
    surnames = ["Attwater", "Bexfield", "Cleobury", "Dunnett", "Eastlake", "Fothergill"]
    surnames += ["Gisborne", "Hallam", "Inchbald", "Jolliffe", "Kettlewell", "Lambourne"]
    personal = {
        "First Name": ["Ada", "Bert", "Cissie", "Dora", "Enid", "Fred"] * 2,
        "Last Name": surnames,
        "Email Address": [f"{name.lower()}@post.example" for name in surnames],
        "IP Address": [f"203.0.113.{i}" for i in range(12)],
        "Telephone": [f"01632 960{i:03d}" for i in range(12)],
        "Home address": [f"{i} Tannery Row, Marlbridge" for i in range(1, 13)],
    }
    texts = ["Ask Mrs Attwater at the clinic, she agrees with me.", *VISITING[1:]]
    rows = [["Response ID", *personal, "Please tell us why"], *numbered(*personal.values(), texts)]
    read = got(write_csv(tmp_path / "names.csv", rows))
    for name, values in personal.items():
        assert read.roles[name] == Role.PERSONAL
        stored = {v for d in read.documents for v in (*d.metadata.values(), d.respondent, d.key)}
        assert not stored & set(values), name
        assert name not in read.documents[0].metadata
        assert not set(read.column(name).options)
    assert read.texts == texts  # what a person wrote stays, names and all
    assert all("@" not in document.locator for document in read.documents)


def test_pitfall_34_an_e_mail_column_is_known_by_its_values(tmp_path: Path) -> None:
    mails = [f"parent{i}@school.example" for i in range(12)]
    rows = [["Ref", "Contact", "Comment"], *numbered(mails, LIBRARY)]
    read = got(write_csv(tmp_path / "c.csv", rows))
    assert read.roles["Contact"] == Role.PERSONAL
    assert not any(v in mails for d in read.documents for v in d.metadata.values())
