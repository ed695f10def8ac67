"""RDF terms as N-Quads text, and the IRIs minted for results.

Text instead of engine objects: the same lines are the store's input and the N-Quads dump.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from datetime import UTC, date, datetime
from functools import lru_cache

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


@lru_cache(1 << 16)
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


def day(value: datetime | date | int) -> str:
    """Return a date as far as it is known: ``xsd:dateTime``, ``xsd:date`` or ``xsd:gYear``."""
    if isinstance(value, datetime):
        return moment(value)
    if isinstance(value, date):
        return f'"{value.isoformat()}"^^<{XSD}date>'
    return f'"{value:04d}"^^<{XSD}gYear>'


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


def plan(fingerprint: str) -> str:
    """Return the IRI of the plan behind a fingerprint."""
    return f"{DATA}plan-{fingerprint[:12]}"


def opaque(collection: int, name: str, salt: str = "") -> str:
    """Return a local name for a respondent that does not say who it is; one a collection.

    ``salt`` is anything that only the workspace knows, so that short names cannot be tried out.
    """
    mark = hashlib.sha256(f"{collection}\0{salt}\0{name}".encode("utf-8", "surrogatepass"))
    return f"respondent-{collection}-{mark.hexdigest()[:16]}"


def codebook(id: int) -> str:
    """Return the IRI of a codebook, which is also its named graph."""
    return f"{DATA}codebook-{id}"


def codebook_version(id: int, number: int) -> str:
    """Return the IRI of one version of a codebook."""
    return f"{DATA}codebook-{id}-v{number}"


def theme(id: int) -> str:
    """Return the IRI of a theme."""
    return f"{DATA}theme-{id}"


def campaign(id: int) -> str:
    """Return the IRI of a campaign."""
    return f"{DATA}campaign-{id}"


def campaigns(collection: int) -> str:
    """Return the named graph of a collection's campaigns."""
    return f"{DATA}campaigns-{collection}"


def group_summary(id: int) -> str:
    """Return the IRI of a summary of a group."""
    return f"{DATA}groupsummary-{id}"


MODELS = f"{DATA}models"
"""The named graph of models and software."""

PRIVATE_TEXT = f"{DATA}private-text"
"""All quotes of private collections together; read only when text is asked for."""

REVIEWS = f"{DATA}reviews"
"""The named graph of what reviewers decide."""
