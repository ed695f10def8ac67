"""Read JSON records: an array of objects, one inside an object, columns of values, JSON lines."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from pipelines.readers.errors import SkippedFile
from pipelines.readers.tables.table import Row, open_table
from pipelines.readers.text import themefinder
from pipelines.readers.text.decode import Encoding, beginning, decoded, detect
from pipelines.readers.text.delimited import note_encoding
from pipelines.readers.text.fields import Fields
from pipelines.readers.text.json_lines import JsonLines
from pipelines.readers.text.json_shape import Shape, survey
from pipelines.readers.text.json_text import JsonText
from pipelines.readers.types import ReadOptions, SourceFile, Tally
from pipelines.types import Document

_BEGINNING = 1 << 20
_LINE_SUFFIXES = {".jsonl", ".ndjson", ".jl"}


def read_records(file: SourceFile, options: ReadOptions, tally: Tally) -> Iterator[Document]:
    """Return the documents of a JSON or JSON-lines file; every record is a row.

    The file is gone through once for the columns of all records, and once for the documents. A
    row's number is its line in JSON lines, and its place in the list elsewhere.

    Raises:
        UnreadableFile: binary, or not sound JSON.
        SkippedFile: empty, no records, ThemeFinder's own results, or without a free-text column.
    """
    encoding = detect(file.path)
    note_encoding(encoding, tally)
    start = beginning(file.path, encoding, _BEGINNING).lstrip("\ufeff \t\r\n")
    if not start:
        raise SkippedFile("the file is empty")
    longest = options.limits.field_mb << 20
    if _in_lines(start, file.path.suffix.lower()):
        lines = JsonLines(file.path, encoding, longest)
        fields = lines.fields()
        _leave_out_results(fields)
        if joined := themefinder.responses(file, fields, options, tally):
            names, extra = joined
            table = open_table(extra(lines), file, options, layout_hint="themefinder", names=names)
            return _then(table.documents(file, tally), lines, tally)
        _note_joined(fields, tally)
        rows = ((number, fields.cells(record)) for number, record in lines)
        table = open_table(rows, file, options, names=fields.names())
        return _then(table.documents(file, tally), lines, tally)
    shape = survey(JsonText(decoded(file.path, encoding), longest))
    if left := _looks_like(shape):
        raise SkippedFile(f"no records: {left}")
    if shape.is_columns():
        names, body = _columns(file, encoding, longest)
        return open_table(body, file, options, names=names).documents(file, tally)
    found, others = shape.records(tuple(_rules()["lists"]))
    if found is None:
        raise SkippedFile(f"no records: {shape.told()}")
    _leave_out_results(found.fields)
    if others:
        more = f" and {len(others) - 3} more" if len(others) > 3 else ""
        tally.warnings.append(f"left out beside the records: {', '.join(others[:3])}{more}")
    if found.strange:
        tally.warnings.append(f"{found.strange} in the list of records are no objects: left out")
    if shape.repeated:
        tally.warnings.append(
            f"names repeated in an object {shape.repeated} times: “name (2)” kept"
        )
    _note_joined(found.fields, tally)
    text = JsonText(decoded(file.path, encoding), longest)
    rows = ((number, found.fields.cells(record)) for number, record in shape.walk(text, found.path))
    return open_table(rows, file, options, names=found.fields.names()).documents(file, tally)


def _in_lines(start: str, suffix: str) -> bool:
    """Return whether a file is JSON lines, from its first lines."""
    if start[0] != "{":
        return suffix in _LINE_SUFFIXES and start[0] != "["
    first, _, rest = start.partition("\n")
    if _is_object(first):
        return suffix in _LINE_SUFFIXES or rest.lstrip()[:1] == "{"
    return suffix in _LINE_SUFFIXES and any(map(_is_object, rest.split("\n", 20)[:20]))


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line, parse_int=str), dict)
    except (ValueError, RecursionError):
        return False


def _then(documents: Iterator[Document], lines: JsonLines, tally: Tally) -> Iterator[Document]:
    """Yield the documents, then report the lines that are none."""
    yield from documents
    tally.warnings.extend(lines.warnings())


def _note_joined(fields: Fields, tally: Tally) -> None:
    for name, separator in fields.joined():
        shown = separator.strip(" ").replace("\n", "a line break")
        tally.warnings.append(f"the lists in “{name}” are joined by {shown}")


def _leave_out_results(fields: Fields) -> None:
    """Leave out records that are known to be no answers."""
    names = fields.top_names()
    for rule in _rules()["records"]:
        if names.issuperset(rule["all"]) and names <= {*rule["all"], *rule["also"]}:
            raise SkippedFile(rule["is"])


def _looks_like(shape: Shape) -> str:
    """Return what a file is known to be, "" when nothing is known."""
    for rule in _rules()["files"]:
        if shape.names.issuperset(rule["all"]):
            return str(rule["is"])
    return ""


def _columns(
    file: SourceFile, encoding: Encoding, longest: int
) -> tuple[tuple[str, ...], Iterator[Row]]:
    """Return the names and rows of an object of lists, one list a column."""
    table: dict[str, list[Any]] = JsonText(decoded(file.path, encoding), longest).value()
    fields = Fields()
    fields.learn(dict.fromkeys(table))
    rows = (
        (number, fields.cells(dict(zip(table, cells, strict=True))))
        for number, cells in enumerate(zip(*table.values(), strict=True), start=1)
    )
    return fields.names(), rows


@cache
def _rules() -> dict[str, Any]:
    return tomllib.loads(
        files("pipelines.readers.text").joinpath("records.toml").read_text("utf-8")
    )
