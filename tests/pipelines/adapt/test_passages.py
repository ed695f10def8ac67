"""What of a collection is trained on: passages, repeated texts, samples, documents kept apart."""

from __future__ import annotations

import pytest

from pipelines.adapt.errors import AdaptError
from pipelines.adapt.passages import corpus, passages


def texts(count: int = 100) -> list[str]:
    """Return different documents of two sentences."""
    return [
        f"The number {n} bus was late. Nobody said why it was late again." for n in range(count)
    ]


def test_short_sentences_are_left_out_and_a_single_long_one_is_halved() -> None:
    assert passages("", ["Yes.", "The bus was late.", "It rained all day."]) == (
        "The bus was late.",
        "It rained all day.",
    )
    assert passages("", ["One two three four five six seven eight."]) == (
        "One two three four",
        "five six seven eight.",
    )
    assert passages("", ["One two three."]) == ("One two three.",)
    assert passages("", ["No."]) == ()


def test_documents_kept_apart_are_not_trained_on() -> None:
    found = corpus(texts(), seed=1)
    assert (found.documents, len(found.held)) == (100, 20)
    assert not set(found.held) & set(found.train)
    assert found.passages == 160


def test_the_order_of_documents_and_repeats_do_not_count() -> None:
    one = corpus(texts(), seed=1)
    other = corpus([*reversed(texts()), *(text.upper() + " " for text in texts())], seed=1)
    assert {frozenset(p.lower() for p in d) for d in other.train} == {
        frozenset(p.lower() for p in d) for d in one.train
    }
    assert corpus(reversed(texts()), seed=1) == one
    assert corpus(texts(), seed=2).held != one.held


def test_entities_are_read_as_they_are_shown() -> None:
    found = corpus([*texts(), "Fish &amp; chips were good. I would come here again."], seed=1)
    assert "Fish & chips were good." in {p for d in (*found.train, *found.held) for p in d}


def test_of_a_large_collection_a_sample_is_kept() -> None:
    found = corpus(texts(2000), seed=1, characters=10_000)
    kept = [*found.train, *found.held]
    assert sum(len(p) for d in kept for p in d) <= 10_000
    assert len(kept) > 100
    assert found.documents == 2000
    assert set(kept) <= {*corpus(texts(2000), seed=1).train, *corpus(texts(2000), seed=1).held}


def test_too_few_documents_are_refused_with_their_number() -> None:
    with pytest.raises(
        AdaptError, match=r"59 different documents .* expected 60 or more"
    ) as caught:
        corpus([*texts(59), *texts(59), "Yes.", ""], seed=1)
    assert caught.value.exit_code == 78
