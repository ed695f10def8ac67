"""Short names for concept IRIs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import quote

from ontology.vocab import OBO

_OBO = re.compile(re.escape(OBO) + r"([A-Za-z][A-Za-z0-9_]*)_([A-Za-z0-9]+)")
_FORBIDDEN = re.compile(r"[\x00-\x20\x7f-\x9f<>\"{}|\\^`\[\]]|%(?![0-9A-Fa-f]{2})")
_LOCAL = re.compile(r"[\w.-]+")
_UNHELPFUL = {"", "rdf", "rdfs", "owl", "xml", "xsd", "skos", "obo"}


class Curies:
    """Make a CURIE of each IRI of one ontology, unique within it.

    In this order: the OBO rule (``…/obo/SYMP_0000064`` is ``SYMP:0000064``), the longest declared
    namespace under its prefix, the ontology's id and the part after the last ``#`` or ``/``. A
    name taken by another IRI falls back to the IRI itself.
    """

    def __init__(self, prefixes: Mapping[str, str], id: str) -> None:
        self._id = id
        self._taken: dict[str, str] = {}
        self._namespaces = sorted(
            ((space, prefix) for prefix, space in prefixes.items() if prefix not in _UNHELPFUL),
            key=lambda pair: (-len(pair[0]), pair[1]),
        )

    def of(self, iri: str) -> str:
        """Return the CURIE of ``iri``."""
        for curie in self._candidates(iri):
            if self._taken.setdefault(curie, iri) == iri:
                return curie
        return iri

    def _candidates(self, iri: str) -> list[str]:
        found = []
        obo = _OBO.fullmatch(iri)
        if obo:
            found.append(f"{obo.group(1)}:{obo.group(2)}")
        for space, prefix in self._namespaces:
            local = iri[len(space) :]
            if space and iri.startswith(space) and _LOCAL.fullmatch(local):
                found.append(f"{prefix}:{local}")
                break
        local = local_name(iri)
        if _LOCAL.fullmatch(local):
            found.append(f"{self._id}:{local}")
        return found


def local_name(iri: str) -> str:
    """Return the part of ``iri`` after its last ``#``, ``/`` or ``:``."""
    return re.split(r"[#/:]", iri.rstrip("#/"))[-1]


def safe_iri(text: str) -> str:
    """Return ``text`` with what no IRI may hold percent-encoded (RFC 3987)."""
    return _FORBIDDEN.sub(lambda found: quote(found.group()), text)


def obo_iri(curie: str, idspaces: Mapping[str, str] | None = None) -> str:
    """Return the IRI of an OBO identifier: ``SYMP:0000064`` is ``…/obo/SYMP_0000064``.

    ``idspaces`` are the prefixes that a file maps itself.
    """
    prefix, _, local = curie.partition(":")
    space = (idspaces or {}).get(prefix)
    return f"{space}{local}" if space else f"{OBO}{prefix}_{local}"
