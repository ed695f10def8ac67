"""Whether SQL and graph say the same: counted, and compared fact by fact, in bounded memory.

Each side's facts are added up into digests, one a kind and bucket of names, in whatever order they
come. Only where two digests differ are the names behind them read again and told apart.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from app.graph_mark import is_stale
from app.projection import snapshot_of
from app.settings import Settings
from db.store import Store
from ontology.errors import GraphMissing
from ontology.graph import DocumentRecord
from ontology.graph_facts import KINDS, Fact, document_facts, group_facts, stored_facts
from ontology.graphstore import CurrentGraph, hold
from ontology.review_quads import themes_by_key

if TYPE_CHECKING:
    import pyoxigraph as ox

_BUCKETS = 1024
_MASK = (1 << 64) - 1
_NAMED = 3
"""Differing names told of each kind."""
_OLD = " (earlier)"

Facts = Callable[[], Iterator[Fact]]


@dataclass(frozen=True, slots=True)
class Count:
    """How many things of a kind SQL and the graph have, in a collection."""

    collection: str
    kind: str
    sql: int
    graph: int


@dataclass(frozen=True, slots=True)
class GraphCheck:
    """``state`` is none (nothing to compare), behind (known to be), differs or same.

    ``differences`` say in words what differs, with the first few names.
    """

    state: str
    counts: tuple[Count, ...] = ()
    differences: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """Tell whether the graph may be relied on."""
        return self.state in ("none", "same")


@dataclass(slots=True)
class _Side:
    """One side's digests and counts."""

    digests: dict[str, list[int]] = field(default_factory=dict)
    counts: Counter[tuple[int, str]] = field(default_factory=Counter)
    bodies: int = 0
    owners: dict[str, int] = field(default_factory=dict)

    def add(self, fact: Fact) -> None:
        """Add a fact to its digest, and count its thing by collection where it says that."""
        kind = _kind(fact)
        sums = self.digests.get(kind)
        if sums is None:
            sums = self.digests[kind] = [0] * _BUCKETS
        name = fact.name
        sums[hash(name) % _BUCKETS] += hash((name, fact.about, fact.value)) & _MASK
        if fact.about in ("of", "order", "start"):
            self.counts[self.owner(fact), kind] += 1
        elif fact.about == "body" and not fact.old:
            self.bodies += 1

    def owner(self, fact: Fact) -> int:
        """Return the collection of the fact's thing; 0 where that is not known."""
        value = fact.value
        if fact.about == "of":
            if value.startswith("collection-"):
                owner = self.owners[fact.name] = int(value[11:])
                return owner
            return self.owners.get(value, 0)
        return self.owners.get(f"document-{fact.name.split('-', 2)[1]}", 0)


def check_graph(settings: Settings, store: Store) -> GraphCheck:
    """Compare the graph that readers are shown with the database, as both are now."""
    began = time.monotonic()
    try:
        with hold(settings.graph_dir) as current:
            checked = _compare(store, current)
    except GraphMissing as missing:
        documents = sum(row.documents for row in store.collections())
        if not documents:
            return GraphCheck("none")
        return GraphCheck(
            "behind", differences=(f"no graph of {documents:,} documents: {missing}",)
        )
    if is_stale(settings):
        behind = ("the database has changed since the graph was built", *checked.differences)
        return GraphCheck("behind", checked.counts, behind, time.monotonic() - began)
    return GraphCheck(checked.state, checked.counts, checked.differences, time.monotonic() - began)


def _compare(store: Store, current: CurrentGraph) -> GraphCheck:
    import pyoxigraph as ox

    opened = ox.Store.read_only(str(current.db))
    superseded = frozenset(current.manifest.superseded)
    names = {row.id: row.name for row in store.collections()}
    sql = _Side()
    for fact in _in_sql(store):
        sql.add(fact)
    graph, named = _Side(owners=dict(sql.owners)), 0
    for found in stored_facts(opened, superseded):
        if found is None:
            named += 1
        else:
            graph.add(found)
    counts = [
        Count(names.get(owner, "?"), kind, sql.counts[owner, kind], graph.counts[owner, kind])
        for owner, kind in sorted({*sql.counts, *graph.counts})
        if kind != KINDS["position"]
    ]
    differing = [
        kind
        for kind in sorted({*sql.digests, *graph.digests})
        if sql.digests.get(kind, [0] * _BUCKETS) != graph.digests.get(kind, [0] * _BUCKETS)
    ]
    told = [_told(kind, store, opened, superseded, sql, graph) for kind in differing]
    if not told and named != graph.bodies:
        told.append(
            f"{named:,} annotations with a body in named graphs, {graph.bodies:,} in the default "
            "graph; expected as many"
        )
    state = "differs" if told else "same"
    return GraphCheck(state, tuple(counts), tuple(told))


def _in_sql(store: Store) -> Iterator[Fact]:
    """Yield the facts of the database, documents first, so that each thing's owner is known."""
    with store.graph_view() as view:
        snapshot = snapshot_of(view, vocabularies=False)
        yield from group_facts(snapshot)
        themes = themes_by_key(snapshot.codebooks)
        for record in snapshot.documents:
            assert isinstance(record, DocumentRecord)
            yield from document_facts(record, themes)


def _told(
    kind: str,
    store: Store,
    opened: ox.Store,
    superseded: frozenset[str],
    sql: _Side,
    graph: _Side,
) -> str:
    """Say what differs in a kind: how many, and the first names."""
    sums, others = sql.digests.get(kind), graph.digests.get(kind)
    buckets = {
        number
        for number in range(_BUCKETS)
        if (sums[number] if sums else 0) != (others[number] if others else 0)
    }
    few = set(sorted(buckets)[:_NAMED])
    here = _facts_of(kind, few, _in_sql(store))
    there = _facts_of(
        kind, few, (each for each in stored_facts(opened, superseded) if each is not None)
    )
    said = []
    for name in sorted({*here, *there}):
        if here.get(name) == there.get(name):
            continue
        if name not in there:
            said.append(f"{name} is not in the graph")
        elif name not in here:
            said.append(f"{name} is in the graph only")
        else:
            about = sorted({each[0] for each in here[name] ^ there[name]})
            said.append(f"{name} has another {' and '.join(about)}")
    of = f"{_total(sql, kind):,} in the database, {_total(graph, kind):,} in the graph"
    more = " and more" if len(buckets) > _NAMED or len(said) > _NAMED else ""
    return f"{kind}: {of}; {', '.join(said[:_NAMED])}{more}"


def _facts_of(
    kind: str, buckets: set[int], facts: Iterator[Fact]
) -> dict[str, set[tuple[str, str]]]:
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for fact in facts:
        if hash(fact.name) % _BUCKETS in buckets and _kind(fact) == kind:
            found[fact.name].add((fact.about, fact.value))
    return found


def _total(side: _Side, kind: str) -> int:
    return sum(number for (_, each), number in side.counts.items() if each == kind)


def _kind(fact: Fact) -> str:
    kind = KINDS[fact.name[: fact.name.find("-")]]
    return kind + _OLD if fact.old else kind


def report(check: GraphCheck) -> dict[str, Any]:
    """Return a check as JSON values."""
    return {
        "state": check.state,
        "ok": check.ok,
        "counts": [
            {"collection": c.collection, "kind": c.kind, "sql": c.sql, "graph": c.graph}
            for c in check.counts
        ],
        "differences": list(check.differences),
        "seconds": round(check.seconds, 3),
    }
