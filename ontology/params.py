"""Bind values to a query's variables without pasting text into it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from ontology import terms
from ontology.errors import QueryRefused
from ontology.lexer import Token, tokens
from ontology.vocab import PREFIXES

_NAME = re.compile(r"[A-Za-z_]\w*")
_TYPED = re.compile(r"(-?\d+)|(-?\d*\.\d+)|(true|false)")
_AFTER_BODY = {"GROUP", "ORDER", "HAVING"}


def term(value: str) -> str:
    """Return ``value`` as one N-Triples term, escaped.

    ``<iri>`` or ``http(s)://…`` or ``urn:…`` is an IRI, a name with a known prefix (``tag:17-1``,
    ``skos:Concept``) its IRI, an integer or decimal a number; everything else is a string, and
    ``"…"`` around a value makes it one whatever it looks like.
    """
    if len(value) >= 2 and value[0] == value[-1] == '"':
        return terms.text(value[1:-1])
    if len(value) > 2 and value[0] == "<" and value[-1] == ">":
        return terms.iri(value[1:-1])
    if re.match(r"(?:https?://|urn:)\S+\Z", value):
        return terms.iri(value)
    prefix, colon, local = value.partition(":")
    if colon and prefix in PREFIXES and re.fullmatch(r"[\w.%-]+", local):
        return terms.iri(PREFIXES[prefix] + local)
    typed = _TYPED.fullmatch(value)
    if typed:
        return value if typed.group(3) is None else terms.boolean(value == "true")
    return terms.text(value)


def bind(query: str, values: Mapping[str, str]) -> str:
    """Return ``query`` with each variable named in ``values`` replaced by its :func:`term`."""
    return bind_terms(query, {name: term(value) for name, value in values.items()})


def bind_terms(query: str, values: Mapping[str, str]) -> str:
    """Return ``query`` with each variable named in ``values`` replaced by the term given.

    Works on tokens, so nothing inside strings, IRIs or comments changes and no value can become
    syntax. A bound variable that is selected keeps its column; where a subquery selects it too, it
    is bound there and passed up. Raises QueryRefused for a name that
    is no variable of the query.
    """
    if not values:
        return query
    for name in values:
        if not _NAME.fullmatch(name):
            raise QueryRefused(f"the parameter {name!r} is no variable name; expected letters")
    found = tokens(query)
    known = {token.text[1:] for token in found if token.kind == "variable"}
    for name in values:
        if name not in known:
            raise QueryRefused(
                f"the query has no variable ?{name}; expected one of "
                f"{', '.join('?' + each for each in sorted(known)) or 'none'}"
            )
    pieces, last = [], 0
    places = _places(found)
    passed_up = _passed_up(found, places)
    for index, (token, place) in enumerate(zip(found, places, strict=True)):
        if token.kind != "variable" or token.text[1:] not in values or index in passed_up:
            continue
        bound = values[token.text[1:]]
        if place == "select":
            bound = f"({bound} AS {token.text})"
        elif place == "clause":
            bound = f"({bound})"
        elif place == "alias":
            raise QueryRefused(f"the parameter {token.text} is what the query itself computes")
        pieces += [query[last : token.start], bound]
        last = token.end
    return "".join(pieces) + query[last:]


def _passed_up(found: Sequence[Token], places: Sequence[str]) -> set[int]:
    """Return the selected variables that a subquery in the same query selects as well."""
    closing: dict[int, int] = {}
    stack: list[int] = []
    for index, token in enumerate(found):
        if token.text == "{" and token.kind == "mark":
            stack.append(index)
        elif token.text == "}" and token.kind == "mark" and stack:
            closing[stack.pop()] = index
    selected = [
        index
        for index, (token, place) in enumerate(zip(found, places, strict=True))
        if token.kind == "variable" and place == "select"
    ]
    outer = set()
    for index in selected:
        opened = next((each for each in sorted(closing) if each > index), len(found))
        inside = range(opened, closing.get(opened, opened))
        if any(each in inside and found[each].text == found[index].text for each in selected):
            outer.add(index)
    return outer


def limited(query: str, most: int) -> str:
    """Return ``query`` with the number after each LIMIT, of subqueries too, set to ``most``."""
    pieces, last, found = [], 0, tokens(query)
    for token, after in pairwise(found):
        if token.kind == "word" and token.text.upper() == "LIMIT" and after.kind == "number":
            pieces += [query[last : after.start], str(most)]
            last = after.end
    return "".join(pieces) + query[last:]


def _places(found: Sequence[Token]) -> list[str]:
    """Say for each token where it stands: in a projection, a solution clause, or the body."""
    places: list[str] = []
    mode, depth, stack = "body", 0, list[tuple[str, int]]()
    previous = ""
    for token in found:
        word = token.text.upper() if token.kind == "word" else token.text
        if word == "SELECT":
            mode, depth = "select", 0
        elif word in ("WHERE", "FROM") and mode == "select":
            mode = "body"
        elif word in _AFTER_BODY and mode != "select":
            mode, depth = "clause", 0
        elif word in ("LIMIT", "OFFSET", "VALUES"):
            mode = "body"
        elif word == "{":
            stack.append(("body" if mode == "select" else mode, depth))
            mode = "body"
        elif word == "}" and stack:
            mode, depth = stack.pop()
        elif word == "(":
            depth += 1
        elif word == ")":
            depth -= 1
        if token.kind == "variable" and previous == "AS":
            places.append("alias")
        else:
            places.append(mode if depth <= 0 else "body")
        previous = word
    return places
