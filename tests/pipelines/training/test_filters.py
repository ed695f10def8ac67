from __future__ import annotations

import pytest

from pipelines.training.filters import acceptable, accepted, fold, sentences, shuffled


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("The ramp is too steep.", True),
        ("Too short", False),
        ("x" * 401, False),
        ("1,204 3,551 88.2 17 (9%) total", False),
        ("Совет должен чинить дороги", False),
        ("Le café où l'on dîne", True),
    ],
)
def test_only_mostly_latin_letters_of_usable_length_are_accepted(line: str, wanted: bool) -> None:
    assert acceptable(line) is wanted


def test_lines_that_differ_in_case_and_marks_alone_are_kept_once_across_sources() -> None:
    seen: set[str] = set()
    first = list(accepted(["More  trees,\tplease!", "more trees please"], seen))
    second = list(accepted(["MORE TREES PLEASE.", "Fewer cars, please."], seen))
    assert first == ["More trees, please!"]
    assert second == ["Fewer cars, please."]


def test_folding_keeps_words_only() -> None:
    assert fold("“It's late”, she said.") == "it s late she said"


def test_sentences_are_cut_after_their_end_only() -> None:
    text = "It costs 3.50 now. Why?  Nobody knows (yet). next to e.g. nothing"
    assert list(sentences(text)) == [
        "It costs 3.50 now.",
        "Why?",
        "Nobody knows (yet). next to e.g. nothing",
    ]


def test_the_order_depends_on_the_seed_alone() -> None:
    lines = [f"line {number}" for number in range(50)]
    assert shuffled(lines, 4) == shuffled(lines, 4)
    assert shuffled(lines, 4) != shuffled(lines, 5)
    assert sorted(shuffled(lines, 4)) == sorted(lines)
