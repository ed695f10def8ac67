"""The router: pages, style, and errors as sentences. Streamlit runs it at every interaction."""

import streamlit as st

from app.dashboard.present import NAME, tab_title
from app.dashboard.workspace import ICON, LOGO, SHOWN_ERRORS, problem, style

# A file of our own: for an icon by name the browser would ask a font server.
st.set_page_config(page_title=NAME, page_icon=ICON, layout="wide")
style()
st.logo(LOGO, size="large")
page = st.navigation(
    [
        st.Page(
            "views/upload.py",
            title="Upload",
            icon=":material/upload_file:",
            url_path="upload",
            default=True,
        ),
        st.Page(
            "views/results.py", title="Results", icon=":material/find_in_page:", url_path="results"
        ),
        st.Page(
            "views/concepts.py",
            title="Concepts",
            icon=":material/account_tree:",
            url_path="concepts",
        ),
        st.Page("views/sparql.py", title="SPARQL", icon=":material/hub:", url_path="sparql"),
        st.Page(
            "views/models.py", title="Models", icon=":material/model_training:", url_path="models"
        ),
    ],
    position="top",
)
st.set_page_config(page_title=tab_title(page.title))
try:
    page.run()
except SHOWN_ERRORS as error:
    problem(error)
