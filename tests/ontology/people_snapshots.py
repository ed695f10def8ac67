"""What people and groups add to the shared snapshot: every kind of record there is."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

from ontology.graph import (
    DocumentRecord,
    GraphCampaign,
    GraphCodebook,
    GraphCodebookVersion,
    GraphCoding,
    GraphDecision,
    GraphDocument,
    GraphGroupHighlight,
    GraphGroupSummary,
    GraphLabel,
    GraphMembership,
    GraphReplacement,
    GraphSentence,
    GraphSnapshot,
    GraphSummarySentence,
    GraphTheme,
    TaggedRecord,
)
from tests.ontology.snapshots import BEGAN, TEXT, snapshot, tag
from tests.ontology.vocabularies import EX

LETTER = "Dear Sir, the last bus home leaves at six and Mrs Ember cannot walk. Ring me, I beg you."
WHEN = datetime(2026, 4, 1, 9, 30, tzinfo=UTC)
NURSE, CLERK = "B. Mason", "C. Weaver"


def people() -> GraphSnapshot:
    """Return the shared snapshot with records of every kind, in an open and a private collection."""
    base = snapshot()
    return replace(
        base,
        runs=[replace(run, fingerprint=f"{run.id:02x}" * 32, software="flo") for run in base.runs],
        documents=[*_open(base), _private()],
        results=(),
        codebooks=[
            _codebook(1, 1, "matters", "buses that stop early"),
            _codebook(2, 2, "letters", LETTER[10:47]),
        ],
        campaigns=[
            GraphCampaign(1, 1, "campaign", "shingles", TEXT, "Why?", WHEN),
            GraphCampaign(2, 1, "respondent"),
        ],
        summaries=[
            GraphGroupSummary(1, 1, "theme", WHEN, theme_id=11),
            GraphGroupSummary(2, 2, "query", WHEN, query=LETTER[10:40]),
            GraphGroupSummary(3, 1, "series", WHEN, respondent="respondent-1-ab"),
        ],
    )


def _codebook(id: int, collection: int, name: str, label: str) -> GraphCodebook:
    own = 10 * id
    return GraphCodebook(
        id,
        collection,
        name,
        2,
        "Why?",
        (
            GraphCodebookVersion(1, "found", "", WHEN),
            GraphCodebookVersion(2, "renamed", NURSE, WHEN, CLERK),
        ),
        (
            GraphTheme(own + 1, "t1", label, description=f"That {label}."),
            GraphTheme(own + 2, "t2", "night", parent_id=own + 1, concept=f"{EX}nightbus"),
            GraphTheme(own + 3, "other", "Other", "other"),
        ),
    )


def _open(base: GraphSnapshot) -> list[DocumentRecord]:
    """Return the open collection's two documents, which are one campaign."""
    first, second, _ = (each for each in base.documents if isinstance(each, GraphDocument))
    results = list(base.results)
    decisions = (
        _decision(1, "tag", "transport", f"{EX}nightbus", 4, 13, "accepted"),
        _decision(2, "tag", "transport", f"{EX}bus", 10, 13, "rejected", reason="part of a name"),
        replace(
            _decision(3, "tag", "transport", f"{EX}nightbus", 4, 13, "corrected"),
            reviewer=CLERK,
            replacement=GraphReplacement("transport", f"{EX}stop", 19, 24, TEXT[19:24]),
        ),
        _decision(4, "label", "consultation", "Buses & trains", 0, len(TEXT), "accepted"),
        _decision(5, "theme", "matters", "t1", 0, len(TEXT), "accepted"),
        _decision(6, "summary", "", "", 0, len(TEXT), "rejected"),
        _decision(7, "tag", "transport", f"{EX}stop", 19, 24, "added"),
        replace(_decision(8, "tag", "transport", f"{EX}bus", 10, 13, "accepted"), current=False),
        _decision(9, "label", "wishes", "Later buses", 0, 0, "added"),
        _decision(10, "theme", "matters", "t2", 4, 13, "added"),
        replace(_decision(11, "tag", "transport", f"{EX}gone", 0, 3, "rejected"), result_id=None),
    )
    return [
        DocumentRecord(
            replace(
                first,
                created=date(2025, 3, 4),
                read=BEGAN,
                respondent="respondent-1-ab",
                locator="row 1",
            ),
            tuple(each for each in results if each.document_id == 1),
            decisions,
            (
                GraphCoding(1, 1, 11, 0, len(TEXT), TEXT, 0.8, 1, "against"),
                GraphCoding(2, 1, 12, 4, 13, TEXT[4:13], 0.7, 2, method="person"),
            ),
            (GraphMembership(1, "campaign", 1.0, True), GraphMembership(2, "respondent", 1.0)),
            (
                GraphGroupHighlight(1, 1, 0, len(TEXT), TEXT, 0.9, "central", "against"),
                GraphGroupHighlight(3, 1, 0, len(TEXT), TEXT, 0.9),
            ),
        ),
        DocumentRecord(
            replace(second, created=1654, language="de", flags=("garbled",)),
            tuple(each for each in results if each.document_id == 2),
            memberships=(
                GraphMembership(1, "campaign", 0.9),
                GraphMembership(2, "respondent", 0.4),
            ),
        ),
    ]


def _decision(
    id: int, kind: str, scheme: str, item: str, start: int, end: int, verdict: str, reason: str = ""
) -> GraphDecision:
    return GraphDecision(
        id, 1, kind, scheme, item, start, end, verdict, NURSE, WHEN, TEXT[start:end], reason,
        result_id=12,
    )  # fmt: skip


def _private() -> DocumentRecord:
    """Return the private collection's document, its words in every place that takes some."""
    bus = LETTER.index("bus")
    end = LETTER.index("Ring") - 1
    shown = tag(
        bus, bus + 3, "bus", LETTER, negated=True, cue=LETTER[10:28], cue_start=10, cue_end=28
    )
    return DocumentRecord(
        GraphDocument(3, 2, "note 1.txt", "02", created=BEGAN, aside=f"preview: {LETTER[10:40]}"),
        (
            TaggedRecord(
                14,
                3,
                3,
                "skipped",
                f"preview: {LETTER[10:40]}",
                sentences=(GraphSentence(0, end, 0), GraphSentence(end + 1, len(LETTER), 1)),
                summary=(GraphSummarySentence(0, end, LETTER[:end], 1, 0.7),),
                labels=(GraphLabel("wishes", "Later buses", 0.6, 0, end, LETTER[:end]),),
                tags=(shown,),
            ),
            TaggedRecord(15, 3, 3, "failed", f"cannot tag {LETTER[5:40]!r}", current=False,
                         tags=(shown,)),
        ),
        (
            GraphDecision(21, 3, "tag", "transport", f"{EX}bus", bus, bus + 3, "rejected", NURSE,
                          WHEN, "bus", f"he says {LETTER[10:50]}", result_id=14),
            GraphDecision(22, 3, "tag", "transport", f"{EX}stop", 10, 28, "added", NURSE, WHEN,
                          LETTER[10:28]),
            GraphDecision(23, 3, "tag", "transport", f"{EX}bus", 10, 28, "added", NURSE, WHEN,
                          LETTER[10:28], f"once {LETTER[10:50]}", current=False),
        ),
        (GraphCoding(3, 2, 21, 0, end, LETTER[:end], 0.8, 1, "for"),),
        (),
        (GraphGroupHighlight(2, 1, 0, end, LETTER[:end], 0.9),),
    )  # fmt: skip
