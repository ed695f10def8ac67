"""The trained result that is shipped: its size, that it loads, and that it is good enough."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from transformers import AlbertModel, AutoModel, AutoTokenizer

import pipelines
from pipelines.training.score_sts import embed, spearman

FOLDER = Path(pipelines.__file__).parent / "embedded"


@pytest.fixture(scope="module")
def model() -> AlbertModel:
    """The shipped weights, computed with in float32."""
    return AutoModel.from_pretrained(
        FOLDER, local_files_only=True, dtype=torch.float32, add_pooling_layer=False
    ).eval()


def test_the_folder_is_small_enough_for_a_repository() -> None:
    assert (FOLDER / "model.safetensors").stat().st_size <= 16_000_000


def test_it_is_an_albert_of_two_groups(model: AlbertModel) -> None:
    assert type(model) is AlbertModel
    assert (model.config.num_hidden_groups, model.config.num_hidden_layers) == (2, 6)
    assert all(bool(torch.isfinite(weights).all()) for weights in model.parameters())


def test_a_paraphrase_is_nearer_than_another_subject(model: AlbertModel) -> None:
    tokenizer = AutoTokenizer.from_pretrained(FOLDER, local_files_only=True).backend_tokenizer
    texts = ["The bus is always late.", "Buses never come on time.", "The soup was too salty."]
    first, paraphrase, other = embed(model, tokenizer, texts)
    assert float(first @ paraphrase) > float(first @ other) + 0.2


@pytest.mark.slow
@pytest.mark.eval
def test_it_reaches_the_bar_on_the_sts_benchmark(model: AlbertModel, evaluation_data: Path) -> None:
    tokenizer = AutoTokenizer.from_pretrained(FOLDER, local_files_only=True).backend_tokenizer
    assert spearman(model, tokenizer, evaluation_data / "sts/stsb-en-dev.csv") >= 0.85
