"""Read text from pictures with tesseract, a program of its own, where the user asks for it.

Without ``ReadOptions.ocr`` nothing here starts a program. One page is read at a time, in English,
within a time limit; paragraphs are joined into lines as for PDF. What comes out bears ``Flag.OCR``,
and the version of the program stands in the warnings.
"""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from pipelines.readers.errors import SkippedFile, UnreadableFile
from pipelines.readers.pages.documents import Fact, counted, whole_document
from pipelines.readers.pages.paragraphs import join_blocks
from pipelines.readers.types import Limits, ReadOptions, SourceFile, Tally
from pipelines.types import Document, Flag

LANGUAGE = "eng"
_RESOLUTION = 300  # dots per inch, what tesseract reads best
_LARGEST = 40_000_000  # dots of a rendered page
_VERSION_SECONDS = 10
_TIFF_PAGES = 5_000


def read_picture(file: SourceFile, options: ReadOptions, tally: Tally) -> Iterator[Document]:
    """Return the document of a PNG, JPEG or TIFF picture.

    Raises:
        SkippedFile: OCR is off or not installed, or there is no text in the picture.
        UnreadableFile: not a picture that tesseract opens, or it took too long.
    """
    if reason := why_not(options.ocr):
        raise SkippedFile(f"a picture; {reason}")
    return whole_document(
        file, options, tally, "pipelines.readers.pages.ocr:extract", page_seconds(options.limits)
    )


def extract(path: str, seconds: float) -> Iterator[Fact]:
    """Yield the facts of the picture at ``path``, which may take ``seconds`` a page.

    Raises:
        SkippedFile: there is no text in the picture.
        UnreadableFile: not a picture that tesseract opens, or it took too long.
    """
    path = str(Path(path).absolute())  # tesseract must not take a name for an option
    pages = tiff_pages(Path(path))
    texts = []
    for number in range(pages):
        which = ("-c", f"tessedit_page_number={number}") if pages > 1 else ()
        texts.append(_recognise([path, "stdout", *which], None, seconds))
        yield "alive", number
    if not any(texts):
        raise SkippedFile("a picture in which OCR found no text")
    yield "text", "\n\n".join(texts)
    yield "flag", Flag.OCR
    yield "warning", f"read by OCR with {version()}"
    if pages > 1:
        yield "metadata", {"pages": str(pages)}
        yield "locator", f"the whole file, {counted(pages, 'page')}"


def program() -> str | None:
    """Return the path of tesseract, ``None`` where it is not installed."""
    return shutil.which("tesseract")


def why_not(wanted: bool) -> str:
    """Return why there is no OCR and what to do, "" where it can be used."""
    if not wanted:
        return "OCR, which reads text from pictures, is off: turn it on and read the file again"
    if program() is None:
        return (
            "OCR is on, but the program tesseract is not installed: install it (on Debian and "
            "Ubuntu the package tesseract-ocr) and read the file again"
        )
    return ""


@cache
def version() -> str:
    """Return the program's name and version, "tesseract 5.3.0", and the language."""
    place = program() or "tesseract"
    try:
        answer = subprocess.run(
            [place, "--version"], capture_output=True, timeout=_VERSION_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return f"tesseract ({LANGUAGE})"
    first = (answer.stdout or answer.stderr).decode("utf-8", "replace").splitlines()[:1]
    return f"{first[0].strip() if first else 'tesseract'} ({LANGUAGE})"


def page_seconds(limits: Limits) -> float:
    """Return how long one page may take: a little less than the parser may be silent."""
    return max(1.0, 0.9 * limits.seconds)


def read_image(image: bytes, seconds: float) -> str:
    """Return the text of one picture in memory, "" where there is none.

    Raises:
        UnreadableFile: tesseract is missing, failed, or took too long.
    """
    return _recognise(["stdin", "stdout", "--dpi", str(_RESOLUTION)], image, seconds)


def rendered(page: Any) -> bytes:
    """Return a page of pypdfium2 as a grey picture in the PGM format."""
    points = max(1.0, page.get_width() * page.get_height())
    scale = min(_RESOLUTION / 72, (_LARGEST / points) ** 0.5)
    bitmap = page.render(scale=scale, grayscale=True)
    width, height, stride = bitmap.width, bitmap.height, bitmap.stride
    data = bytes(bitmap.buffer)
    bitmap.close()
    rows = b"".join(data[y * stride : y * stride + width] for y in range(height))
    return b"P5 %d %d 255\n" % (width, height) + rows


def tiff_pages(path: Path) -> int:
    """Return the number of pages of a TIFF file, 1 for other pictures and damaged ones."""
    with path.open("rb") as stream:
        start = stream.read(8)
        order = {b"II*\0": "<", b"MM\0*": ">"}.get(start[:4])
        if order is None or len(start) < 8:
            return 1
        (place,) = struct.unpack(f"{order}I", start[4:])
        seen: set[int] = set()
        while place and place not in seen and len(seen) < _TIFF_PAGES:
            stream.seek(place)
            head = stream.read(2)
            if len(head) < 2:
                break
            seen.add(place)
            (entries,) = struct.unpack(f"{order}H", head)
            stream.seek(12 * entries, os.SEEK_CUR)
            link = stream.read(4)
            if len(link) < 4:
                break
            (place,) = struct.unpack(f"{order}I", link)
    return max(1, len(seen))


def _recognise(arguments: list[str], image: bytes | None, seconds: float) -> str:
    place = program()
    if place is None:
        raise UnreadableFile(why_not(wanted=True))
    try:
        answer = subprocess.run(
            [place, *arguments, "-l", LANGUAGE],
            input=image,
            stdin=subprocess.DEVNULL if image is None else None,
            capture_output=True,
            timeout=seconds,
            check=False,
            env={**os.environ, "OMP_THREAD_LIMIT": "1"},
        )
    except subprocess.TimeoutExpired as error:
        raise UnreadableFile(
            f"OCR of one page took more than {seconds:g} seconds and was stopped"
        ) from error
    except OSError as error:
        raise UnreadableFile(f"tesseract cannot be started: {error.strerror or error}") from error
    if answer.returncode:
        said = answer.stderr.decode("utf-8", "replace")
        if "traineddata" in said:
            raise UnreadableFile(
                f"tesseract has no language data {LANGUAGE!r}: install them (on Debian and Ubuntu "
                f"the package tesseract-ocr-{LANGUAGE})"
            )
        raise UnreadableFile(
            f"tesseract cannot read it (exit code {answer.returncode}): damaged, or not a picture "
            "it knows"
        )
    return join_blocks(answer.stdout.decode("utf-8", "replace").replace("\f", "\n"))
