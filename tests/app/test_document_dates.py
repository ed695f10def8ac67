"""Dates of documents, as columns and files write them; none where it would be a guess."""

from __future__ import annotations

from datetime import date

import pytest

from app.document_dates import document_date, read_date

MARCH = date(2025, 3, 4)


@pytest.mark.parametrize(
    ("value", "written", "found"),
    [
        ("2025-03-04", "", MARCH),
        ("2025-03-04T10:11:12Z", "", MARCH),
        ("2025/3/4 10:11", "yyyy-mm-dd", MARCH),
        ("04/03/2025", "dd/mm/yyyy", MARCH),
        ("03/04/2025", "mm/dd/yyyy", MARCH),
        ("4.3.25", "dd/mm/yyyy or d month yyyy", MARCH),
        ("04/03/2025", "dd/mm/yyyy or mm/dd/yyyy", None),
        ("04/03/2025", "", None),
        ("31/03/2025", "", date(2025, 3, 31)),
        ("03/31/2025", "", date(2025, 3, 31)),
        ("4 March 2025", "d month yyyy", MARCH),
        ("Tuesday, 4th of March 2025 at noon", "", MARCH),
        ("Mar 4, 2025", "month d yyyy", MARCH),
        ("Tue Mar 4 10:11:12 2025", "", MARCH),
        ("Tue Mar 4 10:11:12 GMT 2025", "", MARCH),
        ("March 2025", "month yyyy", 2025),
        ("1654", "", 1654),
        ("1789", "yyyy", 1789),
        ("45720", "Excel serial number", MARCH),
        ("45720.75", "Excel serial number", MARCH),
        ("1741046400", "Unix time in seconds", MARCH),
        ("1741046400000", "Unix time in milliseconds", MARCH),
        ("45720", "", None),
        ("0000", "", None),
        ("some time ago", "", None),
    ],
)
def test_dates_are_read_as_they_are_written(value: str, written: str, found: object) -> None:
    assert read_date(value, written) == found


def test_the_first_filled_date_column_counts_and_then_the_files_own_date() -> None:
    columns = (("sent", "dd/mm/yyyy"), ("seen", "yyyy-mm-dd"))
    assert document_date({"sent": "04/03/2025", "seen": "2026-01-01"}, columns) == MARCH
    assert document_date({"sent": " ", "seen": "2025-03-04"}, columns) == MARCH
    assert document_date({"created": "2025-03-04T00:00:00Z", "title": "x"}, ()) == MARCH
    assert document_date({"title": "2025-03-04"}, ()) is None


@pytest.mark.parametrize("value", ["2025-02-30", "31/02/2025", "30 February 2025", "9" * 300])
def test_a_date_that_no_calendar_has_is_none(value: str) -> None:
    columns = (("sent", "dd/mm/yyyy or Excel serial number"),)
    assert document_date({"sent": value}, columns) is None
