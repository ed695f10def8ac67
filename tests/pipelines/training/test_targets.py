from __future__ import annotations

import torch
from torch.nn.functional import normalize
from transformers import BertModel

from pipelines.training.targets import MOST_WEIGHT, mixed, word_vectors

SPECIAL = [0, 2, 3]


def counted() -> torch.Tensor:
    counts = torch.full((120,), 10)
    counts[5] = 900
    counts[7] = 0
    return counts


def test_rare_words_weigh_more_and_marks_of_format_nothing(teacher: BertModel) -> None:
    table = word_vectors(teacher, counted(), 5_000, SPECIAL).table
    weights = table.norm(dim=-1)
    assert weights[SPECIAL].tolist() == [0.0, 0.0, 0.0]
    assert float(weights[5]) < float(weights[6]) < float(weights[7]) <= MOST_WEIGHT + 1e-4


def test_the_same_words_in_another_order_and_padding_give_the_same_vector(
    teacher: BertModel,
) -> None:
    words = word_vectors(teacher, counted(), 5_000, SPECIAL)
    ids = torch.tensor([[2, 9, 11, 30, 3, 0], [2, 30, 9, 11, 3, 0], [2, 9, 11, 30, 3, 44]])
    mask = torch.tensor([[1, 1, 1, 1, 1, 0]] * 3)
    vectors = words.of(ids, mask)
    assert torch.allclose(vectors[0], vectors[1], atol=1e-5)
    assert torch.allclose(vectors[0], vectors[2], atol=1e-5)
    assert torch.allclose(vectors.norm(dim=-1), torch.ones(3), atol=1e-5)


def test_a_mixture_is_between_its_parts_and_of_unit_length() -> None:
    sentence, words = normalize(torch.randn(4, 8), dim=-1), normalize(torch.randn(4, 8), dim=-1)
    assert torch.allclose(mixed(sentence, words, 0.0), sentence, atol=1e-6)
    made = mixed(sentence, words, 0.2)
    assert torch.allclose(made.norm(dim=-1), torch.ones(4), atol=1e-5)
    assert bool(((made * sentence).sum(-1) > (words * sentence).sum(-1)).all())
