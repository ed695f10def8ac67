"""The opened vocabularies behind the Concepts page, and the documents that name their concepts."""

from __future__ import annotations

import streamlit as st

from app.term_card import open_vocabulary
from app.vocabulary import Vocabulary
from db.rows import OntologyRow
from db.store import Store


def opened(row: OntologyRow) -> Vocabulary:
    """Return a vocabulary of the workspace; the last few looked at stay in memory."""
    return _opened(row.name, row.sha256, row)


@st.cache_resource(show_spinner="The vocabulary is being read", max_entries=4)
def _opened(name: str, sha256: str, _row: OntologyRow) -> Vocabulary:
    return open_vocabulary(_row)


def document_counts(store: Store, ontology: str) -> dict[str, tuple[int, int]]:
    """Return how many documents name each concept, itself and with narrower, by IRI."""
    found: dict[str, tuple[int, int]] = {}
    for collection in store.collections():
        for row in store.concept_counts(collection.id, ontology=ontology):
            own, within = found.get(row.iri, (0, 0))
            found[row.iri] = (own + row.documents, within + row.documents_with_narrower)
    return found
