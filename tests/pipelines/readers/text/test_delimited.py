"""CSV and TSV: rows to the character, broken quotation marks, limits, bounded memory."""

from __future__ import annotations

import csv
import tracemalloc
from io import StringIO
from pathlib import Path

import pytest

from pipelines.readers.text.decode import beginning, detect
from pipelines.readers.text.delimited import Rows
from pipelines.readers.text.dialect import find_dialect
from pipelines.readers.types import Limits, Tally

Read = tuple[dict[int, list[str]], list[str]]


def rows_of(path: Path, content: str | bytes, limits: Limits | None = None) -> Read:
    data = content.encode() if isinstance(content, str) else content
    path.write_bytes(data)
    encoding = detect(path)
    tally = Tally("csv")
    sample = beginning(path, encoding, 1 << 18)
    rows = dict(Rows(path, encoding, find_dialect(sample), limits or Limits(), tally))
    return rows, tally.warnings


def test_cells_are_kept_to_the_character(tmp_path: Path) -> None:
    cell = '  One, two; “three”\r\nfour\nfive\rsix _x000D_ ""seven""\tN/A '
    rows, warnings = rows_of(tmp_path / "a.csv", f'ID,Q\r\n1,"{cell}"\r\n2,\\N\r\n')
    assert rows == {1: ["ID", "Q"], 2: ["1", cell.replace('""', '"')], 3: ["2", "\\N"]}
    assert warnings == []


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_end_ends_a_row(tmp_path: Path, end: str) -> None:
    assert list(rows_of(tmp_path / "a.csv", end.join(["ID,Q", "1,x", "2,y"]))[0]) == [1, 2, 3]


def test_mixed_line_ends_end_rows(tmp_path: Path) -> None:
    rows, _ = rows_of(tmp_path / "a.csv", "ID,Q\r\n1,x\r2,y\n3,z")
    assert list(rows.values()) == [["ID", "Q"], ["1", "x"], ["2", "y"], ["3", "z"]]


def test_blank_lines_count_as_a_spreadsheet_counts_them(tmp_path: Path) -> None:
    rows, _ = rows_of(tmp_path / "a.csv", "ID,Q\n\n1,x\n")
    assert rows == {1: ["ID", "Q"], 2: [], 3: ["1", "x"]}


def test_a_first_line_sep_has_no_number(tmp_path: Path) -> None:
    rows, _ = rows_of(tmp_path / "a.csv", "sep=;\nID;Q\n1;x, y\n")
    assert rows == {1: ["ID", "Q"], 2: ["1", "x, y"]}


def test_a_nul_in_a_cell_is_kept(tmp_path: Path) -> None:
    body = "".join(f"{i},plain words\n" for i in range(50))
    rows, warnings = rows_of(tmp_path / "a.csv", f"ID,Q\n1,wo\0rds\n{body}")
    assert rows[2] == ["1", "wo\0rds"]
    assert warnings == []  # the encoding's warning is the reader's to note


def test_marks_inside_a_quoted_cell_are_kept(tmp_path: Path) -> None:
    body = '1,"He said "no" to it, twice"\n2,"She said ""yes"""\n3,plain\n'
    rows, warnings = rows_of(tmp_path / "a.csv", "ID,Q\n" + body)
    assert rows[2] == ["1", 'He said "no" to it, twice']
    assert rows[3] == ["2", 'She said "yes"']
    assert warnings == ["quotation marks out of place in row 2: kept as text, look at these rows"]


def test_words_after_the_closing_mark_are_kept(tmp_path: Path) -> None:
    rows, _ = rows_of(tmp_path / "a.csv", 'ID,Q\n1,"yes" indeed\n2,"a, b"\n3,c\n4,"d"\n')
    assert rows[2] == ["1", '"yes" indeed']


@pytest.mark.parametrize(
    "after",
    [
        ['9,"and more"', "10,words"],
        ["9,plain words", "10,and more", '11,"quoted, words"', "12,last"],
        ["9,plain words"] * 5,
        ["9,plain words"] * 50,
        ['9,it is 5" wide', "10,words"],
    ],
)
def test_a_mark_that_is_never_closed_takes_no_other_row(tmp_path: Path, after: list[str]) -> None:
    body = [f'{i},"answer, number {i}"' for i in range(2, 8)]
    lines = ["ID,Q", *body, '8,"never closed', *after]
    rows, warnings = rows_of(tmp_path / "a.csv", "\n".join(lines) + "\n")
    assert rows[8] == ["8", '"never closed']
    assert len(rows) == len(lines)
    assert rows[9][0] == "9"
    assert "row 8" in warnings[0]


def test_a_cell_of_many_lines_with_a_stray_mark_stays_one_row(tmp_path: Path) -> None:
    cell = 'first line\nthe "second" line\nthird'
    rows, _ = rows_of(tmp_path / "a.csv", f'ID,Q,R\n1,"{cell}",x\n2,"b",y\n3,"c",z\n')
    assert rows[2] == ["1", cell, "x"]
    assert rows[3] == ["2", "b", "y"]


def test_a_pasted_table_in_a_closed_cell_stays_there_and_is_pointed_out(tmp_path: Path) -> None:
    cell = "\n".join(f"{i},thing" for i in range(40))
    rows, warnings = rows_of(tmp_path / "a.csv", f'ID,Q\n1,"{cell}"\n2,x\n')
    assert rows[2] == ["1", cell]
    assert "row 2 holds many lines that look like rows" in warnings[0]


def test_a_cell_over_the_limit_is_left_out_and_named(tmp_path: Path) -> None:
    long = "x" * (1 << 20)
    content = f'ID,Q\n1,a\n2,{long}\n3,b\n4,"{long}\ny"\n5,c\n'
    rows, warnings = rows_of(tmp_path / "a.csv", content, Limits(field_mb=1))
    assert rows[2] == ["1", "a"]
    assert ["3", "b"] in rows.values()
    assert ["5", "c"] in rows.values()
    assert any("left out: a cell is larger than the limit of 1 MB" in w for w in warnings)


def test_backslashes_escape_marks_and_nothing_else(tmp_path: Path) -> None:
    body = '1,"He said \\"no\\", twice"\n2,"C:\\new \\\\ it"\n3,"a \\"b\\""\n'
    rows, _ = rows_of(tmp_path / "a.csv", "ID,Q\n" + body)
    assert [row[1] for row in rows.values()] == [
        "Q", 'He said "no", twice', "C:\\new \\ it", 'a "b"',
    ]  # fmt: skip


def test_the_dos_end_of_file_is_no_row(tmp_path: Path) -> None:
    assert list(rows_of(tmp_path / "a.csv", "ID,Q\n1,x\n\x1a")[0]) == [1, 2]


def test_a_record_over_a_block_edge_is_whole(tmp_path: Path) -> None:
    cell = "many words here\n" * 70_000
    body = f'1,"{cell}"\n2,"x"\n'
    rows, warnings = rows_of(tmp_path / "a.csv", "ID,Q\n" + body * 3)
    assert [row[1] for row in rows.values()] == ["Q", cell, "x", cell, "x", cell, "x"]
    assert warnings == []


def test_well_formed_text_is_read_as_the_csv_module_reads_it(tmp_path: Path) -> None:
    from random import Random

    random = Random(7)
    pieces = ["word", ",", '"', "\n", "\r\n", " ", "é", ";", "'", "", "5"]
    written = StringIO(newline="")
    writer = csv.writer(written)
    table = [["ID", "Q", "R"]]
    for i in range(3_000):
        cells = ["".join(random.choices(pieces, k=random.randrange(9))) for _ in range(2)]
        table.append([str(i), *cells])
    writer.writerows(table)
    rows, _ = rows_of(tmp_path / "a.csv", written.getvalue())
    assert list(rows.values()) == table


def test_rows_are_streamed_in_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    with path.open("w") as stream:
        stream.write("ID,Q\n")
        stream.writelines(f"{i},words of person {i} here {'x' * 40}\n" for i in range(150_000))
    tracemalloc.start()
    dialect = find_dialect("ID,Q\n1,words\n2,more\n")
    count = sum(1 for _ in Rows(path, detect(path), dialect, Limits(), Tally("csv")))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 150_001
    assert peak < 14_000_000
