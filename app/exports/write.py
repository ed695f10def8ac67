"""One export, from what was asked for to the line in the record."""

from __future__ import annotations

from pathlib import Path

from app.errors import UsageError
from app.exports import dump, reports
from app.exports.record import NAME, note_export
from app.exports.types import Asked, Written

KINDS = (*reports.KINDS, "csv", "parquet", *dump.KINDS, "refi-qda")
ENDINGS = {"refi-qda": ".qdpx"}
"""How the name of a file must end: programs choose by it. Others may be called anything."""


def write_export(asked: Asked, kind: str) -> Written:
    """Write an export of ``kind``, one of KINDS, and record it in the workspace.

    Raises UsageError for what cannot be written, or may not.
    """
    ending = ENDINGS.get(kind, "")
    if ending and asked.path.suffix.lower() != ending:
        raise UsageError(
            f"--out {str(asked.path)!r}: expected a name that ends in {ending} for {kind}."
        )
    _spare_the_workspace(asked)
    written = _written(asked, kind)
    note_export(
        asked.settings,
        (asked.path, *written.beside),
        kind=kind,
        collection_id=asked.collection.id,
        newest=max(asked.store.document_ids(asked.collection.id), default=0),
    )
    return written


def _spare_the_workspace(asked: Asked) -> None:
    """Refuse to write over what the workspace itself lives on."""
    here = asked.settings
    own = [
        here.graph_dir,
        here.ontologies_dir,
        here.uploads_dir,
        here.labels_dir,
        here.home / "models",
        here.home / NAME,
    ]
    _, _, file = here.db_url.partition("///")
    if here.db_url.startswith("sqlite") and file:
        own.append(Path(file))
    path = asked.path.resolve()
    for each in own:
        place = each.resolve()
        if path.is_relative_to(place) or place.is_relative_to(path):
            raise UsageError(
                f"--out {str(asked.path)!r}: the workspace keeps {str(each)!r} there; expected another "
                f"name, {str(here.home / 'exports' / asked.path.name)!r} for example."
            )


def _written(asked: Asked, kind: str) -> Written:
    if kind in reports.KINDS:
        return reports.write_report(asked, kind)
    if kind in dump.KINDS:
        return dump.write_dump(asked, kind)
    if kind == "csv":
        from app.exports.table import write_csv

        return write_csv(asked)
    if kind == "parquet":
        from app.exports.parquet import write_parquet

        return write_parquet(asked)
    from app.exports.qdpx import write_qdpx

    return write_qdpx(asked)
