"""The graph stays in step with SQL: two recipes, a killed run, a build that another one held up."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from app.graph_mark import is_stale, mark_stale, unmark
from app.projection import rebuild_graph
from app.settings import load_settings
from app.workspace import open_store

VOCABULARY = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<urn:x:parking> a skos:Concept ; skos:prefLabel "parking"@en .
<urn:x:library> a skos:Concept ; skos:prefLabel "library"@en .
"""
TAGS = "SELECT (COUNT(DISTINCT ?tag) AS ?n) WHERE { ?tag oa:motivatedBy oa:identifying }"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with two letters that hold three concepts."""
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.txt").write_text("Parking by the library is bad.")
    (folder / "b.txt").write_text("More parking, please.")
    return folder


@pytest.fixture
def collection(folder, tmp_path, florilegium):
    """Run the letters against the vocabulary; return the command line."""
    (tmp_path / "v.ttl").write_text(VOCABULARY)
    assert florilegium("ontology", "add", tmp_path / "v.ttl", "--id", "v").code == 0
    assert florilegium("run", folder, "--collection", "c", "--ontology", "v").code == 0
    return florilegium


def _tags(florilegium) -> tuple[int, int]:
    """Return how many tags SQL shows and how many SPARQL counts."""
    (row,) = florilegium("collections", "--json").json["collections"]
    return row["tags"], int(florilegium("sparql", TAGS, "--format", "csv").out.split()[1])


def test_a_second_recipe_counts_no_tag_twice(collection):
    assert _tags(collection) == (3, 3)
    collection("run", "--collection", "c", "--recipe", "consultation")
    assert _tags(collection) == (3, 3)
    collection("run", "--collection", "c", "--recipe", "general")
    assert _tags(collection) == (3, 3)


def test_a_recipe_file_that_was_moved_keeps_its_results(collection, tmp_path):
    recipe = tmp_path / "mine.toml"
    recipe.write_text('id = "mine"\nstages = ["summarise", "tag"]\n')
    collection("run", "--collection", "c", "--recipe", recipe)
    moved = recipe.rename(tmp_path / "moved.toml")
    answer = collection("run", "--collection", "c", "--recipe", moved, "--json").json
    assert answer["documents"]["total"] == 0
    (row,) = collection("collections", "--json").json["collections"]
    assert (row["processed"], row["pending"], row["tags"]) == (2, 0, 3)
    assert _tags(collection) == (3, 3)


def test_a_graph_that_fell_behind_is_made_up_for_by_the_next_run(
    collection, folder, home, monkeypatch
):
    monkeypatch.setattr("app.graph_step.WAIT", 0.1)
    (folder / "b.txt").write_text("No more of it.")
    with (home / "graph" / "LOCK").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        answer = collection("run", folder, "--collection", "c", "--json")
    assert answer.code == 0
    assert "graph rebuild" in answer.json["warnings"][0]
    assert _tags(collection) == (2, 3)
    assert collection("run", folder, "--collection", "c").code == 0
    assert _tags(collection) == (2, 2)


KILLED = """
import os, signal, sys
from ontology.graphstore import building

def die(*arguments, **named):
    os.kill(os.getpid(), signal.SIGKILL)

building.finish = die
from app.cli.main import run
sys.exit(run(sys.argv[1:]))
"""


def test_a_run_that_was_killed_in_the_graph_is_made_up_for_by_the_next(collection, folder, home):
    (folder / "b.txt").write_text("No more of it.")
    done = subprocess.run(
        [sys.executable, "-c", KILLED, "run", folder, "--collection", "c"],
        env={**os.environ, "FLORILEGIUM_HOME": str(home)},
        timeout=300,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL
    assert len(list((home / "graph").glob("store-*"))) == 2
    assert _tags(collection) == (2, 3)
    assert collection("run", folder, "--collection", "c").code == 0
    assert _tags(collection) == (2, 2)
    assert len(list((home / "graph").glob("store-*"))) == 1


def test_reading_alone_leaves_the_graph_to_the_next_run(collection, folder, home):
    (folder / "b.txt").write_text("No more of it.")
    collection("ingest", folder, "--collection", "c")
    assert is_stale(load_settings(home=home))
    collection("run", "--collection", "c")
    assert not is_stale(load_settings(home=home))


def test_a_run_with_nothing_to_do_builds_no_graph(collection, folder, home):
    before = (home / "graph" / "CURRENT").read_text()
    collection("run", folder, "--collection", "c")
    assert (home / "graph" / "CURRENT").read_text() == before
    assert not is_stale(load_settings(home=home))


def test_a_mark_that_another_run_renewed_stands(home):
    settings = load_settings(home=home)
    store = open_store(settings, create=True)
    first = mark_stale(settings)
    mark_stale(settings)
    unmark(settings, first)
    assert is_stale(settings)
    rebuild_graph(settings, store)
    assert not is_stale(settings)
