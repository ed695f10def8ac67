"""The ready questions: SPARQL texts with a name, a title and typed parameters.

Each is a file ``ontology/data/queries/<name>.rq`` that any SPARQL tool can read as it is. Its first
comment lines say ``# title: …``, ``# about: …`` and, for each parameter,
``# param <name> (<kind>[, optional | , default <value>]): what it is. Example: <value>``.

A line that ends with ``# with <name>`` counts only where that parameter is given, one that ends
with ``# without <name>`` only where it is not. The number after
each LIMIT is the parameter ``limit``. Everything else is bound as a term, token by token.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise

from ontology import terms
from ontology.errors import QueryRefused
from ontology.lexer import tokens
from ontology.params import bind_terms, limited, term
from ontology.vocab import PREFIXES

_HEAD = re.compile(r"#\s*(title|about):\s*(.+)")
_PARAM = re.compile(
    r"#\s*param\s+(?P<name>\w+)\s+\((?P<kind>\w+)(?:,\s*(?P<optional>optional)"
    r"|,\s*default\s+(?P<default>[^)]+))?\):\s*(?P<about>.+?)\.\s+Example:\s*(?P<example>.+)"
)
_WITH = re.compile(r"\s*#\s*with(out)?\s+(\w+)\s*$")
LIMIT = "limit"
MOST = 1_000_000


@dataclass(frozen=True, slots=True)
class Parameter:
    """A value a question asks for.

    ``kind``: concept, tag, document, run, collection, text or number. Needed where neither
    ``optional`` nor given a ``default``.
    """

    name: str
    kind: str
    about: str
    example: str
    default: str = ""
    optional: bool = False

    @property
    def needed(self) -> bool:
        """Tell whether there is no answer without it."""
        return not self.optional and not self.default


@dataclass(frozen=True, slots=True)
class ReadyQuery:
    """A ready question; ``text`` is the file as it is, with every optional line in."""

    name: str
    title: str
    about: str
    text: str
    params: tuple[Parameter, ...]

    def limit(self, given: Mapping[str, str]) -> int:
        """Return how many rows at most ``given`` asks for; raise QueryRefused for no number."""
        for each in self.params:
            if each.name == LIMIT:
                return _count(each, given.get(LIMIT) or each.default)
        return MOST

    def written(self, given: Mapping[str, str] | None = None) -> str:
        """Return the question as SPARQL with the values in place; needed ones may be missing.

        Raises QueryRefused for a name that is no parameter and a value that does not fit its kind.
        """
        values = {name: value for name, value in (given or {}).items() if value != ""}
        known = {each.name: each for each in self.params}
        for name in values:
            if name not in known:
                raise QueryRefused(
                    f"the ready question {self.name!r} has no parameter {name!r}; expected one of "
                    f"{', '.join(known) or 'none'}. Try: florilegium sparql --ready {self.name} "
                    "--show"
                )
        bound = {name: _term(known[name], value) for name, value in values.items() if name != LIMIT}
        text = bind_terms(_chosen(self.text, values), bound)
        return limited(text, self.limit(values))


@cache
def ready_queries() -> tuple[ReadyQuery, ...]:
    """Return all ready questions in order of name."""
    found = []
    for entry in files("ontology").joinpath("data/queries").iterdir():
        if entry.name.endswith(".rq"):
            found.append(read_query(entry.name.removesuffix(".rq"), entry.read_text("utf-8")))
    return tuple(sorted(found, key=lambda each: each.name))


def read_query(name: str, text: str) -> ReadyQuery:
    """Return the question that ``text`` holds; raise ValueError where its head does not say all."""
    head: dict[str, str] = dict(_HEAD.findall(text))
    params = tuple(
        Parameter(
            name=found["name"],
            kind=found["kind"],
            about=found["about"],
            example=found["example"].strip(),
            default=(found["default"] or "").strip(),
            optional=found["optional"] is not None,
        )
        for found in _PARAM.finditer(text)
    )
    if len(params) != text.count("# param ") or set(head) != {"title", "about"}:
        raise ValueError(f"the head of the ready question {name!r} cannot be read")
    return ReadyQuery(name, head["title"].strip(), head["about"].strip(), text, params)


def named(name: str) -> ReadyQuery:
    """Return the ready question called ``name``; raise QueryRefused where there is none."""
    known = {each.name: each for each in ready_queries()}
    if name not in known:
        raise QueryRefused(
            f"no ready question {name!r}; expected one of {', '.join(known)}. "
            "Try: florilegium sparql --ready"
        )
    return known[name]


def ready(name: str, given: Mapping[str, str]) -> ReadyQuery:
    """Return the ready question called ``name``, ready to be asked with ``given``.

    Raises QueryRefused for an unknown name, and where ``given`` lacks a parameter it needs.
    """
    query = named(name)
    missing = [each for each in query.params if each.needed and not given.get(each.name)]
    if missing:
        wanted = "; ".join(f"{each.name}: {each.about}" for each in missing)
        values = " ".join(f"--param {each.name}={each.example}" for each in missing)
        raise QueryRefused(
            f"the ready question {name!r} needs {wanted}. "
            f"Try: florilegium sparql --ready {name} {values}"
        )
    return query


def with_prefixes(text: str) -> str:
    """Return ``text`` with a PREFIX line for each known prefix it uses and does not declare."""
    found = tokens(text)
    declared = {
        name.text.partition(":")[0]
        for word, name in pairwise(found)
        if word.kind == "word" and word.text.upper() == "PREFIX"
    }
    used = {token.text.partition(":")[0] for token in found if token.kind == "name"} - declared
    lines = [f"PREFIX {each}: <{PREFIXES[each]}>\n" for each in PREFIXES if each in used]
    return "".join(lines) + text


def _chosen(text: str, given: Mapping[str, str]) -> str:
    """Return ``text`` without its head and without the lines that count for other parameters."""
    lines = []
    for line in text.splitlines():
        if line.startswith("# param ") or _HEAD.match(line):
            continue
        only = _WITH.search(line)
        if only is None:
            lines.append(line)
        elif (only[2] in given) is not bool(only[1]):
            lines.append(line[: only.start()])
    return "\n".join(lines).strip() + "\n"


def _term(parameter: Parameter, value: str) -> str:
    """Return ``value`` as the one term that its kind wants."""
    kind = parameter.kind
    if kind in ("collection", "text"):
        return terms.text(value)
    if kind == "number":
        return str(_count(parameter, value))
    if kind in ("run", "document") and value.isascii() and value.isdigit():
        return terms.iri(terms.run(int(value)) if kind == "run" else terms.document(int(value)))
    found = term(value)
    if not found.startswith("<"):
        numbered = "a number or " if kind in ("run", "document") else ""
        raise QueryRefused(
            f"the parameter {parameter.name}={value!r} is no {kind}; expected {numbered}an IRI, "
            f"such as {parameter.example}"
        )
    return found


def _count(parameter: Parameter, value: str) -> int:
    if not (value.isascii() and value.isdigit() and len(value) < 9 and 0 < int(value) <= MOST):
        raise QueryRefused(
            f"the parameter {parameter.name}={value!r} does not fit; expected a whole number from "
            f"1 to {MOST:,}, such as {parameter.example}"
        )
    return int(value)
