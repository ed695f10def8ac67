"""Points of a scale, and answers that are none."""

from __future__ import annotations

import pytest

from pipelines.readers.tables.scales import says_nothing, scale


@pytest.mark.parametrize(
    ("points", "family"),
    [
        ({"strongly agree", "disagree", "don't know"}, "agreement"),
        ({"very useful", "useful", "neutral", "not useful at all"}, "importance"),
        ({"very walkable", "walkable", "not walkable at all"}, "graded"),
        ({"1 - poor", "2", "3 - good"}, "numbered"),
        ({"yes, definitely", "yes, to some extent", "no"}, "extent"),
        ({"yes", "no", "not sure"}, ""),
        ({"don't know"}, ""),
        ({"18-24", "25-34"}, ""),
        ({"bus", "train"}, ""),
        ({"very good value", "a bus"}, ""),
        (set(), ""),
    ],
)
def test_points_of_a_scale_are_told_from_options(points: set[str], family: str) -> None:
    assert scale(points) == family


@pytest.mark.parametrize(
    ("answers", "nothing"),
    [({"no", "n/a", "none."}, True), ({"no", "yes"}, False), ({"no buses"}, False), (set(), True)],
)
def test_answers_that_only_decline_say_nothing(answers: set[str], nothing: bool) -> None:
    assert says_nothing(answers) is nothing
