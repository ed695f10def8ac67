"""The tables. ORM classes are declarations only: the store reads and writes plain rows.

Results carry their own counts so that totals never walk the sentences. Two partial unique
indexes say what "current" means: one current result for a document and recipe, one current
version for an ontology name.
"""

from __future__ import annotations

from db.models.base import Base
from db.models.documents import Collection, CollectionLock, Document, Source
from db.models.groups import Campaign, CampaignMember, GroupSummary, GroupSummarySentence
from db.models.jobs import Job
from db.models.ontologies import Concept, ConceptClosure, Ontology
from db.models.results import Label, Result, Run, Sentence, SummarySentence, Tag
from db.models.reviews import Erasure, ReviewDecision
from db.models.themes import Codebook, CodebookVersion, Theme, ThemeAssignment, ThemeState

__all__ = [
    "Base",
    "Campaign",
    "CampaignMember",
    "Codebook",
    "CodebookVersion",
    "Collection",
    "CollectionLock",
    "Concept",
    "ConceptClosure",
    "Document",
    "Erasure",
    "GroupSummary",
    "GroupSummarySentence",
    "Job",
    "Label",
    "Ontology",
    "Result",
    "ReviewDecision",
    "Run",
    "Sentence",
    "Source",
    "SummarySentence",
    "Tag",
    "Theme",
    "ThemeAssignment",
    "ThemeState",
]
