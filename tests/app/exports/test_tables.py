"""CSV, Parquet and REFI-QDA: rows, offsets, safe cells, and what a private collection keeps."""

from __future__ import annotations

import csv
import io
import uuid
import zipfile
from pathlib import Path
from xml.etree import ElementTree as ET

import pandas as pd
import pytest

from app.errors import UsageError
from app.exports.parquet import TABLES, write_parquet
from app.exports.qdpx import NAMESPACE, write_qdpx
from app.exports.table import write_csv
from db.store import Store
from tests.app.exports.conftest import Ask, texts

Q = {"q": NAMESPACE}


def _csv(path: Path) -> list[dict[str, str]]:
    raw = path.read_bytes()
    assert raw.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(raw.decode("utf-8-sig"), newline="")))


def test_csv_has_a_row_a_document_with_everything(ask: Ask, store: Store, tmp_path: Path) -> None:
    asked = ask("consultation", tmp_path / "c.csv", book="matters")
    assert write_csv(asked).rows == 298
    rows = _csv(asked.path)
    stored = texts(store, "consultation")
    assert [row["document"] for row in rows] == list(stored)
    totals = store.totals(asked.collection.id)
    assert sum(int(row["tags"]) for row in rows) == totals.displayed_tags
    labels = [row[name].split("; ") for row in rows for name in row if name.startswith("labels: ")]
    assert sum(len([x for x in each if x]) for each in labels) == totals.labels
    assert sum(int(row["codings"]) for row in rows) == len(store.assignments(asked.book.id))  # type: ignore[union-attr]
    assert {side for row in rows for side in row["stances"].split("; ")} == {"for", "none", ""}
    assert len({row["Ward"] for row in rows}) > 3
    for row in rows:
        text = row["text"]
        assert text in (stored[row["document"]], f"'{stored[row['document']]}")
        assert all(not cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in row.values())
    assert any(row["text"].startswith(("'=", "'+", "'-")) for row in rows)


def test_csv_of_a_private_collection_has_no_words(ask: Ask, store: Store, tmp_path: Path) -> None:
    asked = ask("clinical", tmp_path / "c.csv", book="matters", words=False)
    write_csv(asked)
    rows = _csv(asked.path)
    assert len(rows) == 24
    assert "text" not in rows[0]
    assert not {name for name in rows[0] if name in ("file", "folder")}
    assert {row["respondent"] for row in rows} == {""}
    assert all("Matter" not in row["themes"] for row in rows)
    written = asked.path.read_text("utf-8-sig")
    for text in texts(store, "clinical").values():
        assert not any(line in written for line in text.splitlines() if len(line.split()) > 4)


def test_parquet_tables_join_and_quote_the_text(ask: Ask, store: Store, tmp_path: Path) -> None:
    asked = ask("historical", tmp_path / "h", book="matters")
    written = write_parquet(asked)
    tables = {name: pd.read_parquet(asked.path / f"{name}.parquet") for name in TABLES}
    assert written.rows == sum(map(len, tables.values()))
    documents = tables["documents"].set_index("document")
    assert documents["text"].to_dict() == texts(store, "historical")
    totals = store.totals(asked.collection.id)
    sizes = [len(tables[name]) for name in ("documents", "tags", "labels", "summaries")]
    assert sizes == [totals.documents, totals.tags, totals.labels, totals.summary_sentences]
    assert len(tables["codings"]) == len(store.assignments(asked.book.id))  # type: ignore[union-attr]
    for name in ("tags", "labels", "summaries", "codings"):
        assert len(tables[name])
        for row in tables[name].itertuples():
            assert documents.loc[row.document, "text"][row.start : row.end] == row.text
    assert set(tables["codings"]["theme"]) <= set(tables["themes"]["theme"])
    assert {"accepted", "rejected", "added"} <= set(tables["decisions"]["verdict"])
    assert not tables["decisions"]["stands"].all()


def test_parquet_is_written_over_its_own_tables_only(ask: Ask, tmp_path: Path) -> None:
    asked = ask("historical", tmp_path / "h")
    first = write_parquet(asked).rows
    assert write_parquet(asked).rows == first
    (asked.path / "mine.txt").write_text("keep")
    with pytest.raises(UsageError, match=r"holds 'mine\.txt'"):
        write_parquet(asked)
    with pytest.raises(UsageError, match="that is a file"):
        write_parquet(ask("historical", asked.path / "mine.txt"))
    assert (asked.path / "mine.txt").read_text() == "keep"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["h"]


def test_parquet_of_a_private_collection_has_no_words(ask: Ask, tmp_path: Path) -> None:
    asked = ask("clinical", tmp_path / "c", book="matters", words=False)
    write_parquet(asked)
    for name in TABLES:
        table = pd.read_parquet(asked.path / f"{name}.parquet")
        for column in {"text", "metadata", "respondent", "cue"} & set(table.columns):
            assert table[column].isna().all(), (name, column)
        assert len(table)
    assert set(pd.read_parquet(asked.path / "themes.parquet")["label"]) == {"t0", "t1", "t2"}


@pytest.mark.parametrize("book", ["matters", ""])
def test_a_coding_project_points_at_the_text(
    ask: Ask, store: Store, tmp_path: Path, book: str
) -> None:
    asked = ask("historical", tmp_path / "h.qdpx", book=book)
    written = write_qdpx(asked)
    with zipfile.ZipFile(asked.path) as project:
        root = ET.fromstring(project.read("project.qde"))
        files = {name: project.read(name).decode() for name in project.namelist()}
    assert root.tag == f"{{{NAMESPACE}}}Project"
    assert [each.tag.rpartition("}")[2] for each in root] == ["Users", "CodeBook", "Sources"]
    codes = {each.get("guid"): each.get("name") for each in root.iterfind(".//q:Code", Q)}
    stored = texts(store, "historical")
    sources = root.findall("q:Sources/q:TextSource", Q)
    assert {each.get("name") for each in sources} == set(stored)
    said: set[tuple[str, str]] = set()
    for source in sources:
        path = str(source.get("plainTextPath"))
        text = files[f"Sources/{path.removeprefix('internal://')}"]
        assert text == stored[str(source.get("name"))]
        for selection in source.iterfind("q:PlainTextSelection", Q):
            start, end = (int(str(selection.get(f"{x}Position"))) for x in ("start", "end"))
            assert 0 <= start < end <= len(text)
            for code in selection.iterfind("q:Coding/q:CodeRef", Q):
                said.add((text[start:end], str(codes[code.get("targetGUID")])))
    references = root.findall(".//q:CodeRef", Q)
    assert len(references) == written.rows > 0
    assert {each.get("targetGUID") for each in references} <= codes.keys()
    guids = [each.get("guid") for each in root.iter() if each.get("guid")]
    assert len(guids) == len(set(guids))
    assert all(str(uuid.UUID(str(guid))) == guid for guid in guids)
    if asked.book is not None:
        labels = {theme.id: theme.label for theme in store.themes(asked.book.id)}
        rows = store.assignments(asked.book.id)
        assert said == {(row.text, labels[row.theme_id]) for row in rows}
        assert root.find(".//q:Code/q:Code", Q) is not None  # one theme under another
    else:
        assert {name for name in codes.values() if str(name).startswith("Concepts: ")}


def test_a_private_collection_is_no_coding_project_without_its_texts(
    ask: Ask, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="--with-text"):
        write_qdpx(ask("clinical", tmp_path / "c.qdpx", words=False))
    assert list(tmp_path.iterdir()) == []
    assert write_qdpx(ask("clinical", tmp_path / "c.qdpx")).rows > 100
