"""What the public evaluation sets must give, counted by hand with the csv module beforehand.

The table of files is ``evaluation_table``; figures of single sets stand with their tests.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from pipelines.answers import assess
from pipelines.readers import ReadOptions, discover, read
from pipelines.types import Document, FileOutcome, FileReport, Role, TableReport
from tests.pipelines.readers.evaluation_table import EXPECTED, SKIPPED, Expected

pytestmark = pytest.mark.eval

# spelling, stripped, case folded, without end stops → under which kind of question how many
NHS_SPELLINGS: dict[str, dict[str, int]] = {
    "did not answer": {"why": 445, "improve": 203, "111": 167},
    "nothing": {"why": 83, "improve": 203, "good": 28},
    "nothing at all": {"why": 6, "improve": 7, "111": 1},
    "absolutely nothing": {"improve": 4, "good": 2},
    "none": {"why": 12, "improve": 5, "good": 2, "111": 1},
    "n/a": {"why": 1, "improve": 4, "good": 2, "111": 1},
    "don't know": {"why": 3, "improve": 5, "good": 1},
    "no comment": {"improve": 2},
    "no comments": {"improve": 1},
    "not applicable": {"why": 1},
    "everything": {"why": 1, "improve": 5, "good": 26, "111": 2},
}
PRAISE_UNDER_IMPROVE = {"nothing", "nothing at all", "absolutely nothing", "none"}

ANES_MARKS = {  # data set → (<DK>, <RF>)
    1: (4, 1),
    2: (15, 2),
    3: (12, 6),
    4: (3, 11),
    5: (34, 2),
    6: (177, 27),
    7: (0, 50),
    8: (0, 8),
    9: (0, 19),
    10: (0, 46),
}

Answer = tuple[list[Document], FileReport]
ReadFile = Callable[[str, str], Answer]


@pytest.fixture(scope="module")
def read_file(evaluation_data: Path) -> ReadFile:
    """Return a function that reads one file of a folder, each once."""
    known: dict[tuple[str, str], Answer] = {}

    def _read(folder: str, relative: str) -> Answer:
        if (folder, relative) not in known:
            files = {file.relative: file for file in discover([evaluation_data / folder]).files}
            with read(files[relative], ReadOptions()) as reading:
                documents = list(reading)
                known[folder, relative] = documents, reading.report
        return known[folder, relative]

    return _read


def table_read(report: FileReport) -> TableReport:
    (table,) = [table for table in report.tables if not table.reason]
    return table


def name_of(expected: Expected) -> str:
    return f"{expected.folder}/{expected.file}"


@pytest.mark.parametrize("expected", EXPECTED, ids=name_of)
def test_documents_columns_and_blanks(expected: Expected, read_file: ReadFile) -> None:
    documents, report = read_file(expected.folder, expected.file)
    assert report.outcome == FileOutcome.READ
    assert len(expected.mapping) <= 3
    table = table_read(report)
    roles = {column.name: column.role for column in table.columns}
    texts = tuple(name for name, role in roles.items() if role == Role.FREE_TEXT)
    assert texts == expected.texts
    assert len(documents) == report.documents == expected.documents
    assert sum(not document.text.strip() for document in documents) == expected.blank
    assert report.empty.get("blank", 0) == expected.blank
    assert not report.aside
    assert len({document.key for document in documents}) == len(documents)
    if expected.header_rows:
        assert table.header_rows == expected.header_rows
    for name, role in expected.roles.items():
        assert roles[name] in (role if isinstance(role, set) else {role}), name


@pytest.mark.parametrize("expected", EXPECTED, ids=name_of)
def test_questions_and_respondents(expected: Expected, read_file: ReadFile) -> None:
    documents, _ = read_file(expected.folder, expected.file)
    if expected.questions is not None:
        assert len({document.question for document in documents}) == expected.questions
    elif len(expected.texts) > 1:
        assert {document.question for document in documents} == set(expected.texts)
    if expected.respondent:
        for document in documents:
            assert document.respondent == document.metadata[expected.respondent]
    assert all(document.respondent for document in documents)


@pytest.mark.parametrize(
    "expected",
    [one for one in EXPECTED if one.file.endswith(".csv") and one.header_rows == (1,)],
    ids=name_of,
)
def test_every_text_is_the_cell_to_the_character(
    expected: Expected, evaluation_data: Path, read_file: ReadFile
) -> None:
    path = evaluation_data / expected.folder / expected.file
    with path.open(encoding="utf-8-sig", newline="") as stream:
        header, *rows = csv.reader(stream)
    places = [header.index(name) for name in expected.texts]
    cells = [row[place] for row in rows if any(map(str.strip, row)) for place in places]
    documents, _ = read_file(expected.folder, expected.file)
    assert [document.text for document in documents] == cells


@pytest.mark.parametrize(("folder", "file"), SKIPPED)
def test_files_without_answers_are_skipped_with_the_reason(
    folder: str, file: str, read_file: ReadFile
) -> None:
    documents, report = read_file(folder, file)
    assert (report.outcome, documents) == (FileOutcome.SKIPPED, [])
    assert report.reason


def test_nhs_codes_are_closed_answers(read_file: ReadFile) -> None:
    _, report = read_file("consultation/nhs_fft_pxtextmining", "v6framework_230831.csv")
    codes = table_read(report).columns[11:]
    assert Counter(column.role for column in codes) == {Role.CLOSED_SINGLE: 46, Role.EMPTY: 4}


def kind_of(question: str | None) -> str:
    asked = " ".join((question or "").split())
    if asked in {"How could we improve?", "What could we do better?"}:
        return "improve"
    return {"What was good?": "good", "FFT Why?": "why"}.get(asked, "111")


@pytest.mark.parametrize("spelling", NHS_SPELLINGS)
def test_nhs_ways_to_say_nothing(spelling: str, read_file: ReadFile) -> None:
    documents, _ = read_file("consultation/nhs_fft_pxtextmining", "v6framework_230831.csv")
    said = [
        document
        for document in documents
        if document.text.strip().rstrip(" .!").casefold().replace("’", "'") == spelling
    ]
    assert Counter(kind_of(d.question) for d in said) == NHS_SPELLINGS[spelling]
    for document in said:
        praise = spelling in PRAISE_UNDER_IMPROVE and kind_of(document.question) == "improve"
        expected = praise or spelling == "everything"
        assert assess(document.text, document.question).answers is expected


def test_nhs_answers_of_exactly_255_characters_are_flagged_as_cut(read_file: ReadFile) -> None:
    _, report = read_file("consultation/nhs_fft_pxtextmining", "v6framework_230831.csv")
    assert report.flags["cut"] == 51


@pytest.mark.parametrize("number", ANES_MARKS)
def test_anes_marks_for_no_answer(number: int, read_file: ReadFile) -> None:
    documents, _ = read_file("consultation/anes2008_open_ended", f"dataset{number}_Xtrain.csv")
    marks = [d for d in documents if d.text.strip() in {"<DK>", "<RF>"}]
    count = Counter(document.text.strip() for document in marks)
    assert (count["<DK>"], count["<RF>"]) == ANES_MARKS[number]
    assert not any(assess(d.text, d.question).answers for d in marks)


@pytest.mark.parametrize("part", [1, 2])
def test_themefinder_answers_carry_the_question_and_the_demographics(
    part: int, read_file: ReadFile
) -> None:
    documents, _ = read_file(
        "consultation/themefinder_synthetic",
        f"gambling_XS/inputs/question_part_{part}/responses.jsonl",
    )
    starts = {1: "Should gambling advertisements be", 2: "If gambling adverts during sports"}
    assert all((document.question or "").startswith(starts[part]) for document in documents)
    disabled = "Do you consider yourself to have a health condition or a disability?"
    first, second = documents[0].metadata, documents[1].metadata
    assert (first["Do you live in:"], first[disabled]) == ("England", "No")
    assert (second["Do you live in:"], second[disabled]) == ("Scotland", "Yes")


def test_two_header_rows_without_free_text_are_reported(read_file: ReadFile) -> None:
    _, report = read_file("consultation/consult_import_shapes", "responses_biomass_format.csv")
    (table,) = report.tables
    assert table.header_rows == (1, 2)
    assert not any(column.role == Role.FREE_TEXT for column in table.columns)


def test_the_header_is_followed_by_a_blank_row(read_file: ReadFile) -> None:
    documents, report = read_file("consultation/consult_import_shapes", "responses_scr_format.csv")
    assert table_read(report).rows == 5
    assert "3" in documents[0].locator


def test_the_template_gives_its_responses_only(read_file: ReadFile) -> None:
    documents, report = read_file(
        "consultation/consult_import_shapes", "consult_data_template_v005.xlsx"
    )
    assert {document.metadata["sheet"] for document in documents} == {"Responses"}
    assert len(report.tables) == 9
    assert all(table.reason for table in report.tables if table.sheet != "Responses")


@pytest.mark.parametrize("file", ["train_metadata.csv", "valid_metadata.csv"])
def test_names_of_patients_and_doctors_are_personal(file: str, read_file: ReadFile) -> None:
    _, report = read_file("clinical/aci-bench", file)
    roles = {column.name: column.role for column in report.columns}
    names = ("doctor_name", "patient_firstname", "patient_familyname")
    assert {roles[name] for name in names} == {Role.PERSONAL}


def test_an_aligned_scan_is_a_document_for_each_article(read_file: ReadFile) -> None:
    documents, report = read_file("historical/overproof", "dataset2_smh_allArticles.txt")
    assert report.outcome == FileOutcome.READ
    assert len(documents) == 159
    first = documents[0].text
    assert first.startswith("LAND SALE.\nAT eleven o'clock on Wednesday the 14th\nof June, the")
    assert "Colonial Treasury" in first
    assert "Pieasury" not in first
    assert not any("||@@||" in document.text or "*$*" in document.text for document in documents)
    assert "12414000" in documents[0].key
    assert len({document.key for document in documents}) == 159
    assert documents[0].metadata.get("year", "1843") == "1843"
