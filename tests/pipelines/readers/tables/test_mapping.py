"""The mapping file: what it decides, what is wrong with it, and that what is written reads back."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from pipelines.readers.tables.columns import classify
from pipelines.readers.tables.mapping import (
    ColumnMapping,
    Mapping,
    MappingError,
    TableMapping,
    dump,
)
from pipelines.types import Column, FileOutcome, FileReport, Role, TableReport

NAMES = ("Ref", "Q1", "Q5 - Bus", "Please explain (2)", 'A "quoted"\\name')


def report(*tables: TableReport, path: str = "/in/answers.csv") -> FileReport:
    return FileReport(path=path, kind="csv", outcome=FileOutcome.READ, tables=tables)


def columns(**roles: str) -> tuple[Column, ...]:
    return tuple(Column(name, role, f"why {name}") for name, role in roles.items())


def decided(text: str, names: tuple[str, ...] = NAMES, wordings: tuple[str, ...] = ()) -> dict:
    table = Mapping.from_text(text).table("answers.csv")
    assert table is not None
    return {names[i]: column.role for i, column in table.decided(names, wordings).items()}


def problems(text: str) -> tuple[str, ...]:
    with pytest.raises(MappingError) as caught:
        Mapping.from_text(text)
    return caught.value.problems


# --- what it decides ------------------------------------------------------------------------


def test_a_word_behind_a_column_is_its_role() -> None:
    text = '[[table]]\nfile = "answers.csv"\n[table.columns]\n"Q1" = "free_text"\n'
    assert decided(text) == {"Q1": Role.FREE_TEXT}


@pytest.mark.parametrize("word", ["free_text", "free text", "Free-Text", "FREE_TEXT"])
def test_a_role_may_be_written_in_any_way(word: str) -> None:
    assert decided(f'[[table]]\nfile = "*"\ncolumns = {{ Q1 = "{word}" }}') == {"Q1": "free_text"}


def test_a_column_may_say_more_than_its_role() -> None:
    text = """
    [[table]]
    file = "*.csv"
    [table.columns]
    "Q1" = { role = "closed_multi", question = "How?", separator = ";", options = ["Bus", "Tram"] }
    "Ref" = { question = "Who?" }
    """
    table = Mapping.from_text(text).table("answers.csv")
    assert table is not None
    assert table.columns["Q1"] == ColumnMapping(
        Role.CLOSED_MULTI, "How?", ("Bus", "Tram"), ";"
    )  # fmt: skip
    found = table.decided(NAMES)
    assert found[1].options == ("Bus", "Tram")
    assert found[0] == Column("Ref", "", "", "Who?")


def test_a_header_fits_in_any_case_and_spacing_and_by_its_wording() -> None:
    text = (
        '[[table]]\nfile = "*"\n[table.columns]\n" ref" = "system"\n"How  do you come?" = "scale"'
    )
    wordings = ("", "How do\nyou come?", "", "", "")
    assert decided(text, wordings=wordings) == {"Ref": Role.SYSTEM, "Q1": Role.SCALE}


def test_a_star_stands_for_many_columns_and_a_line_of_its_own_wins() -> None:
    text = """
    [[table]]
    file = "*"
    [table.columns]
    "Q*" = "system"
    "Q1" = "free_text"
    """
    assert decided(text) == {"Q1": Role.FREE_TEXT, "Q5 - Bus": Role.SYSTEM}


def test_a_mark_for_a_required_question_is_a_letter_of_the_header() -> None:
    text = '[[table]]\nfile = "*"\n[table.columns]\n"Name *" = "personal"\n"[x]?" = "system"'
    names = ("Name *", "[x]?", "Nam", "x")
    assert decided(text, names) == {"Name *": Role.PERSONAL, "[x]?": Role.SYSTEM}


def test_an_empty_column_is_decided_again_each_time() -> None:
    assert decided('[[table]]\nfile = "*"\ncolumns = { Ref = "empty", Q1 = "date" }') == {
        "Q1": "date"
    }


def test_columns_that_are_not_there_are_named() -> None:
    text = '[[table]]\nfile = "*"\n[table.columns]\nQ1 = "scale"\nQ9 = "scale"\n"Z*" = "scale"'
    table = Mapping.from_text(text).table("answers.csv")
    assert table is not None
    assert table.unknown(NAMES) == ("Q9", "Z*")


def test_a_table_says_where_its_header_is_and_what_is_included() -> None:
    text = """
    [[table]]
    file = "a.xlsx"
    sheet = "Data"
    header_rows = [2, 3]
    first_row = 5
    layout = "Qualtrics"
    apart = "include"
    text = "corrected"
    """
    assert Mapping.from_text(text).table("a.xlsx", "data") == TableMapping(
        "a.xlsx", "Data", (2, 3), 5, "Qualtrics", "include", "corrected"
    )


@pytest.mark.parametrize(
    ("line", "rows"), [("header = 2", (2,)), ("header = [1, 2]", (1, 2)), ("header_rows = []", ())]
)
def test_the_header_may_be_one_row_several_or_none(line: str, rows: tuple[int, ...]) -> None:
    table = Mapping.from_text(f'[[table]]\nfile = "*"\n{line}').table("a.csv")
    assert table is not None
    assert table.header_rows == rows


@pytest.mark.parametrize(
    ("relative", "sheet", "layout"),
    [
        ("north/a.csv", None, "path"), ("south/a.csv", None, "name"), ("b.csv", None, "pattern"),
        ("north/c.csv", None, "folder"), ("old.zip!/a.csv", None, "name"), ("[1].csv", None, "brackets"),
        ("w.xlsx", "Data", "sheet"), ("w.xlsx", "Notes", "any sheet"), ("x.json", None, None),
    ],
)  # fmt: skip
def test_the_nearest_entry_decides_whatever_the_order(
    relative: str, sheet: str | None, layout: str | None
) -> None:
    entries = [
        ("*.csv", "pattern"), ("a.csv", "name"), ("north/a.csv", "path"), ("north/*.csv", "folder"),
        ("[1].csv", "brackets"), ("w.xlsx", "any sheet"),
    ]  # fmt: skip
    text = "".join(f'[[table]]\nfile = "{f}"\nlayout = "{layout}"\n' for f, layout in entries)
    text += '[[table]]\nfile = "w.xlsx"\nsheet = "Data*"\nlayout = "sheet"\n'
    table = Mapping.from_text(text).table(relative, sheet)
    assert (table.layout if table else None) == layout


def test_the_key_of_a_file_is_what_is_said_about_it_and_nothing_else() -> None:
    text = '[[table]]\nfile = "a.csv"\nlayout = "x"\n[[table]]\nfile = "b.csv"\n'
    mapping = Mapping.from_text(text)
    assert mapping.key("in/a.csv") == [{"file": "a.csv", "layout": "x"}]
    assert mapping.key("c.csv") == []
    assert json.loads(json.dumps(mapping.key("a.csv"))) == mapping.key("a.csv")


def test_an_empty_mapping_decides_nothing() -> None:
    mapping = Mapping.from_text("# nothing\n")
    assert mapping.table("a.csv") is None
    assert mapping.text == "# nothing\n"


# --- what is wrong with it ------------------------------------------------------------------


def test_every_problem_is_named_at_once() -> None:
    found = problems("""
    tables = 1
    [[table]]
    header = ["one"]
    [[table]]
    file = "a.csv"
    sheets = "x"
    sheet = 3
    first_row = 0
    apart = "yes"
    [table.columns]
    Q1 = "freetext"
    Q2 = 7
    Q3 = { rolle = "scale", options = "a, b", question = 3 }
    """)
    text = "\n".join(found)
    for expected in (
        "'tables' is no key of a mapping file",
        "table 1: no file",
        "header_rows is ['one']",
        "'sheets' is no key of a table; expected one of file, sheet",
        "sheet is 3",
        "first_row is 0",
        'apart is \'yes\'; expected "keep" or "include"',
        "column 'Q1': 'freetext' is no role; expected one of identifier, question, free_text",
        'Did you mean "free_text"?',
        "column 'Q2': 7",
        "'rolle' is no key of a column",
        "options is 'a, b'",
        "question is 3",
    ):
        assert expected in text
    assert len(found) == 12


def test_the_error_names_the_file_and_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "m.toml"
    path.write_text("[[table]\n")
    with pytest.raises(MappingError) as caught:
        Mapping.load(path)
    assert caught.value.exit_code == 78
    assert str(path) in str(caught.value)
    assert "it is not TOML" in str(caught.value)
    assert "--write-mapping" in str(caught.value)


@pytest.mark.parametrize("text", ["table = 3", "[table]\nfile = 'a'"])
def test_a_table_in_single_brackets_is_explained(text: str) -> None:
    assert problems(text) == ("'table' holds no tables; expected [[table]] with two brackets",)


def test_a_file_that_cannot_be_read_is_a_mapping_error(tmp_path: Path) -> None:
    (tmp_path / "m.toml").write_bytes(b"\xff\xfe[\0")
    with pytest.raises(MappingError, match="not UTF-8"):
        Mapping.load(tmp_path / "m.toml")
    with pytest.raises(MappingError, match="cannot be opened"):
        Mapping.load(tmp_path / "none.toml")


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "m.toml").write_bytes('\ufeff[[table]]\nfile = "a.csv"\n'.encode())
    assert Mapping.load(tmp_path / "m.toml").table("a.csv") is not None


# --- what is written ------------------------------------------------------------------------


def test_what_is_written_gives_back_the_same_decisions() -> None:
    names = ["Ref", "Why?", "How?", 'A "quoted"\\\tname #1', "Wäh = [x]"]
    rows = [
        [str(i), f"I like it because of {i}", "Bus;Tram" if i % 2 else "Bus", "1", ""]
        for i in range(9)
    ]
    found = classify(names, rows)
    text = dump([report(TableReport("generic", header_rows=(1,), columns=found))], ["answers.csv"])
    table = Mapping.from_text(text).table("answers.csv")
    assert table is not None
    again = classify(names, rows, decided=table.decided(names))
    assert [(c.role, c.options, c.separator) for c in again] == [
        (c.role, c.options, c.separator) for c in found
    ]
    assert table.unknown(names) == ()
    assert table.header_rows == (1,)


def test_a_role_is_one_word_on_the_line_of_its_column_with_the_reason_behind_it() -> None:
    text = dump([report(TableReport("generic", columns=columns(Q1="scale", Q2="date")))], ["a.csv"])
    (line,) = [line for line in text.splitlines() if line.startswith('"Q1"')]
    assert line == '"Q1" = "scale"  # why Q1'
    assert decided(text.replace("a.csv", "answers.csv").replace(line, line.replace("scale", "free_text"))) == {"Q1": Role.FREE_TEXT}  # fmt: skip


def test_sheets_header_rows_and_layouts_are_written() -> None:
    table = TableReport("Qualtrics", "Data", (1, 2), (3, 4), columns=columns(Q1="scale"))
    text = dump([report(table)], ["in/a.xlsx"])
    (entry,) = tomllib.loads(text)["table"]
    assert entry == {
        "file": "in/a.xlsx", "sheet": "Data", "header_rows": [1, 2], "first_row": 5,
        "layout": "Qualtrics", "columns": {"Q1": "scale"},
    }  # fmt: skip


def test_a_table_that_was_left_out_is_a_comment_that_changes_nothing() -> None:
    table = TableReport("question list", "Guide", reason="a list of questions, not answers")
    text = dump([report(table)], ["a.xlsx"])
    assert "# Not read: a list of questions, not answers" in text
    assert "table" not in tomllib.loads(text)


def test_a_table_without_free_text_is_written_to_be_edited() -> None:
    table = TableReport("generic", columns=columns(Q1="scale"), reason="no free text")
    (entry,) = tomllib.loads(dump([report(table)], ["a.csv"]))["table"]
    assert entry["columns"] == {"Q1": "scale"}


def test_what_a_person_had_decided_is_kept() -> None:
    before = Mapping.from_text('[[table]]\nfile = "a.csv"\napart = "include"\ntext = "raw"\n')
    column = Column("Q1", Role.CLOSED_MULTI, "set in the mapping file", "How?", ("Bus",), ";")
    text = dump([report(TableReport("generic", columns=(column,)))], ["a.csv"], before)
    again = Mapping.from_text(text).table("a.csv")
    assert again is not None
    assert (again.aside, again.text) == ("include", "raw")
    assert again.columns["Q1"] == ColumnMapping(Role.CLOSED_MULTI, "How?", ("Bus",), ";")


@pytest.mark.parametrize("name", ["a\nb", "\x7f\x00", "#", "", "naïve “x”", "\u2028", "\ud800"])
def test_any_header_and_reason_can_be_written(name: str) -> None:
    column = Column(name, Role.SYSTEM, "because\nof \x07 it\u2028")
    text = dump([report(TableReport("generic", columns=(column,)))], ["x\ud800.csv"])
    (entry,) = tomllib.loads(text)["table"]
    assert set(entry["columns"]) <= {name}


def test_the_text_is_the_same_each_time_and_files_without_tables_are_left_out() -> None:
    reports = [report(TableReport("generic", columns=columns(Q="scale"))), report()]
    assert dump(reports, ["a.csv", "b.txt"]) == dump(reports, ["a.csv", "b.txt"])
    assert "b.txt" not in dump(reports, ["a.csv", "b.txt"])
