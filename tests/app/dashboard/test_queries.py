"""The listing says who wrote a document, why it is kept apart and what was noticed."""

from __future__ import annotations

from dataclasses import replace

from app.dashboard.filters import Filters
from app.dashboard.queries import document_cells
from db.rows import DocumentSummary

LINE = DocumentSummary(
    id=1,
    key="a.csv#R1/c2",
    path="/in/a.csv",
    locator="row 2, column “Why?”",
    question="Why?",
    excerpt="Because.",
    length=8,
    outcome="processed",
    reason="",
    duplicate=False,
    labels=(),
    tags=0,
    summary="",
)


def texts(*rows: DocumentSummary) -> list[list[str]]:
    return [[cell.text for cell in cells] for cells in document_cells(rows, Filters(), False)]


def test_respondents_have_a_column_where_they_are_known() -> None:
    assert len(texts(LINE)[0]) == 6
    first, second = texts(replace(LINE, respondent="R1"), LINE)
    assert (first[1], second[1]) == ("R1", "–")


def test_the_outcome_says_why_it_is_kept_apart_and_what_was_noticed() -> None:
    apart = replace(LINE, outcome="skipped", reason="test submission: Status is “Test”")
    garbled = replace(LINE, flags=("garbled", "cut"))
    assert texts(apart)[0][-1] == "Kept apart: test submission"
    assert document_cells([apart], Filters(), False)[0][-1].title == apart.reason
    assert texts(garbled)[0][-1] == "Processed, garbled; probably cut"
