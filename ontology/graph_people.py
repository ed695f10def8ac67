"""Plain records of what people and groups add to results; ``ontology.graph`` hands them out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class GraphReplacement:
    """What a reviewer put in the machine's place; ``scheme`` and ``item`` as in GraphDecision."""

    scheme: str
    item: str
    start: int
    end: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class GraphDecision:
    """One person's decision about one thing in a document.

    ``kind`` is tag, label, theme or summary; ``scheme`` and ``item`` are ontology and IRI, label
    set and label, codebook name and theme key, or empty. ``verdict`` is accepted, rejected,
    corrected or added; ``replacement`` is given for a correction. ``result_id`` is the result that
    the person saw.
    """

    id: int
    document_id: int
    kind: str
    scheme: str
    item: str
    start: int
    end: int
    verdict: str
    reviewer: str
    created: datetime
    text: str = ""
    reason: str = ""
    current: bool = True
    result_id: int | None = None
    replacement: GraphReplacement | None = None


@dataclass(frozen=True, slots=True)
class GraphTheme:
    """A theme as the present version of its codebook has it. ``concept`` is an IRI or empty."""

    id: int
    key: str
    label: str
    kind: str = "theme"
    description: str = ""
    parent_id: int | None = None
    concept: str = ""


@dataclass(frozen=True, slots=True)
class GraphCodebookVersion:
    """What made a version of a codebook; ``signed_off_by`` is empty where nobody has."""

    number: int
    action: str
    author: str
    created: datetime
    signed_off_by: str = ""


@dataclass(frozen=True, slots=True)
class GraphCodebook:
    """A codebook with all its versions and the themes of the present one, ``version``."""

    id: int
    collection_id: int
    name: str
    version: int
    question: str | None = None
    versions: tuple[GraphCodebookVersion, ...] = ()
    themes: tuple[GraphTheme, ...] = ()


@dataclass(frozen=True, slots=True)
class GraphCoding:
    """A statement coded with a theme; ``since`` is the codebook version that first had it."""

    id: int
    codebook_id: int
    theme_id: int
    start: int
    end: int
    text: str
    score: float
    since: int
    stance: str = ""
    method: str = "found"


@dataclass(frozen=True, slots=True)
class GraphCampaign:
    """Documents that share a text; ``kind`` is campaign, copy or respondent.

    ``method`` says in words how it was found.
    """

    id: int
    collection_id: int
    kind: str
    method: str = ""
    template: str = ""
    question: str | None = None
    created: datetime | None = None


@dataclass(frozen=True, slots=True)
class GraphMembership:
    """That a document belongs to a campaign; ``likeness`` is 0 to 1."""

    campaign_id: int
    kind: str
    likeness: float
    exact: bool = False


@dataclass(frozen=True, slots=True)
class GraphGroupSummary:
    """A summary of a theme, a question, a collection, a respondent's series, or for a query."""

    id: int
    collection_id: int
    kind: str
    created: datetime
    theme_id: int | None = None
    respondent: str = ""
    question: str = ""
    query: str = ""


@dataclass(frozen=True, slots=True)
class GraphGroupHighlight:
    """A document's sentence in the summary of a group; ``role``: summary, central, different."""

    summary_id: int
    rank: int
    start: int
    end: int
    text: str
    score: float
    role: str = "summary"
    stance: str = ""
