"""Start the process that parses, hand it what it may see, and make sense of how it ended."""

from __future__ import annotations

import json
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

from ontology.errors import OntologyError
from ontology.load.libraries import LIBRARIES
from ontology.load.serial import unpack_ontology
from ontology.load.triples import Node, Text, Triple, Triples
from ontology.model import Ontology

MEMORY, MEMORY_PER_BYTE, MAX_MEMORY = 1 << 30, 48, 4 << 30
"""Address space of the parser: so many bytes, so many more a byte of the file, and never more."""

SECONDS, BYTES_PER_SECOND = 30, 500_000
"""Processor time of the parser; it reads 3 to 40 MB a second (measured)."""

MAX_ANSWER = 2 << 30
"""Bytes that a parser may answer."""

_CHILD = Path(__file__).with_name("child.py")
_SMALLER = (
    "Cut out the branch you need (for example `robot extract`, or save only that part) and add that"
)
Beside = Callable[[Sequence[str]], tuple[str, bytes] | None]
Job = dict[str, Any]


def read_apart(data: bytes, *, id: str, name: str, beside: Beside) -> Ontology:
    """Return the ontology in ``data`` as a process with limits reads it.

    ``beside`` gives the first of the named files beside it. Raises OntologyError for what is not a
    vocabulary, and for one whose parser crashed, or took more memory or time than its size allows.
    """
    lines = _lines({"id": id, "name": name, "syntax": "", "beside": True}, data, beside)
    with _sense(name or id):
        _, head = next(lines, [])
        return unpack_ontology(head, (row for _, rows in lines for row in rows))


def triples_apart(data: bytes, syntax: str, *, name: str) -> Triples:
    """Return the plain triples of ``data`` as a process with limits reads them."""
    job: Job = {"id": "", "name": name, "syntax": syntax, "beside": False}
    lines = _lines(job, data, lambda names: None)
    with _sense(name):
        _, prefixes, problems = next(lines, [])
        rows = (row for _, rows in lines for row in rows)
        found: list[Triple] = [(Node(*one), two, _value(three)) for one, two, three in rows]
        return Triples(found, prefixes, tuple(problems))


def _value(value: list[Any]) -> Node | Text:
    text, other = value
    return Node(text, other) if isinstance(other, bool) else Text(text, other)


@contextmanager
def _sense(name: str) -> Generator[None]:
    """Turn an answer that makes no sense into OntologyError: the parser was tampered with."""
    try:
        yield
    except (TypeError, ValueError, AttributeError, LookupError) as error:
        raise OntologyError(
            f"{name} could not be read: its parser gave an answer that makes no sense "
            f"({type(error).__name__}). The file may be built to do harm: do not use it"
        ) from error


def _lines(job: Job, data: bytes, beside: Beside) -> Iterator[list[Any]]:
    """Yield the child's answer line by line; a library that it lacks is loaded in another one."""
    libraries: list[str] = []
    while True:
        child = _Child(job | {"libraries": libraries}, data)
        try:
            first = child.answer(beside)
            if first[0] == "again" and first[1] in LIBRARIES and first[1] not in libraries:
                libraries.append(first[1])
                continue
            line = first
            while line[0] != "end":
                if line[0] not in ("head", "concepts", "triples"):
                    raise child.error(line)
                yield line
                line = child.answer(beside)
            return
        finally:
            child.close()


class _Child:
    """One process that reads one vocabulary."""

    def __init__(self, job: Job, data: bytes) -> None:
        import subprocess

        self._name = job["name"] or job["id"]
        self._size = len(data)
        self.memory = min(MEMORY + MEMORY_PER_BYTE * len(data), MAX_MEMORY)
        self.seconds = SECONDS + len(data) // BYTES_PER_SECOND
        self._late, self._taken = False, 0
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed in close)
        folders, installed = _libraries()
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(_CHILD), *folders],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            cwd="/",
            env={"LC_ALL": "C.UTF-8", "RAYON_NUM_THREADS": "1"},
            start_new_session=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._sink: IO[bytes] = self._process.stdin
        self._source: IO[bytes] = self._process.stdout
        self._clock = threading.Timer(2 * self.seconds + 10, self._expire)
        self._clock.daemon = True
        self._clock.start()
        limits = {"memory": self.memory, "seconds": self.seconds, "length": len(data)}
        self._send(json.dumps(job | limits | {"installed": installed}).encode() + b"\n", data)

    def answer(self, beside: Beside) -> list[Any]:
        """Return the next line that is no question; ``["died"]`` where there is none."""
        while True:
            raw = self._source.readline(MAX_ANSWER)
            self._taken += len(raw)
            if not raw.endswith(b"\n"):
                return ["died"]
            if self._taken > MAX_ANSWER:
                return ["answer"]
            line: list[Any] = json.loads(raw)
            if line[0] != "want":
                return line
            found = beside([str(name) for name in line[1]])
            if found is None:
                self._send(b"null\n")
            else:
                self._send(json.dumps([found[0], len(found[1])]).encode() + b"\n", found[1])

    def error(self, line: list[Any]) -> OntologyError:
        """Return what the last line, or the end of the process, means."""
        kind = line[0]
        if kind == "error":
            return OntologyError(str(line[1]))
        said = f"{self._name} ({self._size:,} bytes) could not be read: "
        if kind == "depth":
            return OntologyError(
                f"{said}it nests too deeply for its parser; expected a vocabulary, which never "
                "needs that. Save it in another syntax (Turtle, OBO) and try again"
            )
        if kind == "unexpected":
            return OntologyError(
                f"{said}its parser failed ({line[1]} in {line[2]}); expected one of the syntaxes "
                "of `florilegium ontology add --help`. Save it in another one and try again"
            )
        code = self._process.wait() if kind == "died" else 0
        last = self._last_words()
        if self._late or -code in (signal.SIGXCPU, signal.SIGALRM):
            return OntologyError(
                f"{said}its parser used more than the {self.seconds:,} seconds that are allowed "
                f"for a file of this size and was stopped. {_SMALLER}"
            )
        if kind in ("memory", "answer") or "memory" in last or "MemoryError" in last:
            return OntologyError(
                f"{said}its parser needs more than the {self.memory >> 20:,} MiB of memory that "
                f"are allowed for a file of this size. {_SMALLER}"
            )
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        return OntologyError(
            f"{said}its parser crashed ({how}, {self.memory >> 20:,} MiB of memory and "
            f"{self.seconds:,} seconds allowed). The file is damaged, or built to do harm: check "
            "where it comes from, or save it in another syntax and try again"
        )

    def close(self) -> None:
        """End the process."""
        self._clock.cancel()
        self._process.kill()
        self._process.wait()
        for stream in (self._sink, self._source, self._errors):
            with suppress(OSError):
                stream.close()

    def _send(self, *parts: bytes) -> None:
        with suppress(BrokenPipeError):  # it has ended; its last line says why
            for part in parts:
                self._sink.write(part)
            self._sink.flush()

    def _expire(self) -> None:
        self._late = True
        self._process.kill()

    def _last_words(self) -> str:
        self._errors.seek(0)
        return self._errors.read(1 << 16).decode("utf-8", "replace")


def _libraries() -> tuple[list[str], list[str]]:
    """Return the folders of this package and of the parsers' libraries, and which are installed."""
    folders, installed = [str(_CHILD.parents[2])], []
    for name in LIBRARIES:
        found = find_spec(name)
        if found is not None and found.origin is not None:
            folders.append(str(Path(found.origin).parents[1]))
            installed.append(name)
    return list(dict.fromkeys(folders)), installed
