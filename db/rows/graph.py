"""What the graph is built from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from db.rows.documents import CollectionRow
from db.rows.groups import CampaignRow, GroupSentenceRow, GroupSummaryRow
from db.rows.ontologies import OntologyRow
from db.rows.results import ResultRow, RunRow
from db.rows.reviews import DecisionRow
from db.rows.themes import AssignmentRow, CodebookRow, CodebookVersionRow, ThemeRow


@dataclass(frozen=True, slots=True)
class GraphDocumentRow:
    """A document that stands, without its text, and everything that hangs on it.

    ``results`` oldest first, superseded ones too, with assigned labels only; ``decisions`` earlier
    ones too; ``codings`` of the present codebook versions, each with its codebook; ``members`` are
    campaign, likeness and whether the words are the same; ``sentences`` those in summaries of
    groups, each with its summary.
    """

    id: int
    collection_id: int
    source_id: int
    key: str
    sha256: str
    question: str | None
    metadata: Mapping[str, Any]
    locator: str
    created_at: datetime
    respondent: str
    aside: str
    flags: tuple[str, ...]
    results: tuple[ResultRow, ...] = ()
    decisions: tuple[DecisionRow, ...] = ()
    codings: tuple[tuple[int, AssignmentRow], ...] = ()
    members: tuple[tuple[int, float, bool], ...] = ()
    sentences: tuple[tuple[int, GroupSentenceRow], ...] = ()


@dataclass(frozen=True, slots=True)
class GraphView:
    """A consistent view for the graph: the small tables whole, the documents streamed.

    ``themes`` are those of the present versions, ``campaigns`` (without members) those of at least
    two standing documents, ``summaries`` (without sentences) those with a sentence of one.
    ``dates`` says by source which columns hold dates and how they are written.
    """

    collections: tuple[CollectionRow, ...]
    runs: tuple[RunRow, ...]
    ontologies: tuple[OntologyRow, ...]
    codebooks: tuple[CodebookRow, ...]
    versions: tuple[CodebookVersionRow, ...]
    themes: tuple[ThemeRow, ...]
    campaigns: tuple[CampaignRow, ...]
    summaries: tuple[GroupSummaryRow, ...]
    dates: Mapping[int, tuple[tuple[str, str], ...]]
    documents: Iterator[GraphDocumentRow]
