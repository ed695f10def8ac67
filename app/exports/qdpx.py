"""REFI-QDA projects (.qdpx), as NVivo, ATLAS.ti, MAXQDA, QualCoder and others exchange them.

The QDA-XML project standard 1.5, https://www.qdasoftware.org: a zip of ``project.qde`` and the
texts in ``Sources``. A selection's positions are code points of the plain text, the end excluded;
the texts are stored as they stand, line ends too, so that ours are right.
"""

from __future__ import annotations

import io
import uuid
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from xml.etree import ElementTree as ET

from app.codebooks.overview import theme_lines
from app.errors import UsageError
from app.exports.material import Item, material
from app.exports.types import Asked, Written, whole
from app.report.xlsx import clean

NAMESPACE = "urn:QDA-XML:project:1.0"
ORIGIN = "Florilegium"
_IDS = uuid.UUID("d1f6a1c2-0a0c-5f0b-9c53-3c1f3f0a7a11")
"""Namespace of the GUIDs we mint: the same thing has the same one in every export."""

Span = tuple[int, int]


def write_qdpx(asked: Asked) -> Written:
    """Write the collection's texts with the codings of its codebook; without one, labels and tags.

    Raises UsageError for a private collection whose words were not asked for: it is made of texts.
    """
    if not asked.words:
        raise UsageError(
            f"The texts of {asked.collection.name!r} are private, and a REFI-QDA project is made of "
            "them. Expected leave to write them. Give it with --with-text."
        )
    project = _Project(asked)
    made = asked.made.astimezone(UTC)
    with (
        whole(asked.path) as part,
        zipfile.ZipFile(part, "w") as out,
        material(asked) as items,
    ):
        for item in items:
            guid = project.source(item)
            _put(out, f"Sources/{guid}.txt", item.document.text.encode("utf-8", "replace"), made)
        _put(out, "project.qde", project.written(), made)
    return Written(project.codings, "codings")


def _put(out: zipfile.ZipFile, name: str, data: bytes, made: datetime) -> None:
    entry = zipfile.ZipInfo(name, (max(1980, made.year), *made.timetuple()[1:6]))
    entry.compress_type = zipfile.ZIP_DEFLATED
    out.writestr(entry, data)


class _Project:
    """The XML, and the codes met so far."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.when = asked.made.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        self.user = self.guid("user", ORIGIN)
        self.codings = 0
        self.codes: dict[str, ET.Element] = {}
        ET.register_namespace("", NAMESPACE)
        named = {"name": clean(asked.collection.title or asked.collection.name), "origin": ORIGIN}
        made = {"creatingUserGUID": self.user, "creationDateTime": self.when}
        self.root = ET.Element(_tag("Project"), named | made)
        users = ET.SubElement(self.root, _tag("Users"))
        ET.SubElement(users, _tag("User"), {"guid": self.user, "name": ORIGIN})
        book = ET.SubElement(self.root, _tag("CodeBook"))
        self.top = ET.SubElement(book, _tag("Codes"))
        self.sources = ET.SubElement(self.root, _tag("Sources"))
        if asked.book is not None:
            self._themes()

    def guid(self, kind: str, name: str) -> str:
        """Return the GUID of a thing."""
        return str(uuid.uuid5(_IDS, f"{self.asked.collection.name}\0{kind}\0{name}"))

    def written(self) -> bytes:
        """Return the project as XML."""
        if not len(self.top):
            self._code("none", "(no code)", self.top)  # the standard wants one at least
        ET.indent(self.root)
        out = io.BytesIO()
        ET.ElementTree(self.root).write(out, encoding="utf-8", xml_declaration=True)
        return out.getvalue()

    def source(self, item: Item) -> str:
        """Write a document with its coded places; return its GUID."""
        document = item.document
        guid = self.guid("document", document.key)
        path = {"plainTextPath": f"internal://{guid}.txt"}
        element = self._made("TextSource", self.sources, guid, name=document.key, more=path)
        places: dict[Span, dict[str, None]] = {}
        for start, end, code in self._said(item):
            places.setdefault((start, end), {})[code] = None
        overall = places.pop((0, 0), {})
        for (start, end), codes in sorted(places.items()):
            place = {"startPosition": str(start), "endPosition": str(end)}
            id = self.guid("place", f"{document.key}\0{start}\0{end}")
            words = " ".join(document.text[start:end].split())[:60]
            selection = self._made("PlainTextSelection", element, id, name=words, more=place)
            self._coding(selection, id, codes)
        self._coding(element, guid, overall)
        return guid

    def _themes(self) -> None:
        assert self.asked.book is not None
        lines = theme_lines(self.asked.store, self.asked.book, self.asked.wanted.version)
        elements: dict[str, ET.Element] = {}
        for line in lines:
            theme = line.theme
            around = elements.get(line.parent, self.top)
            elements[theme.key] = self._code(f"theme {theme.id}", theme.label, around)
            if theme.description:
                described = ET.Element(_tag("Description"))
                described.text = clean(theme.description)
                elements[theme.key].insert(0, described)

    def _code(self, key: str, name: str, around: ET.Element, *, codable: bool = True) -> ET.Element:
        found = self.codes.get(key)
        if found is None:
            named = {"guid": self.guid("code", key), "name": clean(name)}
            codable_ = {"isCodable": "true" if codable else "false"}
            found = ET.SubElement(around, _tag("Code"), named | codable_)
            self.codes[key] = found
        return found

    def _said(self, item: Item) -> Iterator[tuple[int, int, str]]:
        """Yield places with the keys of their codes; (0, 0) is the whole document."""
        if self.asked.book is not None:
            for coding in item.codings:
                yield coding.start, coding.end, f"theme {coding.theme_id}"
            return
        if item.result is None:
            return
        for label in item.result.labels:
            key = f"label {label.set}\0{label.label}"
            group = self._code(f"set {label.set}", f"Labels: {label.set}", self.top, codable=False)
            self._code(key, label.label, group)
            place = (label.start, label.end) if label.end > label.start else (0, 0)
            yield *place, key
        for tag in item.result.tags:
            if tag.displayed:
                name = f"ontology {tag.ontology}"
                group = self._code(name, f"Concepts: {tag.ontology}", self.top, codable=False)
                self._code(f"concept {tag.iri}", tag.label, group)
                yield tag.start, tag.end, f"concept {tag.iri}"

    def _coding(self, around: ET.Element, id: str, codes: dict[str, None]) -> None:
        for code in codes:
            coding = self._made("Coding", around, self.guid("coding", f"{id}\0{code}"))
            target = {"targetGUID": self.codes[code].attrib["guid"]}
            ET.SubElement(coding, _tag("CodeRef"), target)
            self.codings += 1

    def _made(
        self,
        kind: str,
        around: ET.Element,
        guid: str,
        *,
        name: str | None = None,
        more: dict[str, str] | None = None,
    ) -> ET.Element:
        """Add an element that says by whom and when it was made."""
        values = {"guid": guid} | ({"name": clean(name)} if name is not None else {})
        values |= {"creatingUser": self.user, "creationDateTime": self.when} | (more or {})
        return ET.SubElement(around, _tag(kind), values)


def _tag(name: str) -> str:
    return f"{{{NAMESPACE}}}{name}"
