"""Batch forms: NDJSON in, NDJSON out in the same order, one line a record, nothing stored."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from app.cli.output import print_ndjson
from app.cli.text_input import is_file
from app.errors import UsageError

if TYPE_CHECKING:
    from pipelines.pipeline import Pipeline
    from pipelines.types import DocumentResult

Record = dict[str, Any]
SIZE = 64
_UNPAIRED = re.compile("[\ud800-\udfff]")


def run_batch(
    source: str, work: Callable[[Sequence[Record]], Sequence[Record]], *, size: int = SIZE
) -> int:
    """Read records from ``source`` (``-`` for stdin), print what ``work`` makes of them.

    A line that is not an object with a text, or that ``work`` cannot do, gives a line with
    ``error``; the exit code is then 3, else 0. ``size`` records are done at a time.
    """
    bad = 0
    with _open(source) as lines:
        for chunk in _chunks(enumerate(lines, start=1), size):
            parsed = [_parse(number, line) for number, line in chunk if line.strip()]
            good = [record for record in parsed if "error" not in record]
            made = iter(_safely(work, good))
            for record in parsed:
                answer = record if "error" in record else next(made)
                bad += "error" in answer
                print_ndjson(answer)
    return 3 if bad else 0


def require_one(argument: str | None, source: str | None, *, name: str) -> None:
    """Raise UsageError unless just one of the two is given: one text, or a batch."""
    if (argument is None) == (source is None):
        raise UsageError(f"Give one text ({name} or -) or --batch FILE, not both and not neither.")


def piped(
    pipeline: Pipeline, answer: Callable[[DocumentResult], Record]
) -> Callable[[Sequence[Record]], list[Record]]:
    """Return the work of a batch: records through ``pipeline``, their results through ``answer``."""
    from pipelines.types import Document, Outcome

    def work(records: Sequence[Record]) -> list[Record]:
        documents = [
            Document(key=str(i), text=record["text"], question=record.get("question") or None)
            for i, record in enumerate(records)
        ]
        return [
            {"id": record.get("id")}
            | ({"error": result.reason} if result.outcome is Outcome.FAILED else answer(result))
            for record, result in zip(records, pipeline.process(documents), strict=True)
        ]

    return work


def records(source: str) -> Iterator[Record]:
    """Yield the parsed records of ``source``; a bad one carries ``error``."""
    with _open(source) as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                yield _parse(number, line)


def _safely(
    work: Callable[[Sequence[Record]], Sequence[Record]], good: list[Record]
) -> list[Record]:
    if not good:
        return []
    try:
        return list(work(good))
    except Exception as error:
        if hasattr(error, "exit_code"):
            raise
        if len(good) == 1:
            said = (
                str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
            )
            return [{"id": good[0].get("id"), "error": said}]
        return [answer for record in good for answer in _safely(work, [record])]


def _open(source: str) -> IO[str]:
    """Open the records; a byte that is not UTF-8 will be an error of its line alone."""
    if source == "-":
        return open(
            sys.stdin.fileno(),
            encoding="utf-8-sig",
            errors="surrogateescape",
            newline="\n",
            closefd=False,
        )
    if not is_file(source):
        raise UsageError(f"No such file: {source!r}. Expected NDJSON, one object a line, or -.")
    try:
        return Path(source).open(encoding="utf-8-sig", errors="surrogateescape", newline="\n")
    except OSError as error:
        raise UsageError(f"The batch {source!r} cannot be read: {error.strerror}.") from error


def _chunks(lines: Iterator[tuple[int, str]], size: int) -> Iterator[list[tuple[int, str]]]:
    while chunk := list(islice(lines, size)):
        yield chunk


def _parse(number: int, line: str) -> Record:
    try:
        line.encode("utf-8")
        record = json.loads(line, parse_constant=_refuse)
    except UnicodeEncodeError as error:
        place = len(line[: error.start].encode("utf-8"))
        return {"id": None, "error": f"line {number} is not UTF-8 at its byte {place}"}
    except (ValueError, RecursionError) as error:
        return {"id": None, "error": f"line {number} is not JSON: {error}"}
    if not isinstance(record, dict):
        return {
            "id": None,
            "error": f"line {number} holds a {type(record).__name__}, expected an object",
        }
    if not isinstance(record.get("text"), str):
        return {
            "id": record.get("id"),
            "error": f'line {number} has no text: expected a string under "text", '
            f"found {record.get('text')!r}",
        }
    if unpaired := _UNPAIRED.search(record["text"]):
        return {
            "id": record.get("id"),
            "error": f"line {number}: half of a surrogate pair at character {unpaired.start()}",
        }
    record.pop("error", None)  # the answer's own key
    return record


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not a JSON value")
