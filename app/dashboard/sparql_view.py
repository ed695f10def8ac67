"""The SPARQL page's parts: ready questions, the editor, and the last answer."""

from __future__ import annotations

import time
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from app.dashboard import queries
from app.dashboard.answers import Answer, as_csv, read_answer, shortened
from app.dashboard.highlight import visible
from app.dashboard.present import counted, duration
from app.dashboard.workspace import SHOWN_ERRORS, Workspace, problem, show
from ontology.params import bind
from ontology.queries import ready_queries
from ontology.sparql import run_query
from ontology.vocab import PREFIXES

EXAMPLE = """\
# Documents in each collection
SELECT ?collection (COUNT(?document) AS ?documents) WHERE {
  ?document a foaf:Document ; dct:isPartOf ?part .
  ?part dct:title ?collection .
}
GROUP BY ?collection
ORDER BY DESC(?documents)
"""
QUERY = "sparql-query"
ANSWER = "sparql-answer"
WITH_TEXT = "sparql-with-text"
SHOWN_ROWS = 1000
SHOWN_CHARACTERS = 100_000
MAX_ROWS = 100_000


@dataclass(frozen=True, slots=True)
class Shown:
    """The last answer: a table, or Turtle for CONSTRUCT and DESCRIBE, or what went wrong."""

    body: bytes = b""
    table: Answer | None = None
    seconds: float = 0.0
    error: str = ""


def show_ready(space: Workspace) -> None:
    """Offer the ready questions; one goes into the editor with its values filled in."""
    known = {query.name: query for query in ready_queries()}
    names = st.selectbox(
        "Ready questions",
        list(known),
        index=None,
        format_func=lambda name: known[name].title,
        placeholder="Choose a question, or write your own below",
    )
    if names is None:
        return
    query = known[names]
    values = {name: _parameter(space, name, told) for name, told in query.params.items()}
    with st.container(horizontal=True):
        asked = st.button("Ask", help="Put the question into the editor and run it.")
        put = st.button("Put into the editor", help="Then change it before you run it.")
    if not asked and not put:
        return
    missing = [query.params[name] for name, value in values.items() if not value]
    if missing:
        problem(f"This question needs: {'; '.join(missing)}.")
        return
    try:
        st.session_state[QUERY] = bind(query.text, {n: v for n, v in values.items() if v})
    except SHOWN_ERRORS as error:
        problem(error)
        return
    st.session_state.pop(ANSWER, None)
    if asked:
        _answer(space, with_text=bool(st.session_state.get(WITH_TEXT)))


def _parameter(space: Workspace, name: str, told: str) -> str:
    """Ask for a parameter's value and return it as a term, or "" where none is given."""
    if name == "concept":
        concepts = queries.found_concepts(space.store)
        chosen = st.selectbox(
            "Concept",
            list(concepts),
            index=None,
            format_func=lambda iri: concepts[iri],
            placeholder="Choose a concept" if concepts else "No concept has been found yet",
            key="sparql-concept",
        )
        return f"<{chosen}>" if chosen else ""
    if name == "collection":
        collections = [row.name for row in space.store.collections()]
        chosen = st.selectbox(
            "Collection",
            collections,
            index=None,
            placeholder="Choose a collection",
            key="sparql-collection",
        )
        return f'"{chosen}"' if chosen else ""
    return st.text_input(name.capitalize(), help=told, key=f"sparql-{name}").strip()


def show_editor(space: Workspace) -> None:
    """Show the query and run it on demand."""
    st.session_state.setdefault(QUERY, EXAMPLE)
    private = any(row.text_private for row in space.store.collections())
    with st.container(key="sparql-editor"), st.form("sparql", border=False):
        st.text_area(
            "Query",
            key=QUERY,
            height=280,
            max_chars=65_536,
            help="SELECT, ASK, CONSTRUCT or DESCRIBE. The usual prefixes need no declaration.",
        )
        with_text = private and st.checkbox(
            "Include the words of private collections",
            key=WITH_TEXT,
            help="They are shown to you here only; the SPARQL endpoint never gives them out.",
        )
        asked = st.form_submit_button("Run query", type="primary")
    if asked:
        _answer(space, with_text=with_text)


def _answer(space: Workspace, *, with_text: bool) -> None:
    with st.spinner("The query is running"):
        st.session_state[ANSWER] = ask(space, st.session_state[QUERY], with_text=with_text)


def ask(space: Workspace, query: str, *, with_text: bool) -> Shown:
    """Answer a query, or say in a sentence why there is no answer."""
    begun = time.monotonic()
    try:
        answer = run_query(
            space.settings.graph_dir,
            query,
            timeout=space.settings.sparql_timeout,
            with_text=with_text,
            max_rows=MAX_ROWS,
        )
        table = read_answer(answer.body) if answer.kind in ("select", "ask") else None
    except SHOWN_ERRORS as error:
        return Shown(error=str(error))
    return Shown(answer.body, table, time.monotonic() - begun)


def show_answer() -> None:
    """Show the last answer of this session."""
    shown: Shown | None = st.session_state.get(ANSWER)
    if shown is None:
        show('<p class="flo-quiet">The answer will appear here.</p>')
    elif shown.error:
        problem(shown.error)
    elif shown.table is None:
        _turtle(shown)
    else:
        _table(shown, shown.table)


def _table(shown: Shown, answer: Answer) -> None:
    st.header("Answer")
    told = f"{counted(len(answer.rows), 'row')}, {duration(shown.seconds)}"
    if len(answer.rows) > SHOWN_ROWS:
        told += f"; the first {SHOWN_ROWS:,} are shown, the download has all"
    show(f'<p role="status">{visible(told)}.</p>')
    if answer.rows:
        shown_rows = shortened(Answer(answer.columns, answer.rows[:SHOWN_ROWS]), PREFIXES).rows
        st.dataframe(
            pd.DataFrame(list(shown_rows), columns=list(answer.columns)),
            hide_index=True,
            alt=f"Answer with the columns {', '.join(answer.columns)}",
        )
    else:
        show('<p class="flo-quiet">Nothing in the graph fits the query.</p>')
    with st.container(horizontal=True):
        st.download_button(
            "Download CSV", as_csv(answer), "answer.csv", "text/csv", on_click="ignore"
        )
        st.download_button(
            "Download JSON",
            shown.body,
            "answer.srj",
            "application/sparql-results+json",
            on_click="ignore",
        )


def _turtle(shown: Shown) -> None:
    st.header("Answer")
    text = shown.body.decode()
    show(f'<p role="status">{visible(f"Turtle, {duration(shown.seconds)}")}.</p>')
    st.code(text[:SHOWN_CHARACTERS] or "# no triple fits the query", language=None)
    if len(text) > SHOWN_CHARACTERS:
        show('<p class="flo-quiet">The beginning is shown; the download has all.</p>')
    st.download_button(
        "Download Turtle", shown.body, "answer.ttl", "text/turtle", on_click="ignore"
    )
