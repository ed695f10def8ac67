"""Short makers for the values the store takes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from db.rows import (
    CollectionRow,
    ConceptInput,
    DocumentInput,
    DocumentRow,
    LabelRow,
    OntologyInput,
    PutCounts,
    ResultInput,
    SavedCounts,
    SentenceRow,
    SourceInput,
    SummaryRow,
    TagRow,
)
from db.store import Store

RECIPE = "general"


def digest(text: str) -> str:
    """Return a stand-in for a content hash."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def source(path: str = "/data/a.csv", **more: Any) -> SourceInput:
    """Return a file that was read."""
    values = {"outcome": "read", "relative": path.rsplit("/", 1)[-1], "kind": "csv"} | more
    return SourceInput(path=path, **values)


def doc(key: str, text: str, **more: Any) -> DocumentInput:
    """Return a document whose input hash covers its text."""
    values: dict[str, Any] = {"input_hash": "in-" + digest(text)[:12]} | more
    return DocumentInput(key=key, text=text, sha256=digest(text), **values)


def collection(store: Store, name: str = "parks", recipe: str = RECIPE) -> CollectionRow:
    """Return a collection."""
    return store.ensure_collection(name, recipe=recipe)


def put(
    store: Store, collection_id: int, texts: Mapping[str, str], path: str = "/data/a.csv"
) -> PutCounts:
    """Put documents (key → text) of one file."""
    return store.put_file(collection_id, source(path), [doc(k, t) for k, t in texts.items()])


def tag(text: str, start: int, end: int, iri: str = "urn:c:park", **more: Any) -> TagRow:
    """Return a tag of the vocabulary ``places``."""
    values: dict[str, Any] = {"ontology": "places", "curie": iri[4:], "label": iri[6:]} | more
    return TagRow(
        iri=iri, start=start, end=end, text=text[start:end], score=0.9, method="label", **values
    )


def full(text: str, *tags: TagRow, label: str = "green space") -> ResultInput:
    """Return a processed result: one sentence, one summary line, two labels, some tags."""
    end = len(text)
    return ResultInput(
        outcome="processed",
        sentences=(SentenceRow(0, 0, end),),
        summary=(SummaryRow(1, 0, end, text, 0.5),),
        labels=(
            LabelRow("themes", label, 0.81, True, 0, end, text),
            LabelRow("themes", "transport", 0.12, False, 0, end, text),
        ),
        tags=tags,
    )


def failed(reason: str = "stage tag: boom") -> ResultInput:
    """Return a failed result."""
    return ResultInput(outcome="failed", reason=reason)


def pending_rows(
    store: Store, collection_id: int, fingerprint: str = "f1", **more: Any
) -> list[DocumentRow]:
    """Return all pending documents in the order they would be processed."""
    found = store.pending(collection_id, fingerprint=fingerprint, **more)
    rows = [row for batch in found.batches for row in batch]
    assert len(rows) == found.total
    return rows


def run_all(
    store: Store,
    collection_id: int,
    *,
    fingerprint: str = "f1",
    recipe: str = RECIPE,
    result: Any = None,
    **more: Any,
) -> SavedCounts:
    """Process everything pending in one batch and one run."""
    run = store.start_run(collection_id, recipe=recipe, fingerprint=fingerprint, details={})
    rows = pending_rows(store, collection_id, fingerprint, **more)
    make = result or (lambda row: full(row.text) if row.text else ResultInput("empty"))
    batch = [(row, make(row)) for row in rows]
    saved = store.save_results(run, recipe=recipe, fingerprint=fingerprint, batch=batch)
    store.finish_run(run, "finished", {"processed": saved.saved})
    return saved


def vocabulary(
    concepts: Iterable[str] = ("urn:c:place", "urn:c:park", "urn:c:playground"),
    *,
    name: str = "places",
    sha256: str = "v1",
) -> OntologyInput:
    """Return a chain of concepts, each narrower than the one before."""
    chain = list(concepts)
    return OntologyInput(
        name=name,
        sha256=sha256,
        path=f"/home/ontologies/{name}.ttl",
        format="turtle",
        labels=len(chain),
        concepts=[ConceptInput(iri, iri[4:], iri[6:]) for iri in chain],
        closure=[
            (low, high, lower - higher)
            for lower, low in enumerate(chain)
            for higher, high in enumerate(chain[:lower])
        ],
    )
