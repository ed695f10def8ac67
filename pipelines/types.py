"""The nouns of the pipeline: documents in, results out.

Every offset is a code-point offset into the stored text, half-open, and every value that carries
evidence obeys ``document.text[start:end] == text``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum


class Outcome(StrEnum):
    """How a document ended. ``duplicate`` is a count of processed ones, not an outcome."""

    PROCESSED = "processed"
    PARTIAL = "partial"
    EMPTY = "empty"
    OTHER_LANGUAGE = "other_language"
    SKIPPED = "skipped"
    FAILED = "failed"
    PARKED = "parked"


class FileOutcome(StrEnum):
    """How an input file ended."""

    READ = "read"
    SKIPPED = "skipped"
    FAILED = "failed"


def text_sha256(text: str) -> str:
    """Return the hex SHA-256 of ``text`` in UTF-8."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Document:
    """One text as the person wrote it, with where it came from.

    ``key`` is unique within a collection and stable between reads of the same source (relative
    path, row and question). ``locator`` says the same to a person ("row 12, column Q3").
    ``respondent`` is who wrote it, the same for all answers of one row ("" where nobody can be
    told). ``aside`` is why it is kept apart from the answers ("preview submission: Status is
    “Survey Preview”"), "" for an answer. ``flags`` are observations that change nothing: the names
    of ``Flag``.
    """

    key: str
    text: str
    question: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    locator: str = ""
    respondent: str = ""
    aside: str = ""
    flags: tuple[str, ...] = ()

    @property
    def sha256(self) -> str:
        """Hex SHA-256 of the text."""
        return text_sha256(self.text)


class Flag(StrEnum):
    """What was noticed about a text; it is kept as it is."""

    GARBLED = "garbled"  # decoded twice somewhere upstream, or with the wrong encoding
    CUT = "cut"  # exactly as long as a limit of the program it came from
    OCR = "ocr"  # read from a picture


class Role(StrEnum):
    """What a table column holds."""

    IDENTIFIER = "identifier"
    QUESTION = "question"  # the wording that the text of its row answers
    FREE_TEXT = "free_text"
    CLOSED_SINGLE = "closed_single"
    CLOSED_MULTI = "closed_multi"
    SCALE = "scale"
    NUMBER = "number"
    DATE = "date"
    DEMOGRAPHIC = "demographic"
    PERSONAL = "personal"  # names, addresses: read past, never stored
    CONSENT = "consent"  # whether the answer may be published; only a mapping file gives it
    STATUS = "status"  # of the submission: complete, partial, preview, test
    SYSTEM = "system"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class Column:
    """A table column, the role it was given and why.

    ``name`` is unique in its table, and the metadata key. ``question`` is the wording that the
    answers stand under where it is not the name. ``options`` are the answers of a closed column in
    order of first appearance (of a ``closed_multi`` one, its parts), ``separator`` what stands
    between them, ``format`` how a date is written ("dd/mm/yyyy", "Excel serial number").
    """

    name: str
    role: str
    reason: str = ""
    question: str = ""
    options: tuple[str, ...] = ()
    separator: str = ""
    format: str = ""


@dataclass(frozen=True, slots=True)
class TableReport:
    """One table of a file: which rows were its header, and its columns.

    ``sheet`` is ``None`` outside workbooks. ``header_rows`` and ``skipped_rows`` are numbers as a
    spreadsheet shows them, from 1; ``skipped_rows`` are those above and below the header that are
    no answers (titles, instructions, metadata). ``layout`` is the known layout's name, or
    "generic". ``reason`` is why the table was left out, "" when it was read.
    """

    layout: str
    sheet: str | None = None
    header_rows: tuple[int, ...] = ()
    skipped_rows: tuple[int, ...] = ()
    delimiter: str = ""
    rows: int = 0
    columns: tuple[Column, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class FileReport:
    """What happened to one input file: the row of the import report.

    ``path`` of a file inside another one is ``<outer>!/<inner>``. ``documents`` counts all of
    them; of these ``empty`` says nothing (rule → count), ``aside`` is kept apart (reason → count)
    and ``flags`` were noticed (flag → count). ``duplicates`` repeat the text of an earlier
    document under the same question.
    """

    path: str
    kind: str
    outcome: FileOutcome
    reason: str = ""
    encoding: str | None = None
    rows: int = 0
    documents: int = 0
    duplicates: int = 0
    tables: tuple[TableReport, ...] = ()
    empty: Mapping[str, int] = field(default_factory=dict)
    aside: Mapping[str, int] = field(default_factory=dict)
    flags: Mapping[str, int] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns of every table, named "sheet!column" in workbooks."""
        return tuple(
            column if table.sheet is None else replace(column, name=f"{table.sheet}!{column.name}")
            for table in self.tables
            for column in table.columns
        )


@dataclass(frozen=True, slots=True)
class Segment:
    """One sentence: its place in the text and its order (from 0)."""

    start: int
    end: int
    order: int


@dataclass(frozen=True, slots=True)
class SummarySentence:
    """A sentence of the text chosen for the summary, verbatim; ``rank`` 1 is the best."""

    start: int
    end: int
    text: str
    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class LabelScore:
    """A label of a set, its score, whether it is assigned, and the words that earned it."""

    set: str
    label: str
    score: float
    assigned: bool
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Tag:
    """A concept found in the text. An attribute that was not assessed is ``None``, never false.

    ``text[cue_start:cue_end] == cue``: the words behind the first attribute that holds, of negated,
    possible, hypothetical, experiencer and historical.
    """

    iri: str
    curie: str
    label: str
    start: int
    end: int
    text: str
    score: float
    method: str
    ontology: str
    displayed: bool = True
    negated: bool | None = None
    possible: bool | None = None
    historical: bool | None = None
    hypothetical: bool | None = None
    experiencer: str | None = None
    cue: str | None = None
    cue_start: int | None = None
    cue_end: int | None = None


@dataclass(frozen=True, slots=True)
class DocumentResult:
    """Everything the pipeline says about one document; values only."""

    outcome: Outcome
    reason: str = ""
    sentences: tuple[Segment, ...] = ()
    summary: tuple[SummarySentence, ...] = ()
    labels: tuple[LabelScore, ...] = ()
    tags: tuple[Tag, ...] = ()
