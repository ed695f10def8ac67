"""REFI-QDA codebooks (.qdc), as NVivo, ATLAS.ti, MAXQDA and others exchange them.

The QDA-XML codebook format 1.0, https://www.qdasoftware.org: nested ``Code`` elements with a
``name``, a ``guid`` and a ``Description``.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree

from app.codebooks.entries import Entry
from app.errors import UsageError

NAMESPACE = "urn:QDA-XML:codebook:1.0"
_IDS = uuid.UUID("6b5a7a4e-3f57-5a0e-9c1e-9d2f3f1c7b60")
"""Namespace of the GUIDs we mint, so that the same theme has the same one in every export."""


def read_qdc(path: Path) -> list[Entry]:
    """Return the codes of a REFI-QDA codebook; a code's parent is the code around it.

    Raises UsageError for XML that is broken, dangerous or no codebook.
    """
    from ontology.errors import OntologyError
    from ontology.load.xmlguard import check_xml

    data = path.read_bytes()
    try:
        check_xml(data, path.name)
    except OntologyError as error:
        raise UsageError(str(error)) from error
    root = ElementTree.fromstring(data)
    codes = root.find(f"{{{NAMESPACE}}}Codes")
    if codes is None:
        raise UsageError(
            f"{path.name!r} is no REFI-QDA codebook: its root is {root.tag!r} without 'Codes'. "
            "Expected a file that a coding program exported as a codebook (.qdc)."
        )
    return list(_codes(codes, "", set()))


def _codes(element: ElementTree.Element, parent: str, taken: set[str]) -> Iterator[Entry]:
    """Yield the codes below an element; a name that another code has gets its parent's before it."""
    for code in element.findall(f"{{{NAMESPACE}}}Code"):
        label = (code.get("name") or "").strip()
        if label.casefold() in taken and parent:
            label = f"{parent}: {label}"
        taken.add(label.casefold())
        described = code.find(f"{{{NAMESPACE}}}Description")
        words = (described.text or "").strip() if described is not None else ""
        yield Entry(label, words, parent)
        yield from _codes(code, label, taken)


def write_qdc(entries: Sequence[Entry], *, title: str) -> bytes:
    """Return a REFI-QDA codebook of the entries, parents around their children."""
    ElementTree.register_namespace("", NAMESPACE)
    root = ElementTree.Element(f"{{{NAMESPACE}}}CodeBook", {"origin": "Florilegium"})
    codes = ElementTree.SubElement(root, f"{{{NAMESPACE}}}Codes")
    placed: dict[str, ElementTree.Element] = {}
    for entry in entries:
        around = placed.get(entry.parent.casefold(), codes)
        code = ElementTree.SubElement(
            around,
            f"{{{NAMESPACE}}}Code",
            {
                "guid": str(uuid.uuid5(_IDS, f"{title}\0{entry.key or entry.label}")),
                "name": entry.label,
                "isCodable": "true",
            },
        )
        if entry.description:
            described = ElementTree.SubElement(code, f"{{{NAMESPACE}}}Description")
            described.text = entry.description
        placed[entry.label.casefold()] = code
    ElementTree.indent(root)
    written: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return written
