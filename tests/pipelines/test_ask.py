"""Answers from a collection: the right sentence, exact characters, what a reader marks, none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from pipelines.ask import Source, ask
from pipelines.segment import segment

if TYPE_CHECKING:
    from pipelines.stages.encode import Encoder

TEXTS = {
    "bus": "I live on the hill. The number 7 bus never comes on time. My children walk.",
    "library": "The library closes at noon on Saturdays, which is too early. Nice staff!",
    "garden": "She planted red roses along the wall. They bloom in June.",
    "parking": "Parking by the hospital costs too much. Nurses pay 40 pounds a month to park.",
    "thanks": "Thank you. Thank you.",
}


def sources(texts: dict[str, str] = TEXTS) -> list[Source]:
    """Return documents cut into sentences."""
    return [Source(key, text, segment(text)) for key, text in texts.items()]


@dataclass(frozen=True)
class Marked:
    """A span."""

    start: int
    end: int
    score: float


class Marker:
    """Marks the words of ``answers`` where a text holds them."""

    def __init__(self, answers: dict[str, float]) -> None:
        self.answers = answers
        self.read: list[str] = []

    def answer(self, question: str, texts: Sequence[str]) -> list[Marked | None]:
        """Return the place of the first answer in each text."""
        self.read += texts
        return [
            next(
                (
                    Marked(text.index(words), text.index(words) + len(words), score)
                    for words, score in self.answers.items()
                    if words in text
                ),
                None,
            )
            for text in texts
        ]


@pytest.mark.parametrize(
    ("question", "document", "sentence"),
    [
        ("When does the library shut at the weekend?", "library", "The library closes at noon"),
        ("Are the buses late?", "bus", "The number 7 bus never comes on time."),
        ("What do nurses pay for parking?", "parking", "Nurses pay 40 pounds"),
        ("which flowers did she plant", "garden", "She planted red roses"),
    ],
)
def test_best_sentence_answers(
    encoder: Encoder, question: str, document: str, sentence: str
) -> None:
    best = ask(question, sources(), encoder).answers[0]
    assert best.document == document
    assert best.text.startswith(sentence)
    assert TEXTS[document][best.start : best.end] == best.text


def test_answers_come_best_first_and_not_more_than_asked_for(encoder: Encoder) -> None:
    reply = ask("Is the bus on time?", sources(), encoder, most=3)
    scores = [answer.score for answer in reply.answers]
    assert len(scores) == 3
    assert scores == sorted(scores, reverse=True)
    assert (reply.documents, reply.sentences) == (5, sum(len(s.sentences) for s in sources()))


def test_what_many_wrote_in_the_same_words_answers_once(encoder: Encoder) -> None:
    many = {f"d{number}": "The bus is late." for number in range(30)} | TEXTS
    reply = ask("Is the bus late?", sources(many), encoder, most=3)
    assert [answer.document for answer in reply.answers].count("d0") == 1
    assert len({answer.text for answer in reply.answers}) == 3


def test_number_of_documents_read_at_a_time_does_not_matter(
    encoder: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pipelines.ask as module

    before = ask("Is the bus late?", sources(), encoder)
    monkeypatch.setattr(module, "_DOCUMENTS", 2)
    assert ask("Is the bus late?", sources(), encoder) == before


def test_reader_marks_spans_in_the_whole_text(encoder: Encoder) -> None:
    marker = Marker({"40 pounds": 0.9, "noon": 0.7})
    reply = ask("How much is parking, and until when?", sources(), encoder, marker)
    assert [answer.text for answer in reply.answers] == ["40 pounds", "noon"]
    for answer in reply.answers:
        assert TEXTS[answer.document][answer.start : answer.end] == answer.text
    assert reply.without == reply.passages - 2


def test_no_answer_is_an_empty_reply(encoder: Encoder) -> None:
    reply = ask("Who won the war?", sources(), encoder, Marker({}))
    assert reply.answers == ()
    assert reply.without == reply.passages > 0


def test_passages_of_a_long_document_are_parts_of_it(encoder: Encoder) -> None:
    filler = "Nothing is said here about that matter. " * 60
    text = filler + "The number 7 bus costs 3 pounds now. " + filler
    marker = Marker({"3 pounds": 0.8})
    reply = ask("What does the bus cost?", sources({"long": text}), encoder, marker)
    assert text[reply.answers[0].start : reply.answers[0].end] == "3 pounds"
    assert max(map(len, marker.read)) < 2_000


@pytest.mark.parametrize("question", ["?", "the of", "ünïcode 你好", "a" * 5000, "(["])
def test_any_question_is_taken(encoder: Encoder, question: str) -> None:
    ask(question, sources(), encoder)


def test_collection_without_documents_has_no_answers(encoder: Encoder) -> None:
    assert ask("Why?", [], encoder).answers == ()
    assert ask("Why?", [Source("empty", "", ())], encoder, Marker({})).answers == ()
