"""Everything the ontology package raises.

OntologyError                  exit 78  a vocabulary or the graph is not usable
├── GraphMissing               exit 78  no graph has been built in this workspace
├── GraphLocked                exit 75  another process is building the graph
└── QueryError                 exit 1   a query gave no answer
    ├── QueryRefused           exit 2   the query itself is not acceptable (4xx)
    └── QueryStopped           exit 1   a limit was reached or the worker died (503)
        └── QueryTimeout       exit 1   the time limit was reached (503)
"""

from __future__ import annotations


class OntologyError(Exception):
    """A vocabulary, or the graph made from it, is invalid or missing."""

    exit_code: int = 78


class GraphMissing(OntologyError):
    """No finished graph stands in the workspace."""


class GraphLocked(OntologyError):
    """Another process is building the graph; try later."""

    exit_code = 75


class QueryError(OntologyError):
    """A query gave no answer; ``status`` is what HTTP says."""

    exit_code = 1
    status: int = 503


class QueryRefused(QueryError):
    """The query is not one this program evaluates; the asker has to change it."""

    exit_code = 2

    def __init__(self, message: str, *, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


class QueryStopped(QueryError):
    """A limit on rows, bytes or memory was reached, or the worker died; nothing is answered."""


class QueryTimeout(QueryStopped):
    """The time limit was reached and the worker was ended."""


def broken(name: str, syntax: str, why: str) -> OntologyError:
    """Return the error for a file that its own syntax does not let be read."""
    return OntologyError(
        f"{name} could not be read as {syntax}: {why}; expected a complete file. "
        "Is it cut short, or is the syntax another one?"
    )
