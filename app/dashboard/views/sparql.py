"""SPARQL: a question, its answer as a table, and the answer to keep."""

import streamlit as st

from app.dashboard import sparql_view
from app.dashboard.workspace import open_workspace, show

space = open_workspace()
st.title("SPARQL")
show(
    '<p class="flo-quiet">Ask the graph of all results. Questions only read; one that takes longer '
    f"than {space.settings.sparql_timeout:g} seconds is ended.</p>"
)
sparql_view.show_ready(space)
sparql_view.show_editor(space)
sparql_view.show_answer()
