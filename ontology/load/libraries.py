"""The parsers' libraries: imported when first needed, and before the process is sealed.

A process that reads a stranger's file gives up opening files first. What it then finds to need is
asked for with ``Needed``, and another process starts with it.
"""

from __future__ import annotations

import codecs
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

OXIGRAPH, RDFLIB, HORNED = "pyoxigraph", "rdflib", "pyhornedowl"
LIBRARIES = (OXIGRAPH, RDFLIB, HORNED)
_ENCODINGS = ("utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252")
_SMALL = (
    b'<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
    b'<r:Description r:about="urn:a"/></r:RDF>'
)
_sealed = False
_installed: frozenset[str] | None = None  # once sealed: looking for a library opens folders


class Needed(Exception):
    """A library is needed that this process can no longer load; its name is the argument."""


def library(name: str) -> Any:
    """Return one of ``LIBRARIES``; raises Needed once the process is sealed."""
    if _sealed and name not in sys.modules:
        raise Needed(name)
    return import_module(name)


def is_installed(name: str) -> bool:
    """Tell whether one of ``LIBRARIES`` can be had."""
    return find_spec(name) is not None if _installed is None else name in _installed


def load_before_sealing(names: Sequence[str], installed: Sequence[str]) -> None:
    """Import ``names`` and everything else that reading may want later."""
    global _sealed, _installed
    for encoding in _ENCODINGS:
        codecs.lookup(encoding)
    for name in names:
        module = library(name)
        if name == RDFLIB:  # its plugins load when first used
            module.Graph(bind_namespaces="none").parse(data=_SMALL, format="xml")
    _sealed, _installed = True, frozenset(installed)
