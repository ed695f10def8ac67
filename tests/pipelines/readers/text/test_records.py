"""JSON records: where they are, how they become rows, and what is no records."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from pipelines.readers.errors import SkippedFile, UnreadableFile
from pipelines.readers.text.records import read_records
from pipelines.readers.types import Limits, ReadOptions, Tally
from pipelines.types import Document
from tests.pipelines.readers.sources import read_with

TEXTS = [
    "The park should stay open all year",
    "Please mend the broken swings soon",
    "More bins near the lake, thanks",
    "I would like longer opening hours",
]
RECORDS: list[dict[str, Any]] = [
    {"ref": f"R{i}", "agree": i % 2 == 0, "why": text} for i, text in enumerate(TEXTS)
]


def read(
    path: Path, content: object, options: ReadOptions | None = None
) -> tuple[list[Document], Tally]:
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    path.write_text(text, encoding="utf-8")
    return read_with(read_records, path, options)


def lines(*records: object) -> str:
    return "\n".join(json.dumps(record) for record in records) + "\n"


@pytest.mark.parametrize(
    "content",
    [
        RECORDS,
        {"data": RECORDS},
        {"meta": {"count": 4}, "payload": {"responses": RECORDS}, "themes": [{"name": "parks"}]},
        {name: [record[name] for record in RECORDS] for name in RECORDS[0]},
        lines(*RECORDS),
        "".join(json.dumps(record, indent=1) for record in RECORDS),
    ],
)
def test_every_layout_of_records_gives_the_same_rows(tmp_path: Path, content: object) -> None:
    documents, _ = read(tmp_path / "a.json", content)
    assert [d.text for d in documents] == TEXTS
    assert [d.metadata["ref"] for d in documents] == ["R0", "R1", "R2", "R3"]
    assert [d.metadata["agree"] for d in documents] == ["true", "false", "true", "false"]
    assert {d.question for d in documents} == {"why"}


def test_a_list_of_texts_is_a_table_of_one_column(tmp_path: Path) -> None:
    documents, _ = read(tmp_path / "a.json", TEXTS)
    assert [d.text for d in documents] == TEXTS


def test_numbers_stay_as_they_are_written(tmp_path: Path) -> None:
    body = [
        f'{{"n": {n}, "why": "{text}"}}'
        for n, text in zip(["1.50", "1E3", "12345678901234567890123", "-0"], TEXTS, strict=True)
    ]
    documents, _ = read(tmp_path / "a.json", f"[{','.join(body)}]")
    assert [d.metadata["n"] for d in documents] == ["1.50", "1E3", "12345678901234567890123", "-0"]


def test_null_is_a_blank_cell(tmp_path: Path) -> None:
    documents, _ = read(
        tmp_path / "a.json", [*RECORDS, {"ref": None, "agree": None, "why": None}, {"ref": "x"}]
    )
    assert (documents[-1].text, documents[-1].metadata["agree"]) == ("", "")


def test_nested_objects_are_named_by_their_last_name_where_it_is_alone(tmp_path: Path) -> None:
    records = [
        {"who": {"age": "18-24", "home": {"name": "Derby"}}, "form": {"name": "A"}, "why": text}
        for text in TEXTS
    ]
    documents, _ = read(tmp_path / "a.json", records)
    wanted = {"age": "18-24", "who.home.name": "Derby", "form.name": "A"}
    assert wanted.items() <= documents[0].metadata.items()


def test_lists_of_texts_are_joined_by_what_they_do_not_hold(tmp_path: Path) -> None:
    records = [{"topics": ["a; b", "c"], "tags": ["x", "y"], "why": text} for text in TEXTS]
    documents, tally = read(tmp_path / "a.json", records)
    assert documents[0].metadata["topics"] == "a; b | c"
    assert documents[0].metadata["tags"] == "x; y"
    assert "the lists in “tags” are joined by ;" in tally.warnings


def test_other_lists_stay_json_text(tmp_path: Path) -> None:
    records = [{"spans": [{"start": 1.0, "é": None}], "marks": [1, 2.50], "why": t} for t in TEXTS]
    documents, _ = read(tmp_path / "a.json", records)
    assert documents[0].metadata["spans"] == '[{"start": 1.0, "é": null}]'
    assert documents[0].metadata["marks"] == "[1, 2.5]"


def test_a_column_that_comes_late_keeps_its_name(tmp_path: Path) -> None:
    many = [{"ref": i, "why": f"{TEXTS[i % 4]} {i}"} for i in range(6_000)]
    documents, _ = read(
        tmp_path / "a.jsonl", lines(*many, {"late": "yes", "why": "words at the end"})
    )
    assert documents[-1].metadata["late"] == "yes"
    assert not documents[0].metadata.get("late")


def test_a_name_that_stands_twice_keeps_both_values_and_is_told(tmp_path: Path) -> None:
    content = lines(*RECORDS) + '{"ref": "a", "ref": "b", "why": "words of the last one"}\n'
    documents, tally = read(tmp_path / "a.jsonl", content)
    assert (documents[-1].metadata["ref"], documents[-1].metadata["ref (2)"]) == ("a", "b")
    assert any("line 5" in warning for warning in tally.warnings)


def test_a_bad_line_is_told_and_the_rest_is_read(tmp_path: Path) -> None:
    content = lines(*RECORDS[:2]) + '{"why": "cut off\n\n[1, 2]\n' + lines(*RECORDS[2:])
    documents, tally = read(tmp_path / "a.jsonl", content)
    assert [d.text for d in documents] == TEXTS
    assert documents[2].locator.startswith("row 6,")
    assert any("line 3 cannot be read as JSON" in warning for warning in tally.warnings)
    assert any("line 5" in w and "no object" in w for w in tally.warnings)


def test_a_line_over_the_limit_is_told(tmp_path: Path) -> None:
    long = lines({"why": "x" * (1 << 20)})
    documents, tally = read(
        tmp_path / "a.jsonl", lines(*RECORDS) + long, ReadOptions(limits=Limits(field_mb=1))
    )
    assert len(documents) == 4
    assert any("line 5" in w and "the limit of 1 MB" in w for w in tally.warnings)


@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
def test_deep_nesting_is_a_clean_failure(tmp_path: Path, name: str) -> None:
    deep = '{"why": ' + "[" * 100_000 + "]" * 100_000 + "}"
    with pytest.raises((UnreadableFile, SkippedFile), match="nested too deeply"):
        read(tmp_path / name, deep)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ('[{"why": "words"}, {"why": ]', r"line 1: expecting value"),
        ('[{"why": "words"},\n{"why": "cut off', "line 2: unterminated string"),
        ('[{"why": "words"}] trailing', "line 1: expected"),
        ("[{'why': 'words'}]", "line 1: expecting property name"),
        ("not json at all", "line 1: expecting value"),
    ],
)
def test_what_is_not_json_fails_with_the_line(tmp_path: Path, content: str, reason: str) -> None:
    with pytest.raises(UnreadableFile, match=reason):
        read(tmp_path / "a.json", content)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ({"type": "FeatureCollection", "features": [{"geometry": None}]}, "a map"),
        ({"theme": "dark", "size": 3}, "an object of “size”, “theme”, as in settings"),
        ({"Agreement": {"A": {"topics": [{"n": 1}]}, "B": {"topics": [{"n": 2}]}}}, "with 2 lists"),
        ([1, 2, 3], "a list of 3 numbers"),
        ("3", "a single value"),
        ([], "a list of nothing"),
        ([{"topic_id": "A", "topic_label": "Parks", "topic_description": "of parks"}], "a list of themes"),
        (" \n", "the file is empty"),
    ],
)  # fmt: skip
def test_what_is_no_records_is_skipped_with_what_it_looks_like(
    tmp_path: Path, content: object, reason: str
) -> None:
    with pytest.raises(SkippedFile, match=reason):
        read(tmp_path / "a.json", content)


def test_lists_beside_the_records_are_told(tmp_path: Path) -> None:
    content = {"questions": [{"q": 1}, {"q": 2}], "responses": RECORDS}
    _, tally = read(tmp_path / "a.json", content)
    assert "left out beside the records: “questions” of 2 objects" in tally.warnings


def test_a_large_list_is_streamed(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    with path.open("w") as stream:
        stream.write("[")
        for i in range(60_000):
            comma = "," if i else ""
            stream.write(f'{comma}{{"ref": {i}, "why": "what respondent {i} had to say on it"}}\n')
        stream.write("]")
    tally = Tally("json")
    from tests.pipelines.readers.sources import source

    tracemalloc.start()
    count = sum(1 for _ in read_records(source(path), ReadOptions(sample_rows=200), tally))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 60_000
    assert peak < 12_000_000
