"""Read PDF: its text layer as one document, and scans by OCR where that is asked for.

Pages are separated by an empty line; ``page_starts`` in the metadata holds the offset of each page
in the text, so that the page of a sentence is the last one that starts at or before it. Lines are
put together into paragraphs (``pdf_lines``, ``paragraphs``), never across pages. What form fields
show is part of the page; on a page with fields the lines are in the order of their place. Notes
stuck to the page and attached files are not read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from pipelines.readers.errors import SkippedFile, UnreadableFile
from pipelines.readers.pages import ocr
from pipelines.readers.pages.documents import Fact, counted, whole_document
from pipelines.readers.pages.paragraphs import Words
from pipelines.readers.pages.pdf_lines import Line, page_lines, paragraphs
from pipelines.readers.types import ReadOptions, SourceFile, Tally
from pipelines.types import Document, Flag

_STAMP = 100  # characters on a scan that are no text layer but a stamp or page number
_WHOLE = 0.7  # of the page that a picture covers which is the page
_NO_MEANING = 0.1  # of the characters of a document
_NAMED = 20  # pages that a warning names
_MOST_PAGES = 50_000  # a few bytes can claim any number


def read_pdf(file: SourceFile, options: ReadOptions, tally: Tally) -> Iterator[Document]:
    """Return the document of a PDF.

    Raises:
        SkippedFile: no page has text (and OCR is off, not installed, or found none).
        UnreadableFile: damaged, or protected by a password.
    """
    return whole_document(
        file,
        options,
        tally,
        "pipelines.readers.pages.pdf:extract",
        options.ocr,
        ocr.page_seconds(options.limits),
    )


def extract(path: str, use_ocr: bool, seconds: float) -> Iterator[Fact]:
    """Yield the facts of the PDF at ``path``; OCR may take ``seconds`` a page.

    Raises:
        SkippedFile: no page has text (and OCR is off, not installed, or found none).
        UnreadableFile: damaged, or protected by a password.
    """
    pdf = _open(path)
    found = _Found()
    pages: list[list[list[Line]] | str] = []
    for number in range(1, len(pdf) + 1):
        pages.append(_read_page(pdf, number, found, use_ocr, seconds))
        yield "alive", number
    words = Words()
    for page in pages:
        for block in () if isinstance(page, str) else page:
            for line in block:
                words.learn(line.text)
    texts = [_page_text(page, words) for page in pages]
    if not any(text.strip() for text in texts):
        raise SkippedFile(_no_text(len(texts), found, use_ocr))
    text = ""
    starts = []
    for i, page_text in enumerate(texts):
        text += "\n\n" if i and text else ""
        starts.append(len(text))
        text += page_text
    yield "text", text
    yield (
        "metadata",
        {
            **_metadata(pdf),
            "pages": str(len(texts)),
            "page_starts": " ".join(map(str, starts)),
        },
    )
    yield "locator", f"the whole file, {counted(len(texts), 'page')}"
    if found.read_by_ocr or found.invisible:
        yield "flag", Flag.OCR
    unknown = text.count("�")
    if unknown > _NO_MEANING * len(text):
        yield "flag", Flag.GARBLED
    for warning in _warnings(pdf, found, unknown, use_ocr):
        yield "warning", warning


class _Found:
    """Numbers of the pages where something is to be told."""

    def __init__(self) -> None:
        self.scans: list[int] = []
        self.read_by_ocr: list[int] = []
        self.invisible: list[int] = []
        self.broken: list[int] = []
        self.ocr_failed: Counter[str] = Counter()


def _open(path: str) -> Any:
    import pypdfium2

    try:
        pdf = pypdfium2.PdfDocument(path)
        pdf.init_forms()
        pages = len(pdf)
    except pypdfium2.PdfiumError as error:
        reason = str(error).lower()
        if "password" in reason or "security" in reason:
            raise UnreadableFile(
                "protected by a password; save it without one (print it to a new PDF) and read that"
            ) from error
        raise UnreadableFile(
            f"a broken PDF: {str(error).rstrip('.')}; open it in a PDF viewer and save it again"
        ) from error
    if not pages:
        raise SkippedFile("a PDF without pages")
    if pages > _MOST_PAGES:
        raise UnreadableFile(
            f"it says that it has {pages:,} pages; the most that are read are {_MOST_PAGES:,}: "
            "print the ones that matter to a new PDF"
        )
    return pdf


def _read_page(
    pdf: Any, number: int, found: _Found, use_ocr: bool, seconds: float
) -> list[list[Line]] | str:
    """Return the paragraphs of a page, or its text where OCR read it."""
    import pypdfium2

    try:
        page = pdf[number - 1]
        filled = _flatten(page)
        if filled:
            page.close()
            page = pdf[number - 1]
        text_page = page.get_textpage()
        lines = page_lines(text_page)
        if filled:
            lines.sort(key=lambda line: (round(line.base), line.left))
        size = sum(len(line.text) for line in lines)
        covered, drawn = _pictures(page)
        is_scan = drawn if not size else size < _STAMP and covered >= _WHOLE
        if is_scan:
            found.scans.append(number)
        elif size and covered >= _WHOLE and _is_invisible(text_page):
            found.invisible.append(number)
        blocks = list(paragraphs(lines))
        if not (is_scan and use_ocr and ocr.program()):
            return blocks
        try:
            text = ocr.read_image(ocr.rendered(page), seconds)
        except UnreadableFile as error:
            found.ocr_failed[error.reason] += 1
            return blocks
        if not text.strip():
            return blocks
        found.read_by_ocr.append(number)
        stamp = _page_text(blocks, Words())
        return f"{stamp}\n{text}" if stamp else text
    except pypdfium2.PdfiumError:
        found.broken.append(number)
        return ""
    finally:
        if "text_page" in locals():
            text_page.close()
        if "page" in locals():
            page.close()


def _flatten(page: Any) -> bool:
    """Make what form fields and other boxes show part of the page; say whether there were any."""
    from pypdfium2 import raw

    if page.formenv is None or not raw.FPDFPage_GetAnnotCount(page):
        return False
    return bool(page.flatten() == raw.FLATTEN_SUCCESS)


def _pictures(page: Any) -> tuple[float, bool]:
    """Return which part of the page its largest picture covers, and whether anything is drawn."""
    from pypdfium2 import raw

    area = page.get_width() * page.get_height()
    largest, drawn = 0.0, False
    for item in page.get_objects(max_depth=5):
        drawn = drawn or item.type != raw.FPDF_PAGEOBJ_TEXT
        if item.type == raw.FPDF_PAGEOBJ_IMAGE and item.level == 0:
            left, bottom, right, top = item.get_bounds()
            largest = max(largest, (right - left) * (top - bottom))
    return (largest / area if area else 0.0), drawn


def _is_invisible(text_page: Any) -> bool:
    """Say whether the text lies unseen over a picture, as programs for OCR put it there."""
    from pypdfium2 import raw

    last = raw.FPDFText_CountChars(text_page.raw) - 1
    return all(
        raw.FPDFTextObj_GetTextRenderMode(item) == raw.FPDF_TEXTRENDERMODE_INVISIBLE
        for i in {0, last // 2}
        if (item := raw.FPDFText_GetTextObject(text_page.raw, i))
    )


def _page_text(page: list[list[Line]] | str, words: Words) -> str:
    if isinstance(page, str):
        return page
    return "\n".join(words.join(line.text for line in block) for block in page)


def _metadata(pdf: Any) -> dict[str, str]:
    found = {}
    title = pdf.get_metadata_value("Title").replace("\0", "").strip()
    if title:
        found["title"] = title
    date = pdf.get_metadata_value("CreationDate").removeprefix("D:")
    if date[:8].isdecimal() and len(date) >= 8:
        found["created"] = f"{date[:4]}-{date[4:6]}-{date[6:8]}"
    return found


def _no_text(pages: int, found: _Found, use_ocr: bool) -> str:
    if found.broken:
        raise UnreadableFile(
            f"a broken PDF: {counted(len(found.broken), 'page')} of {pages:,} cannot be opened; "
            "open it in a PDF viewer and save it again"
        )
    if not found.scans:
        return f"no text and no pictures in it: {counted(pages, 'blank page')}"
    scan = f"a scan without text: {counted(len(found.scans), 'page')} of pictures"
    if found.ocr_failed:
        return f"{scan}; OCR failed: {'; '.join(found.ocr_failed)}"
    return f"{scan}; {ocr.why_not(use_ocr) or 'OCR found no text either'}"


def _warnings(pdf: Any, found: _Found, unknown: int, use_ocr: bool) -> Iterator[str]:
    from pypdfium2 import raw

    missing = sorted({*found.scans} - {*found.read_by_ocr})
    if missing:
        why = "; ".join(found.ocr_failed) or ocr.why_not(use_ocr) or "OCR found no text there"
        yield f"{_named(missing)}: pictures without text; {why}"
    if found.read_by_ocr:
        yield f"{_named(found.read_by_ocr)}: read by OCR with {ocr.version()}"
    if found.invisible:
        yield f"{_named(found.invisible)}: text that another program read from a picture by OCR"
    if found.broken:
        yield f"{_named(found.broken)}: broken, not read"
    if unknown:
        yield (
            f"{counted(unknown, 'character')} without a meaning: the PDF's fonts do not say which "
            "letters they show; they stand as “�”"
        )
    if number := pdf.count_attachments():
        yield f"not read: {counted(number, 'attached file')}"
    if pdf.get_formtype() in (raw.FORMTYPE_XFA_FULL, raw.FORMTYPE_XFA_FOREGROUND):
        yield "an XFA form: what was filled in may be missing; print it to a new PDF and read that"


def _named(pages: list[int]) -> str:
    names = ", ".join(map(str, pages[:_NAMED]))
    more = f" and {len(pages) - _NAMED:,} more" if len(pages) > _NAMED else ""
    return f"{'page' if len(pages) == 1 else 'pages'} {names}{more}"
