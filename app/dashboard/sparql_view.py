"""The SPARQL page's parts: ready questions, the editor, and the last answer."""

from __future__ import annotations

import time
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from app.dashboard import charts, sparql_ready
from app.dashboard.answers import Answer, as_csv, counts, read_answer, shortened
from app.dashboard.highlight import visible
from app.dashboard.present import counted, duration
from app.dashboard.sparql_ready import EDITOR, MOST_IN_EDITOR
from app.dashboard.workspace import SHOWN_ERRORS, Workspace, problem, show
from ontology.queries import with_prefixes
from ontology.sparql import run_query
from ontology.vocab import PREFIXES

EXAMPLE = with_prefixes("""\
# Documents in each collection
SELECT ?collection (COUNT(?document) AS ?documents) WHERE {
  ?document a foaf:Document ; dct:isPartOf ?part .
  ?part dct:title ?collection .
}
GROUP BY ?collection
ORDER BY DESC(?documents)
""")
ANSWER = "sparql-answer"
WITH_TEXT = "sparql-with-text"
SHOWN_ROWS = 1000
SHOWN_CHARACTERS = 100_000
MAX_ROWS = 100_000


@dataclass(frozen=True, slots=True)
class Shown:
    """The last answer: a table, or Turtle for CONSTRUCT and DESCRIBE, or what went wrong.

    ``note`` is what to know about it: a limit that was reached, or that SQL answered.
    """

    body: bytes = b""
    table: Answer | None = None
    seconds: float = 0.0
    error: str = ""
    note: str = ""


def show_ready(space: Workspace) -> None:
    """Offer the ready questions; one is answered, or goes into the editor with its values."""
    chosen = sparql_ready.show_form(space)
    if chosen is None or not (chosen.asked or chosen.put) or sparql_ready.refused(chosen):
        return
    try:
        st.session_state[EDITOR] = chosen.text(space)
    except SHOWN_ERRORS as error:
        problem(error)
        return
    st.session_state.pop(ANSWER, None)
    if chosen.asked:
        chosen.remember()
        with st.spinner("The question is being answered"):
            st.session_state[ANSWER] = _answered(space, chosen)


def _answered(space: Workspace, chosen: sparql_ready.Chosen) -> Shown:
    begun = time.monotonic()
    try:
        answer = chosen.answer(space, with_text=bool(st.session_state.get(WITH_TEXT)))
    except SHOWN_ERRORS as error:
        return Shown(error=str(error))
    note = answer.note
    if answer.by_sql:
        note += " Answered by the database, which is faster for this question; the SPARQL below "
        note += "gives the same."
    return Shown(answer.body, read_answer(answer.body), time.monotonic() - begun, note=note.strip())


def show_editor(space: Workspace) -> None:
    """Show the query and run it on demand."""
    st.session_state.setdefault(EDITOR, EXAMPLE)
    private = any(row.text_private for row in space.store.collections())
    with st.container(key="sparql-editor"), st.form("sparql", border=False):
        st.text_area(
            "Query",
            key=EDITOR,
            height=280,
            max_chars=MOST_IN_EDITOR,
            help="SELECT, ASK, CONSTRUCT or DESCRIBE. The usual prefixes need no declaration.",
        )
        with_text = private and st.checkbox(
            "Include the words of private collections",
            key=WITH_TEXT,
            help="They are shown to you here only; the SPARQL endpoint never gives them out.",
        )
        asked = st.form_submit_button("Run query")
    if asked:
        query = st.session_state[EDITOR]
        if len(query) <= sparql_ready.MOST_IN_ADDRESS:
            sparql_ready.address({sparql_ready.QUERY: query})
        with st.spinner("The query is running"):
            st.session_state[ANSWER] = ask(space, query, with_text=with_text)


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
    show(f'<p role="status">{visible(told)}. {visible(shown.note)}</p>')
    if answer.rows:
        _chart(answer)
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


def _chart(answer: Answer) -> None:
    """Offer a bar chart of an answer that counts something by name."""
    found = counts(answer)
    if found is None:
        return
    measure, rows = found
    if st.checkbox("Show as chart", key="sparql-chart", help=f"The first {charts.BARS} rows."):
        noun = measure.removesuffix("s")
        st.altair_chart(charts.bars(rows, measure.capitalize()), alt=charts.alternative(rows, noun))


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
