"""The ready questions give the same answer over HTTP, from rdflib over a dump, and from SQL."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.projection import graph_snapshot, rebuild_graph
from app.questions import ask, asked, reshaped, settle
from app.settings import Settings, load_settings
from app.sql_terms import results_json
from app.workspace import open_store
from db.store import Store
from ontology.quads import nquads
from ontology.queries import named
from ontology.vocab import PREFIXES
from tests.app.conftest import call
from tests.app.endpoint_client import running, send
from tests.app.questions_workspace import CARVER, add_people, make_workspace

PARKING = "https://w3id.org/florilegium/sample/council/parking"
CASES: list[tuple[str, dict[str, str]]] = [
    ("acceptance", {}),
    ("acceptance", {"reviewer": CARVER, "collection": "answers"}),
    ("best-evidence", {"concept": "TOP"}),
    ("best-evidence", {"concept": "TOP", "collection": "answers", "limit": "3"}),
    ("campaigns-counted-once", {}),
    ("campaigns-counted-once", {"collection": "answers", "limit": "4"}),
    ("concepts-together", {}),
    ("concepts-together", {"concept": "USED", "collection": "answers"}),
    ("counts-by-top-concept", {}),
    ("counts-by-top-concept", {"collection": "answers"}),
    ("coverage-by-year", {}),
    ("coverage-by-year", {"concept": "TOP", "collection": "answers"}),
    ("document-summary", {"document": "2"}),
    ("document-summary", {"collection": "answers"}),
    ("documents-about", {"concept": "TOP"}),
    ("documents-about", {"concept": "TOP", "collection": "answers", "limit": "2"}),
    ("negated-or-uncertain", {}),
    ("negated-or-uncertain", {"concept": "TOP", "collection": "answers"}),
    ("runs-disagree", {"run": "1", "other": "2"}),
    ("runs-disagree", {"run": "2", "other": "1", "concept": "USED"}),
    ("tags-that-stand", {}),
    ("tags-that-stand", {"concept": "TOP", "collection": "answers", "limit": "5"}),
    ("themes-by-stance", {}),
    ("themes-by-stance", {"codebook": "matters", "collection": "answers"}),
    ("unused-concepts", {"limit": "5"}),
    ("what-produced", {"tag": "TAG"}),
]


class Asker:
    """One workspace, asked in three ways."""

    def __init__(self, settings: Settings, store: Store, port: int, dump: Any) -> None:
        self.settings, self.store, self.port, self.dump = settings, store, port, dump

    def values(self, given: dict[str, str]) -> dict[str, str]:
        """Return the values of a case with what this workspace has."""
        (row,) = self.store.collections()
        counts = self.store.concept_counts(row.id)
        tags = self.store.question("tags-that-stand", asked(self.store, {}, 100)).rows
        machine = next(tag[-1] for tag in tags if tag[-1].startswith("tag-"))
        known = {
            "TOP": counts[0].iri,
            "USED": max(counts, key=lambda each: each.documents).iri,
            "TAG": machine.replace("tag-", "tag:", 1),
        }
        return {name: known.get(value, value) for name, value in given.items()}

    def http(self, text: str) -> list[tuple[Any, ...]]:
        """Ask the endpoint."""
        reply = send(
            self.port, "GET", [("query", text)],
            headers={"Accept": "application/sparql-results+json"},
        )  # fmt: skip
        assert reply.status == 200, reply.body
        return _rows(reply.body)

    def rdflib(self, text: str) -> list[tuple[Any, ...]]:
        """Ask rdflib over the dump."""
        found = self.dump.query(text, initNs=PREFIXES)
        return [
            tuple(None if value is None else _plain(str(value)) for value in row) for row in found
        ]

    def sql(self, name: str, values: dict[str, str], limit: int) -> list[tuple[Any, ...]]:
        """Ask the database."""
        return _rows(results_json(self.store.question(name, asked(self.store, values, limit))))


@pytest.fixture(scope="module")
def asker(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return the workspace with an endpoint running over its graph and its dump in rdflib."""
    from rdflib import Dataset

    folder = tmp_path_factory.mktemp("questions")
    home = folder / "home"
    make_workspace(lambda *arguments: call("--home", home, "--quiet", *arguments), folder)
    settings = load_settings(home=home)
    store = open_store(settings)
    add_people(store)
    rebuild_graph(settings, store)
    dump = Dataset()
    with graph_snapshot(store) as snapshot:
        dump.parse(data="".join(nquads(snapshot)), format="nquads")
    with running(settings.graph_dir) as port:
        yield Asker(settings, store, port, dump)
    store.engine.dispose()


@pytest.mark.parametrize(("name", "given"), CASES, ids=lambda value: str(value)[:60])
def test_endpoint_rdflib_and_sql_agree(asker: Asker, name: str, given: dict[str, str]) -> None:
    query = named(name)
    values = settle(asker.store, query, asker.values(given))
    text = query.written(values)
    over_http = asker.http(text)
    assert over_http, "the case answers nothing and shows nothing"
    assert asker.sql(name, values, query.limit(values)) == over_http
    assert asker.rdflib(text) == over_http


def test_every_question_of_sql_is_a_case(asker: Asker) -> None:
    assert {name for name, _ in CASES} == set(asker.store.questions())


def test_decisions_take_tags_away_and_put_others_in_place(asker: Asker) -> None:
    found = ask(asker.settings, asker.store, "tags-that-stand", {"limit": "1000"}, timeout=60)
    rows = _rows(found.body)
    given = [row for row in rows if row[-1].rpartition("/")[2].startswith("decided-")]
    assert len(given) == 3  # two corrections and one added
    assert {row[-2] for row in given} == {CARVER}
    assert not found.reached


def test_a_concept_may_be_a_label_a_curie_or_an_iri(asker: Asker) -> None:
    top = asker.values({"concept": "TOP"})["concept"]
    (concept,) = asker.store.concepts(iri=top)
    query = named("documents-about")
    for name in (top, f"<{top}>", concept.curie, concept.label.upper()):
        assert settle(asker.store, query, {"concept": name}) == {"concept": top}


def test_the_limit_that_was_reached_is_told(asker: Asker) -> None:
    found = ask(asker.settings, asker.store, "tags-that-stand", {"limit": "2"}, timeout=60)
    assert found.rows == 2
    assert "limit of 2 rows was reached" in found.note


@pytest.mark.parametrize("shape", ["table", "csv", "tsv", "xml", "json"])
def test_the_command_line_answers_in_every_format(asker: Asker, shape: str) -> None:
    answer = call(
        *("--home", asker.settings.home, "sparql", "--ready", "concepts-together"),
        *("--param", "limit=3", "--format", shape),
    )
    assert answer.code == 0, answer.err
    assert "limit of 3 rows was reached" in answer.err
    found = ask(asker.settings, asker.store, "concepts-together", {"limit": "3"}, timeout=60)
    assert answer.out.strip() == reshaped(found.body, shape).decode().strip()


def test_the_sparql_shown_gives_what_sql_gives(asker: Asker, tmp_path: Path) -> None:
    home = ("--home", asker.settings.home, "sparql")
    shown = call(*home, "--ready", "concepts-together", "--show", "--param", "limit=4")
    file = tmp_path / "query.rq"
    file.write_text(shown.out, "utf-8")
    assert shown.out.startswith("PREFIX ")
    by_graph = call(*home, "--file", file, "--format", "csv").out
    by_sql = call(
        *home, "--ready", "concepts-together", "--param", "limit=4", "--format", "csv"
    ).out
    assert by_graph.splitlines() == by_sql.splitlines()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--ready", "nothing"), "Try: florilegium sparql --ready"),
        (("--ready", "documents-about"), "--param concept=http"),
        (("--ready", "documents-about", "--param", "concept=no such thing"), "No concept called"),
        (("--ready", "labels", "--param", "collection=nowhere"), "answers"),
        (("--ready", "runs-disagree", "--param", "run=1", "--param", "other=99"), "No run '99'"),
        (("--ready", "labels", "--param", "limit=many"), "whole number"),
        (("--ready", "labels", "--format", "ttl"), "expected one of table, csv"),
        (("ASK {}", "--show"), "florilegium sparql --ready"),
        (("--ready", "labels", "--param", "limit"), "expected name=value"),
    ],
)
def test_what_cannot_be_asked_says_what_to_do(
    asker: Asker, arguments: tuple[str, ...], said: str
) -> None:
    answer = call("--home", asker.settings.home, "sparql", *arguments)
    assert answer.code != 0
    assert said in answer.err
    assert "Traceback" not in answer.err


def _rows(body: bytes) -> list[tuple[Any, ...]]:
    found = json.loads(body)
    return [
        tuple(_plain(row[name]["value"]) if name in row else None for name in found["head"]["vars"])
        for row in found["results"]["bindings"]
    ]


def _plain(value: str) -> Any:
    """Return a number as one, whatever its digits; a time without its zone's spelling."""
    try:
        return round(float(value), 6)
    except ValueError:
        return value.replace("+00:00", "Z")
