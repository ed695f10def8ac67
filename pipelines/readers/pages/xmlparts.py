"""Open the XML parts of a zipped office document, and nothing that they point at.

No entity is expanded, no document type or file outside is loaded, and the parser's own guards
against huge and deeply nested input stay on. A part that declares entities is refused, since the
text behind them would be lost unseen. A document type alone does no harm: old OpenOffice names one.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

from lxml import etree

from pipelines.readers.errors import UnreadableFile

Element = Any
"""An element of lxml, which has no types of its own."""

_BROKEN = (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, NotImplementedError)


class Parts:
    """The parts of one package, by name."""

    def __init__(self, path: str) -> None:
        """Open the zip file at ``path``.

        Raises:
            UnreadableFile: not a zip file.
        """
        try:
            self._archive = zipfile.ZipFile(path)
        except _BROKEN as error:
            raise UnreadableFile(f"not a zip file, or a damaged one: {error}") from error
        self.names = self._archive.namelist()
        self._places = {name.lower().lstrip("/"): name for name in self.names}

    def __contains__(self, name: str) -> bool:
        """Say whether there is a part ``name``, in any case of letters."""
        return name.lower().lstrip("/") in self._places

    def data(self, name: str) -> bytes | None:
        """Return the bytes of a part, ``None`` where it is missing.

        Raises:
            UnreadableFile: damaged or encrypted.
        """
        place = self._places.get(name.lower().lstrip("/"))
        if place is None:
            return None
        try:
            return self._archive.read(place)
        except RuntimeError as error:  # what zipfile raises for an encrypted entry
            raise UnreadableFile(
                f"its part {place!r} is encrypted; save it without a password"
            ) from error
        except _BROKEN as error:
            raise UnreadableFile(f"its part {place!r} is damaged: {error}") from error

    def root(self, name: str) -> Element | None:
        """Return the root element of an XML part, ``None`` where it is missing.

        Raises:
            UnreadableFile: damaged, not XML, or with entities of its own.
        """
        data = self.data(name)
        return None if data is None else parse_xml(data, name)


def parse_xml(data: bytes, name: str) -> Element:
    """Return the root element of ``data``; ``name`` is for the error text.

    Raises:
        UnreadableFile: not XML, or with entities of its own.
    """
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root: Element = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        line, column = error.position
        if b"<!ENTITY" in data.replace(b"\0", b""):  # UTF-16 reads like ASCII then
            raise UnreadableFile(_entities(name)) from error
        if "depth" in str(error).lower():
            raise UnreadableFile(
                f"the elements of its part {name!r} are nested too deeply"
            ) from error
        raise UnreadableFile(
            f"its part {name!r} is broken XML at line {line}, column {column}; open the file in "
            "the program it came from and save it again"
        ) from error
    types = root.getroottree().docinfo.internalDTD
    declared = types is not None and any(True for _ in types.iterentities())
    if declared or next(root.iter(etree.Entity), None) is not None:
        raise UnreadableFile(_entities(name))
    return root


def _entities(name: str) -> str:
    return (
        f"its part {name!r} declares entities, which could multiply or pull in other files; "
        "office programs write none, so it is not read"
    )


def local(element: Element) -> str:
    """Return the name of an element without its namespace, "" for anything else."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: Element, name: str) -> str | None:
    """Return the attribute ``name`` of whatever namespace."""
    for key, value in element.attrib.items():
        if key.rpartition("}")[2] == name:
            return str(value)
    return None


def child(element: Element | None, *names: str) -> Element | None:
    """Return the first child called ``names[0]``, its first child ``names[1]`` and so on."""
    for name in names:
        if element is None:
            return None
        element = next((inner for inner in element if local(inner) == name), None)
    return element


def descendants(element: Element, *names: str) -> Iterator[Element]:
    """Yield the elements below ``element`` with one of ``names``, in document order."""
    return (inner for inner in element.iter() if local(inner) in names)
