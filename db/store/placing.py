"""Bring a collection to what waits in the temporary tables: a few statements over whole sets.

A file of millions needs no more memory than one of ten. The statements are built once.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Text,
    and_,
    bindparam,
    case,
    cast,
    exists,
    false,
    func,
    insert,
    literal,
    not_,
    null,
    or_,
    select,
    true,
    union,
    update,
)

from db.errors import KeyCollision
from db.models import Document, Source
from db.rows import PutCounts
from db.store.access import table
from db.store.currency import recount_duplicates, restore, retire
from db.store.staging import KNOWN, STAGED, Staged
from db.types import utc_now

_TAKEN = "taken"  # a live document of another file has the key
_COMPARED: tuple[str, ...] = (
    "sha256",  # stands for the text
    "input_hash",
    "question",
    "metadata",
    "locator",
    "respondent",
    "aside",
    "flags",
)
_COPIED = (*_COMPARED, "text", "length", "position")
_JSON = ("metadata", "flags")

_documents = table(Document)
_old, _new, _known = _documents.c, STAGED.c, KNOWN.c
_here = bindparam("this_collection", type_=_old.collection_id.type)
_file = bindparam("this_source", type_=_old.source_id.type)
_now = bindparam("now", type_=_old.created_at.type)


def place(waiting: Staged, collection_id: int, source_id: int) -> PutCounts:
    """Add, change and withdraw documents of a file; raises KeyCollision."""
    connection = waiting.connection
    values = {"this_collection": collection_id, "this_source": source_id, "now": utc_now()}
    _refuse_repeats(connection)
    for statement in (_FIND_KNOWN, _FIND_GONE):
        connection.execute(statement, values)
    counts: dict[str, int] = {row[0]: row[1] for row in connection.execute(_COUNT_CHANGES)}
    if _TAKEN in counts:
        raise _collision(connection)
    gone = counts.get("gone", 0)
    found = sum(counts.values()) - gone
    connection.execute(_ADD_UNKNOWN if found else _ADD_ALL, values)
    if counts.keys() - {"untouched"}:
        for change in (_CHANGE, _MOVE, _WITHDRAW):
            connection.execute(change, values)
    if counts.keys() - {"untouched", "moved"}:
        retire(connection, _STALE)
        restore(connection, _STALE)
        recount_duplicates(connection, collection_id, _TOUCHED_HASHES)
    return PutCounts(
        source_id,
        added=waiting.count - found,
        updated=counts.get("updated", 0),
        untouched=counts.get("untouched", 0) + counts.get("moved", 0),
        returned=counts.get("returned", 0),
        withdrawn=gone,
        duplicates=connection.scalar(_COUNT_DUPLICATES, values) or 0,
        rejected=tuple(waiting.rejected),
        forgotten=tuple(waiting.forgotten),
    )


def _refuse_repeats(connection: Connection) -> None:
    key = connection.scalar(_FIRST_REPEAT)
    if key is not None:
        raise KeyCollision(
            f"document key {key!r} occurs twice in one file; expected a key of its own for "
            "each document"
        )


def _collision(connection: Connection) -> KeyCollision:
    key, path = connection.execute(_FIRST_TAKEN).one()
    return KeyCollision(
        f"document key {key!r} belongs to {path} already; expected keys "
        "of their own for each file: read this one into another --collection"
    )


def _differs(name: str) -> ColumnElement[bool]:
    before: ColumnElement[Any] = _old[name]
    after: ColumnElement[Any] = _new[name]
    if name in _JSON:  # PostgreSQL's JSON has no equality of its own
        before, after = cast(before, Text), cast(after, Text)
    return before.is_distinct_from(after)


_FIRST_REPEAT = (
    select(_new.key)
    .group_by(_new.key)
    .having(func.count() > 1)
    .order_by(func.min(_new.position))
    .limit(1)
)
_FIND_KNOWN = insert(KNOWN).from_select(
    [column.name for column in KNOWN.columns],
    select(
        _old.id,
        _new.position,
        case(
            (and_(_old.source_id != _file, not_(_old.withdrawn)), _TAKEN),
            (_old.withdrawn, "returned"),
            (or_(*map(_differs, _COMPARED)), "updated"),
            (_old.position != _new.position, "moved"),
            else_="untouched",
        ),
        or_(_old.withdrawn, _old.input_hash != _new.input_hash),
        case((or_(_old.withdrawn, _old.sha256 != _new.sha256), _old.sha256), else_=null()),
    )
    .select_from(STAGED)
    .join(_documents, and_(_old.collection_id == _here, _old.key == _new.key)),
)
_FIND_GONE = insert(KNOWN).from_select(
    [column.name for column in KNOWN.columns],
    select(_old.id, null(), literal("gone"), true(), _old.sha256).where(
        _old.source_id == _file,
        not_(_old.withdrawn),
        ~exists().where(_known.document_id == _old.id),
    ),
)
_COUNT_CHANGES = select(_known.change, func.count()).group_by(_known.change)
_FIRST_TAKEN = (
    select(_old.key, Source.path)
    .join(KNOWN, _known.document_id == _old.id)
    .join(Source, Source.id == _old.source_id)
    .where(_known.change == _TAKEN)
    .order_by(_known.position)
    .limit(1)
)
_ADDED = ("collection_id", "source_id", "withdrawn", "created_at", "key", *_COPIED)
_ALL = select(_here, _file, false(), _now, _new.key, *(_new[n] for n in _COPIED))
_UNKNOWN = _ALL.where(~exists().where(_known.position == _new.position))
_ADD_ALL = insert(_documents).from_select(_ADDED, _ALL.order_by(_new.position))
_ADD_UNKNOWN = insert(_documents).from_select(_ADDED, _UNKNOWN.order_by(_new.position))
_otherwise = _known.change.in_(("updated", "returned"))
_CHANGE = (
    update(_documents)
    # Without the list SQLite goes through the documents of every file.
    .where(_old.id.in_(select(_known.document_id).where(_otherwise)))
    .where(_old.id == _known.document_id, _known.position == _new.position)
    .values({name: _new[name] for name in _COPIED} | {"source_id": _file, "withdrawn": False})
)
_MOVE = (
    update(_documents)
    .where(_old.id == _known.document_id, _known.change == "moved")
    .values(position=_known.position)
)
_WITHDRAW = (
    update(_documents)
    .where(_old.id == _known.document_id, _known.change == "gone")
    .values(withdrawn=True)
)
_STALE = select(_known.document_id).where(_known.stale)
_touched = _known.old_sha256.is_not(None)
_TOUCHED_HASHES = select(
    union(
        select(_known.old_sha256.label("sha256")).where(_touched),
        select(_new.sha256).join(KNOWN, _known.position == _new.position).where(_touched),
    )
    .subquery()
    .c.sha256
)
# Not the first with its text and question: all but the groups whose first is in this file.
_first = (
    select(func.min(_old.id).label("id"))
    .where(_old.collection_id == _here, not_(_old.withdrawn))
    .where(_old.sha256.in_(select(_new.sha256).where(not_(_new.blank))))
    .group_by(_old.sha256, _old.question)
    .subquery()
)
_firsts_here = (
    select(func.count())
    .select_from(_first)
    .join(_documents, _old.id == _first.c.id)
    .where(_old.source_id == _file)
)
_COUNT_DUPLICATES = select(
    select(func.count()).where(not_(_new.blank)).scalar_subquery() - _firsts_here.scalar_subquery()
)
