"""Turn an OWL syntax into RDF/XML and end: the process that may be killed.

Started as ``python -I -S owl_worker.py SERIALISATION MEMORY SECONDS PATH…`` (the folders of this
package and of py-horned-owl), fed the file on standard input. Answers ``O`` and RDF/XML, or ``E``
and why not. It bounds its memory (bytes) and processor time, and can open no socket.
"""

from __future__ import annotations

import sys
from typing import BinaryIO


def main(arguments: list[str], source: BinaryIO, sink: BinaryIO) -> int:
    """Read an ontology from ``source``, write the answer to ``sink``, return the exit status."""
    serialisation, memory, seconds, *paths = arguments
    sys.path.extend(paths)
    from ontology.sandbox import forbid_sockets, limit

    limit(memory=int(memory), cpu_seconds=int(seconds))
    forbid_sockets()
    import pyhornedowl

    text = source.read().decode()
    try:
        ontology = pyhornedowl.open_ontology_from_string(text, serialisation)  # type: ignore[arg-type]
        answer = "O" + ontology.save_to_string("owl")
    except Exception as error:
        answer = f"E{error}"
    sink.write(answer.encode("utf-8", "replace"))
    sink.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], sys.stdin.buffer, sys.stdout.buffer))
