"""Decide from a query's text alone whether it may be evaluated.

Oxigraph opens a connection for ``SERVICE`` and has no switch against it, so it is refused here (and
the worker cannot open sockets either). Its parser knows no word boundaries: ``services:ep {…}`` and
``trueSERVICE <…> {…}`` both reach for the network where a prefix or a value seems to stand. Hence
two looks at the text: tokens, and one that trusts no tokenizer at all. What only the second one sees,
inside a string, is left to a process that has no sockets.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urljoin

from ontology.errors import QueryRefused
from ontology.lexer import Token, tokens
from ontology.vocab import PREFIXES

MAX_BYTES = 64 * 1024
MAX_DEPTH = 100
MAX_SIGNS = 100
MAX_SERVICE_WORDS = 50

FORMS = ("SELECT", "ASK", "CONSTRUCT", "DESCRIBE")
UPDATES = {
    "INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "COPY", "MOVE", "ADD", "WITH", "MODIFY",
}  # fmt: skip

_SKIP = r"(?:\s|\#[^\n]*\n)*"
_BARE_SERVICE = re.compile(
    rf"service{_SKIP}(?:silent{_SKIP})?"
    rf"(?:<[^<>\s]*>|[?$]\w+|[^\s{{}}()<>\"':]*:[^\s{{}}()<>\"']*){_SKIP}\{{",
    re.IGNORECASE,
)
_INSIDE_NAME = re.compile(r"[?$:]\w*\Z")
_AFTER_GRAPH = re.compile(r"(?:\A|[\s{}.;])graph[ \t]+[\w.-]*\Z", re.IGNORECASE)
_HALF = re.compile("[\\ud800-\\udfff]")
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")


@dataclass(frozen=True, slots=True)
class CheckedQuery:
    """A query that may run. ``text`` has plain newlines; ``form`` is in lower case.

    ``default_graphs`` and ``named_graphs`` are the IRIs of its own FROM clauses, None without any.
    """

    text: str
    form: str
    default_graphs: tuple[str, ...] | None
    named_graphs: tuple[str, ...] | None
    tokens: tuple[Token, ...]
    quotes_service: bool = False
    """A string says what would ask another server: only a process without sockets may evaluate it."""


def check(query: str, *, base: str) -> CheckedQuery:
    """Return ``query`` with its form and dataset; raise QueryRefused.

    Refused: more than 64 kB, SERVICE in any dress, updates, files in FROM, more than 100 brackets
    deep, escapes that hide ASCII characters, characters that no SPARQL token holds. ``base``
    resolves relative IRIs in FROM.
    """
    size = len(query.encode("utf-8", "surrogatepass"))
    if size > MAX_BYTES:
        raise QueryRefused(
            f"the query has {size:,} bytes; expected at most {MAX_BYTES:,}. Ask for less at a time",
            status=413,
        )
    if hidden := _HALF.search(query):
        raise QueryRefused(
            f"the query is not UTF-8: half of a surrogate pair at character {hidden.start() + 1}"
        )
    text = query.replace("\r\n", "\n").replace("\r", "\n")
    _refuse_escapes(text)
    found = tokens(text)
    text = _without_comments(text, found)
    quotes_service = _refuse_service(text, found)
    _refuse_depth(found)
    for token in found:
        if token.kind == "other":
            raise QueryRefused(
                f"the query has {token.text!r} at character {token.start + 1}, outside strings and "
                "IRIs; expected SPARQL. Is a quotation mark or bracket left open?"
            )
    form = _form(found)
    default, named = _dataset(found, base)
    return CheckedQuery(text, form.lower(), default, named, tuple(found), quotes_service)


def _without_comments(text: str, found: Sequence[Token]) -> str:
    """Return ``text`` with blanks for comments: what the engine does not get needs no look."""
    pieces, last = [], 0
    for start, end in [*((token.start, token.end) for token in found), (len(text), len(text))]:
        between = text[last:start]
        pieces.append(between if between.isspace() else re.sub(r"[^\s]", " ", between))
        pieces.append(text[start:end])
        last = end
    return "".join(pieces)


def _refuse_escapes(text: str) -> None:
    for match in _ESCAPE.finditer(text):
        value = int(match.group(1) or match.group(2), 16)
        if value < 0x80 or 0xD800 <= value < 0xE000 or value > 0x10FFFF:
            raise QueryRefused(
                f"the query writes a plain character as {match.group()}; expected the character "
                "itself. Escapes are for characters beyond ASCII"
            )


def _refuse_service(text: str, found: Sequence[Token]) -> bool:
    """Raise QueryRefused for SERVICE; tell whether a string reads as if it were one."""
    message = (
        "the query asks another server (SERVICE); expected a query over this graph alone: nothing "
        "leaves this machine. Remove the SERVICE block"
    )
    for place, token in enumerate(found):
        lowered = token.text.lower()
        if "service" not in lowered:
            continue
        if token.kind in ("word", "language", "number", "other"):
            raise QueryRefused(message)
        if token.kind == "name" and "service" in lowered.split(":")[0]:
            after = found[place + 1].text if place + 1 < len(found) else ""
            before = found[place - 1].text.upper() if place else ""
            if after == "{" and before != "GRAPH":
                raise QueryRefused(message)
    if text.lower().count("service") > MAX_SERVICE_WORDS:
        raise QueryRefused(f'the query says "service" more than {MAX_SERVICE_WORDS} times')
    strings: list[tuple[int, int]] = []
    if not _ambiguous(found):
        strings = [(token.start, token.end) for token in found if token.kind == "string"]
    quoted = False
    for match in _BARE_SERVICE.finditer(text):
        before = text[max(0, match.start() - 200) : match.start()]
        if _INSIDE_NAME.search(before) or _AFTER_GRAPH.search(before):
            continue
        if not any(start <= match.start() and match.end() <= end for start, end in strings):
            raise QueryRefused(message)
        quoted = True
    return quoted


def _ambiguous(found: Sequence[Token]) -> bool:
    """Tell whether "<" may be less than where a token begins with it, or the other way round.

    Then the engine may see the end of a string, or of a comment, in another place.
    """
    before = "mark"
    for token in found:
        if token.kind == "mark" and token.text[0] == "<":
            return True
        if token.kind == "iri" and before != "mark" and re.search(r"['#]", token.text):
            return True
        before = "operand" if token.text == ")" else token.kind
    return False


def _refuse_depth(found: Sequence[Token]) -> None:
    depth = signs = 0
    for token in found:
        if token.kind == "mark" and token.text in "!+-^":
            signs += 1
            if signs > MAX_SIGNS:
                raise QueryRefused(f"the query has more than {MAX_SIGNS} signs in a row")
            continue
        signs = 0
        if token.kind != "mark":
            continue
        if token.text in ("{", "(", "[", "<<", "<<(", "{|"):
            depth += 1
            if depth > MAX_DEPTH:
                raise QueryRefused(
                    f"the query nests brackets {depth} deep at character {token.start + 1}; "
                    f"expected at most {MAX_DEPTH}. Write it flatter"
                )
        elif token.text in ("}", ")", "]", ">>", ")>>", "|}"):
            depth -= 1


def _form(found: Sequence[Token]) -> str:
    """Return the query form; updates get a message of their own."""
    place = _body(found)
    first = found[place].text.upper() if place < len(found) else ""
    if first in UPDATES:
        raise QueryRefused(
            f"{first} is an update; expected SELECT, ASK, CONSTRUCT or DESCRIBE: the graph is read "
            "only and follows the results in SQL",
            status=403,
        )
    if first not in FORMS:
        raise QueryRefused(
            f"the query begins with {first or 'nothing'!r}; expected SELECT, ASK, CONSTRUCT or "
            "DESCRIBE"
        )
    for token in found[place:]:
        if token.kind == "word" and token.text.upper() in UPDATES:
            raise QueryRefused(
                f"the query has the update keyword {token.text.upper()}; expected a query only",
                status=403,
            )
    return first


def _body(found: Sequence[Token]) -> int:
    """Return the place of the first token after the prologue."""
    place = 0
    while place < len(found) and found[place].kind == "word":
        word = found[place].text.upper()
        if word == "PREFIX":
            place += 3
        elif word in ("BASE", "VERSION"):
            place += 2
        else:
            break
    return place


def _dataset(
    found: Sequence[Token], base: str
) -> tuple[tuple[str, ...] | None, tuple[str, ...] | None]:
    prefixes = dict(PREFIXES)
    default: list[str] = []
    named: list[str] = []
    place, body = 0, _body(found)
    while place < body:
        word = found[place].text.upper()
        if word == "BASE" and place + 1 < body:
            base = urljoin(base, found[place + 1].text[1:-1])
        elif word == "PREFIX" and place + 2 < body:
            prefixes[found[place + 1].text[:-1]] = urljoin(base, found[place + 2].text[1:-1])
        place += 3 if word == "PREFIX" else 2
    place = body
    while place < len(found) and found[place].text != "{":
        token = found[place]
        place += 1
        if token.kind != "word" or token.text.upper() != "FROM":
            continue
        target = default
        if place < len(found) and found[place].text.upper() == "NAMED":
            target = named
            place += 1
        if place < len(found):
            target.append(_resolve(found[place], prefixes, base))
            place += 1
    if not default and not named:
        return None, None
    return tuple(default), tuple(named)


def _resolve(token: Token, prefixes: dict[str, str], base: str) -> str:
    if token.kind == "iri":
        iri = urljoin(base, token.text[1:-1])
    elif token.kind == "name":
        prefix, local = token.text.split(":", 1)
        if prefix not in prefixes:
            raise QueryRefused(f"FROM {token.text}: the prefix {prefix!r} is not declared")
        iri = prefixes[prefix] + re.sub(r"\\(.)", r"\1", local)
    else:
        raise QueryRefused(f"FROM is followed by {token.text!r}; expected an IRI")
    if iri.lower().startswith("file:"):
        raise QueryRefused(
            f"FROM names the file {iri}; expected a graph of this store. Files are never read"
        )
    return iri
