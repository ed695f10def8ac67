"""``florilegium doctor``: can this installation do its work?"""

from __future__ import annotations

import importlib.metadata
import os
import sys
from collections.abc import Callable

import click

from app.cli.options import global_options, json_option, settings
from app.cli.output import print_json, print_table

PACKAGES = ("app", "db", "ontology", "pipelines")


def foreign_packages() -> dict[str, list[str]]:
    """Return, for each of our generic top-level names, the other distributions that claim it."""
    owners = importlib.metadata.packages_distributions()
    return {
        name: sorted(set(owners.get(name, [])) - {"florilegium"})
        for name in PACKAGES
        if set(owners.get(name, [])) - {"florilegium"}
    }


@click.command()
@json_option
@global_options
def doctor(as_json: bool) -> int:
    """Check names, Python, workspace, database, model and graph; leave with 1 where one is bad."""
    checks: list[tuple[str, Callable[[], str]]] = [
        ("python", _python),
        ("package names", _names),
        ("workspace", _workspace),
        ("database", _database),
        ("model", _model),
        ("graph", _graph),
    ]
    rows = []
    for name, check in checks:
        try:
            rows.append({"name": name, "ok": True, "detail": check()})
        except Exception as error:
            rows.append({"name": name, "ok": False, "detail": str(error)})
    if as_json:
        print_json({"checks": rows})
    else:
        print_table(
            ("check", "ok", "detail"),
            [(row["name"], row["ok"], row["detail"]) for row in rows],
            width=110,
        )
    return 0 if all(row["ok"] for row in rows) else 1


def _python() -> str:
    return f"Python {sys.version.split()[0]}"


def _names() -> str:
    foreign = foreign_packages()
    if foreign:
        claims = "; ".join(f"{name}: {', '.join(others)}" for name, others in foreign.items())
        raise RuntimeError(
            f"Other distributions install packages of our names ({claims}). "
            "Install Florilegium into an environment of its own."
        )
    return "app, db, ontology and pipelines are ours alone"


def _workspace() -> str:
    home = settings().home
    if not home.exists():
        return f"{home} will be made by the first run"
    if not os.access(home, os.W_OK):
        raise RuntimeError(f"{home} is not writable. Name another with --home DIR.")
    return str(home)


def _database() -> str:
    from app.errors import UsageError
    from app.workspace import open_store

    try:
        store = open_store(settings())
    except UsageError:
        return "none yet; the first run makes it"
    return f"{store.engine.dialect.name}, {len(store.collections())} collections"


def _model() -> str:
    from pipelines.models import embedded_spec, verify

    spec = embedded_spec()
    verify(spec)
    return f"{spec.id}: {spec.parameters:,} parameters, {spec.bytes:,} bytes, hashes as recorded"


def _graph() -> str:
    from ontology.errors import GraphMissing
    from ontology.graphstore import open_current

    try:
        return f"current store {open_current(settings().graph_dir).path.name}"
    except GraphMissing:
        return "none yet; made by the first run, or by: florilegium graph rebuild"
