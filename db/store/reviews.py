"""What people decide about what the machine says; no run ever changes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, insert, select, update

from db.errors import InvalidDecision, NotFound
from db.models import Codebook, Document, Result, ReviewDecision, Theme, ThemeAssignment
from db.rows import AssignmentRow, DecisionInput, DecisionRow, ResultRow
from db.store.access import Access, made
from db.store.parts import RESULT, with_parts
from db.types import utc_now, visible, visible_values

KINDS = ("tag", "label", "theme", "summary")
VERDICTS = ("accepted", "rejected", "corrected", "added")
_REPLACEMENT = {"scheme", "item", "start", "end", "text"}
_DECISION = (
    ReviewDecision.id,
    ReviewDecision.collection_id,
    ReviewDecision.document_id,
    ReviewDecision.kind,
    ReviewDecision.scheme,
    ReviewDecision.item,
    ReviewDecision.start,
    ReviewDecision.end,
    ReviewDecision.text,
    ReviewDecision.verdict,
    ReviewDecision.replacement,
    ReviewDecision.reviewer,
    ReviewDecision.reason,
    ReviewDecision.created_at,
    ReviewDecision.current,
    ReviewDecision.result_id,
    ReviewDecision.run_id,
)


class Reviews(Access):
    """The store's methods about decisions."""

    def decide(self, decision: DecisionInput) -> DecisionRow:
        """Store a decision; this reviewer's earlier one about the same thing is current no more.

        The same thing is the same item at the same place; of a label, which is about the whole
        document, the same item. Raises NotFound for an unknown document or result, and
        InvalidDecision for a kind, verdict, place or replacement that does not fit.
        """
        reviewer = visible(decision.reviewer.strip())
        with self.writing() as connection:
            found = connection.execute(
                select(Document.collection_id, Document.text, Document.withdrawn).where(
                    Document.id == decision.document_id
                )
            ).first()
            if found is None:
                raise NotFound(
                    f"no document {decision.document_id}; list them with: "
                    "florilegium documents COLLECTION --json"
                )
            _check(decision, found.text, reviewer)
            run_id = _run_of(connection, decision)
            same = and_(
                ReviewDecision.document_id == decision.document_id,
                ReviewDecision.reviewer == reviewer,
                ReviewDecision.current,
                _about(decision),
            )
            connection.execute(update(ReviewDecision).where(same).values(current=False))
            row = connection.execute(
                insert(ReviewDecision)
                .values(
                    collection_id=found.collection_id,
                    document_id=decision.document_id,
                    kind=decision.kind,
                    scheme=decision.scheme,
                    item=decision.item,
                    start=decision.start,
                    end=decision.end,
                    text=decision.text,
                    verdict=decision.verdict,
                    replacement=visible_values(decision.replacement),
                    reviewer=reviewer,
                    reason=visible(decision.reason),
                    created_at=utc_now(),
                    current=True,
                    result_id=decision.result_id,
                    run_id=run_id,
                )
                .returning(*_DECISION)
            ).one()
            return made(DecisionRow, row)

    def decisions(
        self,
        collection_id: int | None = None,
        document_id: int | None = None,
        *,
        current: bool = True,
        after: int = 0,
    ) -> list[DecisionRow]:
        """Return decisions by id, those ``after`` one; earlier and withdrawn ones unless current."""
        query = select(*_DECISION).where(ReviewDecision.id > after).order_by(ReviewDecision.id)
        if collection_id is not None:
            query = query.where(ReviewDecision.collection_id == collection_id)
        if document_id is not None:
            query = query.where(ReviewDecision.document_id == document_id)
        if current:
            query = query.where(ReviewDecision.current)
        with self.reading() as connection:
            return [made(DecisionRow, row) for row in connection.execute(query)]

    def result(self, id: int) -> ResultRow:
        """Return one result with its parts, current or not; raises NotFound."""
        with self.reading() as connection:
            row = connection.execute(select(*RESULT).where(Result.id == id)).first()
            if row is not None:
                return with_parts(connection, [made(ResultRow, row)])[0]
        raise NotFound(
            f"no result {id}; it may have been replaced by a later run. See the present one with: "
            "florilegium document ID --json"
        )

    def coding(self, id: int) -> tuple[AssignmentRow, str, str]:
        """Return a coded statement, its codebook's name and its theme's key; raises NotFound."""
        names = [name for name in AssignmentRow.__slots__ if name != "id"]
        columns = [getattr(ThemeAssignment, name) for name in (*names, "id")]
        query = (
            select(*columns, Codebook.name, Theme.key)
            .join(Theme, Theme.id == ThemeAssignment.theme_id)
            .join(Codebook, Codebook.id == Theme.codebook_id)
            .where(ThemeAssignment.id == id)
        )
        with self.reading() as connection:
            row = connection.execute(query).first()
        if row is None:
            raise NotFound(f"no coding {id}; list the themes with: florilegium themes list")
        return made(AssignmentRow, row[:-2]), row[-2], row[-1]

    def withdraw_decision(self, id: int) -> DecisionRow:
        """Take a decision back: it stays on record, current no more; raises NotFound."""
        with self.writing() as connection:
            row = connection.execute(
                update(ReviewDecision)
                .where(ReviewDecision.id == id)
                .values(current=False)
                .returning(*_DECISION)
            ).first()
        if row is None:
            raise NotFound(
                f"no decision {id}; list them with: florilegium review list COLLECTION --all"
            )
        return made(DecisionRow, row)


def _about(decision: DecisionInput) -> ColumnElement[bool]:
    tests = [
        ReviewDecision.kind == decision.kind,
        ReviewDecision.scheme == decision.scheme,
        ReviewDecision.item == decision.item,
    ]
    if decision.kind != "label":
        tests += [ReviewDecision.start == decision.start, ReviewDecision.end == decision.end]
    return and_(*tests)


def _run_of(connection: Connection, decision: DecisionInput) -> int | None:
    if decision.result_id is None:
        return None
    found = connection.execute(
        select(Result.run_id, Result.document_id).where(Result.id == decision.result_id)
    ).first()
    if found is None:
        raise NotFound(f"no result {decision.result_id}; it may have been replaced by a later run")
    if found.document_id != decision.document_id:
        raise InvalidDecision(
            f"result {decision.result_id} is about document {found.document_id}; expected one "
            f"about document {decision.document_id}. See: florilegium document "
            f"{decision.document_id} --json"
        )
    return int(found.run_id)


def _check(decision: DecisionInput, text: str, reviewer: str) -> None:
    _one_of("kind", decision.kind, KINDS)
    _one_of("verdict", decision.verdict, VERDICTS)
    if not reviewer:
        raise InvalidDecision("reviewer is ''; expected a name. Give one with --reviewer NAME")
    named = bool(decision.scheme and decision.item)
    if named == (decision.kind == "summary"):
        wanted = "none for a summary sentence" if named else "what the decision is about"
        raise InvalidDecision(
            f"scheme is {decision.scheme!r} and item {decision.item!r}; expected {wanted}"
        )
    whole = decision.kind == "label"
    _place("", decision.start, decision.end, decision.text, text, empty=whole)
    replacement = decision.replacement
    if decision.verdict != "corrected":
        if replacement:
            raise InvalidDecision(
                f"a decision that is {decision.verdict!r} has the replacement "
                f"{dict(replacement)!r}; expected one only where it is 'corrected'"
            )
        return
    if replacement.keys() != _REPLACEMENT:
        raise InvalidDecision(
            f"the replacement has {sorted(replacement)}; expected {sorted(_REPLACEMENT)}"
        )
    if not all(isinstance(replacement[key], str) for key in ("scheme", "item", "text")) or not all(
        type(replacement[key]) is int for key in ("start", "end")
    ):
        raise InvalidDecision(
            f"the replacement is {dict(replacement)!r}; expected texts and two whole numbers"
        )
    _replaced(decision, replacement)
    _place(
        "the replacement's ",
        *(replacement["start"], replacement["end"], replacement["text"], text),
        empty=whole,
    )


def _replaced(decision: DecisionInput, replacement: Mapping[str, Any]) -> None:
    given = [replacement[key] for key in ("scheme", "item", "start", "end")]
    if given == [decision.scheme, decision.item, decision.start, decision.end]:
        raise InvalidDecision(
            f"the replacement is {replacement['item']!r} at the same place, as it was; expected "
            "something else. To agree with it use --accept"
        )


def _one_of(name: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        raise InvalidDecision(f"{name} is {value!r}; expected {', '.join(known)}")


def _place(what: str, start: int, end: int, words: str, text: str, *, empty: bool) -> None:
    """Check that ``text[start:end]`` is ``words``; ``empty``: the whole document may be meant."""
    if empty and start == end == 0 and not words:
        return
    if not 0 <= start < end <= len(text):
        raise InvalidDecision(
            f"{what}place is {start} to {end}; expected one within the {len(text):,} characters "
            "of the document, the end after the start"
        )
    if text[start:end] != words:
        raise InvalidDecision(
            f"{what}text is {words!r}; the document has {text[start:end]!r} from {start} to {end}. "
            "See it with: florilegium document ID --json"
        )
