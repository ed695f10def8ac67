"""Where a concept, or any words, occur in the user's documents."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class QuoteRow:
    """Words of a document with what stands around them: ``document.text[start:end] == text``.

    The assertion is that of the tag, where the words are one; ``None`` means not assessed.
    """

    document_id: int
    document: str
    collection: str
    start: int
    end: int
    text: str
    before: str
    after: str
    negated: bool | None = None
    possible: bool | None = None
    historical: bool | None = None
    hypothetical: bool | None = None
    experiencer: str | None = None


@dataclass(frozen=True, slots=True)
class CollectionUsage:
    """What a collection has of a concept: displayed tags of current results.

    ``documents`` and ``mentions`` are of the concept itself, ``documents_with_narrower`` of it or
    anything narrower. Of the mentions, ``negated`` … ``others`` are those that were assessed so
    (``others``: somebody else than the patient); ``not_assessed`` were not.
    """

    collection: str
    private: bool
    documents: int
    documents_with_narrower: int
    mentions: int
    negated: int = 0
    possible: int = 0
    historical: int = 0
    hypothetical: int = 0
    others: int = 0
    not_assessed: int = 0


@dataclass(frozen=True, slots=True)
class ConceptUsage:
    """A concept's use by collection, and its first quotes, at most one a document."""

    collections: tuple[CollectionUsage, ...]
    quotes: tuple[QuoteRow, ...]
