"""Vectors: bit-identical in any company, every token counted, any text accepted."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from pipelines.errors import ModelError
from pipelines.models import EMBEDDED_FOLDER, folder_spec
from pipelines.stages import encode as encode_module
from pipelines.stages.encode import Encoder
from tests.pipelines.stages.checkpoints import save_checkpoint, save_tokenizer

WORDS = [
    "the",
    "council",
    "should",
    "keep",
    "our",
    "library",
    "open",
    "because",
    "children",
    "read",
    "there",
    "after",
    "school",
]


def sentences(count: int, seed: int = 1) -> list[str]:
    """Return sentences of 1 to 60 words."""
    chosen = random.Random(seed)
    return [" ".join(chosen.choices(WORDS, k=chosen.randint(1, 60))) for _ in range(count)]


def test_vectors_are_unit_rows(encoder: Encoder) -> None:
    vectors = encoder.encode(sentences(20))
    assert vectors.shape == (20, encoder.dimensions)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)


def test_text_alone_has_the_bits_it_has_in_a_batch(encoder: Encoder) -> None:
    texts = sentences(40)
    together = encoder.encode(texts)
    for row, text in enumerate(texts):
        assert np.array_equal(encoder.encode([text])[0], together[row])


def test_order_and_batch_size_do_not_change_a_bit(
    encoder: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = sentences(80)
    before = encoder.encode(texts)
    order = random.Random(3).sample(range(len(texts)), len(texts))
    monkeypatch.setattr(encode_module, "_TOKENS", 300)
    monkeypatch.setattr(encode_module, "_TEXTS", 7)
    after = encoder.encode([texts[place] for place in order])
    assert np.array_equal(after, before[order])


def test_number_of_threads_does_not_change_a_bit(encoder: Encoder) -> None:
    texts = sentences(100, seed=2)
    assert np.array_equal(Encoder(threads=3).encode(texts), encoder.encode(texts))


def test_threads_of_the_process_are_left_alone(encoder: Encoder) -> None:
    before = torch.get_num_threads()
    encoder.encode(sentences(3))
    assert torch.get_num_threads() == before


def test_repeated_text_is_computed_once(encoder: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    albert = encoder._albert
    monkeypatch.setattr(
        albert, "hidden", lambda s: seen.append(len(s)) or type(albert).hidden(albert, s)
    )
    vectors = encoder.encode(["Yes."] * 50 + ["No."])
    assert sum(seen) == 2
    assert np.array_equal(vectors[0], vectors[49])


def test_like_sentences_are_nearer_than_unlike_ones(encoder: Encoder) -> None:
    a, b, c = encoder.encode(
        ["The bus is always late.", "Buses never come on time.", "She planted red roses."]
    )
    assert a @ b > 0.5 > a @ c


def test_long_text_is_read_to_its_end(encoder: Encoder) -> None:
    start = "The council meets on Monday. " * 150
    plain, ending = encoder.encode([start, start + "Whales sing in the deep ocean. " * 150])
    whales = encoder.encode(["Whales sing in the deep ocean."])[0]
    assert ending @ whales > plain @ whales + 0.2


def test_long_text_has_the_mean_of_its_tokens(encoder: Encoder) -> None:
    windows = encoder._tokens.read(["word " * 1200])[0]
    assert [len(window) for window in windows] == [512, 512, 182]
    hidden = encoder._albert.hidden(windows).numpy()
    mean = hidden.mean(axis=0)
    np.testing.assert_allclose(
        encoder.encode(["word " * 1200])[0], mean / np.linalg.norm(mean), atol=1e-5
    )


@pytest.mark.parametrize("text", ["", " \n ", "\u200b"])
def test_text_without_a_token_gives_zeros(encoder: Encoder, text: str) -> None:
    assert not encoder.encode([text]).any()


@pytest.mark.parametrize("text", ["\ud800 broken", "é" * 5000, "👩‍👩‍👧 ok", "\x00null", "ſhip"])
def test_any_text_gets_a_finite_vector(encoder: Encoder, text: str) -> None:
    assert np.isfinite(encoder.encode([text])).all()


def test_no_texts_give_no_rows(encoder: Encoder) -> None:
    assert encoder.encode([]).shape == (0, encoder.dimensions)


def test_named_checkpoint_encodes(tmp_path: Path) -> None:
    named = Encoder(folder_spec(save_checkpoint(tmp_path / "checkpoint", task=True)))
    vectors = named.encode(["The bus was late.", "no", "the road " * 100])
    assert vectors.shape == (3, 48)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)


def test_tokenizer_larger_than_the_model_is_refused(tmp_path: Path) -> None:
    folder = save_checkpoint(tmp_path / "checkpoint")
    shutil.copy(EMBEDDED_FOLDER / "tokenizer.json", folder / "tokenizer.json")
    with pytest.raises(ModelError, match="they do not belong together"):
        Encoder(folder_spec(folder))


def test_tokenizer_that_is_not_one_is_refused(tmp_path: Path) -> None:
    folder = save_checkpoint(tmp_path / "checkpoint")
    save_tokenizer(folder)
    (folder / "tokenizer.json").write_text("{}", "utf-8")
    with pytest.raises(ModelError, match="not a readable tokenizer"):
        Encoder(folder_spec(folder))


def test_broken_sentencepiece_tokenizer_is_refused(tmp_path: Path) -> None:
    folder = save_checkpoint(tmp_path / "checkpoint")
    (folder / "tokenizer.json").unlink()
    (folder / "spiece.model").write_bytes(b"not a model")
    with pytest.raises(ModelError, match="SentencePiece tokenizer"):
        Encoder(folder_spec(folder))
