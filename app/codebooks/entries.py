"""A codebook outside the database: its themes as a file states them, and the files themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.errors import UsageError

COLUMNS = {
    "label": ("label", "theme", "name", "code", "topic", "theme_name", "title"),
    "description": ("description", "definition", "theme_description", "meaning", "memo"),
    "parent": ("parent", "broader", "group", "parent_theme"),
    "examples": ("examples", "example", "quotes", "quote"),
    "concept": ("concept", "iri", "concept_iri"),
    "key": ("key", "id", "theme_id", "topic_id"),
}
"""Names that a column of a CSV codebook may have, the first that is there counts."""
PARTS = "|"
"""Between the examples of one cell."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A theme as a codebook states it; ``parent`` is the label of the theme above, or ""."""

    label: str
    description: str = ""
    parent: str = ""
    examples: tuple[str, ...] = ()
    concept: str = ""
    key: str = ""


def read_codebook(path: Path) -> list[Entry]:
    """Return the themes of a CSV file, a REFI-QDA codebook (.qdc) or a SKOS vocabulary.

    The kind is told from the content. Raises UsageError naming everything wrong with the file,
    OntologyError for a vocabulary that cannot be read.
    """
    try:
        start = path.open("rb").read(4096)
    except OSError as error:
        raise UsageError(
            f"The codebook {str(path)!r} cannot be read: {error.strerror}. Expected a CSV file with "
            "a column 'label', a REFI-QDA codebook (.qdc) or a SKOS vocabulary."
        ) from error
    if b"QDA-XML" in start:
        from app.codebooks.qdc import read_qdc

        entries = read_qdc(path)
    elif path.suffix.lower() in (".csv", ".tsv", ".txt"):
        entries = _read_csv(path)
    else:
        entries = _read_vocabulary(path)
    return checked(entries, path.name)


def checked(entries: Sequence[Entry], name: str) -> list[Entry]:
    """Return the entries, parents before children; raise UsageError with all that is wrong."""
    problems: list[str] = []
    known: dict[str, Entry] = {}
    for entry in entries:
        if not entry.label:
            problems.append("a theme without a label")
        elif entry.label.casefold() in known:
            problems.append(f"the label {entry.label!r} twice")
        known.setdefault(entry.label.casefold(), entry)
    for entry in entries:
        if entry.parent and entry.parent.casefold() not in known:
            problems.append(
                f"{entry.label!r} names the parent {entry.parent!r}, which is not there"
            )
    if not entries:
        problems.append("no theme at all")
    ordered: dict[str, Entry] = {}
    waiting = list(known.values())
    while waiting and not problems:
        ready = [e for e in waiting if not e.parent or e.parent.casefold() in ordered]
        if not ready:
            problems.append(f"parents in a circle: {', '.join(e.label for e in waiting[:5])}")
        ordered.update((e.label.casefold(), e) for e in ready)
        waiting = [e for e in waiting if e.label.casefold() not in ordered]
    if problems:
        raise UsageError(
            f"The codebook {name!r} cannot be used: {'; '.join(dict.fromkeys(problems))}. Expected "
            "one theme a row, each label once; correct the file and import it again."
        )
    return list(ordered.values())


def _read_csv(path: Path) -> list[Entry]:
    import csv

    from pipelines.readers.errors import UnreadableFile
    from pipelines.readers.text.decode import decoded, detect

    try:
        text = "".join(decoded(path, detect(path)))
    except (OSError, UnicodeError, UnreadableFile) as error:
        raise UsageError(f"The codebook {path.name!r} cannot be read: {error}.") from error
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=lambda mark: (first.count(mark), mark == ","))
    reader = csv.reader(text.splitlines(keepends=True), delimiter=delimiter)
    header = [name.strip().casefold().replace(" ", "_") for name in next(reader, [])]
    places = {
        field: header.index(found)
        for field, names in COLUMNS.items()
        if (found := next((name for name in names if name in header), None)) is not None
    }
    if "label" not in places:
        raise UsageError(
            f"The codebook {path.name!r} has no column for the theme's name; it has "
            f"{', '.join(header) or 'none'}, expected one called {', '.join(COLUMNS['label'])}."
        )
    entries = []
    for cells in reader:
        if any(cell.strip() for cell in cells):
            got = {f: _cell(cells[at]) if at < len(cells) else "" for f, at in places.items()}
            examples = tuple(_parts(got.pop("examples", "")))
            entries.append(Entry(**got, examples=examples))
    return entries


def _cell(cell: str) -> str:
    """Return a cell's text without the apostrophe that keeps spreadsheets from computing it."""
    cell = cell.strip()
    return cell[1:] if re.match(r"'[=+@\t\r-]", cell) else cell


def _parts(cell: str) -> Iterable[str]:
    return (part.strip() for part in cell.split(PARTS) if part.strip())


def _read_vocabulary(path: Path) -> list[Entry]:
    from ontology.load import load

    vocabulary = load(path, id=path.stem)
    concepts = vocabulary.concepts
    return [
        Entry(
            label=concept.label,
            description=concept.definition,
            parent=next((concepts[p].label for p in concept.broader if p in concepts), ""),
            examples=concept.examples,
            concept=iri,
            key=concept.notation,
        )
        for iri, concept in concepts.items()
        if not concept.deprecated
    ]
