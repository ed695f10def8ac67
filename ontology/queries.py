"""The ready questions: SPARQL texts with a name, a title and named parameters.

Each is a file ``ontology/data/queries/<name>.rq`` whose first comment lines say
``# title: …`` and ``# param <name>: what it is (example)``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from ontology.errors import QueryRefused

_TITLE = re.compile(r"#\s*title:\s*(.+)")
_PARAM = re.compile(r"#\s*param\s+(\w+):\s*(.+)")


@dataclass(frozen=True, slots=True)
class ReadyQuery:
    """A ready question; ``params`` maps each parameter to what it is, all of them required."""

    name: str
    title: str
    text: str
    params: Mapping[str, str]


@cache
def ready_queries() -> tuple[ReadyQuery, ...]:
    """Return all ready questions in order of name."""
    found = []
    for entry in files("ontology").joinpath("data/queries").iterdir():
        if not entry.name.endswith(".rq"):
            continue
        text = entry.read_text("utf-8")
        title = _TITLE.search(text)
        found.append(
            ReadyQuery(
                name=entry.name.removesuffix(".rq"),
                title=title.group(1).strip() if title else entry.name,
                text=text,
                params=dict(_PARAM.findall(text)),
            )
        )
    return tuple(sorted(found, key=lambda each: each.name))


def ready(name: str, given: Mapping[str, str] | None = None) -> ReadyQuery:
    """Return the ready question called ``name``.

    Raises QueryRefused for an unknown name, and where ``given`` lacks one of its parameters.
    """
    known = {each.name: each for each in ready_queries()}
    if name not in known:
        raise QueryRefused(f"no ready question {name!r}; expected one of {', '.join(known)}")
    query = known[name]
    missing = [each for each in query.params if each not in (given or {})]
    if missing:
        wanted = "; ".join(f"{each}: {query.params[each]}" for each in missing)
        raise QueryRefused(
            f"the ready question {name!r} needs {wanted}. "
            f"Try: florilegium sparql --ready {name} --param {missing[0]}=…"
        )
    return query
