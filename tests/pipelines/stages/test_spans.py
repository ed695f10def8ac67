"""Extractive answers: transformers' logits, the best span of all windows, exact characters, none."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
import torch

from pipelines.errors import ModelError
from pipelines.models import folder_spec
from pipelines.stages.spans import SpanReader
from tests.pipelines.stages.named import BASE, XXLARGE, save_named, text

QUESTION = "When does the library open?"


@pytest.fixture(scope="module", params=[BASE, XXLARGE], ids=["base", "xxlarge"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a question-answering checkpoint of a published shape."""
    return save_named(
        tmp_path_factory.mktemp("squad") / "m", head="QuestionAnswering", shape=request.param
    )


def test_logits_equal_those_of_transformers(folder: Path) -> None:
    from transformers import AlbertForQuestionAnswering

    reference = AlbertForQuestionAnswering.from_pretrained(folder).eval()
    reader = SpanReader(folder_spec(folder), threads=2)
    pairs = [(QUESTION, text(words, words)) for words in (3, 20, 9, 9, 150)]
    windows = reader._pairs.windows(pairs)
    assert len(windows) > len(pairs)
    for window, logits in reader._pairs.map(windows, lambda _, hidden: reader._head(hidden)):
        types = [int(place >= window.first) for place in range(len(window.ids))]
        with torch.inference_mode():
            expected = reference(
                input_ids=torch.tensor([window.ids]), token_type_ids=torch.tensor([types])
            )
        both = torch.stack([expected.start_logits[0], expected.end_logits[0]], dim=1)
        assert float((logits - both).abs().max()) < 1e-4


def test_window_is_the_pair_that_the_tokenizer_makes(folder: Path) -> None:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    (window,) = SpanReader(folder_spec(folder))._pairs.windows([(QUESTION, text(10))])
    expected = tokenizer.encode(QUESTION, text(10))
    assert window.ids == expected.ids
    assert window.first == expected.type_ids.index(1)


def test_best_span_is_that_of_a_search_over_every_start_and_end(folder: Path) -> None:
    reader = SpanReader(folder_spec(folder))
    for words in (4, 30, 200):
        context = text(words, words)
        best, none = (-math.inf, 0, 0), math.inf
        windows = reader._pairs.windows([(QUESTION, context)])
        for window, logits in reader._pairs.map(windows, lambda _, hidden: reader._head(hidden)):
            none = min(none, float(logits[0].sum()))
            inside = logits[window.first : window.first + len(window.offsets)]
            for start in range(len(inside)):
                for end in range(start, min(start + 30, len(inside))):
                    value = float(inside[start, 0] + inside[end, 1])
                    if value > best[0]:
                        best = (value, window.offsets[start][0], window.offsets[end][1])
        (found,) = reader.best(QUESTION, [context])
        assert found is not None
        assert context[found.start : found.end] == context[best[1] : best[2]].strip()
        assert found.score == pytest.approx(1 / (1 + math.exp(none - best[0])), abs=2e-4)


def test_answer_is_the_same_in_any_company(folder: Path) -> None:
    reader = SpanReader(folder_spec(folder), threads=2)
    texts = [text(words, words) for words in (5, 80, 12, 33)]
    assert reader.best(QUESTION, texts) == [reader.best(QUESTION, [one])[0] for one in texts]


def test_span_is_without_the_space_before_it(folder: Path) -> None:
    reader = SpanReader(folder_spec(folder))
    context = "  \n" + text(25) + "  "
    (found,) = reader.best(QUESTION, [context])
    assert found is not None
    words = context[found.start : found.end]
    assert words
    assert words == words.strip()


def test_no_answer_is_no_span(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = SpanReader(folder_spec(folder))
    weak = reader.best(QUESTION, [text(20)])[0]
    assert weak is not None
    sure = reader.answer(QUESTION, [text(20)])[0]
    assert (sure is not None) == (weak.score > 0.5)
    monkeypatch.setattr(reader._head.weight, "data", torch.zeros_like(reader._head.weight))
    assert reader.answer(QUESTION, [text(20)]) == [None]


def test_text_without_a_token_has_no_answer(folder: Path) -> None:
    assert SpanReader(folder_spec(folder)).best(QUESTION, ["", " \n"]) == [None, None]


def test_question_longer_than_the_model_reads_is_cut(folder: Path) -> None:
    (found,) = SpanReader(folder_spec(folder)).best(text(400), [text(100)])
    assert found is not None


def test_model_without_the_head_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no question-answering head") as caught:
        SpanReader(folder_spec(save_named(tmp_path / "m")))
    assert caught.value.exit_code == 78
