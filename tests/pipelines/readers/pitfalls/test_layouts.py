"""Exports of the programs that consultations are run with, each known by name."""

from __future__ import annotations

import json
from pathlib import Path

from pipelines.types import FileOutcome, Role
from tests.pipelines.readers.pitfalls.material import (
    FLOOD,
    LIBRARY,
    PARKING,
    UNIFORM,
    VISITING,
    cycle,
    got,
    got_all,
    numbered,
    write_csv,
)
from tests.pipelines.readers.pitfalls.workbook import Dated, write

AGREE = cycle(["Strongly agree", "Agree", "Disagree", "Strongly disagree"], 12)
NAMES = ["Ada Marl", "Bert Oake", "Cissie Penn", "Dora Quill", "Enid Rowe", "Fred Sloane"] * 2
MAILS = [f"reply{i}@post.example" for i in range(12)]


def free_text(roles: dict[str, str]) -> list[str]:
    return [name for name, role in roles.items() if role == Role.FREE_TEXT]


def test_citizen_space(tmp_path: Path) -> None:
    header = [
        "Response ID",
        "Submitted",
        "What is your name? - Name",
        "What is your email address? - Email",
        "Are you responding on behalf of an organisation? - Organisation",
        "Do you agree with the permit zone? - Agree or disagree",
        "Do you agree with the permit zone? - Please tell us the reasons for your answer",
        "Is there anything else we should know? - Comments",
    ]
    ids = [f"ANON-7{chr(65 + i)}Q2-XW4R-{i % 9}" for i in range(12)]
    dates = [f"2025-03-{i + 1:02d} 14:0{i % 10}:33" for i in range(12)]
    organisations = cycle(["", "Marlbridge Traders", ""], 12)
    rows = zip(ids, dates, NAMES, MAILS, organisations, AGREE, PARKING, LIBRARY, strict=True)
    path = write_csv(tmp_path / "c.csv", [header, *map(list, rows)], "utf-8-sig", end="\r\n")
    read = got(path)
    assert read.table.layout == "citizen_space"
    assert free_text(read.roles) == header[6:]
    assert read.roles["Response ID"] == Role.IDENTIFIER
    assert read.roles["Submitted"] == Role.DATE
    assert {read.roles[header[2]], read.roles[header[3]]} == {Role.PERSONAL}
    assert read.roles[header[5]] in {Role.SCALE, Role.CLOSED_SINGLE}
    assert len(read.documents) == 24
    assert {document.respondent for document in read.documents} == set(ids)


def test_smartsurvey(tmp_path: Path) -> None:
    header = ["UserID", "UserNo", "Name", "Email", "IP Address", "Unique ID"]
    header += ["Started", "Ended", "Tracking Link"]
    header += ["1. Do you use the library?", "2. What would you change?Please give no names."]
    texts = ["-", *LIBRARY[1:9], "-", *LIBRARY[10:]]
    rows = [
        [
            str(90210000 + i),
            str(i + 1),
            "",
            "-" if i else MAILS[i],
            f"198.51.100.{i}",
            "",
            f"{i + 13:02d}/02/2025 09:1{i % 10}:07",
            f"{i + 13:02d}/02/2025 09:2{i % 10}:41",
            "Library hours - web link",
            ["Yes", "No", "-"][i % 3],
            text,
        ]
        for i, text in enumerate(texts)
    ]
    read = got(write_csv(tmp_path / "s.csv", [header, *rows]))
    assert read.table.layout == "smartsurvey"
    assert free_text(read.roles) == [header[10]]
    assert read.roles["UserID"] == Role.IDENTIFIER
    assert {read.roles["Started"], read.roles["Ended"]} == {Role.DATE}
    assert read.column("Started").format.lower().startswith("dd/mm/yyyy")
    assert {read.roles["IP Address"], read.roles["Email"]} == {Role.PERSONAL}
    assert read.roles["Tracking Link"] == Role.SYSTEM
    assert read.roles[header[9]] == Role.CLOSED_SINGLE
    assert read.texts == texts  # "-" is stored as it is
    assert sum(read.report.empty.values()) == 2


def test_microsoft_forms(tmp_path: Path) -> None:
    header = ["ID", "Start time", "Completion time", "Email", "Name"]
    header += ["Which uniform rules matter to you?", "What should the school change?"]
    choices = cycle(["Cost;", "Comfort;Cost;", "Comfort, warmth;", "Cost;Comfort, warmth;"], 12)
    rows = [
        [i, Dated(45720.4 + i), Dated(45720.41 + i), "anonymous", None, choice, text]
        for i, (choice, text) in enumerate(zip(choices, UNIFORM, strict=True), 1)
    ]
    read = got(write(tmp_path / "m.xlsx", {"Sheet1": [header, *rows]}))
    assert read.table.layout == "microsoft_forms"
    assert free_text(read.roles) == [header[6]]
    assert read.roles["ID"] == Role.IDENTIFIER
    assert read.roles["Start time"] == Role.DATE
    assert read.roles["Email"] == Role.PERSONAL
    assert read.column(header[5]).role == Role.CLOSED_MULTI
    assert read.column(header[5]).separator == ";"
    assert set(read.column(header[5]).options) == {"Cost", "Comfort", "Comfort, warmth"}
    assert read.texts == list(UNIFORM)


def test_google_forms(tmp_path: Path) -> None:
    header = ["Timestamp", "How do you reach the clinic?", "What was missing from your visits?"]
    ways = cycle(["Bus", "Bus, Walking", "Car", "Car, Bus", "Walking"], 12)
    stamps = [f"2025/03/{i + 1:02d} 9:14:0{i % 10} am GMT" for i in range(12)]
    rows = [list(row) for row in zip(stamps, ways, VISITING, strict=True)]
    read = got(write_csv(tmp_path / "g.csv", [header, *rows]))
    assert read.table.layout == "google_forms"
    assert read.roles["Timestamp"] == Role.DATE
    assert read.column(header[1]).role == Role.CLOSED_MULTI
    assert set(read.column(header[1]).options) == {"Bus", "Walking", "Car"}
    assert read.texts == list(VISITING)
    assert len({document.respondent for document in read.documents}) == 12


def test_surveymonkey(tmp_path: Path) -> None:
    fixed = ["Respondent ID", "Collector ID", "Start Date", "End Date", "IP Address"]
    fixed += ["Email Address", "First Name", "Last Name", "Custom Data 1"]
    ticks = "Which of these have you used?\nTick all, please."
    open_ended = "What would the flood scheme mean for you, your family, or your farm?"
    first = [*fixed, "Do you own land by the brook?", ticks, "", "", open_ended]
    second = [""] * 9 + ["Response", "Sandbags", "The flood line", "Other (please specify)"]
    second += ["Open-Ended Response"]
    rows = [
        [
            str(118000000000 + i),
            "430110",
            f"03/{i + 13:02d}/2025 09:15:07 AM",
            f"03/{i + 13:02d}/2025 09:25:10 AM",
            f"192.0.2.{i}",
            MAILS[i],
            NAMES[i].split()[0],
            NAMES[i].split()[1],
            "",
            ["Yes", "No"][i % 2],
            "Sandbags" if i % 2 else "",
            "The flood line" if i % 3 else "",
            "",
            text,
        ]
        for i, text in enumerate(FLOOD)
    ]
    read = got(write_csv(tmp_path / "m.csv", [first, second, *rows]))
    assert read.table.layout == "surveymonkey"
    assert read.table.header_rows == (1, 2)
    assert read.table.rows == 12
    assert {document.question for document in read.documents} == {open_ended}
    assert read.texts == list(FLOOD)
    assert read.roles["Respondent ID"] == Role.IDENTIFIER
    for name in ("IP Address", "Email Address", "First Name", "Last Name"):
        assert read.roles[name] == Role.PERSONAL
    assert read.roles["Start Date"] == Role.DATE
    assert "Sandbags" in read.documents[1].metadata.values()
    assert {document.respondent for document in read.documents} == {row[0] for row in rows}


def test_qualtrics(tmp_path: Path) -> None:
    codes = ["StartDate", "EndDate", "Status", "IPAddress", "Progress", "Duration (in seconds)"]
    codes += ["Finished", "RecordedDate", "ResponseId", "RecipientLastName", "RecipientFirstName"]
    codes += ["RecipientEmail", "DistributionChannel", "UserLanguage", "Q1", "Q2", "Q2_TOPIC"]
    wording = ["Start Date", "End Date", "Response Type", "IP Address", "Progress"]
    wording += ["Duration (in seconds)", "Finished", "Recorded Date", "Response ID"]
    wording += ["Recipient Last Name", "Recipient First Name", "Recipient Email"]
    wording += ["Distribution Channel", "User Language", "Do you support the zone?"]
    wording += ["What would the zone mean for your street?", "Q2 - Topics"]
    imports = [json.dumps({"ImportId": code}, separators=(",", ":")) for code in codes]
    statuses = ["IP Address"] * 12
    statuses[0], statuses[5] = "Survey Preview", "Survey Test"
    finished = ["True"] * 12
    finished[9] = "False"
    rows = [
        [
            f"2025-03-04 09:1{i % 10}:00",
            f"2025-03-04 09:2{i % 10}:00",
            statuses[i],
            f"192.0.2.{i}",
            "40" if i == 9 else "100",
            str(300 + i),
            finished[i],
            f"2025-03-04 09:2{i % 10}:01",
            f"R_1aB{i:02d}xYz9",
            "",
            "",
            "",
            "anonymous",
            "EN",
            AGREE[i],
            text,
            "",
        ]
        for i, text in enumerate(PARKING)
    ]
    read = got(write_csv(tmp_path / "q.csv", [codes, wording, imports, *rows], "utf-8-sig"))
    assert read.table.layout == "qualtrics"
    assert set(read.table.header_rows) | set(read.table.skipped_rows) == {1, 2, 3}
    assert read.texts == list(PARKING)
    assert {document.question for document in read.documents} == {wording[15]}
    assert [i for i, document in enumerate(read.documents) if document.aside] == [0, 5, 9]
    assert "Survey Preview" in read.documents[0].aside
    assert read.documents[0].respondent == "R_1aB00xYz9"
    assert not any(value.startswith("192.0.2") for value in read.documents[1].metadata.values())


def test_dhsc_form(tmp_path: Path) -> None:
    header = ["Response ID", "Status", "Created", "Started", "Updated", "Completed", "Modified"]
    header += ["In what capacity are you responding?", "Should the clinic open at weekends?"]
    header += [
        "Please explain your answer",
        "Should visits be longer?",
        "Please explain your answer",
    ]
    rows = [
        [
            f"3f0c5a1e-77b2-4d1c-9a0e-5b6c7d8e9f{i:02d}" if i < 10 else None,
            "Completed" if i != 4 else "Partial",
            *(45300.375 + i + j / 100 for j in range(5)),
            ["An individual", "An organisation"][i % 2],
            ["Definitely agree", "Tend to agree", "Tend to disagree"][i % 3],
            VISITING[i],
            AGREE[i],
            LIBRARY[i],
        ]
        for i in range(12)
    ]
    read = got(write(tmp_path / "d.xlsx", {"Responses": [header, *rows]}))
    assert read.table.layout == "dhsc"
    assert sorted(read.texts) == sorted([*VISITING, *LIBRARY])
    assert read.roles["Status"] == Role.STATUS
    for name in header[2:7]:
        assert read.roles[name] == Role.DATE
    assert sum(bool(document.aside) for document in read.documents) == 2
    assert read.roles["Response ID"] == Role.IDENTIFIER
    assert len({document.key for document in read.documents}) == 24
    assert len({document.respondent for document in read.documents}) == 12


def test_polis(tmp_path: Path) -> None:
    header = ["timestamp", "datetime", "comment-id", "author-id", "agrees", "disagrees"]
    header += ["moderated", "comment-body"]
    rows = [
        [
            str(1741080000000 + 61000 * i),
            f"Tue Mar 04 09:2{i % 10}:00 GMT 2025",
            str(40 - i),
            str(i // 2),
            str(7 * i % 23),
            str(5 * i % 11),
            ["1", "1", "0", "-1"][i % 4],
            text,
        ]
        for i, text in enumerate(FLOOD)
    ]
    write_csv(tmp_path / "comments.csv", [header, *rows])
    votes = ["participant", "group-id", "n-comments", "n-votes", "n-agree", "n-disagree"]
    votes += [str(i) for i in range(30)]
    matrix = [
        [str(p), str(p % 2), "0", "30", "10", "10", *(str((p + i) % 3 - 1) for i in range(30))]
        for p in range(20)
    ]
    write_csv(tmp_path / "participants-votes.csv", [votes, *matrix])
    read = got_all(tmp_path)
    comments = read["comments.csv"]
    assert comments.table.layout == "polis"
    assert comments.texts == list(FLOOD)
    assert comments.roles["comment-id"] == Role.IDENTIFIER
    assert comments.roles["author-id"] == Role.IDENTIFIER
    assert comments.documents[3].respondent == "1"
    assert comments.values("agrees")[1] == "7"
    assert "#40/" in comments.documents[0].key
    assert read["participants-votes.csv"].report.outcome == FileOutcome.SKIPPED
    assert read["participants-votes.csv"].report.reason


def test_themefinder(tmp_path: Path) -> None:
    part = tmp_path / "inputs" / "question_part_1"
    part.mkdir(parents=True)
    question = "What would weekend opening of the library mean for you, if anything?"
    (part / "question.json").write_text(
        json.dumps({"question_number": 1, "question_text": question}), encoding="utf-8"
    )
    (part / "responses.jsonl").write_text(
        "".join(
            json.dumps({"response_id": 501 + i, "response": text}) + "\n"
            for i, text in enumerate(LIBRARY)
        ),
        encoding="utf-8",
    )
    demographics = [{"Do you live in:": ["Town", "Village"][i % 2]} for i in range(12)]
    (tmp_path / "inputs" / "respondents.jsonl").write_text(
        "".join(
            json.dumps({"response_id": 501 + i, "demographic_data": data}) + "\n"
            for i, data in reversed(list(enumerate(demographics)))  # joined by id, not by place
        ),
        encoding="utf-8",
    )
    outputs = tmp_path / "outputs" / "mapping" / "2025-03-04" / "question_part_1"
    outputs.mkdir(parents=True)
    (outputs / "themes.json").write_text(
        json.dumps([{"theme_key": "A", "theme_name": "Hours", "theme_description": LIBRARY[0]}]),
        encoding="utf-8",
    )
    (outputs / "mapping.jsonl").write_text(
        "".join(
            json.dumps({"response_id": 501 + i, "theme_keys": ["A"]}) + "\n" for i in range(12)
        ),
        encoding="utf-8",
    )
    read = got_all(tmp_path)
    responses = read["inputs/question_part_1/responses.jsonl"]
    assert responses.table.layout == "themefinder"
    assert responses.texts == list(LIBRARY)
    assert {document.question for document in responses.documents} == {question}
    assert responses.values("Do you live in:") == [d["Do you live in:"] for d in demographics]
    assert responses.documents[0].respondent == "501"
    for name, one in read.items():
        if name != "inputs/question_part_1/responses.jsonl":
            assert one.report.outcome == FileOutcome.SKIPPED, name
            assert one.report.reason, name


def test_talk_to_the_city(tmp_path: Path) -> None:
    header = ["id", "interview", "comment"]
    interviews = cycle(["Parents' evening", "Market stall", "Sixth form"], 12)
    read = got(write_csv(tmp_path / "t.csv", [header, *numbered(interviews, UNIFORM)]))
    assert read.table.layout == "talk_to_the_city"
    assert read.roles == {
        "id": Role.IDENTIFIER,
        "interview": Role.IDENTIFIER,
        "comment": Role.FREE_TEXT,
    }
    assert read.texts == list(UNIFORM)
    assert [document.respondent for document in read.documents] == interviews


def test_anything_else_is_generic(tmp_path: Path) -> None:
    header = ["Form no.", "Ward", "How old are you?", "What do you think of the new hours?"]
    ages = cycle(["16-24", "25-44", "45-64", "65 or over"], 12)
    wards = cycle(["Market", "Castle", "Brook"], 12)
    read = got(write_csv(tmp_path / "x.csv", [header, *numbered(wards, ages, LIBRARY)]))
    assert read.table.layout == "generic"
    assert read.roles == {
        header[0]: Role.IDENTIFIER,
        header[1]: Role.DEMOGRAPHIC,
        header[2]: Role.DEMOGRAPHIC,
        header[3]: Role.FREE_TEXT,
    }
    assert read.texts == list(LIBRARY)
