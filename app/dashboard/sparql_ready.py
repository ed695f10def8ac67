"""The SPARQL page's ready questions: a form for their values, an answer, and an address for both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from app.dashboard import queries
from app.dashboard.workspace import Workspace, problem, show
from app.questions import Answered, ask, settle
from ontology.queries import Parameter, ReadyQuery, named, ready_queries, with_prefixes

READY = "ready"
QUERY = "query"
"""What the address calls a ready question, and a query of one's own."""

ARRIVED = "sparql-arrived"
EDITOR = "sparql-query"
MOST_IN_EDITOR = 65_536
MOST_IN_ADDRESS = 6000
_KEY = "sparql-value-"


@dataclass(frozen=True, slots=True)
class Chosen:
    """A ready question with the values in the form; ``asked`` or ``put`` into the editor."""

    query: ReadyQuery
    values: Mapping[str, str]
    asked: bool
    put: bool

    @property
    def missing(self) -> str:
        """Return what the question needs and the form lacks, in words."""
        needed = [p for p in self.query.params if p.needed and not self.values.get(p.name)]
        return "; ".join(f"{each.name} ({each.about})" for each in needed)

    def text(self, space: Workspace) -> str:
        """Return the question as SPARQL with its prefixes."""
        values = settle(space.store, self.query, self.values)
        return with_prefixes(self.query.written(values))

    def answer(self, space: Workspace, *, with_text: bool) -> Answered:
        """Ask it."""
        return ask(
            space.settings,
            space.store,
            self.query.name,
            self.values,
            timeout=space.settings.sparql_timeout,
            with_text=with_text,
        )

    def remember(self) -> None:
        """Put question and values into the address, so that a bookmark asks again."""
        address({READY: self.query.name, **self.values})


def address(values: Mapping[str, str]) -> None:
    """Put ``values`` into the address as what has been dealt with."""
    st.session_state[ARRIVED] = dict(values)
    st.query_params.from_dict(dict(values))


def arrive(known: Mapping[str, ReadyQuery]) -> bool:
    """Fill the form or the editor from the address, once; tell whether a question is asked.

    A query of one's own waits in the editor: whoever followed a link reads it first.
    """
    given = st.query_params.to_dict()
    if not given or st.session_state.get(ARRIVED) == given:
        return False
    st.session_state[ARRIVED] = given
    if text := given.get(QUERY):
        st.session_state[EDITOR] = text[:MOST_IN_EDITOR]
    name = given.get(READY, "")
    if name not in known:
        return False
    st.session_state["sparql-ready"] = name
    for each in known[name].params:
        if each.name in given:
            st.session_state[_KEY + each.name] = given[each.name]
    return True


def show_form(space: Workspace) -> Chosen | None:
    """Offer the ready questions and their values; return what is chosen."""
    known = {query.name: query for query in ready_queries()}
    arrived = arrive(known)
    name = st.selectbox(
        "Ready questions",
        list(known),
        index=None,
        format_func=lambda name: known[name].title,
        placeholder="Choose a question, or write your own below",
        key="sparql-ready",
    )
    if name is None:
        return None
    query = named(name)
    show(f'<p class="flo-quiet">{query.about}.</p>')
    columns = st.columns(min(3, len(query.params)))
    values = {}
    for place, each in enumerate(query.params):
        with columns[place % len(columns)]:
            if value := _value(space, each):
                values[each.name] = value
    with st.container(horizontal=True):
        asked = st.button("Ask", type="primary", help="Answer it; its SPARQL goes into the editor.")
        put = st.button("Put into the editor", help="Then change it before you run it.")
    return Chosen(query, values, asked or arrived, put)


def refused(chosen: Chosen) -> bool:
    """Say what is missing, if anything is."""
    if not chosen.missing:
        return False
    problem(f"This question needs: {chosen.missing}.")
    return True


def _value(space: Workspace, each: Parameter) -> str:
    """Ask for a value and return it as text, "" where none is given."""
    label = each.name.replace("_", " ").capitalize() + ("" if each.needed else " (optional)")
    told = f"{each.about[:1].upper()}{each.about[1:]}. Example: {each.example}"
    key = _KEY + each.name
    if each.kind == "concept":
        concepts = queries.found_concepts(space.store)
        return _choice(key, label, told, concepts, "No concept has been found yet")
    if each.kind == "collection":
        names = {row.name: row.name for row in space.store.collections()}
        return _choice(key, label, told, names, "There is no collection yet")
    if each.kind == "run":
        runs = {
            str(run.id): f"{run.id} ({row.name}, {run.recipe})"
            for row in space.store.collections()
            for run in space.store.runs(row.id)
        }
        return _choice(key, label, told, runs, "There is no run yet")
    return st.text_input(label, help=told, key=key, placeholder=each.default or None).strip()


def _choice(key: str, label: str, told: str, offered: dict[str, str], none: str) -> str:
    """Offer values by name; one from the address that is not among them is offered too."""
    given = st.session_state.get(key)
    if given and given not in offered:
        offered = {**offered, given: given}
    chosen: str | None = st.selectbox(
        label,
        list(offered),
        index=None,
        format_func=lambda value: offered.get(value, value),
        placeholder="Type to search" if offered else none,
        help=told,
        key=key,
    )
    return chosen or ""
