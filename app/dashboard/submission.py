"""From the upload form to a job: check it, write the files, add the job row."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO

from app.dashboard import naming, uploads
from app.dashboard.present import counted
from app.dashboard.workspace import Workspace
from app.jobs import LOOK, RUN, RunRequest
from db.errors import NotFound
from db.rows import CollectionRow, JobRow

_FOLLOW = "Progress is shown beside the form; you may close this page meanwhile."


@dataclass(frozen=True, slots=True)
class Sent:
    """A job that was added, and what to tell the person."""

    job: int
    told: str


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
    *,
    ocr: bool | None = None,
    look: bool = False,
) -> Sent:
    """Store the files and add a job: to read and process them or, with ``look``, to read only.

    ``recipe`` None keeps the collection's own; ``questions`` name the text columns of tables, none
    lets the reader choose them; ``ocr`` None is as usual. Raises OSError where the workspace is full or
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
        ocr=ocr,
    )
    known = _known(space, collection)
    kind = LOOK if look else RUN
    job = space.queue.enqueue(kind, request.payload(), collection_id=known.id if known else None)
    if look:
        return Sent(job, f"{counted(len(request.paths), 'file')} received for {collection}.")
    told = f"{counted(len(request.paths), 'file')} received for {collection}. {_FOLLOW}"
    if known and (beside := _same_names(space, known, stored)):
        told += (
            f" The collection has other content under the name {', '.join(beside)} already; both "
            "are kept, and both are counted."
        )
    return Sent(job, told)


def mapping_of(space: Workspace, checked: JobRow) -> str:
    """Return the mapping that a ``look`` job read with: its own, else the collection's."""
    request = RunRequest.from_payload(dict(checked.payload))
    if request.mapping is not None:
        return request.mapping
    known = _known(space, request.collection)
    return str(known.reading.get("mapping") or "") if known else ""


def send_checked(
    space: Workspace, checked: JobRow, mapping: str | None, *, look: bool = False
) -> Sent:
    """Add the job that reads and processes the files of a ``look`` job, or looks once more.

    ``mapping`` is the text of a mapping file; None reads them as they were checked.
    """
    request = RunRequest.from_payload(dict(checked.payload))
    if mapping is not None:
        request = replace(request, mapping=mapping)
    known = _known(space, request.collection)
    job = space.queue.enqueue(
        LOOK if look else RUN, request.payload(), collection_id=known.id if known else None
    )
    told = f"{counted(len(request.paths), 'file')} of {request.collection} will be read. {_FOLLOW}"
    return Sent(job, told)


def column_names(typed: str) -> tuple[str, ...]:
    """Return the column names typed one a line, each once; empty lines count for nothing."""
    names = (" ".join(line.split()) for line in typed.splitlines())
    return tuple(dict.fromkeys(name for name in names if name))


def reads_pictures() -> bool:
    """Tell whether pictures and scans can be read: whether tesseract is installed."""
    return shutil.which("tesseract") is not None


def usual_ocr(space: Workspace, collection: CollectionRow | None) -> bool:
    """Return whether pictures and scans are read when nobody says so."""
    remembered = collection.reading.get("ocr") if collection else None
    return space.settings.ocr if remembered is None else bool(remembered)


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
