"""A small set of results, as plain records, that the graph tests share."""

from __future__ import annotations

from datetime import UTC, datetime

from ontology.graph import (
    GraphCollection,
    GraphDocument,
    GraphLabel,
    GraphModel,
    GraphRun,
    GraphSentence,
    GraphSnapshot,
    GraphSummarySentence,
    GraphTag,
    TaggedRecord,
)
from ontology.load import loads
from tests.ontology.vocabularies import EX, SKOS_TURTLE

TRANSPORT = loads(SKOS_TURTLE.encode(), id="transport")
TEXT = 'The night bus "N1" stops\ntoo early.'
NOTE = "No bus for him."
BEGAN = datetime(2026, 3, 2, 1, 0, tzinfo=UTC)


def tag(start: int, end: int, concept: str, text: str = TEXT, **more: object) -> GraphTag:
    """Return a tag on ``text[start:end]``."""
    return GraphTag(EX + concept, start, end, text[start:end], 0.9, "dictionary", **more)  # type: ignore[arg-type]


def snapshot() -> GraphSnapshot:
    """Return two collections, one of them private; three runs; an old result and its successor."""
    whole = GraphSummarySentence(0, len(TEXT), TEXT, 1, 0.75)
    return GraphSnapshot(
        collections=[
            GraphCollection(1, "town plan", licence="https://example.org/licence"),
            GraphCollection(2, "clinic", text_private=True),
        ],
        runs=[
            GraphRun(
                1,
                1,
                "consultation",
                "f1",
                started=BEGAN,
                ended=BEGAN,
                software="florilegium 0.1.0",
                model=GraphModel("embedded", "ab" * 32, "1", "MIT"),
                ontologies=(TRANSPORT.sha256,),
            ),
            GraphRun(2, 1, "consultation", "f2", model=GraphModel("embedded", "ab" * 32, "1")),
            GraphRun(3, 2, "clinical"),
        ],
        documents=[
            GraphDocument(1, 1, "a.csv#1/Q1", "00", question="Why?", created=BEGAN),
            GraphDocument(2, 1, "a.csv#2/Q1", "01"),
            GraphDocument(3, 2, "note 1.txt", "02"),
        ],
        results=[
            TaggedRecord(11, 1, 1, "processed", current=False, tags=(tag(10, 13, "bus"),)),
            TaggedRecord(
                12,
                2,
                1,
                "processed",
                sentences=(GraphSentence(0, len(TEXT), 0),),
                summary=(whole,),
                labels=(GraphLabel("consultation", "Buses & trains", 0.6, 0, len(TEXT), TEXT),),
                tags=(tag(4, 13, "nightbus"), tag(10, 13, "bus", displayed=False)),
            ),
            TaggedRecord(13, 1, 2, "empty", "no text"),
            TaggedRecord(
                14,
                3,
                3,
                "processed",
                tags=(
                    tag(
                        3,
                        6,
                        "bus",
                        NOTE,
                        negated=True,
                        possible=False,
                        historical=False,
                        hypothetical=False,
                        experiencer="patient",
                        cue="No",
                        cue_start=0,
                        cue_end=2,
                    ),
                ),
            ),
        ],
        ontologies=[TRANSPORT],
    )
