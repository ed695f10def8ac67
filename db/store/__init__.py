"""The store: plain values in, plain values out, each batch in one transaction.

::

    engine = create_engine_for("sqlite:////path/to/florilegium.db")
    upgrade(engine)
    store = Store(engine)
"""

from __future__ import annotations

from db.store.codebooks import Codebooks
from db.store.codings import Codings
from db.store.collections import Collections
from db.store.documents import Documents
from db.store.erasure import Erasures
from db.store.export import Exports
from db.store.graph_states import GraphStates
from db.store.graph_view import GraphViews
from db.store.groups import Groups
from db.store.ingest import Ingest
from db.store.ontologies import Ontologies
from db.store.pages import Pages
from db.store.questions import Questions
from db.store.reports import Reports
from db.store.results import Results
from db.store.reviews import Reviews
from db.store.sources import Sources
from db.store.usage import Usage


class Store(
    Collections,
    Sources,
    Ingest,
    Documents,
    Results,
    Ontologies,
    Pages,
    Reports,
    Usage,
    Questions,
    Codebooks,
    Codings,
    Exports,
    GraphViews,
    GraphStates,
    Reviews,
    Erasures,
    Groups,
):
    """Everything Florilegium keeps in SQL; one module under ``db/store`` a subject."""


__all__ = ["Store"]
