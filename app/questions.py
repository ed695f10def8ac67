"""The ready questions: values settled, asked of the graph or of SQL, one kind of answer.

SPARQL answers all of them. The two that compare whole collections are asked of SQL, which is many
times faster there; the answer is the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from app.errors import UsageError
from app.settings import Settings
from app.sql_terms import results_json
from db.rows.questions import Asked
from ontology.queries import ReadyQuery, ready

if TYPE_CHECKING:
    from db.store import Store

BY_SQL = ("concepts-together", "runs-disagree")


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer as SPARQL results JSON. ``reached`` tells that there may be more rows than asked."""

    query: ReadyQuery
    values: Mapping[str, str]
    body: bytes
    rows: int
    limit: int
    by_sql: bool

    @property
    def reached(self) -> bool:
        """Tell whether there are as many rows as the limit allows."""
        return self.rows >= self.limit

    @property
    def note(self) -> str:
        """Say that the limit was reached, or nothing."""
        if not self.reached:
            return ""
        return (
            f"The limit of {self.limit:,} row{'s' if self.limit != 1 else ''} was reached; there "
            f"may be more. Ask for more with limit={self.limit * 10}."
        )


def settle(store: Store, query: ReadyQuery, given: Mapping[str, str]) -> dict[str, str]:
    """Return the values as the question takes them: names looked up, all else as it is.

    A concept may be an IRI, a CURIE or a label. Raises UsageError for what is not there and for
    names that do not tell one concept from another, NotFound for an unknown collection.
    """
    kinds = {each.name: each.kind for each in query.params}
    values = {name: value.strip() for name, value in given.items() if value.strip()}
    for name, value in values.items():
        match kinds.get(name):
            case "concept":
                values[name] = _concept(store, value)
            case "collection":
                values[name] = store.collection(value).name
            case "run":
                values[name] = str(_run(store, name, value))
    return values


def ask(
    settings: Settings,
    store: Store,
    name: str,
    given: Mapping[str, str],
    *,
    timeout: float,
    with_text: bool = False,
) -> Answered:
    """Answer a ready question with the values ``given`` (texts, as a person writes them).

    Raises QueryRefused, QueryStopped, GraphMissing, UsageError and NotFound.
    """
    from ontology.sparql import run_query

    query = ready(name, given)
    values = settle(store, query, given)
    text, limit = query.written(values), query.limit(values)
    by_sql = name in BY_SQL
    if by_sql:
        body = results_json(store.question(name, asked(store, values, limit)))
    else:
        found = run_query(
            settings.graph_dir, text, format="json", timeout=timeout, with_text=with_text
        )
        body = found.body
    return Answered(query, values, body, _rows(body), limit, by_sql)


def asked(store: Store, values: Mapping[str, str], limit: int) -> Asked:
    """Return settled values as SQL takes them."""

    def number(name: str) -> int:
        digits = values.get(name, "").strip("<>").rpartition("-")[2].rpartition(":")[2]
        return int(digits) if digits.isascii() and digits.isdigit() else 0

    return Asked(
        limit=limit,
        concept=values.get("concept", ""),
        collection=values.get("collection", ""),
        tag=values.get("tag", "").strip("<>").rpartition("/")[2].replace("tag:", "tag-"),
        reviewer=values.get("reviewer", ""),
        codebook=values.get("codebook", ""),
        document=number("document"),
        run=number("run"),
        other=number("other"),
        year=_years(store),
    )


def reshaped(body: bytes, shape: str, *, width: int | None = None) -> bytes:
    """Return SPARQL results JSON as table (in lines of ``width``), csv, tsv, json or xml."""
    if shape == "json":
        return body
    if shape == "table":
        from ontology.table import render

        return render(body, width=width).encode("utf-8")
    import pyoxigraph as ox

    formats = ox.QueryResultsFormat
    found = ox.parse_query_results(body, format=formats.JSON)
    kinds = {"csv": formats.CSV, "tsv": formats.TSV, "xml": formats.XML}
    if shape not in kinds:
        raise UsageError(
            f"A ready question cannot be answered as {shape!r}; expected one of table, csv, tsv, "
            "json, xml."
        )
    return bytes(found.serialize(format=kinds[shape]) or b"")


def _concept(store: Store, value: str) -> str:
    bare = value[1:-1] if value[:1] + value[-1:] == "<>" else value
    if "://" in bare or bare.startswith("urn:"):
        return bare
    found = {iri for _, iri in store.named_concepts(bare, [row.name for row in store.ontologies()])}
    if len(found) > 1:
        raise UsageError(
            f"{value!r} is {len(found)} concepts: {', '.join(sorted(found))}. Name one by its IRI."
        )
    if not found:
        raise UsageError(
            f"No concept called {value!r}; expected an IRI, a CURIE or a label of a registered "
            "vocabulary. Those in use: florilegium sparql --ready counts-by-concept"
        )
    return found.pop()


def _run(store: Store, name: str, value: str) -> int:
    number = value.strip("<>").rpartition("run-")[2].removeprefix("run:")
    runs = [run.id for row in store.collections() for run in store.runs(row.id)]
    if not number.isascii() or not number.isdigit() or int(number) not in runs:
        known = ", ".join(map(str, sorted(runs)[-10:])) or "none yet"
        raise UsageError(
            f"No run {value!r} for the parameter {name}; the last runs are: {known}. "
            "Try: florilegium collections"
        )
    return int(number)


def _years(store: Store) -> Any:
    """Return what tells a document's year, as the graph has it."""
    from app.document_dates import document_date

    @cache
    def dates() -> Mapping[int, tuple[tuple[str, str], ...]]:
        with store.graph_view([]) as view:
            return view.dates

    def year(source: int, metadata: Mapping[str, Any]) -> int | None:
        found = document_date(metadata, dates().get(source, ()))
        return found if found is None or isinstance(found, int) else found.year

    return year


def _rows(body: bytes) -> int:
    import json

    return len(json.loads(body)["results"]["bindings"])
