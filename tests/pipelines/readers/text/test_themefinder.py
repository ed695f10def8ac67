"""ThemeFinder's own files: responses with what lies around them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipelines.readers.errors import SkippedFile
from pipelines.readers.text.records import read_records
from tests.pipelines.readers.sources import read_with

TEXTS = ["Ban them, they are everywhere now", "I do not see the problem at all", "Fund the clubs some other way"]  # fmt: skip


def lay_out(folder: Path, *, newer: bool = False) -> Path:
    """Write a consultation of one question and return its responses."""
    identifier, text = ("themefinder_id", "text") if newer else ("response_id", "response")
    part = folder / "inputs/question_part_1"
    part.mkdir(parents=True)
    (part / "question.json").write_text(
        json.dumps({"question_number": 1, "question_text": "Should they be banned?"})
    )
    _lines(part / "responses.jsonl", [{identifier: i, text: t} for i, t in enumerate(TEXTS)])
    _lines(
        folder / "inputs/respondents.jsonl",
        [{identifier: i, "demographic_data": {"Do you live in:": ["Wales"]}} for i in (1, 0)],
    )
    if newer:
        _lines(part / "multi_choice.jsonl", [{identifier: 0, "options": ["Yes", "In part"]}])
    return part / "responses.jsonl"


def _lines(path: Path, records: list[dict[str, object]]) -> None:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


def test_responses_carry_the_question_and_the_respondents_answers(tmp_path: Path) -> None:
    path = lay_out(tmp_path)
    documents, tally = read_with(read_records, path, root=tmp_path)
    assert [d.text for d in documents] == TEXTS
    assert {d.question for d in documents} == {"Should they be banned?"}
    assert documents[0].metadata["Do you live in:"] == "Wales"
    assert documents[0].respondent == "0"
    assert tally.tables[0].layout == "themefinder"
    assert "1 responses have no line in respondents.jsonl" in tally.warnings


def test_the_newer_names_are_known_with_the_choices(tmp_path: Path) -> None:
    path = lay_out(tmp_path, newer=True)
    documents, _ = read_with(read_records, path, root=tmp_path)
    assert [d.text for d in documents] == TEXTS
    assert [d.metadata["multiple choice"] for d in documents] == ["Yes; In part", "", ""]


def test_a_broken_sibling_is_left_out_with_a_warning(tmp_path: Path) -> None:
    path = lay_out(tmp_path)
    (tmp_path / "inputs/respondents.jsonl").write_text("not json")
    documents, tally = read_with(read_records, path, root=tmp_path)
    assert len(documents) == 3
    assert any("respondents.jsonl is left out" in warning for warning in tally.warnings)


@pytest.mark.parametrize(
    ("name", "record", "reason"),
    [
        ("question.json", {"question_text": "Why?"}, "the wording of a question"),
        ("respondents.jsonl", {"response_id": 1, "demographic_data": {"a": "b"}}, "demographics"),
        ("mapping.jsonl", {"response_id": 1, "labels": ["A"], "stances": ["POSITIVE"]}, "themes"),
        ("sentiment.jsonl", {"response_id": 1, "position": "AGREE"}, "positions"),
        ("detail_detection.jsonl", {"response_id": 1, "evidence_rich": "YES"}, "rich in evidence"),
    ],
)
def test_what_are_no_answers_is_skipped(
    tmp_path: Path, name: str, record: dict[str, object], reason: str
) -> None:
    _lines(tmp_path / name, [record])
    with pytest.raises(SkippedFile, match=reason):
        read_with(read_records, tmp_path / name)


def test_responses_without_a_question_are_records_like_others(tmp_path: Path) -> None:
    _lines(
        tmp_path / "responses.jsonl",
        [{"response_id": i, "response": t} for i, t in enumerate(TEXTS)],
    )
    documents, _ = read_with(read_records, tmp_path / "responses.jsonl")
    assert {d.question for d in documents} == {"response"}
