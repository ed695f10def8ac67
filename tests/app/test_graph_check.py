"""``db check``: SQL and graph say the same, and what differs is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlalchemy import delete, update

from app.graph_check import check_graph
from app.graph_mark import mark_stale
from app.projection import graph_snapshot, rebuild_graph
from app.settings import Settings, load_settings
from app.workspace import open_store
from db.models import Document, ReviewDecision, Tag, ThemeAssignment
from db.rows import DocumentRow, ResultInput
from db.store import Store
from ontology.graph import DocumentRecord
from ontology.graphstore import open_current
from tests.app.conftest import call
from tests.app.graph_people import add_people
from tests.db.samples import collection, full, put, run_all, tag

TEXTS = {f"k{n}": f"The park in street {n} is closed. Open it again." for n in range(12)}


@pytest.fixture
def settings(home: Path) -> Settings:
    return load_settings(home=home)


@pytest.fixture
def store(settings: Settings) -> Store:
    """A workspace of two collections with results of two runs, decisions, themes and campaigns."""
    store = open_store(settings, create=True)
    for name in ("parks", "wards"):
        here = collection(store, name).id
        put(store, here, TEXTS, f"/data/{name}.csv")
        run_all(store, here, result=_result)
        run_all(store, here, fingerprint="f2", result=_result)
    add_people(store)
    return store


def _result(row: DocumentRow) -> ResultInput:
    return full(row.text, tag(row.text, 4, 8), tag(row.text, 12, 18, "urn:c:street", cue="is"))


@pytest.fixture
def built(settings: Settings, store: Store) -> Store:
    """The same, with its graph."""
    rebuild_graph(settings, store)
    return store


def test_a_graph_just_built_says_the_same(settings: Settings, built: Store) -> None:
    checked = check_graph(settings, built)
    assert (checked.state, checked.differences) == ("same", ())
    counts = {(each.collection, each.kind): (each.sql, each.graph) for each in checked.counts}
    assert counts["parks", "documents"] == (12, 12)
    assert counts["wards", "tags"] == (24, 24)
    assert counts["wards", "tags (earlier)"] == (24, 24)
    assert counts["parks", "campaigns"] == (1, 1)  # one of a single document is none
    assert counts["parks", "memberships"] == (3, 3)
    kinds = {each.kind for each in checked.counts}
    assert {"sentences", "labels", "summary sentences", "decisions", "decisions (earlier)"} <= kinds
    assert {"replacements", "codebooks", "themes", "codings", "group summaries"} <= kinds
    assert all(sql == graph > 0 for sql, graph in counts.values())


CHANGES = {
    "a tag that went": (delete(Tag).where(Tag.id == 25), "tags: ", "is in the graph only"),
    "a tag with another score": (
        update(Tag).where(Tag.result_id == 13).values(score=0.5),
        "tag-13-1 has another score",
        "",
    ),
    "a tag with another concept": (
        update(Tag).where(Tag.result_id == 13).values(iri="urn:c:bus"),
        "tag-13-1 has another body",
        "",
    ),
    "a tag elsewhere": (
        update(Tag).where(Tag.id == 25).values(end=7),
        "tag-13-1 has another target",
        "",
    ),
    "a decision that went": (
        delete(ReviewDecision).where(ReviewDecision.id == 1),
        "review-1 is in the graph only",
        "",
    ),
    "a coding that ended": (
        update(ThemeAssignment).where(ThemeAssignment.id == 1).values(until=2),
        "coding-1 is in the graph only",
        "",
    ),
    "a document that was withdrawn": (
        update(Document).where(Document.id == 5).values(withdrawn=True),
        "document-5 is in the graph only",
        "",
    ),
    "another text": (
        update(Document).where(Document.id == 5).values(sha256="ff"),
        "document-5 has another sha256",
        "",
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_changed_in_the_database_alone_is_named(
    settings: Settings, built: Store, change: str
) -> None:
    statement, says, also = CHANGES[change]
    with built.writing() as connection:
        assert connection.execute(statement).rowcount > 0
    checked = check_graph(settings, built)
    assert checked.state == "differs"
    told = "; ".join(checked.differences)
    assert says in told
    assert also in told
    rebuild_graph(settings, built)
    assert check_graph(settings, built).ok


@pytest.mark.parametrize(
    ("lost", "says"),
    [
        ("DELETE WHERE { data:tag-13-1 oa:hasBody ?b }", "tag-13-1 has another body"),
        ("DELETE WHERE { data:review-1 ?p ?o }", "review-1 is not in the graph"),
        ("DELETE WHERE { data:position-1-4-8 oa:end ?e }", "position-1-4-8 has another end"),
        ("DELETE WHERE { GRAPH data:run-2 { data:tag-13-1 oa:hasBody ?b } }", "in named graphs"),
        (
            "INSERT DATA { data:tag-99-1 flo:inDocument document:1 }",
            "tag-99-1 is in the graph only",
        ),
    ],
)
def test_what_changed_in_the_graph_alone_is_named(
    settings: Settings, built: Store, lost: str, says: str
) -> None:
    import pyoxigraph as ox

    from ontology.vocab import PREFIXES

    graph = ox.Store(str(open_current(settings.graph_dir).db))
    graph.update(lost, prefixes=PREFIXES)
    graph.flush()
    del graph
    checked = check_graph(settings, built)
    assert checked.state == "differs"
    assert says in "; ".join(checked.differences)


def test_no_graph_of_no_documents_is_in_step(settings: Settings) -> None:
    empty = open_store(settings, create=True)
    assert check_graph(settings, empty).state == "none"
    assert call("--home", settings.home, "db", "check").code == 0


def test_a_graph_known_to_be_behind_is_out_of_step(settings: Settings, built: Store) -> None:
    mark_stale(settings)
    assert check_graph(settings, built).state == "behind"
    answer = call("--home", settings.home, "db", "check")
    assert answer.code == 78
    assert "florilegium graph rebuild" in answer.err


def test_the_command_counts_and_leaves_with_78_when_out_of_step(
    settings: Settings, store: Store
) -> None:
    before = call("--home", settings.home, "db", "check")
    assert (before.code, "no graph" in before.err) == (78, True)
    assert call("--home", settings.home, "graph", "rebuild").code == 0
    answer = call("--home", settings.home, "db", "check", "--json")
    assert answer.code == 0
    graph = json.loads(answer.out)["graph"]
    assert graph["ok"]
    assert {"collection": "parks", "kind": "tags", "sql": 24, "graph": 24} in graph["counts"]
    assert "The graph says the same" in call("--home", settings.home, "db", "check").out


def test_some_documents_give_a_partial_snapshot_with_what_hangs_on_them(store: Store) -> None:
    with graph_snapshot(store) as whole:
        everything = {each.document.id: each for each in whole.documents}  # type: ignore[union-attr]
    with graph_snapshot(store, [3, 1, 1, 999]) as snapshot:
        assert snapshot.partial
        some = list(snapshot.documents)
        assert len(snapshot.codebooks) == 2
    assert [each.document.id for each in some if isinstance(each, DocumentRecord)] == [1, 3]
    assert some == [everything[1], everything[3]]
    assert everything[1].memberships
    assert everything[1].highlights
    with graph_snapshot(store, []) as nothing:
        assert list(nothing.documents) == []
