"""What people and groups add: reviewers' agreement, themes by stance, campaigns counted once."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from sqlalchemy import Connection, Select, and_, exists, func, literal, select, union_all
from sqlalchemy.orm import aliased

from db.models import (
    Campaign,
    CampaignMember,
    Codebook,
    Collection,
    Document,
    ReviewDecision,
    Theme,
    ThemeAssignment,
    ThemeState,
)
from db.rows.questions import Asked, SqlAnswer
from db.store.groups import COUNTED_ONCE
from db.store.questions.standing import REFUSED, answer, local_name, shown, standing

_HALF_UP = 0.5
"""As SPARQL's ROUND does."""


def acceptance(connection: Connection, asked: Asked) -> SqlAnswer:
    """Return how often each concept, label or theme was accepted, rejected and corrected."""
    query = (
        select(
            ReviewDecision.kind,
            ReviewDecision.scheme,
            ReviewDecision.item,
            ReviewDecision.verdict,
            Collection.id,
        )
        .join(Document, Document.id == ReviewDecision.document_id)
        .join(Collection, Collection.id == Document.collection_id)
        .where(ReviewDecision.current, ~Document.withdrawn)
        .where(ReviewDecision.verdict.in_(("accepted", "rejected", "corrected")))
        .where(ReviewDecision.kind != "summary")
    )
    if asked.reviewer:
        query = query.where(ReviewDecision.reviewer == asked.reviewer)
    if asked.collection:
        query = query.where(Collection.name == asked.collection)
    themes = _themes(connection)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    labels: dict[str, str] = {}
    for kind, scheme, item, verdict, collection in connection.execute(query):
        body = item
        if kind == "theme":
            theme = themes.get((collection, scheme, item))
            if theme is None:
                continue
            body = f"theme-{theme[0]}"
            labels[body] = theme[1]
        elif kind == "label":
            body = f"label {scheme}\0{item}"
            labels[body] = item
        counts[body][verdict] += 1
    labels.update(shown(connection, [body for body in counts if body not in labels]))
    rows = []
    for body, found in counts.items():
        total = found.total()
        percent = int(100 * found["accepted"] / total + _HALF_UP)
        verdicts = (found["accepted"], found["rejected"], found["corrected"])
        rows.append((body, labels.get(body), *verdicts, total, percent))
    rows.sort(key=lambda row: (-row[5], row[1] or "", row[0]))
    columns = "concept label accepted rejected corrected decisions percent"
    return answer(columns, rows[: asked.limit])


def _themes(connection: Connection) -> dict[tuple[int, str, str], tuple[int, str]]:
    query = (
        select(Codebook.collection_id, Codebook.name, Theme.key, Theme.id, ThemeState.label)
        .join(Theme, Theme.codebook_id == Codebook.id)
        .join(ThemeState, ThemeState.theme_id == Theme.id)
        .where(ThemeState.until.is_(None))
    )
    return {(row[0], row[1], row[2]): (row[3], row[4]) for row in connection.execute(query)}


def themes_by_stance(connection: Connection, asked: Asked) -> SqlAnswer:
    """Return documents and statements for each theme and stance, sub-themes counted in."""
    states = {
        row[0]: row[1:]
        for row in connection.execute(
            select(Theme.id, ThemeState.label, ThemeState.parent_id, Codebook.name)
            .join(ThemeState, ThemeState.theme_id == Theme.id)
            .join(Codebook, Codebook.id == Theme.codebook_id)
            .where(ThemeState.until.is_(None))
        )
    }
    documents: dict[tuple[int, str], set[int]] = defaultdict(set)
    statements: Counter[tuple[int, str]] = Counter()
    for theme, document, stance in connection.execute(_codings(asked)):
        seen: set[int] = set()
        while theme in states and theme not in seen:
            seen.add(theme)
            key = (theme, stance or "not assessed")
            documents[key].add(document)
            statements[key] += 1
            theme = states[theme][1]
    rows = [
        (states[theme][2], f"theme-{theme}", states[theme][0], stance, len(found), statements[key])
        for key, found in documents.items()
        for theme, stance in [key]
        if not asked.codebook or states[theme][2] == asked.codebook
    ]
    rows.sort(key=lambda row: (row[0], row[2], row[1], row[3]))
    return answer("codebook theme label stance documents statements", rows[: asked.limit])


def _codings(asked: Asked) -> Select[Any]:
    """Return theme, document and stance of each statement that stands, people's own too."""
    coded, given = aliased(Codebook), aliased(Codebook)
    refused = exists().where(
        ReviewDecision.document_id == ThemeAssignment.document_id,
        ReviewDecision.kind == "theme",
        ReviewDecision.current,
        ReviewDecision.verdict.in_(REFUSED),
        ReviewDecision.scheme == coded.name,
        ReviewDecision.item == Theme.key,
        ReviewDecision.start == ThemeAssignment.start,
        ReviewDecision.end == ThemeAssignment.end,
    )
    machine = (
        select(
            Theme.id.label("theme_id"),
            ThemeAssignment.document_id.label("document_id"),
            ThemeAssignment.stance.label("stance"),
        )
        .join(Theme, Theme.id == ThemeAssignment.theme_id)
        .join(coded, coded.id == Theme.codebook_id)
        .where(ThemeAssignment.until.is_(None), ~refused)
    )
    new = ReviewDecision.replacement
    people = []
    own = (ReviewDecision.scheme, ReviewDecision.item, ReviewDecision.start, ReviewDecision.end)
    put = (new["scheme"].as_string(), new["item"].as_string())
    at = (new["start"].as_integer(), new["end"].as_integer())
    for verdict, (scheme, item, start, end) in (("added", own), ("corrected", (*put, *at))):
        applied = exists().where(  # its coding is counted with the machine's
            ThemeAssignment.theme_id == Theme.id,
            ThemeAssignment.document_id == ReviewDecision.document_id,
            ThemeAssignment.start == start,
            ThemeAssignment.end == end,
            ThemeAssignment.until.is_(None),
        )
        people.append(
            select(Theme.id, ReviewDecision.document_id, literal(""))
            .join(Document, Document.id == ReviewDecision.document_id)
            .join(given, and_(given.collection_id == Document.collection_id, given.name == scheme))
            .join(Theme, and_(Theme.codebook_id == given.id, Theme.key == item))
            .where(ReviewDecision.kind == "theme", ReviewDecision.current)
            .where(ReviewDecision.verdict == verdict, ~applied)
        )
    both = union_all(machine, *people).subquery()
    query = (
        select(both.c.theme_id, both.c.document_id, both.c.stance)
        .join(Document, Document.id == both.c.document_id)
        .join(Collection, Collection.id == Document.collection_id)
        .where(~Document.withdrawn)
    )
    return query.where(Collection.name == asked.collection) if asked.collection else query


def campaigns_counted_once(connection: Connection, asked: Asked) -> SqlAnswer:
    """Return documents of each concept and theme, and senders: a campaign is one."""
    tags = standing(asked)
    codings = _codings(asked).subquery()
    items = union_all(
        select(tags.c.iri.label("item"), tags.c.document_id),
        select(local_name("theme", codings.c.theme_id), codings.c.document_id),
    ).subquery()
    campaigns = (
        select(CampaignMember.document_id, CampaignMember.campaign_id)
        .join(Campaign, Campaign.id == CampaignMember.campaign_id)
        .where(Campaign.kind.in_(COUNTED_ONCE))
        .where(CampaignMember.campaign_id.in_(_of_two()))
        .subquery()
    )
    sender = func.coalesce(
        local_name("campaign", campaigns.c.campaign_id), local_name("document", items.c.document_id)
    )
    query = (
        select(
            items.c.item,
            func.count(items.c.document_id.distinct()).label("documents"),
            func.count(sender.distinct()).label("once"),
        )
        .outerjoin(campaigns, campaigns.c.document_id == items.c.document_id)
        .group_by(items.c.item)
    )
    rows = connection.execute(query).all()
    labels = {f"theme-{id}": label for id, label in _themes(connection).values()}
    labels |= shown(connection, [row[0] for row in rows if row[0] not in labels])
    found = [(row[0], labels.get(row[0]), row[1], row[2]) for row in rows]
    found.sort(key=lambda row: (-row[2], row[1] or "", row[0]))
    return answer("concept label documents once", found[: asked.limit])


def _of_two() -> Any:
    return (
        select(CampaignMember.campaign_id)
        .join(Document, Document.id == CampaignMember.document_id)
        .where(~Document.withdrawn)
        .group_by(CampaignMember.campaign_id)
        .having(func.count() > 1)
    )
