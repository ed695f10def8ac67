"""From the upload form to a job: check it, write the files, add the job row."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import BinaryIO

from app.dashboard import naming, uploads
from app.dashboard.present import counted
from app.dashboard.workspace import Workspace
from app.jobs import RUN, RunRequest
from db.errors import NotFound
from db.rows import CollectionRow


def problems(
    name: str, files: Sequence[object], taken: Collection[str], *, new: bool
) -> tuple[str, ...]:
    """Return everything that is wrong with the form at once, each as a sentence."""
    found = []
    if new:
        wrong = uploads.collection_problem(name)
        if wrong:
            found.append(wrong)
        elif name in taken:
            found.append(
                f"There is a collection named {name} already. Choose another name, or choose to "
                "add to a collection that exists."
            )
    if not files:
        found.append("Choose at least one file.")
    return tuple(found)


def send(
    space: Workspace,
    collection: str,
    recipe: str | None,
    ontologies: Sequence[str],
    files: Sequence[BinaryIO],
    questions: Sequence[str] = (),
) -> str:
    """Store the files, add the job and return what to tell the person.

    ``recipe`` None keeps the collection's own; ``questions`` name the text columns of tables, none
    lets the reader choose them. Raises OSError where the workspace is full or
    cannot be written.
    """
    folder = uploads.collection_folder(space.settings.uploads_dir, collection)
    stored = [uploads.store_upload(folder, file.name, file) for file in files]
    request = RunRequest(
        collection=collection,
        paths=tuple(dict.fromkeys(str(file.path) for file in stored)),
        recipe=recipe,
        ontologies=tuple(ontologies),
        questions=tuple(questions),
    )
    known = _known(space, collection)
    beside = _same_names(space, known, stored) if known else []
    space.queue.enqueue(RUN, request.payload(), collection_id=known.id if known else None)
    told = (
        f"{counted(len(request.paths), 'file')} received for {collection}. Progress is shown "
        "beside the form; you may close this page meanwhile."
    )
    if beside:
        told += (
            f" The collection has other content under the name {', '.join(beside)} already; both "
            "are kept, and both are counted."
        )
    return told


def column_names(typed: str) -> tuple[str, ...]:
    """Return the column names typed one a line, each once; empty lines count for nothing."""
    names = (" ".join(line.split()) for line in typed.splitlines())
    return tuple(dict.fromkeys(name for name in names if name))


def last_ontologies(collection: CollectionRow, known: Collection[str]) -> list[str]:
    """Return the ontologies of the collection's last run that are still there."""
    return [id for id in naming.tagged_with(collection) if id in known]


def _known(space: Workspace, collection: str) -> CollectionRow | None:
    try:
        return space.store.collection(collection)
    except NotFound:
        return None


def _same_names(
    space: Workspace, collection: CollectionRow, stored: Sequence[uploads.StoredUpload]
) -> list[str]:
    known = {row.relative: row.sha256 for row in space.store.sources(collection.id)}
    return sorted({f.name for f in stored if known.get(f.name, f.sha256) != f.sha256})
