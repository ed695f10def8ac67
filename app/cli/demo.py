"""``florilegium demo``: the sample collections through the whole pipeline."""

from __future__ import annotations

import sys
import time
from importlib.resources import as_file, files
from pathlib import Path
from typing import NamedTuple

import click

from app.cli.options import flags, global_options, is_quiet, json_option
from app.cli.output import note, print_json, print_table

DEFAULT_HOME = Path("florilegium-demo")


class Sample(NamedTuple):
    """A bundled collection: its folder, recipe and vocabulary."""

    name: str
    recipe: str
    ontology: str
    file: str


SAMPLES = (
    Sample("consultation", "consultation", "council", "council-services.ttl"),
    Sample("clinical", "clinical", "conditions", "conditions.owl"),
    Sample("historical", "historical", "trades", "places-trades.jsonld"),
)
_NUMBERS = ("documents", "sentences", "labels", "tags", "summary_sentences", "failed")


@click.command()
@json_option
@global_options
def demo(as_json: bool) -> int:
    """Build a workspace from the bundled sample collections, and print what came out.

    The workspace is --home, else ./florilegium-demo. Doing it again brings it up to date.
    """
    from app.cli.run import Progress
    from app.jobs import RunRequest
    from app.projection import rebuild_graph
    from app.runs import Hooks, execute_run
    from app.settings import load_settings, origins
    from app.workspace import add_ontology, open_store

    began = time.monotonic()
    given = flags()
    chosen = next(row.origin for row in origins(**given) if row.name == "home")
    here = load_settings(**(given | ({"home": DEFAULT_HOME} if chosen == "default" else {})))
    progress = Progress(quiet=is_quiet() or as_json)
    with as_file(files("app") / "samples") as samples:
        store = open_store(here, create=True)
        for sample in SAMPLES:
            add_ontology(here, store, samples / "ontologies" / sample.file, sample.ontology)
        failed = False
        for sample in SAMPLES:
            if not (is_quiet() or as_json):
                note(f"{sample.name} …")
            request = RunRequest(
                sample.name, (str(samples / sample.name),), sample.recipe, (sample.ontology,)
            )
            report = execute_run(here, request, Hooks(progress=progress), project=False)
            failed = failed or report.failed
            for warning in report.warnings:
                note(f"Warning: {warning}")
        rebuild_graph(here, store)
    rows = []
    for collection in store.collections():
        totals = store.totals(collection.id)
        rows.append({"name": collection.name} | {name: getattr(totals, name) for name in _NUMBERS})
    seconds = round(time.monotonic() - began, 2)
    if as_json:
        print_json({"collections": rows, "seconds": seconds, "home": here.home})
    else:
        print_table(("name", *_NUMBERS), [list(row.values()) for row in rows])
        click.echo(_next(here.home, seconds))
    return 3 if failed else 0


def _next(home: Path, seconds: float) -> str:
    here = Path(sys.argv[0])
    program = str(here) if here.name in ("florilegium", "flor") else "florilegium"
    return f"""
{seconds:.1f} s; the workspace is {home}. What to type next:

  {program} --home {home} serve
      the dashboard, on http://127.0.0.1:8501
  {program} --home {home} documents clinical
      the documents of a collection
  {program} --home {home} document 1
      one of them, with the characters behind every result
  {program} --home {home} sparql --ready
      the ready questions
"""
