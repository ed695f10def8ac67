"""Words from memory are the tokenizer's own ids, for any text."""

from __future__ import annotations

import random
import string
from pathlib import Path

import pytest
from tokenizers import Tokenizer

from pipelines.models import embedded_spec
from pipelines.stages import words as words_module
from pipelines.stages.tokens import load_tokenizer
from pipelines.stages.words import WordIds, word_ids
from tests.pipelines.stages.named import trained_tokenizer

MARKS = "\u2013\u2014\u2018\u2019\u201c\u201d\u2026"
TEXTS = [
    "",
    " \n\t ",
    "The bus wasn't late: it never came!!",
    "\u201cNo\u201d\u2014she said\u2026 it\u2019s 3\u20134 miles",
    "HbA1c 7.2%; BP 120/80 mmHg\r\nfollow-up in 2wks",
    "a" * 101 + " ok",
    "snake_case @name #tag https://example.org/x?y=1&z=2",
    "antidisestablishmentarianism zxqvjk 12345678901234567890",
]


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    """Return the embedded model's tokenizer."""
    return load_tokenizer(embedded_spec(), vocabulary=30522)


@pytest.fixture(scope="module")
def memory(tokenizer: Tokenizer) -> WordIds:
    """Return a memory of its words."""
    found = word_ids(tokenizer)
    assert found is not None
    return found


@pytest.mark.parametrize("text", TEXTS)
def test_ids_are_the_tokenizers(tokenizer: Tokenizer, memory: WordIds, text: str) -> None:
    assert memory.read(text) == tokenizer.encode(text, add_special_tokens=False).ids


def test_ids_of_chance_texts_are_the_tokenizers(tokenizer: Tokenizer, memory: WordIds) -> None:
    chance = random.Random(7)
    letters = string.printable[:-2] + MARKS + 8 * string.ascii_letters + 20 * " "
    for _ in range(2000):
        text = "".join(chance.choices(letters, k=chance.randint(1, 60)))
        assert memory.read(text) == tokenizer.encode(text, add_special_tokens=False).ids, text


@pytest.mark.parametrize(
    "text", ["café", "a\x00b", "x\x7fy", "10 £", "naïve", "a\u00a0b", "中", "[SEP] now", "I [MASK]"]
)
def test_other_texts_are_left_to_the_tokenizer(memory: WordIds, text: str) -> None:
    assert memory.read(text) is None


def test_memory_has_an_end(tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words_module, "_MOST", 3)
    memory = word_ids(tokenizer)
    assert memory is not None
    text = "one two three four five six seven one"
    assert memory.read(text) == tokenizer.encode(text, add_special_tokens=False).ids
    assert len(memory) <= 3


def test_a_tokenizer_without_words_has_no_memory(tmp_path: Path) -> None:
    assert word_ids(trained_tokenizer(tmp_path)) is None
