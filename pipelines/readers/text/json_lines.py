"""Read JSON lines: one object a line, the lines that are none reported."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pipelines.readers.errors import UnreadableFile
from pipelines.readers.text.decode import Encoding
from pipelines.readers.text.fields import Fields
from pipelines.readers.text.json_text import Decoder
from pipelines.readers.text.lines import LongLine, line_batches

_NAMED = 5  # lines that a warning names one by one


class JsonLines:
    """The objects of a file with their line numbers; iterate it as often as needed."""

    def __init__(self, path: Path, encoding: Encoding, longest: int) -> None:
        """Open nothing yet; ``longest`` is the limit of a line, in characters."""
        self._path = path
        self._encoding = encoding
        self._longest = longest
        self._bad: dict[str, list[int]] = {}
        self._repeated: list[int] = []

    def __iter__(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield line number and object."""
        self._bad, self._repeated = {}, []
        decoder = Decoder()
        number = 0
        for batch in line_batches(self._path, self._encoding, self._longest):
            for line in batch:
                number += 1
                if isinstance(line, LongLine):
                    self._note(f"longer than the limit of {self._longest >> 20} MB", number)
                    continue
                text = line.strip(" \t\r\n\ufeff")
                if not text:
                    continue
                seen = decoder.repeated
                try:
                    record = decoder.decode(text)
                except json.JSONDecodeError as error:
                    self._note(error.msg[:1].lower() + error.msg[1:], number)
                    continue
                except RecursionError:
                    self._note("nested too deeply", number)
                    continue
                if not isinstance(record, dict):
                    self._note("no object", number)
                    continue
                if decoder.repeated > seen:
                    self._repeated.append(number)
                yield number, record

    def fields(self) -> Fields:
        """Return the columns of all records.

        Raises:
            UnreadableFile: no line is an object.
        """
        fields = Fields()
        for number, record in self:
            try:
                fields.learn(record)
            except RecursionError:
                raise UnreadableFile(f"line {number}: nested too deeply") from None
        if not len(fields):
            first = next(iter(self.warnings()), "every object is empty")
            raise UnreadableFile(f"no line is a JSON object: {first}")
        return fields

    def warnings(self) -> Iterator[str]:
        """Yield what the last iteration noticed."""
        for reason, numbers in self._bad.items():
            yield f"{_lines_named(numbers)} cannot be read as JSON and {_is(numbers)} left out: {reason}"
        if self._repeated:
            yield f"a name stands twice in {_lines_named(self._repeated)}: the second is “name (2)”"

    def _note(self, reason: str, number: int) -> None:
        self._bad.setdefault(reason, []).append(number)


def _is(numbers: list[int]) -> str:
    return "is" if len(numbers) == 1 else "are"


def _lines_named(numbers: list[int]) -> str:
    shown = ", ".join(map(str, numbers[:_NAMED]))
    more = f" and {len(numbers) - _NAMED} more" if len(numbers) > _NAMED else ""
    return f"line{'s' if len(numbers) > 1 else ''} {shown}{more}"
