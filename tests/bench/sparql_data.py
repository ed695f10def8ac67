"""A made-up workspace of any size for the graph: ``python -m tests.bench.sparql_data --home DIR``.

Scale 1 is 20,000 documents of six sentences, 240,000 tags of two runs over a hierarchy of 5,000
concepts and eight levels, 2,000 review decisions, 30 themes with 20,000 statements, 200 campaigns
and summaries. The same scale gives the same rows: every word comes from syllables and a seed.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from app.settings import Settings, load_settings
from app.workspace import add_ontology, open_store
from db.models import Collection, Document, Label, Result, Run, Sentence, Source, SummarySentence
from db.models import Tag as TagTable
from db.models.base import Base
from db.store import Store
from db.store.access import insert_all
from tests.bench import sparql_groups
from tests.bench.sparql_words import UNUSED, Words, make_words, turtle

DOCUMENTS = 20_000
SENTENCES = 6
BEGIN = datetime(2017, 1, 2, 9, tzinfo=UTC)
LABELS = ("wish", "complaint", "praise", "question", "proposal", "account", "thanks", "other")
_FRAMES = (
    "We have asked about the {} for years and nobody answers.",
    "My neighbours say that the {} works better since the summer.",
    "There is no {} at all on our side of the hill.",
    "Perhaps the {} could open an hour earlier in winter.",
    "The council should look after the {} before it builds another.",
    "Last year the {} was closed for most of the spring.",
    "I would not change the {} if it were up to me.",
    "Children use the {} every day after school.",
)
_CHUNK = 1000


def make_workspace(home: Path, scale: float = 1.0, *, seed: int = 20_000) -> Settings:
    """Fill ``home`` with a workspace of ``scale`` times 20,000 documents; the graph is not built."""
    settings = load_settings(home=home)
    store = open_store(settings, create=True)
    words = make_words(random.Random(seed))
    file = home / "made-up.ttl"
    file.write_text(turtle(words), "utf-8")
    add_ontology(settings, store, file, "made-up")
    fill(store, words, max(1, round(DOCUMENTS * scale)), seed)
    store.engine.dispose()
    return settings


def fill(store: Store, words: Words, documents: int, seed: int) -> None:
    """Insert collection, source, runs, documents with results, then what people and groups add."""
    with store.writing() as connection:
        insert_all(
            connection,
            Collection,
            [
                {"id": 1, "name": "made-up", "recipe": "general", "text_private": False}
                | {"title": "Made-up answers", "created_at": BEGIN, "reading": {}}
            ],
        )
        insert_all(connection, Source, [_source(documents)])
        sha256 = store.ontology("made-up").sha256
        insert_all(connection, Run, [_run(number, sha256) for number in (1, 2)])
    for first in range(1, documents + 1, _CHUNK):
        rows = Rows()
        for number in range(first, min(first + _CHUNK, documents + 1)):
            rows.add(number, words, seed)
        with store.writing() as connection:
            rows.insert(connection)
    with store.writing() as connection:
        sparql_groups.fill(connection, documents, random.Random(seed + 1))


def _source(documents: int) -> dict[str, Any]:
    return {
        "id": 1, "collection_id": 1, "path": "/inbox/made-up.csv", "relative": "made-up.csv", "kind": "csv"
    } | {
        "outcome": "read", "reason": "", "size": 0, "mtime_ns": 0, "sha256": "", "encoding": "utf-8", "rows": documents,
        "documents": documents, "columns": [], "warnings": [], "options": "", "seen_at": BEGIN, "report": {},
    }  # fmt: skip


def _run(number: int, sha256: str) -> dict[str, Any]:
    begun = BEGIN + timedelta(days=3000 + 30 * number)
    details = {
        "software": "0.1.0",
        "model": {"id": "made-up-model", "sha256": "ab" * 32, "revision": "1"},
        "ontologies": [{"id": "made-up", "sha256": sha256}],
    }
    return {
        "id": number, "collection_id": 1, "recipe": "general", "fingerprint": f"{number:02x}" * 32,
        "details": details, "started_at": begun, "finished_at": begun + timedelta(hours=1),
        "state": "finished", "counts": {},
    }  # fmt: skip


def sentences(number: int, words: Words, seed: int) -> Iterator[tuple[str, str, int]]:
    """Yield (sentence, concept's label, its number); copies of a campaign share the first four."""
    group = sparql_groups.campaign_of(number)
    own = random.Random(seed * 1_000_003 + number)
    shared = random.Random(seed * 1_000_003 - group) if group else own
    for place in range(SENTENCES):
        chance = shared if place < 4 else own
        (concept,) = chance.choices(range(len(words.iris)), cum_weights=words.sums)
        label = words.labels[concept]
        yield chance.choice(_FRAMES).format(label), label, concept


class Rows:
    """Rows of some documents, table by table, in the order in which keys need them."""

    def __init__(self) -> None:
        models = (Document, Result, Sentence, SummarySentence, Label, TagTable)
        self.tables: dict[type[Base], list[dict[str, Any]]] = {model: [] for model in models}

    def insert(self, connection: Connection) -> None:
        """Write them all."""
        for model, rows in self.tables.items():
            insert_all(connection, model, rows)

    def add(self, number: int, words: Words, seed: int) -> None:
        """Add document ``number`` with the results of both runs; the second one is current."""
        chance = random.Random(seed * 7 + number)
        pieces, places, at = [], [], 0
        for sentence, label, concept in sentences(number, words, seed):
            start = at + sentence.index(label)
            places.append((at, at + len(sentence), start, start + len(label), concept))
            pieces.append(sentence)
            at += len(sentence) + 1
        text = " ".join(pieces)
        when = BEGIN + timedelta(days=chance.randrange(8 * 365))
        hashed = hashlib.sha256(text.encode()).hexdigest()
        self.tables[Document].append(
            {
                "id": number, "collection_id": 1, "source_id": 1, "key": f"R-{number:06d}", "sha256": hashed,
                "input_hash": hashed, "length": len(text), "position": number, "withdrawn": False,
                "created_at": when, "locator": f"row {number}", "question": "What matters here?",
                "metadata": {"date": when.date().isoformat()}, "respondent": "", "aside": "", "flags": [],
                "text": text,
            }
        )  # fmt: skip
        for run in (1, 2):
            self._result(number, run, places, text, words, chance)

    def _result(
        self,
        number: int,
        run: int,
        places: list[tuple[int, int, int, int, int]],
        text: str,
        words: Words,
        chance: random.Random,
    ) -> None:
        id = 2 * number - 2 + run
        self.tables[Result].append(
            {
                "id": id, "document_id": number, "run_id": run, "recipe": "general",
                "input_hash": self.tables[Document][-1]["sha256"], "fingerprint": f"{run:02x}" * 32,
                "outcome": "processed", "reason": "", "duplicate": False, "attempts": 1, "current": run == 2,
                "sentences": SENTENCES, "summary_sentences": 2 * (number % 2), "labels": int(number % 4 == 0), "tags": SENTENCES,
                "displayed_tags": SENTENCES, "created_at": BEGIN + timedelta(days=3000 + 30 * run),
            }
        )  # fmt: skip
        for order, (begin, end, start, stop, concept) in enumerate(places):
            self.tables[Sentence].append(
                {"result_id": id, "position": order, "start": begin, "end": end}
            )
            if run == 2 and chance.random() < 0.2:
                concept = chance.randrange(len(words.iris)) // UNUSED * UNUSED
            self.tables[TagTable].append(
                _tag(id, order, (start, stop), text[start:stop], concept, words, chance)
            )
        chosen = sorted(chance.sample(range(SENTENCES), 2)) if number % 2 else []
        for rank, order in enumerate(chosen, 1):
            begin, end = places[order][:2]
            self.tables[SummarySentence].append(
                {"result_id": id, "rank": rank, "start": begin, "end": end, "score": 0.8 / rank}
                | {"text": text[begin:end]}
            )
        if number % 4 == 0:
            begin, end = places[0][:2]
            self.tables[Label].append(
                {"result_id": id, "label_set": "made-up kinds", "label": chance.choice(LABELS)}
                | {"score": 0.7, "assigned": True}
                | {"start": begin, "end": end, "text": text[begin:end]}
            )


def _tag(
    result: int,
    order: int,
    place: tuple[int, int],
    quoted: str,
    concept: int,
    words: Words,
    chance: random.Random,
) -> dict[str, Any]:
    assessed = chance.random() < 0.8
    said = {
        name: chance.random() < share if assessed else None
        for name, share in (("negated", 0.1), ("possible", 0.08))
    }
    return dict(
        id=(result - 1) * SENTENCES + order + 1, result_id=result, ontology="made-up",
        iri=words.iris[concept], curie=f"made-up:c{concept:04d}", label=words.labels[concept],
        start=place[0], end=place[1], text=quoted, score=round(0.5 + chance.random() / 2, 4),
        method="dictionary", displayed=True, historical=False if assessed else None,
        hypothetical=False if assessed else None, experiencer=None, cue=None, cue_start=None,
        cue_end=None, **said,
    )  # fmt: skip


def main() -> None:
    """Make a workspace and say where it is."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--scale", type=float, default=1.0)
    given = parser.parse_args()
    given.home.mkdir(parents=True, exist_ok=True)
    sys.stdout.write(f"{make_workspace(given.home, given.scale).home}\n")


if __name__ == "__main__":
    main()
