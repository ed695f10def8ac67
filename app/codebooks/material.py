"""What themes are made from: the statements of a collection's answers, and their vectors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.errors import UsageError

if TYPE_CHECKING:
    from app.settings import Settings
    from db.rows import CodebookRow, CollectionRow
    from db.store import Store
    from pipelines.stages.vectors import SentenceEncoder, Vectors
    from pipelines.themes.known import KnownVectors
    from pipelines.themes.types import Assignment, Statement


Quotable = Callable[[int, str], bool]


@dataclass(frozen=True)
class Material:
    """Statements with their vectors, [statements, dimensions], and each document's question."""

    statements: list[Statement]
    vectors: Vectors
    questions: dict[int, str]
    encoder: KnownVectors
    quotable: Quotable

    def take(self, rows: list[int]) -> tuple[list[Statement], Vectors]:
        """Return some of the statements with their vectors."""
        return [self.statements[row] for row in rows], self.vectors[rows]


def quotable_in(store: Store, collection: CollectionRow) -> Quotable:
    """Return what tells whether a statement (document id, words) may be quoted.

    Not where its respondent refused publication, nor where it holds personal data.
    """
    from app.quotable import refusing
    from pipelines.summaries import personal

    refused = refusing(store, collection, store.document_facts(collection.id))
    return lambda document, words: document not in refused and not personal(words)


def open_encoder(settings: Settings, collection: CollectionRow) -> SentenceEncoder:
    """Return the encoder of the collection's recipe."""
    from app.workspace import build_encoder
    from pipelines.recipes import load_recipe

    return build_encoder(settings, load_recipe(collection.recipe).model)


def read_material(
    store: Store,
    collection: CollectionRow,
    question: str | None,
    encoder: SentenceEncoder,
) -> Material:
    """Return the statements of the collection's answers, of one question where given.

    Documents that are empty, withdrawn, kept apart or in another language are left out. Raises
    UsageError where nothing is left.
    """
    from pipelines.themes.known import KnownVectors
    from pipelines.themes.statements import statements
    from pipelines.themes.types import Answer

    answers = [
        Answer(row.id, row.text, row.question or "")
        for row in store.group_documents(collection.id, question=question)
    ]
    found = statements(answers)
    if not found:
        asked = f" under the question {question!r}" if question is not None else ""
        raise UsageError(
            f"Collection {collection.name!r} has no text to find themes in{asked}; expected "
            f"processed answers. See them with: florilegium documents {collection.name}"
        )
    texts = [one.text for one in found]
    vectors = encoder.encode(texts)
    questions = {answer.document: answer.question for answer in answers}
    known = KnownVectors(encoder, texts, vectors)
    return Material(found, vectors, questions, known, quotable_in(store, collection))


def with_sides(
    settings: Settings, assignments: list[Assignment], questions: dict[int, str]
) -> list[Assignment]:
    """Return the assignments with the stance of each answer within each theme."""
    from app.label_sets import load_labeller
    from app.workspace import build_encoder
    from pipelines.themes.stance import with_stance

    if not any(questions.values()):
        return assignments
    labeller = load_labeller(settings, "stance", build_encoder(settings))
    return with_stance(assignments, questions, labeller)


def default_name(question: str | None) -> str:
    """Return the name of a codebook where none is given: one for each question, ``main`` for all."""
    if question is None:
        return "main"
    words = question.split()
    return " ".join(words[:8]) + ("…" if len(words) > 8 else "")


def question_of(
    store: Store, collection: CollectionRow, question: str | None, book: CodebookRow | None
) -> str | None:
    """Return the full wording of the question meant, or None for all; raise UsageError for neither.

    ``question`` may be its beginning, in any case.
    """
    if question is None:
        return book.question if book is not None else None
    known = sorted({f.question for f in store.document_facts(collection.id) if f.question})
    found = [each for each in known if each == question] or [
        each for each in known if each.casefold().startswith(question.strip().casefold())
    ]
    if len(found) != 1:
        shown = "; ".join(repr(each) for each in known) or "none"
        raise UsageError(
            f"{len(found)} questions of {collection.name!r} begin with {question!r}; expected one "
            f"of: {shown}."
        )
    return found[0]
