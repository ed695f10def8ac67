"""Writers: JSON, NDJSON and aligned tables on stdout; everything else goes to stderr."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, is_dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

import click

ELSEWHERE = 130
"""Columns of text where the output is no terminal."""
OCR_OFF = "turn it on and read the file again"
"""How the readers end the reason of a picture or scan that was not read."""
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f]")


def plain(text: str) -> str:
    r"""Return ``text`` with its control characters written out (``\x1b``), white space aside.

    A document may hold the sequences that move a terminal's cursor or set its title.
    """
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def as_json(value: Any, *, indent: int | None = None) -> str:
    """Return JSON text; UTF-8 stays unescaped, lone surrogates are escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=indent, default=_plain)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value, indent=indent, default=_plain)
    return text


def print_json(value: Any) -> None:
    """Print one JSON object."""
    click.echo(as_json(value, indent=2))


def print_ndjson(value: Any) -> None:
    """Print one JSON line and flush it."""
    click.echo(as_json(value))
    sys.stdout.flush()


def print_table(headers: Sequence[str], rows: Iterable[Sequence[Any]], *, width: int = 60) -> None:
    """Print rows as aligned columns; numbers to the right, long cells cut with an ellipsis."""
    for line in table_lines(headers, rows, width=width):
        click.echo(line)


def table_lines(
    headers: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    width: int | Sequence[int] = 60,
) -> Iterator[str]:
    """Yield the lines of ``print_table``; ``width`` is that of cells, or of each column's."""
    values = [list(row) for row in rows]
    most = [width] * len(headers) if isinstance(width, int) else width
    cells = [
        [_cell(value, limit) for value, limit in zip(row, most, strict=True)] for row in values
    ]
    numeric = [
        bool(values) and all(isinstance(row[i], int | float) for row in values)
        for i in range(len(headers))
    ]
    widths = [
        max([len(header), *(len(row[i]) for row in cells)]) for i, header in enumerate(headers)
    ]
    for row in [list(headers), ["-" * w for w in widths], *cells]:
        yield "  ".join(
            text.rjust(widths[i]) if numeric[i] else text.ljust(widths[i])
            for i, text in enumerate(row)
        ).rstrip()


def line_width() -> int | None:
    """Return how wide a line of the terminal is; None where the output is no terminal."""
    return shutil.get_terminal_size((ELSEWHERE, 24)).columns if sys.stdout.isatty() else None


def advice(reason: str) -> str:
    """Return a reader's reason with the flag to give in place of a hint."""
    return reason.replace(OCR_OFF, "to read it, give --ocr")


def note(message: str) -> None:
    """Say something to the person on stderr."""
    click.echo(message, err=True)


def _cell(value: Any, width: int) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.2f}"
    text = plain(" ".join(str("" if value is None else value).split()))
    return text if len(text) <= width else text[: width - 1] + "…"


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, set | frozenset | tuple):
        return list(value)
    raise TypeError(f"cannot write a {type(value).__name__} as JSON")
