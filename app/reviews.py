"""Decisions about what the machine says: found by what they are about, checked, stored, projected."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from app.errors import UsageError
from app.graph_mark import is_stale, mark_stale
from app.review_targets import Question, decided
from db.rows import DecisionInput, DecisionRow

if TYPE_CHECKING:
    from app.settings import Settings
    from db.store import Store

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The stored decision, and what did not go as planned after it."""

    decision: DecisionRow
    warnings: list[str] = field(default_factory=list)


def review(settings: Settings, store: Store, question: Question) -> Reviewed:
    """Store a decision and bring the graph in step.

    Raises UsageError, NotFound and InvalidDecision, each with what was expected.
    """
    reviewer = question.reviewer.strip() or settings.person
    if not reviewer:
        raise UsageError(
            "Nobody is named as the reviewer; expected a name. Give one with --reviewer NAME, or "
            "for good with the setting reviewer (see: florilegium config show)."
        )
    target, replacement = decided(store, question)
    decision = DecisionInput(
        document_id=target.document_id,
        kind=target.kind,
        scheme=target.scheme,
        item=target.item,
        start=target.start,
        end=target.end,
        text=target.text,
        verdict=question.verdict,
        reviewer=reviewer,
        reason=question.reason,
        replacement=replacement,
        result_id=target.result_id,
    )
    return Reviewed(*graph_follows(settings, store, lambda: _stored(store, decision)))


def withdraw(settings: Settings, store: Store, number: int) -> Reviewed:
    """Take a decision back, with what it did to codings; raises NotFound."""
    return Reviewed(*graph_follows(settings, store, lambda: _withdrawn(store, number)))


def _stored(store: Store, decision: DecisionInput) -> DecisionRow:
    """Store a decision; one about a theme is applied to the codings at once, as a version."""
    if decision.kind != "theme":
        return store.decide(decision)
    from app.codebooks.coding import decide

    collection = store.document(decision.document_id).collection.id
    book = store.codebook(collection, decision.scheme)
    return decide(store, book, [decision], author=decision.reviewer)[0][0]


def _withdrawn(store: Store, number: int) -> DecisionRow:
    held = {row.id for row in store.decisions()}
    row = store.withdraw_decision(number)
    if row.kind == "theme" and row.id in held:
        from app.codebooks.coding import apply_decisions

        book = store.codebook(row.collection_id, row.scheme)
        apply_decisions(store, book, author=row.reviewer, decisions=[row.id], retracted=[row])
    return row


def graph_follows(
    settings: Settings, store: Store, change: Callable[[], T], *, erased: bool = False
) -> tuple[T, list[str]]:
    """Make a change in SQL and bring the graph in step; return its answer, and warnings.

    SQL is the truth: where the graph cannot follow now, it stays marked as behind and the next
    run, or ``florilegium graph rebuild``, makes up for it. With ``erased`` the older stores go too.
    What ``change`` raises is raised again, the graph in step with what is stored.
    """
    from app.graph_step import bring_in_step

    behind = is_stale(settings)
    mark_stale(settings)
    try:
        answer = change()
    except Exception:
        if not behind:  # refused, or done in part: in step it is as soon as what differs is there
            with suppress(Exception):
                bring_in_step(settings, store)
        raise
    try:
        bring_in_step(settings, store, erased=erased)
    except Exception as error:
        return answer, [
            f"It is saved, but the graph could not follow ({error}). "
            "Try again with: florilegium graph rebuild"
        ]
    return answer, []
