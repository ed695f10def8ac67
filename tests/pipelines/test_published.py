"""Published scores: the figures agree with themselves, and the mix-up stays in its own columns."""

from __future__ import annotations

import pytest

from pipelines.published import published

ROWS = {row.name: row for row in published()}


@pytest.mark.parametrize("name", ROWS)
def test_average_is_that_of_the_five_tasks(name: str) -> None:
    row = ROWS[name]
    five = (
        (row.squad1_f1 + row.squad1_em) / 2,
        (row.squad2_f1 + row.squad2_em) / 2,
        row.mnli,
        row.sst2,
        row.race,
    )
    assert sum(five) / 5 == pytest.approx(row.average_of_five, abs=0.051)


def test_every_family_is_there_and_sourced() -> None:
    assert {row.family for row in published()} == {"BERT", "ALBERT v1", "ALBERT v2"}
    assert all(row.source for row in published())


def test_efficiency_is_points_a_million_parameters() -> None:
    assert ROWS["ALBERT-base v1"].per_million == pytest.approx(6.7, abs=0.05)
    assert 0.73 <= ROWS["BERT-base"].per_million <= 0.76


def test_figures_reported_elsewhere_stand_apart() -> None:
    large, xxlarge = ROWS["BERT-large"], ROWS["ALBERT-xxlarge v1"]
    assert (large.average_of_five, large.as_reported_elsewhere_average) == (85.2, 82.3)
    assert (xxlarge.average_of_five, xxlarge.as_reported_elsewhere_average) == (88.7, 89.4)
    assert ROWS["ALBERT-base v2"].as_reported_elsewhere_average is None


def test_albert_large_does_not_match_bert_large() -> None:
    assert ROWS["ALBERT-large v1"].average_of_five < ROWS["BERT-large"].average_of_five
