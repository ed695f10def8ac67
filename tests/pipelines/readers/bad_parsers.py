"""Parsers that do what a real one does on a bad day; run by the tests in the sandbox."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator

from pipelines.readers.errors import SkippedFile, UnreadableFile


def count(number: int) -> Iterator[int]:
    yield from range(number)


def rows(number: int, width: int) -> Iterator[tuple[int, list[str]]]:
    for i in range(number):
        yield i, [f"cell {i} {j}" for j in range(width)]


def identity() -> Iterator[int]:
    yield os.getpid()


def chatty() -> Iterator[str]:
    print("to the standard output")  # noqa: T201
    os.write(1, b"straight to the first descriptor")
    sys.stderr.write("a warning")
    yield sys.stdin.read() + "item"


def hang_after(number: int) -> Iterator[int]:
    yield from range(number)
    time.sleep(600)


def spin() -> Iterator[int]:
    while True:
        pass
    yield 1


def slow(number: int, seconds: float) -> Iterator[int]:
    for i in range(number):
        time.sleep(seconds)
        yield i


def die_by(name: str) -> Iterator[int]:
    yield 1
    os.kill(os.getpid(), getattr(signal, name))
    time.sleep(5)


def leave() -> Iterator[int]:
    yield 1
    os._exit(3)


def hoard() -> Iterator[int]:
    hoarded = []
    while True:
        hoarded.append(bytearray(10_000_000))
    yield len(hoarded)


def dive(depth: int = 0) -> Iterator[int]:
    yield from dive(depth + 1)


def refuse(kind: str) -> Iterator[int]:
    yield 1
    raise {"skipped": SkippedFile, "unreadable": UnreadableFile}[kind]("there is a reason")


def fault() -> Iterator[int]:
    yield 1
    raise KeyError("secret words of the document")


def large(size: int) -> Iterator[bytes]:
    yield b"x" * size


def working() -> Iterator[int]:
    yield os.getpid()
    while True:
        time.sleep(0.01)
