"""Every error of the package.

::

    DbError                exit 1
    ├── DatabaseError      exit 69   unreachable, read-only, disc full, driver missing
    ├── UrlError           exit 78   the database URL cannot be understood
    ├── SchemaError        exit 78   tables missing, stale or newer than this program
    ├── Locked             exit 75   another run or writer holds it; try later
    ├── NotFound           exit 2    no such collection, document, ontology or job
    ├── InvalidDecision    exit 2    a review decision that does not fit (also a ValueError)
    ├── KeyCollision       exit 1    a document key is taken (also a ValueError)
    └── UnstorableText     exit 2    NUL or lone surrogate in a text (also a ValueError)
"""

from __future__ import annotations

from sqlalchemy.exc import DontWrapMixin


class DbError(Exception):
    """Base of the package's errors; ``exit_code`` is what the command line ends with."""

    exit_code = 1


class DatabaseError(DbError):
    """The database cannot be reached, read or written."""

    exit_code = 69


class UrlError(DbError):
    """The database URL cannot be understood."""

    exit_code = 78


class SchemaError(DbError):
    """The tables are missing, older or newer than this program."""

    exit_code = 78


class Locked(DbError):
    """Another run holds the collection, or another writer holds the database.

    ``owner`` is who holds the collection; "" for a database.
    """

    exit_code = 75

    def __init__(self, message: str, *, owner: str = "") -> None:
        super().__init__(message)
        self.owner = owner


class NotFound(DbError):
    """What was asked for by name or id is not in the database."""

    exit_code = 2


class InvalidDecision(DbError, ValueError):
    """A review decision does not fit its document, or says something unknown."""

    exit_code = 2


class KeyCollision(DbError, ValueError):
    """Two documents of one collection claim the same key."""


class UnstorableText(DbError, ValueError, DontWrapMixin):
    """A text holds a character that a database cannot keep (NUL or a lone surrogate)."""

    exit_code = 2
