"""Pitfalls 29, 32 and 33: helper sheets and formulas, cut answers, cells that look like formulas."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pipelines.readers.pitfalls.material import (
    FLOOD,
    LIBRARY,
    PARKING,
    UNIFORM,
    cycle,
    got,
    numbered,
    write_csv,
)
from tests.pipelines.readers.pitfalls.workbook import Formula, Sheet, Styled, write

KINDS = cycle(["Resident", "Business", "Visitor"], 12)
HEADER = ["Reference", "Responding as", "Comment"]


def test_pitfall_29_helper_sheets_of_formulas_are_left_out(tmp_path: Path) -> None:
    guide = [["How to use this workbook"], ["Paste the export into the sheet called Answers."]]
    checks = [["Sheet", "Cell", "Rule", "Severity"]]
    checks += [
        ["Answers", f"A{i}", Formula(f'IF(Answers!A{i}="","Blank",0)', 0), "Error"]
        for i in range(2, 2502)
    ]
    path = write(
        tmp_path / "template.xlsx",
        {
            "Guide": Sheet(guide, ["A1:D1"]),
            "Answers": [HEADER, *numbered(KINDS, FLOOD)],
            "Checks": Sheet(checks, hidden=True),
        },
    )
    read = got(path)
    assert read.texts == list(FLOOD)
    reasons = {table.sheet: table.reason for table in read.report.tables}
    assert reasons["Answers"] == ""
    assert reasons["Guide"]
    assert reasons["Checks"]
    assert {document.metadata["sheet"] for document in read.documents} == {"Answers"}


def test_pitfall_29_thousands_of_filled_or_formula_rows_are_no_people(tmp_path: Path) -> None:
    rows = [[*HEADER, "Words"]]
    rows += [[*row, Formula(f"LEN(C{i})", 9)] for i, row in enumerate(numbered(KINDS, FLOOD), 2)]
    rows += [[Styled(), Styled(), Styled(), Formula(f"LEN(C{i})", 0)] for i in range(14, 1014)]
    rows += [[Styled()] * 4 for _ in range(2000)]
    read = got(write(tmp_path / "filled.xlsx", {"Answers": rows}))
    assert read.texts == list(FLOOD)
    assert read.table.rows == 12


def test_pitfall_29_a_formula_counts_as_the_value_last_seen(tmp_path: Path) -> None:
    rows = [HEADER]
    for i, (reference, kind, text) in enumerate(numbered(KINDS, UNIFORM), 2):
        rows.append([int(reference), kind, Formula(f'TRIM("{i}")', text)])
    read = got(write(tmp_path / "f.xlsx", {"Answers": rows}))
    assert read.texts == list(UNIFORM)
    assert read.values("Reference")[0] == "101"  # as shown, not 101.0


def test_pitfall_29_merged_title_and_blank_columns(tmp_path: Path) -> None:
    rows = [["Flood scheme responses", None, None, None]]
    rows += [[None] * 4, [HEADER[0], None, HEADER[1], HEADER[2]]]
    rows += [[a, None, b, c] for a, b, c in numbered(KINDS, FLOOD)]
    read = got(write(tmp_path / "m.xlsx", {"Answers": Sheet(rows, ["A1:D1"])}))
    assert read.table.header_rows == (3,)
    assert read.texts == list(FLOOD)


@pytest.mark.parametrize("length", [255, 32_767])
def test_pitfall_32_an_answer_cut_at_a_limit_is_flagged(tmp_path: Path, length: int) -> None:
    long = (" ".join(PARKING) * 60)[:length]
    near = (" ".join(LIBRARY) * 60)[: length - 1]
    texts = [long, near, *FLOOD[2:]]
    read = got(write_csv(tmp_path / "cut.csv", [HEADER, *numbered(KINDS, texts)]))
    assert read.texts == texts
    assert [i for i, d in enumerate(read.documents) if "cut" in d.flags] == [0]
    assert read.report.flags["cut"] == 1


def test_pitfall_32_a_long_answer_is_stored_whole(tmp_path: Path) -> None:
    long = " ".join(PARKING * 200)
    assert len(long) > 100_000
    texts = [long, *FLOOD[1:]]
    read = got(write_csv(tmp_path / "long.csv", [HEADER, *numbered(KINDS, texts)]))
    assert read.texts == texts
    assert not read.documents[0].flags


def test_pitfall_33_text_that_looks_like_a_formula_is_stored_as_written(tmp_path: Path) -> None:
    texts = [
        "=SUM of all fears about the brook",
        "+1 for the crossing at Mill Lane",
        "-5 degrees in the hall all winter, and nobody answers the telephone",
        "@council please mend the pump before the autumn",
        "'quoted from the parish plan",
        *FLOOD[5:],
    ]
    for read in (
        got(write_csv(tmp_path / "f.csv", [HEADER, *numbered(KINDS, texts)])),
        got(write(tmp_path / "f.xlsx", {"Answers": [HEADER, *numbered(KINDS, texts)]})),
    ):
        assert read.texts == texts
