"""Cut a SPARQL query into tokens, so that strings, IRIs and comments are told from keywords.

Follows the terminals of https://www.w3.org/TR/sparql11-query/#sparqlGrammar, a little more widely:
what it cannot place at all is a token of kind ``other``, which the guard refuses.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_NAME = r"[^\W\d_][\w.\-\u00b7]{0,127}"
"""Bounded, or a text of dashes and letters would be scanned once a letter."""

_TOKEN = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<comment>\#[^\n]*)
  | (?P<iri><[^<>"{}|^`\\\x00-\x20]*(?:\\u[0-9A-Fa-f]{4}[^<>"{}|^`\\\x00-\x20]*)*>)
  | (?P<string>\"\"\"(?:[^"\\]|\\.|\"(?!\"\"))*\"\"\"
              |'''(?:[^'\\]|\\.|'(?!''))*'''
              |"(?:[^"\\\n]|\\.)*"
              |'(?:[^'\\\n]|\\.)*')
  | (?P<variable>[?$]\w+)
  | (?P<language>@[A-Za-z]+(?:-+[A-Za-z0-9]+)*)
  | (?P<blank>_:\w[\w.\-\u00b7]*)
  | (?P<name>(?:NAME)?:(?:(?:[\w:]|%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?\#@%])
        (?:(?:[\w:.\-\u00b7]|%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?\#@%])*
           (?:[\w:\-\u00b7]|%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?\#@%]))?)?)
  | (?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)
  | (?P<word>[^\W\d_]\w*)
  | (?P<mark>\^\^|&&|\|\||!=|<=|>=|<<\(?|\)?>>|\{\||\|\}|[{}()\[\].,;=<>+\-*/|^!?~@])
  | (?P<other>.)
    """.replace("NAME", _NAME),
    re.VERBOSE | re.DOTALL,
)


class Token(NamedTuple):
    """A piece of the query: its kind, its words and where they start."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """The place after the token."""
        return self.start + len(self.text)


def tokens(query: str) -> list[Token]:
    """Return the tokens of ``query`` without white space and comments."""
    found = []
    for match in _TOKEN.finditer(query):
        kind = match.lastgroup or "other"
        if kind not in ("space", "comment"):
            found.append(Token(kind, match.group(), match.start()))
    return found
