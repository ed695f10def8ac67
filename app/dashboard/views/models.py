"""Models: those on this machine, how they compare on the user's labels, and what was published."""

import streamlit as st

from app.dashboard import models_view
from app.dashboard.workspace import open_workspace

space = open_workspace()
st.title("Models")
models_view.show_models(space)
models_view.show_comparisons(space)
models_view.show_published()
