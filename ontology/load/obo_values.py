"""Values of OBO clauses: identifiers, quoted and plain texts, escapes, comments, qualifiers."""

from __future__ import annotations

import re

_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"\s*(.*)', re.S)
_ESCAPE = re.compile(r"\\(.)", re.S)
_ESCAPED = {"n": "\n", "t": "\t", "W": " "}
_ID = re.compile(r"(?:[^\s\"!{\\]|\\.)+")
_COMMENT = re.compile(r"\s+!\s.*$")
_QUALIFIERS = re.compile(r"\s*(?<!\\)\{[^{}\"]*(?:\"[^\"]*\"[^{}\"]*)*\}\s*(?:!.*)?$")


class BadLine(ValueError):
    """What is wrong with a line."""


def identifier(value: str) -> str:
    """Return the identifier at the start of ``value``; raises BadLine."""
    found = _ID.match(value)
    if not found:
        raise BadLine(f"an identifier is missing in {value[:60]!r}")
    return _unescaped(found.group())


def plain(value: str) -> str:
    """Return an unquoted value without its comment and trailing qualifiers."""
    if "{" in value:
        value = _QUALIFIERS.sub("", value)
    return _unescaped(uncommented(value).strip())


def _unescaped(value: str) -> str:
    if "\\" not in value:
        return value
    return _ESCAPE.sub(lambda found: _ESCAPED.get(found.group(1), found.group(1)), value)


def quoted(value: str) -> tuple[str, str]:
    """Return the quoted text at the start of ``value`` and what follows; raises BadLine."""
    found = _QUOTED.match(value)
    if not found:
        raise BadLine(f"a quoted text was expected, not {value[:60]!r}")
    return _unescaped(found.group(1)), found.group(2)


def uncommented(value: str) -> str:
    """Return an unquoted value without its comment."""
    return _COMMENT.sub("", value) if "!" in value else value


def after_identifier(value: str) -> str:
    """Return what follows the identifier at the start of ``value``."""
    found = _ID.match(value)
    return value[found.end() :].strip() if found else value
