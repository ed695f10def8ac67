"""Corrected scans whose versions stand side by side."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.readers.errors import SkippedFile
from pipelines.readers.tables.mapping import Mapping
from pipelines.readers.text.aligned import is_aligned
from pipelines.readers.text.plain import read_plain
from pipelines.readers.types import ReadOptions
from tests.pipelines.readers.sources import read_with

TEXT = (
    "*$*COLLECTION*$* 12414 year 1843 type Article title The Daily News aid 12414\n"
    "LAND SALE. ^||@@||LAND SALE.||@@||LAND SALE. A\n"
    "of Tune, in||@@||of June, in||@@||of June in\n"
    "*$*COLLECTION*$* 12878 year 1845 type Advert title A type of title aid 12878\n"
    "Foi sale||@@||For sale||@@||For sale\n"
)


def asking(version: str) -> ReadOptions:
    return ReadOptions(
        mapping=Mapping.from_text(f'[[table]]\nfile = "a.txt"\ntext = "{version}"\n')
    )


def test_an_article_is_a_document_in_its_corrected_version(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT)
    documents, tally = read_with(read_plain, tmp_path / "a.txt")
    assert [d.text for d in documents] == ["LAND SALE.\nof June, in", "For sale"]
    assert [d.key for d in documents] == ["a.txt#12414", "a.txt#12878"]
    assert documents[0].locator == "lines 1 to 3, the human correction"
    assert tally.kind == "aligned text"


def test_the_header_line_is_metadata(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT)
    documents, _ = read_with(read_plain, tmp_path / "a.txt")
    assert documents[1].metadata == {
        "file": "a.txt",
        "folder": "",
        "collection": "COLLECTION",
        "id": "12878",
        "year": "1845",
        "kind": "Advert",
        "title": "A type of title",
        "version": "human",
    }


def test_the_report_says_which_version_was_read(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT)
    _, tally = read_with(read_plain, tmp_path / "a.txt")
    assert "lines of 3 versions: the human correction was read" in tally.warnings[0]
    assert 'text = "ocr"' in tally.warnings[0]


def test_a_mapping_chooses_another_version(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT)
    documents, _ = read_with(read_plain, tmp_path / "a.txt", asking("ocr"))
    assert documents[0].text == "LAND SALE. ^\nof Tune, in"
    assert documents[0].flags == ("ocr",)


def test_a_version_that_is_not_there_is_a_reason_to_skip(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT)
    with pytest.raises(SkippedFile, match="there are ocr, human, automatic"):
        read_with(read_plain, tmp_path / "a.txt", asking("machine"))


def test_a_line_without_its_versions_is_kept_and_told(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT + "a line alone\n")
    documents, tally = read_with(read_plain, tmp_path / "a.txt")
    assert documents[-1].text == "For sale\na line alone"
    assert "line 6" in tally.warnings[-1]


def test_an_identifier_that_comes_again_gets_its_line(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT + TEXT)
    documents, _ = read_with(read_plain, tmp_path / "a.txt")
    assert documents[2].key == "a.txt#12414~r6"


def test_text_without_a_header_is_one_document(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("One lyne||@@||One line\nTwo\t||@@||Two\n")
    documents, _ = read_with(read_plain, tmp_path / "a.txt")
    assert [d.text for d in documents] == ["One line\nTwo"]


def test_prose_is_not_aligned() -> None:
    assert not is_aligned("We like the park.\nIt is || wide.\n")
    assert not is_aligned("")
