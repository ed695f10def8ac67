"""The date of a document, from the columns or properties that the reader kept with it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

PROPERTIES = ("date", "created")
"""What readers of mail and of office files call the date of a document."""

_ISO = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_NUMERIC = re.compile(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})(?!\d)")
_YEAR = re.compile(r"\d{4}")
_NAMED = re.compile(
    r"(?P<first>\d{1,2})?(?:st|nd|rd|th)?(?: of)?[ -]*"
    r"\b(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?[ ,.-]+"
    r"(?:(?P<second>\d{1,2})(?:st|nd|rd|th)?,?[ -]+)?(?:\d\d:\d\d:\d\d [a-z+0-9 ]*?)?"
    r"(?P<year>\d{4}|\d{2})(?!\d)",
    re.IGNORECASE,
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_EXCEL = datetime(1899, 12, 30, tzinfo=UTC)
_UNIX = datetime(1970, 1, 1, tzinfo=UTC)


def document_date(
    metadata: Mapping[str, Any], columns: Sequence[tuple[str, str]]
) -> date | int | None:
    """Return the document's date, a bare year, or None where none can be read for certain.

    ``columns`` are the date columns of its table, each with how it writes a date (see
    ``pipelines.types.Column``); the first one that is filled counts, else the properties
    ``date`` and ``created``.
    """
    for name, written in (*columns, *((each, "") for each in PROPERTIES)):
        value = str(metadata.get(name, "")).strip()
        if value:
            try:
                return read_date(value, written)
            except (ValueError, OverflowError):
                return None
    return None


def read_date(value: str, written: str = "") -> date | int | None:
    """Return the date that ``value`` says; None where it says none, or day and month are in doubt.

    Raises ValueError or OverflowError for a date that no calendar has.
    """
    if found := _ISO.match(value):
        return date(int(found[1]), int(found[2]), int(found[3]))
    if _NUMBER.fullmatch(value) and ("number" in written or "Unix" in written):
        return _counted(float(value), written)
    if _YEAR.fullmatch(value):
        return int(value) or None
    if found := _NUMERIC.match(value):
        return _numeric(int(found[1]), int(found[2]), _full(found[3]), written)
    if found := _NAMED.search(value):
        day = found["first"] or found["second"]
        year = _full(found["year"])
        return date(year, _MONTHS.index(found["month"].lower()) + 1, int(day)) if day else year
    return None


def _counted(number: float, written: str) -> date:
    if "Unix" in written:
        return (_UNIX + timedelta(seconds=number / (1000 if "milli" in written else 1))).date()
    return (_EXCEL + timedelta(days=number)).date()


def _numeric(first: int, second: int, year: int, written: str) -> date | None:
    """Read d/m or m/d: as the column writes it, else only where one of the two is above 12."""
    both = "dd/mm/yyyy or mm/dd/yyyy" in written or "/" not in written
    if not both:
        day, month = (first, second) if "dd/mm/yyyy" in written else (second, first)
    elif first > 12 or first == second:
        day, month = first, second
    elif second > 12:
        day, month = second, first
    else:
        return None
    return date(year, month, day)


def _full(year: str) -> int:
    """Return a year of four digits; two digits are of 1970 to 2069, as in POSIX."""
    number = int(year)
    if len(year) == 4:
        return number
    return number + (2000 if number < 70 else 1900)
