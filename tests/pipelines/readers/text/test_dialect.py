"""The dialect of a delimited text: delimiter, quotation marks, escapes."""

from __future__ import annotations

import pytest

from pipelines.readers.text.dialect import ONE_COLUMN, find_dialect


@pytest.mark.parametrize(
    ("sample", "delimiter"),
    [
        ("a,b\n1,2\n3,4\n", ","),
        ("a;b\n1,5;2,5\n3,1;4,2\n", ";"),
        ("a\tb\n1, 2\t2\n3, 4\t4\n", "\t"),
        ("a|b\n1|2\n", "|"),
        ("a^b\n1^it, was\n2^no; it was not\n", "^"),
        ("a~b\n1~it\n2~no\n", "~"),
        ("a¦b\n1¦it\n2¦no\n", "¦"),
        ("a\x1fb\n1\x1fit, was\n2\x1fno\n", "\x1f"),
        ("a, b, c\n1, 2, 3\n4, 5, 6\n", ","),
        ('a,b\n"x;y;z",2\n"x;y;z",3\n', ","),
        ("title of the export\nID,Q\n1,x\n2,y\n3,z\n4,w\n5,v\n", ","),
        ("Parks, libraries; and pools: what you said\n\nID;Q\n1;x, y\n2;y\n3;z, a, b\n", ";"),
        ("comment\nWell, yes\nNo, thanks, not me\nnever\n", ONE_COLUMN),
        ("comment\nWell, yes, I like the park\nNo, thanks, not for me\nKeep it, as it is, please\n", ONE_COLUMN),
        ('comment\n"Well, yes"\n"No, thanks"\n', ONE_COLUMN),
        ("time\n10:30\n11:45\n", ONE_COLUMN),
        ("comment\n", ONE_COLUMN),
        ("ID,Q,\n1,x,\n2,y,\n", ","),
        ("ID,Q\n1,We like the park a lot\n2,More benches by the lake,surplus\n3\n", ","),
    ],
)  # fmt: skip
def test_the_delimiter_is_found(sample: str, delimiter: str) -> None:
    assert find_dialect(sample).delimiter == delimiter


def test_a_first_line_sep_names_the_delimiter_and_is_no_row() -> None:
    sample = "sep=;\r\nID;Q\r\n1;Yes, it is\r\n"
    dialect = find_dialect(sample)
    assert (dialect.delimiter, sample[dialect.announced :][:4]) == (";", "ID;Q")


def test_a_tsv_is_not_cut_at_its_commas() -> None:
    assert find_dialect("a, b\tc, d\n1, 2\t3\n1, 2\t3, 4\n", tabs=True).delimiter == "\t"


def test_marks_escaped_by_a_backslash_are_found() -> None:
    sample = 'ID,Q\n1,"He said \\"no\\" to it, twice"\n2,"She said \\"yes\\", once"\n'
    dialect = find_dialect(sample)
    assert (dialect.delimiter, dialect.backslash, dialect.width) == (",", True, 2)


def test_a_backslash_in_plain_cells_is_no_escape() -> None:
    assert not find_dialect('ID,Q\n1,"C:\\new, folder"\n2,"he said ""no"""\n').backslash


def test_single_quotation_marks_around_every_cell_are_found() -> None:
    assert find_dialect("'ID','Q'\n'1','Yes, it is'\n'2','No, it''s not'\n").quote == "'"


def test_apostrophes_are_not_quotation_marks() -> None:
    assert find_dialect("ID,Q\n1,'tis a pity\n2,don't\n3,it's\n").quote == '"'


def test_a_text_that_quotes_without_quoting_cells_keeps_its_marks() -> None:
    sample = 'ID\tQ\n1\t"Why" is it so\n2\t"Great" stuff\n3\t"No\n'
    assert find_dialect(sample).quote == ""


def test_a_space_before_the_opening_mark_is_no_part_of_the_cell() -> None:
    dialect = find_dialect('a, "b", c\n1, "x, y", 2\n2, "z, w, v", 3\n')
    assert (dialect.spaces, dialect.width) == (True, 3)


def test_titles_above_the_header_do_not_decide() -> None:
    sample = "Survey, 2024, final\nAll, of, them\nID;Q;R\n" + "1;a,b;c\n" * 9
    assert find_dialect(sample).delimiter == ";"
