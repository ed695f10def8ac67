"""Files built to do harm: each costs itself, within the limits, and its reason says why."""

from __future__ import annotations

import io
import zipfile
from contextlib import suppress
from pathlib import Path

import docx
import pytest
from odfdo import Document as Odf
from odfdo import Paragraph

from pipelines.readers import Limits, ReadOptions, UnreadableFile, discover, read
from pipelines.types import Document, FileOutcome, FileReport
from tests.pipelines.readers.made_containers import ods, with_part, write, zipped

SECRET = "the words of another file"
WORDS = "We would like more benches by the lake, please."


def got(path: Path, **limits: float) -> tuple[list[Document], FileReport]:
    (file,) = discover([path]).files
    with read(file, ReadOptions(limits=Limits(**limits))) as reading:  # type: ignore[arg-type]
        documents = []
        with suppress(UnreadableFile):
            documents = list(reading)
        return documents, reading.report


def bomb(levels: int = 12) -> str:
    entities = '<!ENTITY e0 "lol">' + "".join(
        f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, levels)
    )
    return f"<!DOCTYPE x [{entities}]>"


def external(folder: Path) -> str:
    secret = write(folder / "secret.txt", SECRET.encode())
    return f'<!DOCTYPE x [<!ENTITY e11 SYSTEM "{secret.as_uri()}">]>'


def word_file(path: Path) -> tuple[Path, str]:
    made = docx.Document()
    made.add_paragraph(WORDS)
    made.save(str(path))
    return path, "word/document.xml"


def odt_file(path: Path) -> tuple[Path, str]:
    made = Odf("text")
    made.body.clear()
    made.body.append(Paragraph(WORDS))
    made.save(str(path))
    return path, "content.xml"


@pytest.mark.parametrize("kind", ["docx", "odt"])
@pytest.mark.parametrize("prolog", ["bomb", "external"])
def test_entities_in_a_document_are_refused(tmp_path: Path, kind: str, prolog: str) -> None:
    path, part = {"docx": word_file, "odt": odt_file}[kind](tmp_path / f"a.{kind}")
    assert WORDS in got(path)[0][0].text
    with zipfile.ZipFile(path) as archive:
        xml = archive.read(part).decode()
    declaration, _, rest = xml.partition("?>")
    evil = bomb() if prolog == "bomb" else external(tmp_path)
    changed = f"{declaration}?>{evil}{rest.replace(WORDS, '&e11;')}"
    write(path, with_part(path.read_bytes(), part, changed.encode()))
    documents, report = got(path)
    assert (documents, report.outcome) == ([], FileOutcome.FAILED)
    assert "declares XML entities" in report.reason


def test_entities_in_html_stay_as_they_are(tmp_path: Path) -> None:
    for prolog in (bomb(), external(tmp_path)):
        page = f"{prolog}<html><body><p>{WORDS} &e11;</p></body></html>"
        (document,), report = got(write(tmp_path / "a.html", page.encode()))
        assert report.outcome is FileOutcome.READ
        assert SECRET not in document.text
        assert len(document.text) < 5_000


def test_svg_is_not_parsed(tmp_path: Path) -> None:
    svg = f'<?xml version="1.0"?>{bomb()}<svg xmlns="http://www.w3.org/2000/svg">&e11;</svg>'
    assert got(write(tmp_path / "a.svg", svg.encode()))[1].outcome is FileOutcome.SKIPPED
    page = f"<html><body><p>{WORDS}</p>{svg}</body></html>"
    (document,), _ = got(write(tmp_path / "a.html", page.encode()))
    assert WORDS in document.text
    assert len(document.text) < 5_000


@pytest.mark.parametrize(
    ("rows", "columns", "reason"),
    [(1_000_000, 16_384, "Cell limit exceeded"), (5_000, 9_000, "read_memory_mb")],
)
def test_a_cell_repeated_over_a_whole_sheet_is_a_reason(
    tmp_path: Path, rows: int, columns: int, reason: str
) -> None:
    data = ods({"S": [["ID", "Comment"], [1.0, WORDS]]})
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        xml = archive.read("content.xml").decode()
    cell = '<table:table-cell office:value-type="string"'
    xml = xml.replace(cell, f'{cell} table:number-columns-repeated="{columns}"').replace(
        "<table:table-row>", f'<table:table-row table:number-rows-repeated="{rows}">'
    )
    path = write(tmp_path / "a.ods", with_part(data, "content.xml", xml.encode()))
    _, report = got(path, memory_mb=400)
    assert report.outcome is FileOutcome.FAILED
    assert reason in report.reason


def test_html_nested_a_hundred_thousand_deep_is_an_outcome(tmp_path: Path) -> None:
    page = b"<div>" * 100_000 + WORDS.encode() + b"</div>" * 100_000
    documents, report = got(write(tmp_path / "a.html", page), seconds=5)
    assert report.reason or WORDS in documents[0].text


def test_a_picture_bomb_is_not_opened(tmp_path: Path) -> None:
    header = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + b"\x7f\xff\xff\xff" * 2 + b"\x08\x02\0\0\0"
    assert got(write(tmp_path / "a.png", header))[1].outcome is FileOutcome.SKIPPED


def test_a_hostile_archive_leaves_nothing_behind(tmp_path: Path) -> None:
    data = zipped({"../../a.txt": b"x", "b.txt": b"y" * 100})
    (file,) = discover([write(tmp_path / "a.zip", data)]).files
    with read(file) as reading:
        list(reading)
        folder = reading.members[0].path.parent
        assert folder.stat().st_mode & 0o077 == 0
    assert not folder.exists()
