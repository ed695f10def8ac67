"""Examples from CSV: both layouts, and everything odd reported together."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.learn.errors import ExamplesError
from pipelines.learn.examples import read_examples


@pytest.fixture
def csv_file(tmp_path: Path):
    def write(text: str | bytes) -> Path:
        path = tmp_path / "examples.csv"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def test_one_labels_column_is_split_at_semicolons(csv_file):
    examples = read_examples(csv_file("id,text,labels\n1,Late bus,Buses; Delay ;\n2,Quiet,\n"))
    assert examples.labels == ("Buses", "Delay")
    assert [row.labels for row in examples.rows] == [("Buses", "Delay"), ()]
    assert not examples.single


def test_zeros_and_ones_are_labels_in_the_order_of_their_columns(csv_file):
    examples = read_examples(csv_file("text,Trees,Buses\na b,0,1\nc d,1.0,true\ne f,,no\n"))
    assert examples.labels == ("Trees", "Buses")
    assert examples.codes().tolist() == [[False, True], [True, True], [False, False]]


def test_only_named_columns_are_labels_and_the_rest_is_left_alone(csv_file):
    path = csv_file("text,A,B,Age\nx y,1,0,30\nz w,0,1,31\n")
    examples = read_examples(path, label_columns=["A", "B"])
    assert examples.labels == ("A", "B")
    assert any("unknown column 'Age'" in warning for warning in examples.warnings)


def test_one_label_in_every_row_makes_a_single_label_set(csv_file):
    assert read_examples(csv_file("text,labels\na,X\nb,Y\nc,X\n")).single


def test_byte_order_mark_capitals_quotes_and_line_breaks_are_read(csv_file):
    path = csv_file(b'\xef\xbb\xbfText,Labels\r\n"one, two\nthree",A\r\n"x ""y""",B\r\n')
    assert [row.text for row in read_examples(path).rows] == ["one, two\nthree", 'x "y"']


def test_question_group_and_by_come_along(csv_file):
    path = csv_file("text,question,group,Trust,labels\na,Why?,g1,North,X\nb,Why?,g2,South,Y\n")
    row = read_examples(path, by="Trust").rows[1]
    assert (row.question, row.group, row.by, row.id) == ("Why?", "g2", "South", "3")


def test_everything_odd_is_reported_at_once_with_what_was_done(csv_file):
    rows = ["text,Age,Common,Once,Never"]
    rows += [f"answer number {n},{n + 20},1,0,0" for n in range(12)]
    rows += ["a single case,40,1,1,0", "Same words!,41,1,1,0", "same words,42,1,0,0", ",43,1,0,0"]
    warnings = "\n".join(read_examples(csv_file("\n".join(rows) + "\n")).warnings)
    for said in (
        "unknown column 'Age'",
        "1 empty texts (lines 17): left out",
        "no example of 'Never'",
        "rare labels",
        "no negatives: 'Common'",
        "1 conflicting codes: the same text with different labels",
    ):
        assert said in warnings


def test_a_label_with_one_example_is_named(csv_file):
    warnings = read_examples(csv_file("text,labels\na,X\nb,X\nc,Y\n")).warnings
    assert any("one example: 'Y'" in warning for warning in warnings)


def test_labels_that_differ_only_in_how_they_are_written_are_named(csv_file):
    rows = "".join(
        f"text {n},{label}\n" for n, label in enumerate(("Bus stop", "bus-stop", "Tree"))
    )
    warnings = read_examples(csv_file("text,labels\n" + rows)).warnings
    (said,) = [warning for warning in warnings if "kept apart" in warning]
    assert "'Bus stop', 'bus-stop'" in said
    assert "Tree" not in said


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("words,labels\na,X\n", "no column 'text'"),
        ("text,labels\n", "no rows"),
        ("text,note\na,hello\n", "no labels"),
        ("text,labels\n ,X\n", "no row with a text"),
        ("text,A,A\na,1,0\n", "column 'A' stands twice"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused(csv_file, text, problem):
    with pytest.raises(ExamplesError, match=problem) as caught:
        read_examples(csv_file(text))
    assert caught.value.exit_code == 78


def test_a_named_column_that_is_not_there_or_holds_words_is_refused(csv_file):
    path = csv_file("text,A\nx,maybe\n")
    with pytest.raises(ExamplesError, match="no column 'B'; the columns are text, A"):
        read_examples(path, label_columns=["B"])
    with pytest.raises(ExamplesError, match="holds 'maybe', expected 0 or 1"):
        read_examples(path, label_columns=["A"])


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ExamplesError, match="no such file"):
        read_examples(tmp_path / "none.csv")


def test_a_quotation_mark_that_is_never_closed_is_refused_with_its_line(tmp_path):
    path = tmp_path / "open.csv"
    path.write_text('text,labels\n"two\nlines",A\n"never closed,A\nswallowed,B\nand this,A\n')
    with pytest.raises(ExamplesError, match=r"line 4 opens .* never closed: the 3 lines"):
        read_examples(path)


def test_a_cell_of_many_lines_at_the_end_is_read_whole(tmp_path):
    path = tmp_path / "whole.csv"
    path.write_text('text,labels\none,A\n"the\nlast, ""cell""",B\n')
    assert read_examples(path).rows[-1].text == 'the\nlast, "cell"'
