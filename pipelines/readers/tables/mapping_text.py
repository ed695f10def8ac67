"""Write a mapping file that says what was found, to be edited."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pipelines.readers.tables.mapping_tables import DECIDED
from pipelines.types import Column, FileReport, Role, TableReport

if TYPE_CHECKING:
    from pipelines.readers.tables.mapping import Mapping

_GENERIC = "generic"
_HEAD = """\
# How the tables of this folder are read. Change the word behind a column to read it in another
# way; a line that you delete is decided again each time. One [[table]] may stand for many files
# of one shape: file = "*.csv", and a column line for many columns: "Q7 - *" = "closed_multi".
#
#   free_text      answers in people's own words: each cell becomes a document
#   question       the wording that the text of its row answers
#   closed_single  one answer of a few          closed_multi  several of a few
#   scale          a point of a scale           number, date
#   demographic    a fact about the respondent  identifier    of the respondent or the answer
#   personal       names, addresses: read past and never stored
#   consent        whether the answer may be published: who refused is never quoted
#   status         complete, partial, preview, test…: all but complete ones are kept apart;
#                  apart = "include" in a [[table]] reads them as answers
#   system         data of the survey system    empty         nothing in it so far: decided again
#                                               when there is
#
# A column may also say more: "Q5" = { role = "closed_multi", separator = ";", options = ["Bus"] },
# "Q6" = { role = "free_text", question = "What would you change?" }.
"""


def dump(
    reports: Sequence[FileReport], relatives: Sequence[str], before: Mapping | None = None
) -> str:
    """Return a mapping file with every column's role, and the reason as a comment.

    ``relatives`` are the paths of the reports' files below their root. What ``before`` (the mapping
    they were read with) says about submissions kept apart and versions of a text is kept.
    """
    blocks = [_HEAD]
    for report, relative in zip(reports, relatives, strict=True):
        for table in report.tables:
            blocks.append("\n".join(_block(table, relative, before)) + "\n")
    return "\n".join(blocks)


def _block(table: TableReport, relative: str, before: Mapping | None) -> Iterator[str]:
    known = before.table(relative, table.sheet) if before is not None else None
    left_out = bool(table.reason) and (
        not table.columns or any(column.role == Role.FREE_TEXT for column in table.columns)
    )
    if table.reason:
        yield f"# Not read: {_comment(table.reason)}"
    if left_out:
        yield "# To read it all the same, take the marks off these lines:"
    mark = "# " if left_out else ""
    yield f"{mark}[[table]]"
    yield f"{mark}file = {_quoted(relative)}"
    if table.sheet is not None:
        yield f"{mark}sheet = {_quoted(table.sheet)}"
    if left_out:
        yield f'# layout = "{_GENERIC}"'
        return
    if table.header_rows:
        yield f"header_rows = [{', '.join(map(str, table.header_rows))}]"
        first = max(table.header_rows) + 1
        while first in table.skipped_rows:
            first += 1
        if first > max(table.header_rows) + 1:
            yield f"first_row = {first}"
    if table.layout and table.layout != _GENERIC:
        yield f"layout = {_quoted(table.layout)}"
    if known is not None and known.aside == "include":
        yield 'apart = "include"'
    if known is not None and known.text:
        yield f"text = {_quoted(known.text)}"
    if table.columns:
        yield "[table.columns]"
        for column in table.columns:
            yield _line(column)


def _line(column: Column) -> str:
    more = {
        "question": column.question, "separator": column.separator, "format": column.format,
    }  # fmt: skip
    value = _quoted(column.role)
    said = [f"{key} = {_quoted(text)}" for key, text in more.items() if text]
    if column.reason.startswith(DECIDED) and (said or column.options):
        if column.options:
            said.append(f"options = [{', '.join(map(_quoted, column.options))}]")
        value = f"{{ role = {value}, {', '.join(said)} }}"
    reason = f"  # {_comment(column.reason)}" if column.reason else ""
    try:
        column.name.encode()
    except UnicodeEncodeError:
        return f"# a column whose name holds half a character is {value}{reason}"
    return f"{_quoted(column.name)} = {value}{reason}"


def _quoted(text: str) -> str:
    """Return ``text`` as a TOML string on one line."""
    plain = text.encode("utf-8", "replace").decode("utf-8")
    return json.dumps(plain, ensure_ascii=False).replace("\x7f", "\\u007f")


def _comment(text: str) -> str:
    printable = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(printable.split())
