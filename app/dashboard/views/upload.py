"""Upload: files into a collection, a job for the worker, and how that job is getting on."""

import streamlit as st

from app.dashboard import import_view, jobs_panel, naming, submission, uploads
from app.dashboard.filters import RESULTS
from app.dashboard.highlight import visible
from app.dashboard.present import link, notice
from app.dashboard.workspace import open_workspace, problem, show

NEW = "A new collection"
EXISTING = "A collection that exists"

space = open_workspace()
collections = space.store.collections()
ontologies = space.store.ontologies()
names = naming.ontology_names(ontologies)
generation = st.session_state.setdefault("upload-generation", 0)
existing = None

st.title("Upload")
if checked := import_view.checked_job(space):
    import_view.show_check(space, checked)
    st.stop()
left, right = st.columns([3, 2], gap="large")

with left:
    show(
        '<p class="flo-quiet">Give documents to Florilegium. They stay on this machine. '
        "Tables give a document for each free-text answer; letters, notes, web pages and e-mails "
        "are one document each. “Check the files” shows how each would be read, and stores "
        "nothing.</p>"
    )
    if ready := naming.ready_line(collections):
        show(f"<p>{visible(ready)}: {link('see Results', RESULTS)}.</p>")
    if collections and st.radio("Put the files into", [NEW, EXISTING], horizontal=True) == EXISTING:
        existing = st.selectbox("Collection", collections, format_func=naming.collection_line)
    with st.form("upload", border=True):
        if existing:
            name, recipe = existing.name, None
            kept = f"It keeps its recipe, {naming.recipe_name(existing.recipe)}."
            show(f'<p class="flo-quiet">{visible(kept)}</p>')
        else:
            name = st.text_input(
                "Collection name",
                key=f"collection-{generation}",
                max_chars=uploads.LONGEST_COLLECTION,
                placeholder="parking-survey",
                help="Letters, digits, spaces, full stops, hyphens and underscores.",
            )
            recipe = st.selectbox(
                "Recipe",
                list(naming.RECIPES),
                format_func=naming.recipe_name,
                help="Which steps run, and which labels are given.",
            )
        tagged_with = st.multiselect(
            "Ontologies to tag with",
            list(names),
            default=submission.last_ontologies(existing, names) if existing else None,
            format_func=lambda id: names[id],
            placeholder="Choose ontologies" if names else "None added yet",
            disabled=not names,
            key=f"ontologies-{existing.name if existing else ''}-{generation}",
        )
        if not names:
            show(
                '<p class="flo-quiet">No ontology has been added, so nothing will be tagged. '
                "Add one with: <code>florilegium ontology add FILE --id NAME</code></p>"
            )
        files = st.file_uploader(
            f"Files ({uploads.KINDS})",
            accept_multiple_files=True,
            key=f"files-{generation}",
            max_upload_size=space.settings.max_upload_mb,
            help=(
                "Larger files and whole folders: florilegium run FOLDER --collection NAME. "
                "A file of a kind that cannot be read is listed as skipped."
            ),
        )
        columns = st.text_area(
            "Text columns (optional)",
            key=f"columns-{generation}",
            height=80,
            max_chars=4000,
            placeholder="One column name a line; empty lets the reader choose",
            help=(
                "The columns of a table that hold text to read, one name a line. Leave empty to "
                "let the reader choose; “Check the files” shows its choice, and you can change it."
            ),
        )
        usual = submission.usual_ocr(space, existing)
        pictures = usual
        if submission.reads_pictures():
            pictures = st.checkbox(
                "Read pictures and scanned pages (slow)",
                value=usual,
                key=f"ocr-{existing.name if existing else ''}-{generation}",
                help="By tesseract, which is installed here. Such texts are marked as read so.",
            )
        with st.container(horizontal=True):
            checking = st.form_submit_button("Check the files", type="primary")
            submitted = st.form_submit_button("Upload and process")

    if checking or submitted:
        taken = {row.name for row in collections}
        wrong = submission.problems(name, files, taken, new=existing is None)
        for sentence in wrong:
            problem(sentence)
        if not wrong:
            sent = submission.send(
                *(space, name, recipe, tagged_with, files, submission.column_names(columns)),
                ocr=None if pictures == usual else pictures,
                look=checking,
            )
            st.session_state["upload-generation"] = generation + 1
            if checking:
                st.query_params[jobs_panel.CHECK] = str(sent.job)
            else:
                st.session_state["upload-done"] = sent.told
            st.rerun()
    if done := st.session_state.pop("upload-done", None):
        show(notice(done))

with right:
    jobs_panel.show_jobs(space)
