"""A small workspace made through the store, for the pages to show."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

from app.settings import load_settings
from app.workspace import add_ontology
from db.engine import create_engine_for
from db.migrate import upgrade
from db.rows import (
    DocumentInput,
    LabelRow,
    ResultInput,
    SentenceRow,
    SourceInput,
    SummaryRow,
    TagRow,
)
from db.store import Store

BASE = "https://example.org/streets/"
CONCEPTS = {
    "transport": ("Transport", None),
    "parking": ("Parking", "transport"),
    "permit": ("Parking permit", "parking"),
    "bus": ("Bus service", "transport"),
}
SENTENCES = (
    "The parking permit costs too much for pensioners.",
    "Please keep the bus service in the evenings.",
    "I have no strong view about this.",
    "Parking near the school is dangerous.",
)
HOSTILE = "<img src=x onerror=alert(1)> parking **bold** $x^2$ \u202eesrever"


def make_workspace(home: Path) -> Store:
    """Fill ``home`` with an ontology, an open collection of 60, a private one of 2, and a letter."""
    home.mkdir(parents=True, exist_ok=True)
    engine = create_engine_for(f"sqlite:///{home / 'florilegium.sqlite'}")
    upgrade(engine)
    store = Store(engine)
    _ontology(store, home)
    texts = [f"{SENTENCES[i % 4]} {SENTENCES[(i + 1) % 4]}" for i in range(57)]
    texts += [HOSTILE, "", "Parking is full. " * 4000]
    _collection(store, "streets", "consultation", texts)
    _collection(store, "ward", "clinical", ["Seen in clinic. Sore throat.", "No cough."], True)
    _letter(store)
    return store


def _letter(store: Store) -> None:
    """Add the collection "travels": one document, number 63, no question and no tag."""
    collection = store.ensure_collection("travels", recipe="general", text_private=False)
    source = SourceInput(path="/inbox/letter.txt", outcome="read", relative="letter.txt")
    text = "The weather was fine all week."
    document = DocumentInput(
        key="letter.txt",
        text=text,
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        input_hash=hashlib.sha256(text.encode()).hexdigest(),
        metadata={"author": "A. N.", "date": "1802", "place": "Wells", "shelf": "4"},
        locator="the whole file",
    )
    store.put_file(collection.id, source, [document])
    _run(store, collection.id, "general")


def _ontology(store: Store, home: Path) -> None:
    lines = [
        "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .",
        "@prefix dct: <http://purl.org/dc/terms/> .",
        f"@prefix st: <{BASE}> .",
        'st:scheme a skos:ConceptScheme ; dct:title "Streets and transport" .',
    ]
    for name, (label, above) in CONCEPTS.items():
        lines.append(
            f'st:{name} a skos:Concept ; skos:prefLabel "{label}" ; skos:inScheme st:scheme .'
        )
        if above:
            lines.append(f"st:{name} skos:broader st:{above} .")
    file = home / "streets.ttl"
    file.write_text("\n".join(lines))
    add_ontology(load_settings(home=home), store, file, "streets")


def _collection(
    store: Store, name: str, recipe: str, texts: Sequence[str], private: bool = False
) -> None:
    collection = store.ensure_collection(name, recipe=recipe, text_private=private)
    source = SourceInput(
        path=f"/inbox/{name}.csv",
        outcome="read",
        relative=f"{name}.csv",
        kind="csv",
        rows=len(texts),
    )
    documents = [
        DocumentInput(
            key=f"{name}.csv#{row}/answer",
            text=text,
            sha256=hashlib.sha256(text.encode()).hexdigest(),
            input_hash=hashlib.sha256(text.encode()).hexdigest(),
            question="What do you think?",
            metadata={"ward": "North" if row % 2 else "South"},
            locator=f"row {row}",
        )
        for row, text in enumerate(texts, start=1)
    ]
    store.put_file(collection.id, source, documents)
    store.record_source(
        collection.id,
        SourceInput(path="/inbox/plan.pdf", outcome="skipped", reason="no reader for .pdf"),
    )
    _run(store, collection.id, recipe)


def _run(store: Store, collection_id: int, recipe: str) -> None:
    run = store.start_run(collection_id, recipe=recipe, fingerprint="f" * 64, details={})
    for batch in store.pending(collection_id, fingerprint="f" * 64).batches:
        store.save_results(
            run,
            recipe=recipe,
            fingerprint="f" * 64,
            batch=[(row, result_of(row.text)) for row in batch],
        )
    store.finish_run(run, "finished", {})


def result_of(text: str) -> ResultInput:
    """Return a plausible result: the longest labels tagged, nested ones not displayed."""
    if not text:
        return ResultInput("empty")
    sentences = [match.span() for match in re.finditer(r"[^.\s][^.]*(?:\.|$)", text)]
    tags = []
    for name, (label, _) in CONCEPTS.items():
        for match in re.finditer(rf"\b{label}\b", text, re.IGNORECASE):
            displayed = not (
                name == "parking" and text[match.end() : match.end() + 7].startswith(" permit")
            )
            tags.append(
                TagRow(
                    ontology="streets",
                    iri=BASE + name,
                    curie=f"st:{name}",
                    label=label,
                    start=match.start(),
                    end=match.end(),
                    text=match[0],
                    score=0.95,
                    method="label",
                    displayed=displayed,
                )
            )
    start, end = sentences[0]
    return ResultInput(
        "processed",
        sentences=tuple(SentenceRow(i, *span) for i, span in enumerate(sentences)),
        summary=(SummaryRow(1, start, end, text[start:end], 0.8),),
        labels=(
            LabelRow("consultation", "Cost", 0.71, "costs" in text, start, end, text[start:end]),
            LabelRow("consultation", "Other", 0.2, False, start, end, text[start:end]),
        ),
        tags=tuple(tags),
    )
