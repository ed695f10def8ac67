"""Cut a text file into lines in bounded memory, every line end kept."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from pathlib import Path

from pipelines.readers.text.decode import Encoding, decoded

_OTHER_ENDS = "\v\f\x1c\x1d\x1e\x85\u2028\u2029"  # that str.splitlines cuts at, and CSV does not


class LongLine(str):
    """The start of a line that is longer than the limit; the rest of it was read past."""

    __slots__ = ()


def line_batches(path: Path, encoding: Encoding, longest: int) -> Iterator[list[str]]:
    """Yield the lines of the text in lists, each line with its end (LF, CR or CRLF) as it is.

    A line of more than ``longest`` characters comes as a list of one ``LongLine``.
    """
    rest: list[str] = []
    held = 0
    past = False  # inside a line that is too long
    for block in decoded(path, encoding):
        if "\n" not in block and "\r" not in block and not (rest and rest[-1].endswith("\r")):
            rest.append(block)
            held += len(block)
        else:
            lines = _cut("".join(rest) + block)
            rest, held = [], 0
            if not lines[-1].endswith("\n"):  # a CR may be half of a line end
                rest = [lines.pop()]
                held = len(rest[0])
            if past and lines:
                del lines[0]
                past = False
            yield from _without_long(lines, longest)
        if past:
            rest = ["\r"] if rest and rest[-1].endswith("\r") else []
            held = len(rest)
        elif held > longest:
            yield [LongLine("".join(rest)[:longest])]
            past, rest, held = True, [], 0
    if rest and not past:
        last = _cut("".join(rest))
        if last[-1] == "\x1a":
            last.pop()  # the end of a file, once
        yield from _without_long(last, longest)


def _cut(text: str) -> list[str]:
    """Cut at LF, CR and CRLF."""
    if any(end in text for end in _OTHER_ENDS):
        return StringIO(text, newline="").readlines()
    return text.splitlines(keepends=True)


def _without_long(lines: list[str], longest: int) -> Iterator[list[str]]:
    """Yield ``lines`` whole, or cut up around those that are too long."""
    if not lines:
        return
    if len(max(lines, key=len)) <= longest:
        yield lines
        return
    usual: list[str] = []
    for line in lines:
        if len(line) > longest:
            if usual:
                yield usual
            yield [LongLine(line[:longest])]
            usual = []
        else:
            usual.append(line)
    if usual:
        yield usual
