"""Choose the reader of a file by what is in it and what it is called.

Readers are named here and imported when the first file of their kind is opened.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import cast

from pipelines.readers.errors import ReaderError, SkippedFile, UnreadableFile
from pipelines.readers.types import Reading, ReadOptions, SourceFile, Tally
from pipelines.types import Document, FileOutcome

Reader = Callable[[SourceFile, ReadOptions, Tally], Iterator[Document]]

_READERS = {
    "csv": "pipelines.readers.text.delimited:read_delimited",
    "json": "pipelines.readers.text.records:read_records",
    "xlsx": "pipelines.readers.containers.spreadsheet:read_spreadsheet",
    "xlsb": "pipelines.readers.containers.spreadsheet:read_spreadsheet",
    "xls": "pipelines.readers.containers.spreadsheet:read_spreadsheet",
    "ods": "pipelines.readers.containers.spreadsheet:read_spreadsheet",
    "web table": "pipelines.readers.pages.web_table:read_web_table",
    "text": "pipelines.readers.text.plain:read_plain",
    "markdown": "pipelines.readers.text.plain:read_plain",
    "html": "pipelines.readers.pages.markup:read_markup",
    "docx": "pipelines.readers.pages.word:read_word",
    "odt": "pipelines.readers.pages.opendocument:read_opendocument",
    "rtf": "pipelines.readers.pages.rtf:read_rtf",
    "pdf": "pipelines.readers.pages.pdf:read_pdf",
    "picture": "pipelines.readers.pages.ocr:read_picture",
    "eml": "pipelines.readers.containers.mail:read_mail",
    "mbox": "pipelines.readers.containers.mail:read_mail",
    "msg": "pipelines.readers.containers.mail:read_mail",
    "zip": "pipelines.readers.containers.archive:read_archive",
    "tar": "pipelines.readers.containers.archive:read_archive",
    "gzip": "pipelines.readers.containers.archive:read_archive",
    "bzip2": "pipelines.readers.containers.archive:read_archive",
    "xz": "pipelines.readers.containers.archive:read_archive",
}
_ENDINGS = {
    "csv": ".csv .tsv .tab",
    "json": ".json .jsonl .ndjson",
    "xlsx": ".xlsx .xlsm",
    "xlsb": ".xlsb",
    "xls": ".xls",
    "ods": ".ods",
    "text": ".txt .text",
    "markdown": ".md .markdown",
    "html": ".html .htm .xhtml",
    "docx": ".docx .docm",
    "odt": ".odt",
    "rtf": ".rtf",
    "pdf": ".pdf",
    "picture": ".png .jpg .jpeg .tif .tiff",
    "eml": ".eml",
    "mbox": ".mbox",
    "msg": ".msg",
    "zip": ".zip",
    "tar": ".tar",
    "gzip": ".gz .tgz",
    "bzip2": ".bz2",
    "xz": ".xz",
}
_KINDS = {ending: kind for kind, endings in _ENDINGS.items() for ending in endings.split()}
SUFFIXES = tuple(_KINDS)
"""The endings of the files that are read, lower case."""

_WORKBOOKS = {"xlsx", "xlsb", "xls", "ods"}
_VERBATIM = {"text", "markdown", "json", "html"}  # may hold a page or a mail as their text
_TEXT_INSTEAD = {"docx": "text", "odt": "text", "rtf": "text", "pdf": "text"}


def read(file: SourceFile, options: ReadOptions | None = None) -> Reading:
    """Open ``file`` and return its reading; a bad file gives a report, not an exception.

    ``reading.report.outcome`` says at once whether there are documents to take. What no reader
    foresaw is a failure too, named by its place in the code and without words of the document.

    Raises:
        MappingError: what a person decided about its tables cannot be used.
    """
    options = options or ReadOptions()
    suffix = PurePosixPath(file.relative.rstrip()).suffix.lower()
    tally = Tally(_KINDS.get(suffix, suffix.removeprefix(".") or "file"))
    try:
        documents = _reader(file, suffix, options, tally)(file, options, tally)
        return Reading(file, tally, _guarded(documents), answers=options.answers)
    except SkippedFile as skipped:
        outcome, reason = FileOutcome.SKIPPED, skipped.reason
        tally.tables.extend(table for table in skipped.tables if table not in tally.tables)
    except UnreadableFile as broken:
        outcome, reason = FileOutcome.FAILED, broken.reason
    except ReaderError:
        raise
    except OSError as error:
        outcome, reason = FileOutcome.FAILED, f"cannot be opened: {error.strerror or error}"
    except Exception as error:
        outcome, reason = FileOutcome.FAILED, _unforeseen(error)
    tally.members.clear()
    return Reading(file, tally, outcome=outcome, reason=reason)


def _reader(file: SourceFile, suffix: str, options: ReadOptions, tally: Tally) -> Reader:
    """Return the reader; ``tally`` is told the kind, and what the name hides.

    Raises:
        SkippedFile: no reader takes such a file.
    """
    from pipelines.readers.content import recognise
    from pipelines.readers.save_as import advice

    named = _KINDS.get(suffix, "")
    content = recognise(file.path, options.limits)
    if content.advice:
        raise SkippedFile(f"{_although(suffix, named)}{content.name}: {content.advice}")
    kind = content.kind or named
    if content.text:
        kind = _kind_of_text(named, content.kind)
    if not kind:
        if known := advice(suffix):
            raise SkippedFile(known)
        raise SkippedFile(f"no reader for {_files(suffix)}; read are {', '.join(SUFFIXES)}")
    if not file.path.stat().st_size and kind not in {"text", "markdown"}:
        raise SkippedFile("the file is empty")
    if kind != named and not {kind, named} <= _WORKBOOKS:
        shown = content.name or "text"
        tally.warnings.append(f"{_although(suffix, named)}{shown}: read as that")
    tally.kind = "html" if kind == "web table" else kind
    module, function = _READERS[kind].split(":")
    return cast(Reader, getattr(import_module(module), function))


def _kind_of_text(named: str, found: str) -> str:
    """Return the kind of a file that holds text: by its ending, unless that promises another thing."""
    if named in _WORKBOOKS:
        return "web table" if found == "html" else "csv"
    if named in _VERBATIM or (named == "csv" and found != "html"):
        return named
    return found or _TEXT_INSTEAD.get(named, named)


def _although(suffix: str, named: str) -> str:
    """Return the beginning of a sentence that says what a file is; a familiar ending misleads."""
    return f"named {suffix}, but it is " if named else "it is "


def _files(suffix: str) -> str:
    return f"files ending in {suffix}" if suffix else "files without an ending"


def _guarded(documents: Iterator[Document]) -> Iterator[Document]:
    """Yield the documents; whatever goes wrong meanwhile is an UnreadableFile."""
    try:
        yield from documents
    except SkippedFile as skipped:
        raise UnreadableFile(skipped.reason) from skipped
    except (ReaderError, OSError, UnicodeError):
        raise
    except Exception as error:
        raise UnreadableFile(_unforeseen(error)) from error


def _unforeseen(error: Exception) -> str:
    """Return a reason without the error's own text, which may hold words of the document."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = "/".join(Path(frame.filename).parts[-2:])
    return (
        f"could not be read: {type(error).__name__} in {place}:{frame.lineno}; please report this"
    )
