"""Summaries: verbatim, central, concise, not repeating themselves."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.recipes import SummariseParameters
from pipelines.stages.encode import Encoder
from pipelines.stages.summarise import summarise
from pipelines.types import Tag
from tests.pipelines.stages.texts import rows, segments_of

ONLY_CENTRALITY = SummariseParameters(
    sentences=1, centrality=1.0, length=0.0, position=0.0, salience=0.0, redundancy=0.0
)


def parameters(**changes: float) -> SummariseParameters:
    values = {"sentences": 1, "centrality": 0.0, "length": 0.0, "position": 0.0}
    values |= {"salience": 0.0, "redundancy": 0.0} | changes
    return SummariseParameters(**values)  # type: ignore[arg-type]


def tag(text: str, words: str, *, displayed: bool = True) -> Tag:
    start = text.index(words)
    return Tag(
        iri=f"urn:{words}",
        curie=words,
        label=words,
        start=start,
        end=start + len(words),
        text=words,
        score=1.0,
        method="label",
        ontology="o",
        displayed=displayed,
    )


def test_most_central_sentence_comes_first() -> None:
    text = "Aa a. Bb b. Cc c."
    vectors = rows([1, 0.9], [1, 1], [0.9, 1])
    (best,) = summarise(text, segments_of(text), vectors, ONLY_CENTRALITY)
    assert (best.text, best.rank) == ("Bb b.", 1)


def test_sentence_is_the_exact_words_at_its_offsets() -> None:
    text = "  First one here.\nſecond, ÅÅ one here.  "
    found = summarise(text, segments_of(text), rows([1, 0], [0, 1]), parameters(sentences=2))
    assert [text[s.start : s.end] for s in found] == [s.text for s in found]
    assert len(found) == 2


def test_sentence_near_the_ideal_length_wins() -> None:
    text = "No. This one has about the right length for it. " + "word " * 60 + "end."
    vectors = rows([1, 0], [1, 0], [1, 0])
    (best,) = summarise(text, segments_of(text), vectors, parameters(length=1.0, ideal_words=9))
    assert best.text.startswith("This one")


def test_earlier_sentence_wins_by_position() -> None:
    text = "Aa a. Bb b. Cc c."
    (best,) = summarise(text, segments_of(text), rows([1], [1], [1]), parameters(position=1.0))
    assert best.text == "Aa a."


def test_sentence_with_most_concepts_wins_by_salience() -> None:
    text = "It was wet. The bus and the road were bad. A bus came."
    tags = [tag(text, "bus"), tag(text, "road")]
    vectors = rows([1], [1], [1])
    (best,) = summarise(text, segments_of(text), vectors, parameters(salience=1.0), tags)
    assert best.text == "The bus and the road were bad."


def test_hidden_tags_do_not_count() -> None:
    text = "It was wet. The bus was bad."
    tags = [tag(text, "bus", displayed=False)]
    (best,) = summarise(text, segments_of(text), rows([1], [1]), parameters(salience=1.0), tags)
    assert best.text == "It was wet."


def test_repetition_is_not_taken_twice() -> None:
    text = "Save the library. Save the library! Mend the road."
    spans = segments_of(text.replace("!", "."))
    vectors = rows([1, 0], [1, 0], [0.2, 1])
    found = summarise(text, spans, vectors, SummariseParameters(sentences=3))
    assert [s.text for s in found] == ["Save the library.", "Mend the road."]


def test_redundancy_prefers_what_is_new() -> None:
    text = "Aa a. Bb b. Cc c."
    vectors = rows([1, 0.1], [1, 0.45], [0.4, 1])
    alike = summarise(text, segments_of(text), vectors, parameters(sentences=2, centrality=1.0))
    varied = summarise(
        text, segments_of(text), vectors, parameters(sentences=2, centrality=1.0, redundancy=1.0)
    )
    assert [s.text for s in alike] == ["Bb b.", "Aa a."]
    assert [s.text for s in varied] == ["Bb b.", "Cc c."]


def test_ties_go_to_the_earlier_sentence() -> None:
    text = "Aa a. Bb b."
    found = summarise(text, segments_of(text), rows([1, 1], [1, 1]), ONLY_CENTRALITY)
    assert found[0].text == "Aa a."


def test_scores_stay_between_zero_and_one() -> None:
    text = "Aa a. Bb b. Cc c."
    found = summarise(
        text, segments_of(text), rows([1, 0], [-1, 0.01], [0, 1]), SummariseParameters(sentences=3)
    )
    assert all(0.0 <= s.score <= 1.0 and s.score == round(s.score, 4) for s in found)


def test_text_without_sentences_has_no_summary() -> None:
    assert summarise("", (), np.zeros((0, 2), np.float32), SummariseParameters()) == ()


def test_opposite_sentences_do_not_break_the_centroid() -> None:
    text = "Aa a. Bb b."
    found = summarise(text, segments_of(text), rows([1, 0], [-1, 0]), ONLY_CENTRALITY)
    assert found[0].text == "Aa a."


def test_words_repeated_hundreds_of_times_leave_room_for_the_rest() -> None:
    text = "Save the library. " * 900 + "Mend the road."
    vectors = rows(*[[1.0, 0.0]] * 900, [0.2, 1.0])
    found = summarise(text, segments_of(text), vectors, SummariseParameters(sentences=3))
    assert [s.text for s in found] == ["Save the library.", "Mend the road."]


def test_tens_of_thousands_of_sentences_need_no_pairwise_matrix() -> None:
    text = " ".join(f"Word {i} here." for i in range(60_000))
    spans = segments_of(text)
    random = np.random.default_rng(1).normal(size=(len(spans), 32)).astype(np.float32)
    vectors = random / np.linalg.norm(random, axis=1, keepdims=True)
    assert len(summarise(text, spans, vectors, SummariseParameters(sentences=5))) == 5


@pytest.mark.parametrize("sentences", [1, 2, 3])
def test_real_vectors_find_the_subject(encoder: Encoder, sentences: int) -> None:
    text = (
        "The bus to the hospital was late again. My cat is called Tom. "
        "I missed my hospital appointment because no bus came."
    )
    spans = segments_of(text)
    vectors = encoder.encode([text[s.start : s.end] for s in spans])
    found = summarise(text, spans, vectors, SummariseParameters(sentences=sentences))
    assert len(found) == sentences
    assert "cat" not in found[0].text
