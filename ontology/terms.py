"""RDF terms as N-Quads text, and the IRIs minted for results.

Text instead of engine objects: the same lines are the store's input and the N-Quads dump.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from datetime import UTC, datetime

from ontology.vocab import DATA, XSD

_IRI_UNSAFE = re.compile(r"[\x00-\x20<>\"{}|^`\\]")
_LITERAL_UNSAFE = re.compile(r"[\x00-\x1f\x7f\"\\\ud800-\udfff]")
_LITERAL_ESCAPES = {
    "\t": "\\t",
    "\n": "\\n",
    "\r": "\\r",
    "\b": "\\b",
    "\f": "\\f",
    '"': '\\"',
    "\\": "\\\\",
}
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def iri(value: str) -> str:
    """Return ``<value>``, characters that an IRI may not hold percent-encoded.

    A value without a scheme is resolved against the data namespace.
    """
    if not _ABSOLUTE.match(value):
        value = DATA + value
    return f"<{_IRI_UNSAFE.sub(_percent, value)}>"


def _percent(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found.group().encode("utf-8"))


def text(value: str, language: str = "") -> str:
    """Return a string literal, with its language where that is a well-formed tag."""
    quoted = f'"{_LITERAL_UNSAFE.sub(_escape, value)}"'
    if language and _LANGUAGE.fullmatch(language):
        return f"{quoted}@{language.lower()}"
    return quoted


def _escape(found: re.Match[str]) -> str:
    char = found.group()
    if "\ud800" <= char <= "\udfff":
        return "\\uFFFD"
    return _LITERAL_ESCAPES.get(char) or f"\\u{ord(char):04X}"


def integer(value: int) -> str:
    """Return an ``xsd:integer`` literal."""
    return f'"{value}"^^<{XSD}integer>'


def decimal(value: float) -> str:
    """Return an ``xsd:decimal`` literal with at most four decimals, as scores are stored."""
    digits = f"{value:.4f}".rstrip("0")
    return f'"{digits}0"^^<{XSD}decimal>' if digits.endswith(".") else f'"{digits}"^^<{XSD}decimal>'


def boolean(value: bool) -> str:
    """Return an ``xsd:boolean`` literal."""
    return f'"{"true" if value else "false"}"^^<{XSD}boolean>'


def moment(value: datetime) -> str:
    """Return an ``xsd:dateTime`` literal in UTC; a time without zone is taken as UTC."""
    aware = value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    return f'"{aware.replace(tzinfo=None).isoformat(timespec="seconds")}Z"^^<{XSD}dateTime>'


def slug(value: str) -> str:
    """Return a flat, readable, unique local name for ``value``: words, then six hex digits."""
    ascii_only = unicodedata.normalize("NFKD", value).encode("ascii", "ignore").decode()
    words = re.sub(r"[^a-z0-9]+", "-", ascii_only.lower()).strip("-")[:40].rstrip("-")
    mark = hashlib.sha256(value.encode("utf-8", "surrogatepass")).hexdigest()[:6]
    return f"{words}-{mark}" if words else mark


def collection(id: int) -> str:
    """Return the IRI of a collection, which is also its named graph."""
    return f"{DATA}collection-{id}"


def document(id: int) -> str:
    """Return the IRI of a document."""
    return f"{DATA}document-{id}"


def run(id: int) -> str:
    """Return the IRI of a run, which is also its named graph."""
    return f"{DATA}run-{id}"


def quotes(graph: str) -> str:
    """Return the graph beside ``graph`` that holds the words themselves."""
    return f"{graph}/quotes"


def superseded(graph: str) -> str:
    """Return the graph beside ``graph`` for what a later run replaced."""
    return f"{graph}/superseded"


def label(label_set: str, name: str) -> str:
    """Return the IRI of a label of a label set."""
    return f"{DATA}label-{slug(label_set + chr(0) + name)}"


def label_set(name: str) -> str:
    """Return the IRI of a label set, which is also its named graph."""
    return f"{DATA}labels-{slug(name)}"


def ontology_version(id: str, sha256: str) -> str:
    """Return the IRI of one version of an ontology, which is also its named graph."""
    return f"{DATA}ontology-{slug(id)}-{sha256[:12]}"


MODELS = f"{DATA}models"
"""The named graph of models and software."""

PRIVATE_TEXT = f"{DATA}private-text"
"""All quotes of private collections together; read only when text is asked for."""
