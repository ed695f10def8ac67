"""Results: a collection's counts, its documents, and one document with its evidence."""

import streamlit as st

from app.dashboard import collection_view, document_view, naming
from app.dashboard.filters import Filters
from app.dashboard.present import link
from app.dashboard.workspace import open_workspace, problem, show

space = open_workspace()
collections = space.store.collections()
filters = Filters.from_params(st.query_params.to_dict())

if not collections:
    st.title("Results")
    show(
        '<p>There are no results yet. <a class="flo-link" href="./">Upload documents</a>, or try '
        "the sample collections with: <code>florilegium demo</code></p>"
    )
    st.stop()

by_name = {row.name: row for row in collections}
if filters.collection and filters.collection not in by_name:
    st.title("Results")
    problem(f"There is no collection named {filters.collection}. These there are:")
    links = (link(name, Filters(collection=name).href()) for name in by_name)
    show(f"<ul>{''.join(f'<li>{each}</li>' for each in links)}</ul>")
    st.stop()

if filters.document:
    document_view.show_document(space, filters)
else:
    st.title("Results")
    names = list(by_name)
    chosen = st.selectbox(
        "Collection",
        names,
        index=names.index(filters.collection) if filters.collection else 0,
        format_func=lambda name: naming.collection_line(by_name[name]),
        key=f"collection-{filters.collection}",
    )
    if chosen != filters.collection:
        st.query_params.from_dict(Filters(collection=chosen).params())
        st.rerun()
    collection_view.show_collection(space, by_name[chosen], filters)
