"""The ready questions of the graph, asked of SQL: the same columns, in the same order.

An answer holds plain values. What has an IRI of ours in the graph comes as its local name
(``document-7``, ``tag-12-3``, ``theme-2``); concepts come as their own IRIs. Text is ordered by code
points on every database, as SPARQL does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlalchemy import Connection

from db.rows.questions import Asked, SqlAnswer
from db.store.access import Access
from db.store.questions import counts, lists, people, runs

_QUESTIONS: Mapping[str, Callable[[Connection, Asked], SqlAnswer]] = {
    "acceptance": people.acceptance,
    "best-evidence": lists.best_evidence,
    "campaigns-counted-once": people.campaigns_counted_once,
    "concepts-together": runs.concepts_together,
    "counts-by-top-concept": counts.counts_by_top_concept,
    "coverage-by-year": counts.coverage_by_year,
    "document-summary": lists.document_summary,
    "documents-about": lists.documents_about,
    "negated-or-uncertain": lists.negated_or_uncertain,
    "runs-disagree": runs.runs_disagree,
    "tags-that-stand": lists.tags_that_stand,
    "themes-by-stance": people.themes_by_stance,
    "unused-concepts": counts.unused_concepts,
    "what-produced": lists.what_produced,
}


class Questions(Access):
    """The store's method that answers the ready questions."""

    def question(self, name: str, asked: Asked) -> SqlAnswer:
        """Answer the ready question called ``name``; raises KeyError for one that SQL lacks."""
        with self.reading() as connection:
            return _QUESTIONS[name](connection, asked)

    @staticmethod
    def questions() -> tuple[str, ...]:
        """Return the names of the questions that SQL answers."""
        return tuple(_QUESTIONS)
