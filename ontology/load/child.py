"""Read one vocabulary and end: the process that may be killed.

Started as ``python -I -S child.py PATH…`` (the folders of this package and of the parsers'
libraries). On standard input stand one JSON line, the job, and the file's bytes. Every answer is a
JSON line: ``["want", names]`` asks for a file beside the vocabulary and is answered with a JSON
line, ``[name, length]`` or ``null``, and the bytes; ``["head", …]``, ``["concepts", …]`` and
``["triples", …]`` are what was read, ``["end"]`` says that it is whole; ``["error", message]``,
``["again", library]``, ``["memory"]``, ``["depth"]`` and ``["unexpected", name, place]`` end it.

Its memory (bytes) and processor time are bounded. It opens no socket and no file: the libraries are
loaded before the first byte is parsed.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Sequence
from typing import IO, Any

ROWS = 500
"""Concepts or triples in one line."""


def main(paths: list[str], source: IO[bytes], sink: IO[bytes]) -> int:
    """Read a job from ``source``, write the answer to ``sink``, return the exit status."""
    sys.path.extend(paths)
    job = json.loads(source.readline())
    from ontology.sandbox import forbid_files, forbid_sockets, limit

    gc.disable()  # parsers leave no cycles behind; looking for them is a third of the time
    limit(memory=job["memory"], cpu_seconds=job["seconds"])
    forbid_sockets()
    answer = _Answer(source, sink)
    try:
        data = source.read(job["length"])
        _prepare(job, data)
        forbid_files()
        _answer(job, data, answer)
    except MemoryError:
        answer.say("memory")
    except RecursionError:
        answer.say("depth")
    except Exception as error:
        answer.fail(error)
    return 0


class _Answer:
    """What goes to the starting process, and what is asked of it."""

    def __init__(self, source: IO[bytes], sink: IO[bytes]) -> None:
        self._source, self._sink = source, sink

    def say(self, kind: str, *values: Any) -> None:
        """Send one line."""
        self._sink.write(json.dumps([kind, *values], separators=(",", ":")).encode("ascii") + b"\n")
        self._sink.flush()

    def beside(self, names: Sequence[str]) -> tuple[str, bytes] | None:
        """Ask for the first of the named files beside the vocabulary."""
        self.say("want", list(names))
        found = json.loads(self._source.readline())
        return (found[0], self._source.read(found[1])) if found else None

    def fail(self, error: Exception) -> None:
        """Say why nothing was read."""
        from ontology.errors import OntologyError
        from ontology.load.libraries import Needed

        if isinstance(error, OntologyError):
            self.say("error", str(error))
        elif isinstance(error, Needed):
            self.say("again", str(error))
        else:
            trace = error.__traceback__
            while trace and trace.tb_next:
                trace = trace.tb_next
            place = trace.tb_frame.f_code.co_filename.rpartition("/")[2] if trace else ""
            self.say("unexpected", type(error).__name__, f"{place}:{trace and trace.tb_lineno}")


def _prepare(job: dict[str, Any], data: bytes) -> None:
    """Load what the file's syntax needs, so that no file is opened later."""
    from ontology.load import reading, termlist  # noqa: F401 (read needs all of it)
    from ontology.load.libraries import HORNED, OXIGRAPH, load_before_sealing
    from ontology.load.sniff import CSV, FUNCTIONAL, MANCHESTER, OBO, OBO_GRAPHS, OWL_XML, sniff

    syntax = job["syntax"] or sniff(data, job["name"])
    names = [] if syntax in (OBO, OBO_GRAPHS, CSV) else [OXIGRAPH]
    if syntax in (FUNCTIONAL, MANCHESTER, OWL_XML) and HORNED in job["installed"]:
        names.append(HORNED)
    # Its table of headings is read from a file, once.
    termlist.is_term_list("")
    load_before_sealing([*names, *job["libraries"]], job["installed"])


def _answer(job: dict[str, Any], data: bytes, answer: _Answer) -> None:
    from ontology.load.reading import parse_as, read
    from ontology.load.serial import pack, pack_head

    if job["syntax"]:
        found = parse_as(data, job["syntax"], id="", name=job["name"])
        answer.say("head", dict(found.prefixes), found.problems)
        for place in range(0, len(found.triples), ROWS):
            answer.say("triples", found.triples[place : place + ROWS])
    else:
        beside = answer.beside if job["beside"] else lambda names: None
        ontology = read(data, id=job["id"], name=job["name"], beside=beside)
        answer.say("head", pack_head(ontology))
        concepts = [*ontology.concepts.values()]
        for place in range(0, len(concepts), ROWS):
            answer.say("concepts", [pack(each) for each in concepts[place : place + ROWS]])
    answer.say("end")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], sys.stdin.buffer, sys.stdout.buffer))
