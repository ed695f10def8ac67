"""The concepts of a kept vocabulary in a file of their own, so that looking one up parses nothing.

An SQLite file beside the vocabulary, named by its hash: every concept as JSON
(``ontology.load.serial``), all its names folded, and what is right under it. It is made when the
vocabulary is added, and again whenever it is missing or damaged.
"""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from ontology.load.serial import pack, pack_head, unpack, unpack_head
from ontology.model import Concept, Matching, Ontology

VERSION = 1
"""Raise it when a parser gives other concepts for the same bytes, or when this layout changes."""

_TABLES = """
CREATE TABLE about (version INTEGER, head TEXT, matching TEXT);
CREATE TABLE concept (
    n INTEGER PRIMARY KEY, iri TEXT UNIQUE, label TEXT, deprecated INTEGER, top INTEGER, body TEXT
);
CREATE TABLE name (folded TEXT, name TEXT, n INTEGER, PRIMARY KEY (folded, name, n)) WITHOUT ROWID;
CREATE TABLE under (up INTEGER, n INTEGER, PRIMARY KEY (up, n)) WITHOUT ROWID;
"""


class InvalidConcepts(Exception):
    """The file is missing, damaged or of another version."""


class Named(NamedTuple):
    """A name of a concept: the name, the concept's number, preferred label and whether it stands."""

    name: str
    number: int
    label: str
    deprecated: bool


def concept_file(folder: Path, sha256: str) -> Path:
    """Return where the concepts of the vocabulary with this hash lie."""
    return folder / f"{sha256[:32]}.concepts"


def write_concepts(path: Path, ontology: Ontology) -> None:
    """Write the file of ``ontology``, whole or not at all; raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, made = tempfile.mkstemp(dir=path.parent, prefix=path.stem, suffix=".part")
    os.close(handle)
    try:
        with closing(sqlite3.connect(made, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode=OFF")
            connection.execute("PRAGMA synchronous=OFF")
            connection.execute("BEGIN")
            _fill(connection, ontology)
            connection.execute("COMMIT")
        Path(made).replace(path)
    except sqlite3.Error as error:
        raise OSError(str(error)) from error
    finally:
        Path(made).unlink(missing_ok=True)


def _fill(connection: sqlite3.Connection, ontology: Ontology) -> None:
    for statement in _TABLES.split(";")[:-1]:
        connection.execute(statement)
    matching = ontology.matching
    rules = {
        "kinds": sorted(matching.kinds),
        "languages": matching.languages,
        "stop": sorted(matching.stop),
        "capitals_only": sorted(matching.capitals_only),
        "min_length": matching.min_length,
        "spelling": matching.spelling,
    }
    head = json.dumps(pack_head(ontology))
    connection.execute("INSERT INTO about VALUES (?, ?, ?)", (VERSION, head, json.dumps(rules)))
    numbers = {iri: n for n, iri in enumerate(ontology.concepts)}
    concepts = list(ontology.concepts.values())
    above = [[numbers[up] for up in each.broader if up in numbers] for each in concepts]
    connection.executemany(
        "INSERT INTO concept VALUES (?, ?, ?, ?, ?, ?)",
        (
            (n, _plain(c.iri), _plain(c.label), c.deprecated, not above[n], json.dumps(pack(c)))
            for n, c in enumerate(concepts)
        ),
    )
    connection.executemany(
        "INSERT INTO name VALUES (?, ?, ?)",
        sorted({(name.casefold(), name, n) for n, c in enumerate(concepts) for name in _names(c)}),
    )
    connection.executemany(
        "INSERT INTO under VALUES (?, ?)",
        sorted({(up, n) for n, each in enumerate(above) for up in each}),
    )


def _names(concept: Concept) -> Iterator[str]:
    yield _plain(concept.label)
    for label in concept.labels:
        yield _plain(label.text)
    for name in (concept.curie, concept.iri, *concept.notations):
        yield _plain(name)


def _plain(text: str) -> str:
    """Return ``text`` without what SQLite cannot keep: halves of surrogate pairs."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


class ConceptFile(Mapping[str, Concept]):
    """The concepts of one vocabulary by IRI, in file order, each read when it is asked for."""

    def __init__(self, path: Path) -> None:
        """Open the file; raises InvalidConcepts."""
        if not path.is_file():
            raise InvalidConcepts(f"{path} is missing")
        try:
            self._connection = sqlite3.connect(
                f"{path.resolve().as_uri()}?mode=ro", uri=True, check_same_thread=False
            )
            about = self._connection.execute("SELECT version, head, matching FROM about").fetchone()
            if about is None or about[0] != VERSION:
                raise InvalidConcepts(f"{path} is of another version")
            rules = json.loads(about[2])
            matching = Matching(
                kinds=frozenset(rules["kinds"]),
                languages=tuple(rules["languages"]),
                stop=frozenset(rules["stop"]),
                capitals_only=frozenset(rules["capitals_only"]),
                min_length=rules["min_length"],
                spelling=rules["spelling"],
            )
            self._head = replace(unpack_head(json.loads(about[1])), matching=matching)
        except (sqlite3.Error, ValueError, TypeError, KeyError, IndexError) as error:
            raise InvalidConcepts(f"{path} is damaged: {error}") from error

    @cached_property
    def ontology(self) -> Ontology:
        """The ontology; its concepts are read when asked for."""
        return replace(self._head, concepts=self)

    def whole(self) -> Ontology:
        """Return the ontology with all its concepts in memory; raises InvalidConcepts."""
        try:
            return replace(self._head, concepts=dict(self.items()))
        except (sqlite3.Error, ValueError, TypeError, IndexError) as error:
            raise InvalidConcepts(
                f"the concepts of {self._head.id} are damaged: {error}"
            ) from error

    def __getitem__(self, iri: str) -> Concept:
        """Return the concept with this IRI; raises KeyError."""
        row = self._connection.execute(
            "SELECT body FROM concept WHERE iri = ?", (_plain(iri),)
        ).fetchone()
        if row is None:
            raise KeyError(iri)
        return unpack(json.loads(row[0]))

    def __iter__(self) -> Iterator[str]:
        """Yield the IRIs in file order."""
        for row in self._connection.execute("SELECT iri FROM concept ORDER BY n"):
            yield row[0]

    def __len__(self) -> int:
        """Return how many concepts there are."""
        (count,) = self._connection.execute("SELECT count(*) FROM concept").fetchone()
        return int(count)

    def items(self) -> Iterator[tuple[str, Concept]]:  # type: ignore[override]
        """Yield IRI and concept in file order."""
        for (body,) in self._connection.execute("SELECT body FROM concept ORDER BY n"):
            concept = unpack(json.loads(body))
            yield concept.iri, concept

    def at(self, number: int) -> Concept:
        """Return the concept of a number that :class:`Named` gave."""
        (body,) = self._connection.execute(
            "SELECT body FROM concept WHERE n = ?", (number,)
        ).fetchone()
        return unpack(json.loads(body))

    def below(self, iri: str) -> list[Concept]:
        """Return the concepts right below one, in file order."""
        rows = self._connection.execute(
            "SELECT low.body FROM concept AS up JOIN under ON under.up = up.n "
            "JOIN concept AS low ON low.n = under.n WHERE up.iri = ? ORDER BY low.n",
            (_plain(iri),),
        )
        return [unpack(json.loads(body)) for (body,) in rows]

    def tops(self) -> list[Concept]:
        """Return the concepts that stand and have nothing above them here, in file order."""
        rows = self._connection.execute(
            "SELECT body FROM concept WHERE top AND NOT deprecated ORDER BY n"
        )
        return [unpack(json.loads(body)) for (body,) in rows]

    def named(self, wanted: str) -> list[Named]:
        """Return the names that agree with ``wanted`` but for their case, in file order."""
        return self._found("name.folded = ?", [_plain(wanted).casefold()])

    def containing(self, words: list[str]) -> list[Named]:
        """Return the names that contain all ``words``, which are folded, in file order."""
        return self._found(" AND ".join(["instr(name.folded, ?)"] * len(words)), words)

    def _found(self, where: str, values: list[str]) -> list[Named]:
        rows = self._connection.execute(
            "SELECT name.name, name.n, concept.label, concept.deprecated FROM name "
            f"JOIN concept ON concept.n = name.n WHERE {where} ORDER BY name.n, name.name",
            [_plain(each) for each in values],
        )
        return [Named(name, n, label, bool(deprecated)) for name, n, label, deprecated in rows]

    def close(self) -> None:
        """Close the file."""
        with suppress(sqlite3.Error):
            self._connection.close()
