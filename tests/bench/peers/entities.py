"""A span of a text as the only entity of a spaCy pipeline: what assertion peers are given."""

from __future__ import annotations

from typing import Any


def entity(nlp: Any, item: dict[str, Any]) -> Any:
    """Run the pipeline over the text with ``start`` to ``end`` as its entity; return the entity."""
    doc = nlp.make_doc(item["text"])
    span = doc.char_span(item["start"], item["end"], label="CONDITION", alignment_mode="expand")
    if span is None:
        return None
    doc.ents = [span]
    for _, component in nlp.pipeline:
        doc = component(doc)
    return doc.ents[0] if doc.ents else None
