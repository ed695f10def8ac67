"""Label sets: bundled ones are whole, broken ones name every problem."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.errors import LabelSetError
from pipelines.labels import label_set_names, load_label_set


def write(folder: Path, text: str) -> Path:
    path = folder / "set.csv"
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize("name", label_set_names())
def test_bundled_set_describes_every_label(name: str) -> None:
    labels = load_label_set(name).labels
    assert len(labels) >= 8
    assert all(len(label.description.split()) >= 5 for label in labels)


def test_path_and_byte_order_mark_are_read(tmp_path: Path) -> None:
    path = write(tmp_path, "\ufefflabel,description,stance\nA,about a,for\nB,about b,\n")
    labels = load_label_set(path)
    assert labels.id == "set"
    assert [(label.prompt, label.stance) for label in labels.labels] == [
        ("A: about a", "for"),
        ("B: about b", ""),
    ]


def test_other_columns_and_capitals_in_headers_are_left_alone(tmp_path: Path) -> None:
    labels = load_label_set(write(tmp_path, "id,Label,Description\n1,Parking,about cars\n")).labels
    assert labels[0].prompt == "Parking: about cars"


def test_label_without_description_stands_for_itself(tmp_path: Path) -> None:
    assert load_label_set(write(tmp_path, "label\nParking\n")).labels[0].prompt == "Parking"


def test_every_problem_is_reported_at_once(tmp_path: Path) -> None:
    path = write(tmp_path, "label,description,stance\nA,x,for\nA,y,\n,z,\nB,one, two\nC,w,maybe\n")
    with pytest.raises(LabelSetError) as caught:
        load_label_set(path)
    message = str(caught.value)
    for problem in ("'A' stands twice", "line 4: empty label", "stance 'two'", "stance 'maybe'"):
        assert problem in message
    assert caught.value.exit_code == 78


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no column 'label'"),
        ("label,description\n", "no labels"),
        ("label,description\nA,one, two\n", "more cells than columns"),
    ],
)
def test_set_that_cannot_be_used_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(LabelSetError, match=problem):
        load_label_set(write(tmp_path, text))


def test_unknown_name_is_refused() -> None:
    with pytest.raises(LabelSetError, match="no label set 'poems'"):
        load_label_set("poems")


def test_bytes_that_are_not_utf8_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "set.csv"
    path.write_bytes(b"label\n\xff\xfe\xfa\n")
    with pytest.raises(LabelSetError, match="UTF-8"):
        load_label_set(path)
