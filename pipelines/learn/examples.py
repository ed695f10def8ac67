"""Read examples from CSV: a text, optionally id, question and group, and the labels it was given.

Labels stand in one 0/1 column each, or in one ``labels`` column separated by semicolons. What is
odd but can be worked with becomes a warning that says what was done; all are reported together.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from pipelines.learn.errors import ExamplesError
from pipelines.learn.oddities import oddities
from pipelines.learn.types import Example, Examples
from pipelines.readers.errors import UnreadableFile
from pipelines.readers.text.decode import decoded, detect

_PLAIN = ("id", "text", "question", "group")
_YES = {"1", "1.0", "true", "yes"}
_NO = {"", "0", "0.0", "false", "no"}
_SHOWN = 5


def read_examples(
    path: Path, *, label_columns: Sequence[str] = (), by: str = "", group: str = ""
) -> Examples:
    """Return the examples of a CSV file.

    ``label_columns`` names the 0/1 columns; without it a ``labels`` column is used, or else every
    other column of zeros and ones. ``by`` names a column to report scores by, ``group`` the column
    whose rows belong together (default ``group``). Raises ``ExamplesError`` with every problem.
    """
    header, rows, warnings = _table(path)
    place = {name.lower(): column for column, name in reversed(list(enumerate(header)))}
    problems = _absent(header, place, label_columns, by, group)
    if problems:
        raise _unusable(path, problems)
    kept = {name: place[name] for name in _PLAIN if name in place}
    if group:
        kept["group"] = place[group.lower()]
    if by:
        kept["by"] = place[by.lower()]
    taken = set(kept.values())
    if label_columns or "labels" not in place:
        asked = [place[name.strip().lower()] for name in label_columns]
        columns, odd = _indicators(header, rows, asked, taken)
        labels = tuple(header[column] for column in columns)
        found = [
            tuple(header[c] for c in columns if cells[c].strip().lower() in _YES)
            for _, cells in rows
        ]
        if odd and label_columns:
            problems += odd
        else:
            warnings += [f"{said}; left alone" for said in odd]
            if label_columns:
                warnings += _unknown(header, taken | set(columns))
    else:
        found = [_split(cells[place["labels"]]) for _, cells in rows]
        labels = tuple(sorted({label for of_row in found for label in of_row}))
        warnings += _unknown(header, taken | {place["labels"]})
    if not problems and not labels:
        problems.append("no labels: expected a column 'labels', or columns of 0 and 1")
    if problems:
        raise _unusable(path, problems)
    examples = [
        Example(
            labels=of_row,
            line=line,
            **{
                key: cells[c].strip() if key != "text" else cells[c]
                for key, c in {"id": -1, **kept}.items()
                if c >= 0
            }
            | ({} if "id" in kept else {"id": str(line)}),
        )
        for (line, cells), of_row in zip(rows, found, strict=True)
    ]
    return _checked(path, labels, examples, warnings)


def _checked(
    path: Path, labels: tuple[str, ...], rows: list[Example], warnings: list[str]
) -> Examples:
    """Leave out what cannot be learnt from, and say so."""
    empty = [row for row in rows if not row.text.strip()]
    if empty:
        warnings.append(
            f"{len(empty)} empty texts (lines {_some([row.line for row in empty])}): left out"
        )
    good = tuple(row for row in rows if row.text.strip())
    if not good:
        raise _unusable(path, ["no row with a text"])
    single = len(labels) > 1 and all(len(row.labels) == 1 for row in good)
    warnings += oddities(labels, good, single=single)
    return Examples(labels, good, single, tuple(warnings))


def _table(path: Path) -> tuple[list[str], list[tuple[int, list[str]]], list[str]]:
    """Return header, rows with their line numbers, and warnings."""
    try:
        encoding = detect(path)
        text = "".join(decoded(path, encoding))
    except FileNotFoundError:
        raise ExamplesError(
            f"no such file: {str(path)!r}; expected a CSV file with the columns text and labels"
        ) from None
    except (OSError, UnicodeError, UnreadableFile) as error:
        raise ExamplesError(f"{path} cannot be read: {error}; expected a CSV file") from error
    warnings = [encoding.warning] if encoding.warning else []
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=lambda mark: (first.count(mark), mark == ","))
    lines = list(io.StringIO(text, newline=""))
    reader = csv.reader(lines, delimiter=delimiter)
    rows: list[tuple[int, list[str]]] = []
    ragged: list[int] = []
    csv.field_size_limit(1 << 30)
    try:
        header = [name.strip() for name in next(reader, [])]
        begins = first_line = reader.line_num
        for cells in reader:
            begins, first_line = first_line, reader.line_num
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != len(header):
                ragged.append(reader.line_num)
            rows.append((reader.line_num, (cells + [""] * len(header))[: len(header)]))
    except csv.Error as error:
        raise ExamplesError(f"{path}, line {reader.line_num}: {error}; expected CSV") from error
    if _is_open(lines[begins:], delimiter):
        open_at = f"line {begins + 1} opens a quotation mark that is never closed"
        raise _unusable(
            path, [f"{open_at}: the {len(lines) - begins:,} lines from there are one row"]
        )
    if ragged:
        warnings.append(
            f"{len(ragged)} rows have more or fewer cells than the header (lines "
            f"{_some(ragged)}): filled with nothing, or cut"
        )
    if not rows:
        raise _unusable(path, ["no rows"])
    return header, rows, warnings


def _is_open(record: list[str], delimiter: str) -> bool:
    """Tell whether the last record of a file ends inside a quotation mark."""
    try:
        list(csv.reader(record, delimiter=delimiter, strict=True))
    except csv.Error as error:
        return "end of data" in str(error)
    return False


def _absent(
    header: list[str], place: dict[str, int], asked: Sequence[str], by: str, group: str
) -> list[str]:
    problems = [] if "text" in place else ["no column 'text'"]
    for name in (*asked, by, group):
        if name and name.strip().lower() not in place:
            problems.append(f"no column {name!r}")
    twice = sorted({name for name in header if name and header.count(name) > 1})
    problems += [f"column {name!r} stands twice" for name in twice]
    return [f"{said}; the columns are {', '.join(header)}" for said in problems]


def _indicators(
    header: list[str], rows: list[tuple[int, list[str]]], asked: list[int], taken: set[int]
) -> tuple[list[int], list[str]]:
    """Return the 0/1 columns, and what is wrong with the others."""
    columns: list[int] = []
    odd: list[str] = []
    for column in asked or [c for c in range(len(header)) if c not in taken]:
        bad = next(
            (
                (line, cells[column])
                for line, cells in rows
                if cells[column].strip().lower() not in _YES | _NO
            ),
            None,
        )
        if bad is not None:
            odd.append(
                f"unknown column {header[column]!r}: line {bad[0]} holds {bad[1][:40]!r}, "
                "expected 0 or 1"
            )
        elif not header[column]:
            odd.append(f"column {column + 1} has no name")
        else:
            columns.append(column)
    return columns, odd


def _split(cell: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for part in cell.split(";") if (name := part.strip())))


def _unknown(header: list[str], known: set[int]) -> list[str]:
    names = [name for column, name in enumerate(header) if column not in known and name]
    return (
        [f"unknown column{'s' * (len(names) > 1)} {', '.join(map(repr, names))}: left alone"]
        if names
        else []
    )


def _some(lines: Sequence[int]) -> str:
    shown = ", ".join(map(str, lines[:_SHOWN]))
    return shown if len(lines) <= _SHOWN else f"{shown} and {len(lines) - _SHOWN} more"


def _unusable(path: Path, problems: Sequence[str]) -> ExamplesError:
    return ExamplesError(
        f"examples {path} cannot be used: {'; '.join(problems)}. Expected CSV with the column text, "
        "optionally id, question, group, and either one 0/1 column a label (--label-columns A,B) "
        "or one column labels separated by ';'"
    )
