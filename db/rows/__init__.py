"""The plain values that go into the store and come out of it; no ORM object leaves ``db``.

``…Input`` goes in, ``…Row`` comes out, ``SentenceRow``, ``SummaryRow``, ``LabelRow`` and
``TagRow`` do both. Offsets are code points, half-open: ``document.text[start:end] == text``.
"""

from __future__ import annotations

from db.rows.documents import (
    CollectionRow,
    DocumentInput,
    DocumentRow,
    ParkedRow,
    Pending,
    PutCounts,
    Rejected,
    SourceInput,
    SourceRow,
)
from db.rows.graph import (
    GraphDocumentRow,
    GraphView,
)
from db.rows.groups import (
    CampaignMemberRow,
    CampaignRow,
    GroupDocumentRow,
    GroupSentenceRow,
    GroupSummaryRow,
)
from db.rows.jobs import (
    JobRow,
)
from db.rows.ontologies import (
    ConceptInput,
    ConceptRow,
    OntologyInput,
    OntologyRow,
)
from db.rows.reports import (
    ConceptCount,
    DocumentDetail,
    DocumentFacts,
    DocumentsPage,
    DocumentSummary,
    Export,
    ExportedDocument,
    LabelCount,
    Totals,
)
from db.rows.results import (
    LabelRow,
    ResultInput,
    ResultRow,
    RunRow,
    SavedCounts,
    SentenceRow,
    SummaryRow,
    TagRow,
)
from db.rows.reviews import (
    DecisionInput,
    DecisionRow,
    ErasureRow,
)
from db.rows.themes import (
    AssignmentRow,
    CodebookRow,
    CodebookVersionRow,
    ThemeCount,
    ThemeRow,
)
from db.rows.usage import (
    CollectionUsage,
    ConceptUsage,
    QuoteRow,
)

__all__ = [
    "AssignmentRow",
    "CampaignMemberRow",
    "CampaignRow",
    "CodebookRow",
    "CodebookVersionRow",
    "CollectionRow",
    "CollectionUsage",
    "ConceptCount",
    "ConceptInput",
    "ConceptRow",
    "ConceptUsage",
    "DecisionInput",
    "DecisionRow",
    "DocumentDetail",
    "DocumentFacts",
    "DocumentInput",
    "DocumentRow",
    "DocumentSummary",
    "DocumentsPage",
    "ErasureRow",
    "Export",
    "ExportedDocument",
    "GraphDocumentRow",
    "GraphView",
    "GroupDocumentRow",
    "GroupSentenceRow",
    "GroupSummaryRow",
    "JobRow",
    "LabelCount",
    "LabelRow",
    "OntologyInput",
    "OntologyRow",
    "ParkedRow",
    "Pending",
    "PutCounts",
    "QuoteRow",
    "Rejected",
    "ResultInput",
    "ResultRow",
    "RunRow",
    "SavedCounts",
    "SentenceRow",
    "SourceInput",
    "SourceRow",
    "SummaryRow",
    "TagRow",
    "ThemeCount",
    "ThemeRow",
    "Totals",
]
