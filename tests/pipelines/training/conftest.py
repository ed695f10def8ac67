"""A tiny random teacher, a tiny tokenizer and a tiny corpus: real components, made small."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch
from tokenizers import BertWordPieceTokenizer
from transformers import BertConfig, BertModel, BertTokenizerFast

from pipelines.training.batches import BatchPlan
from pipelines.training.initialise import StudentShape
from pipelines.training.recipe import Recipe, Schedule

TEXT = "the council should repair old roads and plant more trees near our school today"


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Run on one thread: for products this small, threads only wait for each other."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def lines() -> list[str]:
    """Forty different short texts."""
    words = TEXT.split()
    return [" ".join([*words[i % 7 : i % 7 + 3 + i % 5], words[i % 13]]) for i in range(40)]


@pytest.fixture
def tokenizer(lines: list[str]) -> BertTokenizerFast:
    """A WordPiece tokenizer trained on the lines."""
    trained = BertWordPieceTokenizer()
    trained.train_from_iterator(lines, vocab_size=120, min_frequency=1, show_progress=False)
    return BertTokenizerFast(tokenizer_object=trained._tokenizer)


@pytest.fixture
def teacher() -> BertModel:
    """A random teacher of four layers and 16 dimensions."""
    torch.manual_seed(1)
    config = BertConfig(
        vocab_size=120,
        hidden_size=16,
        num_hidden_layers=4,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
    )
    return BertModel(config, add_pooling_layer=False).eval().requires_grad_(False)


@pytest.fixture
def recipe() -> Recipe:
    """A recipe of a few hundred tokens, two chunks an epoch."""
    return Recipe(
        plan=BatchPlan(seed=3, tokens=64, longest=32, chunk_lines=25),
        schedule=Schedule(tokens=900),
        shape=StudentShape(embedding_size=8, layers=4, groups=2),
    )
