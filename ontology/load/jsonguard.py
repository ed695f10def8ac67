"""JSON that cannot end the parser: deep nesting is refused before it is read."""

from __future__ import annotations

import json
import re

from ontology.errors import broken

MAX_DEPTH = 200
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"', re.S)
_BRACKET = re.compile(rb"[{}\[\]]")


def read_json(data: bytes, name: str, syntax: str) -> object:
    """Return the document; raise OntologyError for broken JSON or more than 200 levels."""
    depth = 0
    for bracket in _BRACKET.finditer(_STRING.sub(b"", data)):
        depth += 1 if bracket.group() in b"{[" else -1
        if depth > MAX_DEPTH:
            raise broken(name, syntax, f"it nests more than {MAX_DEPTH} deep")
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise broken(name, syntax, str(error)) from error
