"""Write the documents that the tests read: PDF by hand, DOCX and ODT from their XML."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_CORE = "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties"
_ODF = "urn:oasis:names:tc:opendocument:xmlns"
ODF_NAMES = (
    " ".join(
        f'xmlns:{prefix}="{_ODF}:{name}:1.0"'
        for prefix, name in {
            "office": "office",
            "text": "text",
            "table": "table",
            "draw": "drawing",
            "style": "style",
            "meta": "meta",
            "form": "form",
        }.items()
    )
    + ' xmlns:dc="http://purl.org/dc/elements/1.1/"'
)


def write_docx(
    path: Path, body: str, others: Mapping[str, str] | None = None, namespace: str = W
) -> Path:
    """Write a Word file with ``body`` as XML, and ``others``: kind of part → its inner XML.

    A kind may end with a digit: "header1" and "header2" are two headers.
    """
    roots = {"footnotes": "footnotes", "endnotes": "endnotes", "comments": "comments"}
    roots |= {"styles": "styles", "header": "hdr", "footer": "ftr"}
    names = f'xmlns:w="{namespace}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    names += 'xmlns:wps="urn:wps" xmlns:v="urn:v" xmlns:a="urn:a" xmlns:m="urn:m"'
    links = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{_PACKAGE}">'
            f'<Relationship Id="r1" Type="{_OFFICE}/officeDocument" Target="word/document.xml"/>'
            f'<Relationship Id="r2" Type="{_CORE}" Target="docProps/core.xml"/></Relationships>',
        )
        archive.writestr(
            "word/document.xml", f"<w:document {names}><w:body>{body}</w:body></w:document>"
        )
        for kind, inner in (others or {}).items():
            if kind == "core":
                archive.writestr(
                    "docProps/core.xml",
                    '<c:coreProperties xmlns:c="urn:c" xmlns:dc="urn:dc" xmlns:dcterms="urn:t">'
                    f"{inner}</c:coreProperties>",
                )
                continue
            plain = kind.rstrip("0123456789")
            links.append(
                f'<Relationship Id="{kind}" Type="{_OFFICE}/{plain}" Target="{kind}.xml"/>'
            )
            if plain in roots:
                inner = f"<w:{roots[plain]} {names}>{inner}</w:{roots[plain]}>"
            archive.writestr(f"word/{kind}.xml", inner)
        archive.writestr(
            "word/_rels/document.xml.rels",
            f'<Relationships xmlns="{_PACKAGE}">{"".join(links)}</Relationships>',
        )
    return path


def word_p(text: str, properties: str = "") -> str:
    """Return a paragraph of one run."""
    return f'<w:p><w:r>{properties}<w:t xml:space="preserve">{text}</w:t></w:r></w:p>'


def write_odt(path: Path, body: str, styles: str = "", meta: str = "", automatic: str = "") -> Path:
    """Write an OpenDocument text with ``body`` as XML."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text", zipfile.ZIP_STORED)
        archive.writestr(
            "content.xml",
            f"<office:document-content {ODF_NAMES}><office:automatic-styles>{automatic}"
            f"</office:automatic-styles><office:body><office:text>{body}</office:text>"
            "</office:body></office:document-content>",
        )
        archive.writestr(
            "styles.xml",
            f"<office:document-styles {ODF_NAMES}><office:master-styles>{styles}"
            "</office:master-styles></office:document-styles>",
        )
        archive.writestr(
            "meta.xml",
            f"<office:document-meta {ODF_NAMES}><office:meta>{meta}</office:meta>"
            "</office:document-meta>",
        )
    return path


def pdf_text(x: float, y: float, text: str, size: float = 12, font: str = "F1") -> bytes:
    """Return the operators that write ``text`` at a place of the page."""
    data = text.encode("cp1252")
    for sign in (b"\\", b"(", b")"):
        data = data.replace(sign, b"\\" + sign)
    return f"BT /{font} {size} Tf {x} {y} Td (".encode() + data + b") Tj ET\n"


def pdf_lines(lines: Sequence[str], top: float = 720, leading: float = 14) -> bytes:
    """Return the operators of a page of single-spaced lines; an empty one leaves a gap."""
    return b"".join(pdf_text(72, top - i * leading, line) for i, line in enumerate(lines) if line)


def pdf_picture(pixels: bytes = b"", width: int = 1, height: int = 1) -> bytes:
    """Return the operators that fill the page with a grey picture (white without ``pixels``)."""
    data = pixels or b"\xff"
    head = f"q 612 0 0 792 0 0 cm BI /W {width} /H {height} /CS /G /BPC 8 /F /AHx ID ".encode()
    return head + data.hex().encode() + b"> EI Q\n"


def write_pdf(path: Path, pages: Sequence[bytes], extra: Sequence[bytes] = (), **more: str) -> Path:
    """Write a PDF with one content stream a page.

    ``extra`` are objects numbered from 6 on, ``more`` entries of the catalogue (``catalog``), of
    every page (``page``), of the trailer (``trailer``).
    """
    first = 6 + len(extra)
    kids = " ".join(f"{first + 2 * i} 0 R" for i in range(len(pages)))
    fonts = "<</Type/Font/Subtype/Type1/BaseFont/{}/Encoding/WinAnsiEncoding>>"
    objects: list[bytes] = [
        f"<</Type/Catalog/Pages 2 0 R {more.get('catalog', '')}>>".encode(),
        f"<</Type/Pages/Kids[{kids}]/Count {len(pages)}>>".encode(),
        fonts.format("Helvetica").encode(),
        fonts.format("Helvetica-Bold").encode(),
        b"<</Font<</F1 3 0 R/F2 4 0 R/Helv 3 0 R>>>>",
        *extra,
    ]
    for i, content in enumerate(pages):
        packed = zlib.compress(content)
        objects.append(
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources 5 0 R"
            f"/Contents {first + 2 * i + 1} 0 R {more.get('page', '')}>>".encode()
        )
        objects.append(
            f"<</Length {len(packed)}/Filter/FlateDecode>>stream\n".encode()
            + packed
            + b"\nendstream"
        )
    out = bytearray(b"%PDF-1.7\n")
    places = []
    for i, item in enumerate(objects, 1):
        places.append(len(out))
        out += f"{i} 0 obj\n".encode() + item + b"\nendobj\n"
    table = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{place:010} 00000 n \n".encode() for place in places)
    out += f"trailer<</Size {len(objects) + 1}/Root 1 0 R {more.get('trailer', '')}>>\n".encode()
    path.write_bytes(bytes(out) + f"startxref\n{table}\n%%EOF".encode())
    return path
