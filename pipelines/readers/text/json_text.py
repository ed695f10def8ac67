"""Take JSON apart in bounded memory: numbers as written, repeated names kept, places for errors."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from pipelines.readers.errors import UnreadableFile

_NEAR = 16  # characters at the end of what is held that may be half of a value


class Number(str):
    """A number as it is written in the file."""

    __slots__ = ()


class Decoder(json.JSONDecoder):
    """A decoder that changes nothing: numbers are ``Number``, control characters are text.

    A name that an object has twice becomes "name (2)"; ``repeated`` counts them.
    """

    def __init__(self) -> None:
        """Count from nothing."""
        self.repeated = 0
        super().__init__(
            object_pairs_hook=self._object,
            parse_float=Number,
            parse_int=Number,
            parse_constant=Number,
            strict=False,
        )

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) == len(pairs):
            return found
        found = {}
        for name, value in pairs:
            unique, count = name, 1
            while unique in found:
                count += 1
                unique = f"{name} ({count})"
            self.repeated += unique != name
            found[unique] = value
        return found


class JsonText:
    """A JSON text that is read value by value.

    Raises:
        UnreadableFile: from every method: the text breaks off or is not JSON, with the line; or
            one value is longer than ``longest`` characters.
    """

    def __init__(self, blocks: Iterator[str], longest: int) -> None:
        """Hold one block at a time."""
        self._blocks = blocks
        self._longest = longest
        self._text = ""
        self._place = 0
        self._line = 1
        self.decoder = Decoder()

    def peek(self) -> str:
        """Return the next character that is not white space, "" at the end."""
        while True:
            while self._place < len(self._text):
                character = self._text[self._place]
                if character not in " \t\r\n\ufeff":
                    return character
                self._place += 1
            if not self._more():
                return ""

    def take(self, expected: str) -> None:
        """Pass one of the characters ``expected``."""
        found = self.peek()
        if not found or found not in expected:
            raise self._broken(f"expected {' or '.join(expected)}", self._place)
        self._place += 1

    def value(self) -> Any:
        """Return the next value."""
        self.peek()
        while True:
            try:
                value, end = self.decoder.raw_decode(self._text, self._place)
            except RecursionError:
                raise self._broken("nested too deeply", self._place) from None
            except json.JSONDecodeError as error:
                half = error.msg.startswith("Unterminated") or error.pos >= len(self._text) - _NEAR
                if not half or not self._more():
                    raise self._broken(error.msg[:1].lower() + error.msg[1:], error.pos) from None
                continue
            if end == len(self._text) and not isinstance(value, (dict, list)) and self._more():
                continue  # a number may go on
            self._place = end
            return value

    def items(self) -> Iterator[Any]:
        """Yield the values of the array that comes next."""
        self.take("[")
        if self.peek() == "]":
            self.take("]")
            return
        while True:
            yield self.value()
            ends = self.peek() == "]"
            self.take(",]")
            if ends:
                return

    def names(self) -> Iterator[str]:
        """Yield the names of the object that comes next; take each one's value before the next."""
        self.take("{")
        if self.peek() == "}":
            self.take("}")
            return
        while True:
            if self.peek() != '"':
                raise self._broken("expected a name in quotation marks", self._place)
            name = self.value()
            self.take(":")
            yield name
            ends = self.peek() == "}"
            self.take(",}")
            if ends:
                return

    def _more(self) -> bool:
        """Hold at least as much again of the text; drop what was read."""
        left = self._text[self._place :]
        if len(left) > self._longest:
            raise UnreadableFile(
                f"line {self._line}: one value is longer than the limit of {self._longest >> 20} MB"
            )
        pieces = [left]
        gained = 0
        for block in self._blocks:
            pieces.append(block)
            gained += len(block)
            if gained >= len(left):
                break
        if gained:
            self._line += self._text.count("\n", 0, self._place)
            self._text, self._place = "".join(pieces), 0
        return gained > 0

    def _broken(self, what: str, place: int) -> UnreadableFile:
        line = self._line + self._text.count("\n", 0, place)
        return UnreadableFile(f"not sound JSON: line {line}: {what}")


def dumped(value: Any) -> str:
    """Return ``value`` as JSON text, its numbers as they were written."""
    if isinstance(value, dict):
        inner = ", ".join(f"{dumped(name)}: {dumped(part)}" for name, part in value.items())
        return "{" + inner + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(dumped, value)) + "]"
    return str(value) if isinstance(value, Number) else json.dumps(value, ensure_ascii=False)
