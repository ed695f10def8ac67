"""Concepts: the vocabularies to look through, and a concept's card with its documents."""

import streamlit as st

from app.dashboard import concepts_view, naming
from app.dashboard.concept_place import Place
from app.dashboard.workspace import open_workspace, problem, show

space = open_workspace()
ontologies = {row.name: row for row in space.store.ontologies()}
place = Place.from_params(st.query_params.to_dict())

st.title("Concepts")
if not ontologies:
    show(
        "<p>There is no vocabulary yet. Add one with: "
        "<code>florilegium ontology add FILE --id NAME</code></p>"
    )
    st.stop()
if place.ontology and place.ontology not in ontologies:
    problem(f"There is no vocabulary {place.ontology}. These there are: {', '.join(ontologies)}.")
    st.stop()

names = naming.ontology_names(list(ontologies.values()))
current = place.ontology or next(iter(names))
with st.form(f"concepts-{place.href()}", border=False):
    left, middle, right = st.columns([3, 4, 1], vertical_alignment="bottom")
    chosen = left.selectbox(
        "Vocabulary", list(names), index=list(names).index(current), format_func=names.__getitem__
    )
    words = middle.text_input(
        "Find a concept",
        value=place.words,
        max_chars=200,
        placeholder="Part of a name, an identifier or a notation; empty for the top",
    )
    if right.form_submit_button("Find", type="primary"):
        st.query_params.from_dict(Place(chosen, words=words.strip()).params())
        st.rerun()

if place.concept:
    concepts_view.show_card(space, ontologies[current], place)
else:
    concepts_view.show_list(space, ontologies[current], place)
