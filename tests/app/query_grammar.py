"""Queries nobody wrote: grown from a grammar, and ready questions with a few things wrong.

The same seed gives the same queries.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from ontology.lexer import tokens
from ontology.queries import ready_queries

_VARIABLES = ("?a", "?b", "?c", "?d", "$e", "?ünï")
_TERMS = (
    "<http://x/1>", "<rel>", "<>", "flo:inDocument", "oa:hasBody", "data:tag-1-1", "rdf:type", "a:b",
    "1", "-2.5", "1e9", "true", '"x"', "'it\\'s'", '"ü"@en', '"2020-01-01"^^xsd:date', '"""a\n"b" """',
    "_:b1", "[]", "()", "(1 2)", "[ flo:x 1 ]", '"\\u00e9"', '"😀"', '""', "<http://x/é?q=%2F#f>",
)  # fmt: skip
_VERBS = (
    "a", "oa:hasBody", "!rdf:type", "^flo:inDocument", "skos:broader*", "skos:broader+",
    "(oa:hasTarget/oa:hasSource)?", "(a|^a)*", "!(a|^a)", "(flo:x/(flo:y|^flo:z)+)*",
)  # fmt: skip
_CALLS = (
    "STR({0})", "LANG({0})", "DATATYPE({0})", "STRLEN(STR({0}))", "REGEX(STR({0}), {1})",
    "REPLACE(STR({0}), {1}, {2})", "SUBSTR(STR({0}), 1, 3)", "CONCAT({0}, {1})", "IF({0}, {1}, {2})",
    "COALESCE({0}, {1})", "BOUND(?a)", "isIRI({0})", "YEAR({0})", "NOW()", "RAND()", "UUID()",
    "STRUUID()", "SHA512(STR({0}))", "IRI({0})", "BNODE()", "STRDT(STR({0}), xsd:date)", "ABS({0})",
    "ENCODE_FOR_URI(STR({0}))", "xsd:integer({0})", "{0} IN ({1}, {2})", "sameTerm({0}, {1})",
    "LANGMATCHES(LANG({0}), '*')", "TIMEZONE({0})", "STRBEFORE(STR({0}), 'x')", "UCASE(STR({0}))",
)  # fmt: skip
_AGGREGATES = (
    "COUNT(*)", "COUNT(DISTINCT ?a)", "SUM(?b)", "AVG(?b)", "MIN(?c)", "MAX(?c)", "SAMPLE(?d)",
    "GROUP_CONCAT(?a; separator=',')",
)  # fmt: skip
_PIECES = (
    "SERVICE", "LOAD", "{", "}", "(", ")", "<", ">", "'", '"', "#", "\\", "\\u0053", "\u2028", "\0",
    "*", "/", "FROM <file:///x>", "GRAPH ?g", "MINUS", "OPTIONAL", ";", ".", ",", "^^", "@en", "<<",
    "VALUES", "LIMIT 0", "ORDER BY", "INSERT DATA { <a> <b> <c> }", "\ufeff", "\U0001f600", "--", "%s",
)  # fmt: skip


def queries(count: int, seed: int) -> Iterator[str]:
    """Yield ``count`` queries, grown and changed ones by turns."""
    chance = random.Random(seed)
    known = [query.text for query in ready_queries()] + [q.written() for q in ready_queries()]
    for number in range(count):
        text = _query(chance) if number % 2 else chance.choice(known)
        if number % 2 == 0 or chance.random() < 0.3:
            for _ in range(chance.choice((1, 1, 2, 3, 8))):
                text = _changed(text, chance)
        yield text


def _query(chance: random.Random) -> str:
    form = chance.random()
    body = _group(chance, 3)
    if form < 0.6:
        head = f"SELECT {_projection(chance)}"
    elif form < 0.75:
        return f"ASK {_dataset(chance)}{body}"
    elif form < 0.9:
        head = f"CONSTRUCT {{ {_triples(chance)} }}"
    else:
        head = f"DESCRIBE {chance.choice(('*', '?a', '<http://x/1>', 'data:document-1'))}"
    return f"{head} {_dataset(chance)}WHERE {body}{_modifiers(chance)}"


def _projection(chance: random.Random) -> str:
    kind = chance.random()
    if kind < 0.3:
        return chance.choice(("*", "DISTINCT *", "REDUCED *"))
    if kind < 0.6:
        return " ".join(chance.sample(_VARIABLES, chance.randint(1, 3)))
    if kind < 0.8:
        return f"({chance.choice(_AGGREGATES)} AS ?n)"
    return f"?a ({_expression(chance, 2)} AS ?n)"


def _dataset(chance: random.Random) -> str:
    if chance.random() > 0.15:
        return ""
    graph = chance.choice(("<http://x/g>", "run:1", "data:reviews", "<file:///etc/passwd>", "<>"))
    return f"FROM {chance.choice(('', 'NAMED '))}{graph} "


def _modifiers(chance: random.Random) -> str:
    found = ""
    if chance.random() < 0.15:
        found += f" GROUP BY {chance.choice(('?a', '?a ?b', '(STR(?c) AS ?k)'))}"
        if chance.random() < 0.4:
            found += f" HAVING({chance.choice(_AGGREGATES)} > 1)"
    if chance.random() < 0.3:
        found += f" ORDER BY {chance.choice(('?a', 'DESC(?b)', 'RAND()', 'ASC(STR(?c)) ?d'))}"
    if chance.random() < 0.8:
        found += f" LIMIT {chance.choice((0, 1, 7, 100, 999999999))}"
    if chance.random() < 0.1:
        found += f" OFFSET {chance.choice((0, 5, 10**12, 10**30))}"
    if chance.random() < 0.1:
        found += " VALUES (?a ?b) { (1 UNDEF) (<http://x/1> 'x') }"
    return found


def _group(chance: random.Random, depth: int) -> str:
    parts = [_triples(chance)]
    for _ in range(chance.randint(0, 3)):
        kind = chance.randrange(9) if depth else 0
        inner = _group(chance, depth - 1) if kind > 2 else ""
        parts.append(
            (
                f"FILTER({_expression(chance, 2)})",
                f"BIND({_expression(chance, 2)} AS ?n{chance.randrange(99)})",
                f"VALUES {chance.choice(_VARIABLES)} {{ {' '.join(chance.sample(_TERMS[:8], 3))} }}",
                f"OPTIONAL {inner}",
                f"{inner} UNION {{ {_triples(chance)} }}",
                f"MINUS {inner}",
                f"GRAPH {chance.choice(('?g', 'run:1', '<http://x/g>'))} {inner}",
                f"FILTER {chance.choice(('', 'NOT '))}EXISTS {inner}",
                f"{{ SELECT {_projection(chance)} WHERE {inner}{_modifiers(chance)} }}",
            )[kind]
        )
    chance.shuffle(parts)
    return "{ " + " . ".join(parts) + " }"


def _triples(chance: random.Random) -> str:
    found = []
    for _ in range(chance.randint(0, 3)):
        subject = chance.choice((*_VARIABLES, *_TERMS[:6]))
        verb = chance.choice((*_VERBS, *_VARIABLES[:3]))
        found.append(f"{subject} {verb} {chance.choice((*_VARIABLES, *_TERMS))}")
    return " . ".join(found)


def _expression(chance: random.Random, depth: int) -> str:
    if depth == 0 or chance.random() < 0.25:
        return chance.choice((*_VARIABLES, *_TERMS[8:16]))
    parts = [_expression(chance, depth - 1) for _ in range(3)]
    if chance.random() < 0.5:
        return chance.choice(_CALLS).format(*parts)
    sign = chance.choice(("+", "-", "*", "/", "=", "!=", "<", ">", "<=", "&&", "||"))
    return f"({chance.choice(('', '!', '-'))}{parts[0]} {sign} {parts[1]})"


def _changed(text: str, chance: random.Random) -> str:
    """Return ``text`` with one thing added, lost, doubled, swapped or cut."""
    found = [token.text for token in tokens(text)] or [text or "ASK {}"]
    place = chance.randrange(len(found))
    match chance.randrange(7):
        case 0:
            found.insert(place, chance.choice(_PIECES))
        case 1:
            del found[place]
        case 2:
            found[place:place] = found[place : place + chance.randint(1, 12)]
        case 3:
            other = chance.randrange(len(found))
            found[place], found[other] = found[other], found[place]
        case 4:
            found[place] = chance.choice((*_TERMS, *_VARIABLES, *_VERBS))
        case 5:
            cut = chance.randrange(len(text) + 1)
            return (
                text[:cut]
                + chance.choice(("", "}", chr(chance.randrange(1, 0xD7FF))))
                + text[cut + 1 :]
            )
        case _:
            return text[: chance.randrange(len(text) + 1)]
    return " ".join(found)
