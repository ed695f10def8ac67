"""Read ThemeFinder's own layout: responses with the question and the respondents beside them.

::

    respondents.jsonl            response_id, demographic_data
    question_part_1/
        question.json            question_text
        responses.jsonl          response_id, response
        multi_choice.jsonl       response_id, options (where the question has choices too)

Newer files say ``themefinder_id`` and ``text``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from pipelines.readers import companions
from pipelines.readers.errors import UnreadableFile
from pipelines.readers.tables.table import Row
from pipelines.readers.text.decode import decoded, detect
from pipelines.readers.text.fields import Fields
from pipelines.readers.text.json_lines import JsonLines
from pipelines.readers.text.json_text import JsonText
from pipelines.readers.types import ReadOptions, SourceFile, Tally

_IDS = ("response_id", "themefinder_id")
_TEXTS = ("response", "text")
_CHOICES = "multiple choice"
_QUESTION = "question"

Numbered = Iterable[tuple[int, dict[str, Any]]]


def responses(
    file: SourceFile, fields: Fields, options: ReadOptions, tally: Tally
) -> tuple[tuple[str, ...], Callable[[Numbered], Iterator[Row]]] | None:
    """Return the column names of a file of responses and what makes rows of its records.

    ``None`` when the file is something else: it has no identifier and text, or no question.json
    beside it. A sibling that cannot be read is left out with a warning.
    """
    names = fields.names()
    identifier = next((name for name in _IDS if name in names), None)
    text = next((name for name in _TEXTS if name in names), None)
    beside = file.path.with_name(companions.QUESTION)
    if identifier is None or text is None or not beside.is_file():
        return None
    longest = options.limits.field_mb << 20
    try:
        question = _question(beside, longest)
    except (UnreadableFile, OSError) as error:
        tally.warnings.append(f"question.json beside it is left out: {error}")
        return None
    if not question:
        return None
    known: list[_Joined] = []
    for path, what in _siblings(file):
        try:
            known.append(_Joined(path, longest, what))
        except (UnreadableFile, OSError) as error:
            tally.warnings.append(f"{path.name} is left out: {error}")
    extra = [name for joined in known for name in joined.names]
    first = (identifier, *[name for name in names if name not in (identifier, text)])

    def rows(records: Numbered) -> Iterator[Row]:
        lost = 0
        for number, record in records:
            cells = dict(zip(names, fields.cells(record), strict=True))
            row = [cells[name] for name in first] + [question]
            for joined in known:
                found = joined.of(cells[identifier])
                lost += found is None and joined.what == ""
                row += found or [""] * len(joined.names)
            row.append(cells[text])
            yield number, row
        if lost:
            tally.warnings.append(f"{lost} responses have no line in respondents.jsonl")

    return (*first, _QUESTION, *extra, text), rows


class _Joined:
    """The columns that another file has of each response."""

    def __init__(self, path: Path, longest: int, what: str) -> None:
        lines = JsonLines(path, detect(path), longest)
        fields = lines.fields()
        names = fields.names()
        identifier = next((name for name in _IDS if name in names), None)
        if identifier is None:
            raise UnreadableFile(f"no column {' or '.join(_IDS)}")
        place = names.index(identifier)
        self.what = what
        self.names = tuple(
            what or (f"respondent {name}" if name in (*_TEXTS, _QUESTION) else name)
            for name in names
            if name != identifier
        )
        self._rows: dict[str, list[str]] = {}
        for _, record in lines:
            cells = fields.cells(record)
            self._rows[cells.pop(place)] = cells

    def of(self, identifier: str) -> list[str] | None:
        """Return the cells of a response."""
        return self._rows.get(identifier)


def _question(path: Path, longest: int) -> str:
    value = JsonText(decoded(path, detect(path)), longest).value()
    wording = value.get("question_text") if isinstance(value, dict) else None
    return str(wording).strip() if isinstance(wording, str) else ""


def _siblings(file: SourceFile) -> Iterator[tuple[Path, str]]:
    """Yield the files that say more of the responses, and the name of their only column."""
    choices = file.path.with_name(companions.CHOICES)
    if choices.is_file():
        yield choices, _CHOICES
    # What lies above an unpacked archive is not part of it.
    top = file.root if file.depth else None
    if respondents := companions.respondents(file.path.parent, top):
        yield respondents, ""
