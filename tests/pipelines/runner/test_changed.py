"""Files that changed, and files that are read otherwise: what is read, done and kept."""

from __future__ import annotations

import json
from pathlib import Path

from tests.pipelines.runner.conftest import Shelf

ROWS = (
    "R1,The buses never come on time any more,Blue line",
    "R2,A safe crossing near the school please,Red line",
    "R3,More trees and benches along the main road,Red line",
)
TABLE = "Response ID,What should we do?,Line\n" + "\n".join(ROWS) + "\n"
MAPPING = '[[table]]\nfile = "b.csv"\n[table.columns]\n"Line" = "free_text"\n'


def read_again(shelf: Shelf, **options) -> list[str]:
    """Read, and return the names of the files that were read."""
    return sorted(Path(report.path).name for report in shelf.read(**options).reports)


def test_a_table_sorted_again_keeps_documents_and_results(shelf: Shelf):
    path = shelf.write("a.csv", TABLE)
    shelf.read()
    shelf.process()
    ids = shelf.ids
    header, *rows = TABLE.splitlines()
    path.write_text("\n".join([header, *reversed(rows)]) + "\n")
    assert read_again(shelf) == ["a.csv"]
    assert shelf.ids == ids
    assert all("#R" in key for key in ids)
    assert shelf.process() == []


def test_rows_that_are_appended_are_all_that_is_done(shelf: Shelf):
    path = shelf.write("a.csv", TABLE)
    shelf.read()
    shelf.process()
    path.write_text(TABLE + "R4,Please mend the bridge by the mill,Red line\n")
    shelf.read()
    (key,) = shelf.process()
    assert shelf.texts[key] == "Please mend the bridge by the mill"


def test_an_answer_that_is_corrected_is_done_again_and_only_it(shelf: Shelf):
    path = shelf.write("a.csv", TABLE)
    shelf.read()
    shelf.process()
    path.write_text(TABLE.replace("any more", "these days"))
    shelf.read()
    assert len(shelf.process()) == 1
    path.write_text(TABLE)
    shelf.read()
    assert shelf.process() == []  # the earlier result is there still


def test_duplicate_identifiers_lose_no_row(shelf: Shelf):
    shelf.write("a.csv", TABLE + "R1,Another answer with the same identifier,Red line\n")
    done = shelf.read()
    assert done.failures == []
    assert len(shelf.texts) == 4


def test_a_changed_mapping_reads_only_the_files_it_touches(shelf: Shelf):
    shelf.write("a.csv", TABLE)
    shelf.write("b.csv", TABLE)
    shelf.read()
    shelf.process()
    assert read_again(shelf, mapping=MAPPING) == ["b.csv"]
    assert read_again(shelf, mapping=MAPPING) == []
    assert len(shelf.process()) == 3
    assert read_again(shelf) == ["b.csv"]
    assert len(shelf.texts) == 6
    assert shelf.process() == []


def test_another_text_column_reads_again(shelf: Shelf):
    shelf.write("a.csv", TABLE)
    shelf.read()
    assert read_again(shelf, questions=("Line",)) == ["a.csv"]
    assert sorted(shelf.texts.values()) == ["Blue line", "Red line", "Red line"]
    assert read_again(shelf, questions=("Line",)) == []


def test_incomplete_ones_are_kept_apart_until_the_mapping_takes_them_in(shelf: Shelf):
    shelf.write(
        "a.csv",
        "Response ID,Status,What should we do?\n"
        "R1,Complete,The buses never come on time any more\n"
        "R2,Incomplete,A safe crossing near the school please\n"
        "R3,Complete,More trees and benches along the main road\n",
    )
    shelf.read()
    assert [row.key for row in shelf.rows() if row.aside] == ["a.csv#R2/c3"]
    shelf.process()
    mapping = '[[table]]\nfile = "a.csv"\napart = "include"\n'
    shelf.read(mapping=mapping)
    assert shelf.process() == ["a.csv#R2/c3"]
    assert not any(row.aside for row in shelf.rows())
    shelf.read()
    assert shelf.process() == []


def themefinder(shelf: Shelf, question: str, *, region: str = "North") -> None:
    shelf.write("respondents.jsonl", json.dumps({"response_id": 1, "region": region}) + "\n")
    shelf.write("part/question.json", json.dumps({"question_text": question}))
    shelf.write(
        "part/responses.jsonl",
        json.dumps({"response_id": 1, "response": "The buses never come on time any more"}) + "\n",
    )


def test_a_question_beside_the_responses_that_changes_is_noticed(shelf: Shelf):
    themefinder(shelf, "What do you think of buses?")
    shelf.read()
    shelf.process()
    (row,) = shelf.rows()
    assert row.question == "What do you think of buses?"
    assert "responses.jsonl" not in read_again(shelf)
    themefinder(shelf, "What do you think of trains?")
    assert "responses.jsonl" in read_again(shelf)
    assert [row.question for row in shelf.rows()] == ["What do you think of trains?"]
    assert shelf.process() == [row.key]


def test_respondents_above_the_responses_that_change_are_noticed(shelf: Shelf):
    themefinder(shelf, "What do you think?")
    shelf.read()
    shelf.process()
    themefinder(shelf, "What do you think?", region="South")
    assert "responses.jsonl" in read_again(shelf)
    assert [row.metadata["region"] for row in shelf.rows()] == ["South"]
    assert shelf.process() == []
    for name in ("respondents.jsonl", "part/question.json", "part/responses.jsonl"):
        (shelf.folder / name).touch()
    assert "responses.jsonl" not in read_again(shelf)


def test_a_question_that_appears_or_goes_is_noticed(shelf: Shelf):
    themefinder(shelf, "What do you think?")
    (shelf.folder / "part" / "question.json").unlink()
    shelf.read()
    themefinder(shelf, "What do you think?")
    assert "responses.jsonl" in read_again(shelf)
    (shelf.folder / "part" / "question.json").unlink()
    assert "responses.jsonl" in read_again(shelf)


def test_a_file_that_changes_while_it_is_read_is_read_again(shelf: Shelf):
    path = shelf.write("a.csv", TABLE)
    asked = []

    def write_on() -> bool:
        if not asked and shelf.store.sources(shelf.id) == []:
            asked.append(1)
        elif len(asked) == 1:
            asked.append(2)
            path.write_text(TABLE + "R4,Please mend the bridge by the mill,Red line\n")
        return False

    shelf.read(stop=write_on)
    assert len(asked) == 2
    assert read_again(shelf) == ["a.csv"]
    assert len(shelf.texts) == 4
    assert read_again(shelf) == []
