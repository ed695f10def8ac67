"""Codebooks written: CSV, SKOS in Turtle, and REFI-QDA."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from app.codebooks.entries import PARTS, Entry
from app.errors import UsageError

KINDS = (".csv", ".ttl", ".qdc")


def write_codebook(entries: Sequence[Entry], path: Path, *, title: str) -> None:
    """Write a codebook to ``path``; the kind is its ending, one of ``KINDS``.

    What is written is read back by ``read_codebook`` as it was. Raises UsageError for another
    ending, and where the file cannot be written.
    """
    ending = path.suffix.lower()
    if ending == ".csv":
        data = as_csv(entries).encode("utf-8-sig")
    elif ending == ".ttl":
        data = as_turtle(entries, title=title).encode("utf-8")
    elif ending == ".qdc":
        from app.codebooks.qdc import write_qdc

        data = write_qdc(entries, title=title)
    else:
        raise UsageError(
            f"--out {str(path)!r}: expected a name that ends in {', '.join(KINDS)} (table, SKOS "
            "vocabulary, REFI-QDA codebook)."
        )
    try:
        path.write_bytes(data)
    except OSError as error:
        raise UsageError(
            f"Cannot write {str(path)!r}: {error.strerror}. Expected a file in a folder that you "
            "may write to."
        ) from error


def as_csv(entries: Sequence[Entry]) -> str:
    """Return a table with a theme a row; cells that look like formulas get an apostrophe."""
    from app.candidates import plain_cell

    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\r\n")
    rows.writerow(("key", "label", "description", "parent", "examples", "concept"))
    for each in entries:
        examples = PARTS.join(example.replace(PARTS, "/") for example in each.examples)
        cells = (each.key, each.label, each.description, each.parent, examples, each.concept)
        rows.writerow([plain_cell(cell) for cell in cells])
    return out.getvalue()


def as_turtle(entries: Sequence[Entry], *, title: str, language: str = "en") -> str:
    """Return a SKOS vocabulary: a concept a theme, in one scheme."""
    from urllib.parse import quote

    import pyoxigraph as ox

    from ontology.vocab import DCT, RDF, SKOS

    base = f"urn:florilegium:codebook:{quote(title, safe='')}"
    scheme = ox.NamedNode(base)
    nodes = {
        each.label.casefold(): ox.NamedNode(f"{base}:{quote(each.key or each.label, safe='')}")
        for each in entries
    }

    def words(text: str) -> ox.Literal:
        return ox.Literal(text, language=language)

    triples = [
        ox.Triple(scheme, ox.NamedNode(f"{RDF}type"), ox.NamedNode(f"{SKOS}ConceptScheme")),
        ox.Triple(scheme, ox.NamedNode(f"{DCT}title"), words(title)),
    ]
    for each in entries:
        node = nodes[each.label.casefold()]
        values: list[tuple[str, ox.NamedNode | ox.Literal]] = [
            (f"{RDF}type", ox.NamedNode(f"{SKOS}Concept")),
            (f"{SKOS}inScheme", scheme),
            (f"{SKOS}prefLabel", words(each.label)),
        ]
        if each.key:
            values.append((f"{SKOS}notation", ox.Literal(each.key)))
        if each.description:
            values.append((f"{SKOS}definition", words(each.description)))
        if each.parent.casefold() in nodes:
            values.append((f"{SKOS}broader", nodes[each.parent.casefold()]))
        if each.concept:
            values.append((f"{SKOS}closeMatch", ox.NamedNode(each.concept)))
        values += [(f"{SKOS}example", words(example)) for example in each.examples]
        triples += [ox.Triple(node, ox.NamedNode(name), value) for name, value in values]
    written = ox.serialize(
        triples,
        format=ox.RdfFormat.TURTLE,
        prefixes={"skos": SKOS, "dct": DCT, "theme": f"{base}:"},
    )
    assert written is not None
    return written.decode()
