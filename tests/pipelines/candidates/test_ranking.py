"""Ranking by C-value: the paper's arithmetic, and what is no term."""

from __future__ import annotations

import pytest

from pipelines.candidates import c_values, count, rank


def labels(texts: list[str], **options: bool | int) -> list[str]:
    counts = count(lambda: list(enumerate(texts)))
    return [found.label for found in rank(counts, **options)]  # type: ignore[arg-type]


def test_c_value_takes_the_mean_of_the_longer_ones_away() -> None:
    values = c_values({"basal cell carcinoma": 5, "cell carcinoma": 9, "carcinoma": 20})
    assert values["basal cell carcinoma"] == pytest.approx((1 + 1.5849625) * 5)
    assert values["cell carcinoma"] == pytest.approx(2 * (9 - 5))
    assert values["carcinoma"] == pytest.approx(20 - (5 + 9) / 2)


def test_a_part_that_never_occurs_alone_is_no_candidate() -> None:
    found = labels(["The floating bus stop is new."] * 3)
    assert found == ["floating bus stop"]


def test_verbs_adjectives_and_adverbs_are_left_out() -> None:
    texts = [
        "I rummage daily. They rummage the tip. The tip was grimy and very grimy.",
        "You rummage the bins. It was so grimy. He came swiftly, the tip is shut.",
        "We rummage. It is grimy. The tip closes swiftly. The grimy tip.",
        "To rummage is fun. The tip is so grimy. They go swiftly.",
    ]
    found = labels(texts)
    assert "tip" in found
    assert not {"rummage", "grimy", "swiftly"} & set(found)


def test_names_are_left_out_unless_asked_for() -> None:
    texts = ["We met Arthur Pettigrew near the weir.", "Ask Arthur Pettigrew about the weir."] * 2
    assert labels(texts) == ["weir"]
    assert "Arthur Pettigrew" in labels(texts, names=True)


def test_capitals_of_a_sentence_or_of_old_print_are_no_part_of_a_label() -> None:
    assert labels(["Zebra crossings are good.", "The zebra crossing is new."]) == ["zebra crossing"]
    assert labels(["The Waggon is sold."] * 3) == ["waggon"]
    assert labels(["The CCTV is off."] * 3) == ["CCTV"]


def test_ties_are_in_the_order_of_the_alphabet_and_limits_hold() -> None:
    texts = ["The weir, the lock and the sluice are shut."] * 3
    assert labels(texts) == ["lock", "sluice", "weir"]
    assert labels(texts, limit=2) == ["lock", "sluice"]


def test_words_joined_by_of_are_a_term_where_they_keep_together() -> None:
    texts = [
        "A loss of consciousness. The roof of sheds.",
        "The loss of consciousness. A roof of slates, the sheds.",
        "No loss of consciousness. The roof leaks, the sheds rot.",
        "The roof of sheds. The roof leaks. The sheds rot. The sheds. The roof. The roof.",
        "The roof. The sheds. Our sheds and our roof. The sheds. That roof. The sheds.",
    ]
    found = labels(texts)
    assert "loss of consciousness" in found
    assert "roof of sheds" not in found
    assert not any(label.startswith("of ") or label.endswith(" of") for label in found)
