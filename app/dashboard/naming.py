"""What the pages call collections, ontologies, files and documents."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from app.dashboard.present import counted, excerpt
from db.rows import CollectionRow, DocumentDetail, DocumentSummary, OntologyRow, SourceRow

LONGEST_NAME = 64
WHOLE = "the whole file"
"""The readers' locator of a document that is all of its file."""

ORDINALS: Mapping[int, str] = {
    1: "another file",
    2: "second file",
    3: "third file",
    4: "fourth file",
}

RECIPES: Mapping[str, str] = {
    "general": "General",
    "consultation": "Consultation responses",
    "clinical": "Clinical notes (kept private)",
    "historical": "Historical texts",
}


def recipe_name(recipe: str) -> str:
    """Return a recipe in words; of a recipe file, its name."""
    return RECIPES.get(recipe) or _last_part(recipe).removesuffix(".toml")


def collection_line(row: CollectionRow) -> str:
    """Return a collection's name and size for a list."""
    return f"{row.name} ({counted(row.documents, 'document')})"


def ready_line(rows: Sequence[CollectionRow]) -> str:
    """Return how many collections have been run to an end, or "" while none has."""
    ready = sum(bool(row.last_run and row.last_run.finished_at) for row in rows)
    if not ready:
        return ""
    return f"{counted(ready, 'collection')} {'is' if ready == 1 else 'are'} ready"


def tagged_with(row: CollectionRow) -> tuple[str, ...]:
    """Return the ids of the ontologies chosen for the collection's last run."""
    used = row.last_run.details.get("ontologies") or () if row.last_run else ()
    return tuple(str(entry["id"]) for entry in used if entry.get("id"))


def no_concept(row: CollectionRow) -> str:
    """Return why there is no tag: nothing was looked for, or nothing was found."""
    if row.last_run is None:
        return "This collection has not been run yet, so no concept has been looked for."
    if not tagged_with(row):
        return "No ontology was chosen for this collection's last run."
    return f"No concept of {' or '.join(tagged_with(row))} was found."


def ontology_names(rows: Sequence[OntologyRow]) -> dict[str, str]:
    """Return what to call each ontology: its title with its id, or the id alone."""
    return {row.name: f"{row.title} ({row.name})" if row.title else row.name for row in rows}


def document_name(row: DocumentSummary) -> str:
    """Return what a person calls the document: its file and place in it, not its question."""
    return _name(row.path or row.key, _place(row.locator, row.question))


def detail_name(detail: DocumentDetail) -> str:
    """Return what a person calls the open document; its question is shown on a line of its own."""
    document = detail.document
    return _name(detail.path or document.key, _place(document.locator, document.question))


def file_names(sources: Sequence[SourceRow]) -> dict[int, str]:
    """Return what to call each file: its own name, and which of that name it is after the first.

    The readers keep two files of one name apart by "~" and eight hex digits of the path's hash.
    """
    names: dict[int, str] = {}
    seen: dict[str, int] = {}
    for row in sorted(sources, key=lambda row: (_own_name(row) != row.relative, row.id)):
        name = _own_name(row) or row.path
        seen[name] = count = seen.get(name, 0) + 1
        if name == row.relative or not row.relative:
            names[row.id] = name
        else:
            which = ORDINALS.get(count, f"file {count}")
            names[row.id] = f"{name} ({which} of this name)"
    return names


def _own_name(row: SourceRow) -> str:
    """Return the file's name without the mark that keeps it apart from another."""
    mark = f"~{hashlib.sha256(row.path.encode()).hexdigest()[:8]}"
    stem, found, suffix = row.relative.rpartition(mark)
    return stem + suffix if found and "/" not in suffix else row.relative


def _place(locator: str, question: str | None) -> str:
    return locator.split(", column")[0] if question else locator


def _name(path: str, locator: str) -> str:
    name = _last_part(path)
    return name if locator in ("", WHOLE) else excerpt(f"{name}, {locator}", LONGEST_NAME)


def _last_part(path: str) -> str:
    return path.replace("\\", "/").rsplit("/", 1)[-1]
