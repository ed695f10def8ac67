"""SQL's answers to ready questions as RDF terms: SPARQL results JSON like the graph's own."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from db.rows.questions import SqlAnswer
from ontology import terms
from ontology.vocab import DATA, FLO, XSD

_NAMES = {"document", "concept", "other", "body", "tag", "theme", "run", "only", "used"}
"""Columns that hold IRIs, or local names of our own."""

_OURS = re.compile(r"(?:document|tag|decided|theme|run|collection|campaign)-[\d-]+")


def results_json(answer: SqlAnswer) -> bytes:
    """Return ``answer`` as SPARQL 1.1 results JSON."""
    bindings = [
        {
            name: _term(name, value)
            for name, value in zip(answer.columns, row, strict=True)
            if value is not None
        }
        for row in answer.rows
    ]
    document = {"head": {"vars": list(answer.columns)}, "results": {"bindings": bindings}}
    return json.dumps(document, ensure_ascii=False).encode("utf-8")


def _term(name: str, value: Any) -> Mapping[str, str]:
    if name == "assertion":
        return {"type": "uri", "value": FLO + value}
    if name in _NAMES:
        return {"type": "uri", "value": _iri(str(value))}
    if isinstance(value, datetime):
        return _typed(terms.moment(value), "dateTime")
    if isinstance(value, int):
        return _typed(terms.integer(value), "integer")
    if isinstance(value, float | Decimal):
        return _typed(terms.decimal(float(value)), "decimal")
    return {"type": "literal", "value": str(value)}


def _iri(value: str) -> str:
    if _OURS.fullmatch(value):
        return DATA + value
    if value.startswith("label "):
        label_set, _, label = value.removeprefix("label ").partition("\0")
        return terms.label(label_set, label)
    kind, _, rest = value.partition("\0")
    if kind in ("model", "ontology"):
        id, _, sha256 = rest.partition("\0")
        if kind == "ontology":
            return terms.ontology_version(id, sha256)
        return f"{DATA}model-{terms.slug(id)}-{sha256[:12]}"
    return terms.iri(value)[1:-1]


def _typed(literal: str, kind: str) -> Mapping[str, str]:
    return {"type": "literal", "value": literal[1 : literal.index('"', 1)], "datatype": XSD + kind}
