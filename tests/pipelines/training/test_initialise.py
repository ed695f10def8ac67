from __future__ import annotations

import torch
from transformers import AlbertModel, BertModel

from pipelines.training.initialise import StudentShape, factorise, initialise, new_student

SHAPE = StudentShape(embedding_size=8, layers=4, groups=2)


def started(teacher: BertModel) -> AlbertModel:
    student = new_student(teacher, SHAPE)
    initialise(student, teacher, torch.ones(120))
    return student


def test_the_factorisation_has_the_sizes_asked_for() -> None:
    parts = factorise(torch.randn(50, 16), torch.randint(0, 9, (50,)), 8)
    assert parts.table.shape == (50, 8)
    assert parts.basis.shape == (8, 16)
    assert parts.mean.shape == (16,)
    torch.testing.assert_close(parts.basis @ parts.basis.T, torch.eye(8))


def test_all_directions_give_the_vectors_back() -> None:
    vectors = torch.randn(50, 16)
    parts = factorise(vectors, torch.randint(0, 9, (50,)), 16)
    torch.testing.assert_close(parts.table @ parts.basis + parts.mean, vectors, atol=1e-4, rtol=0)
    assert abs(parts.energy - 1) < 1e-6


def test_frequent_tokens_are_kept_better_than_without_weights() -> None:
    torch.manual_seed(0)
    vectors = torch.randn(200, 16)
    counts = torch.zeros(200, dtype=torch.long)
    counts[:10] = 10_000

    def error(weights: torch.Tensor) -> float:
        parts = factorise(vectors, weights, 6)
        return float((parts.table @ parts.basis + parts.mean - vectors)[:10].pow(2).mean())

    assert error(counts) < 0.6 * error(torch.zeros(200))


def test_the_student_has_the_teachers_widths_and_no_pooling_layer(teacher: BertModel) -> None:
    student = started(teacher)
    assert student.pooler is None
    assert student.embeddings.word_embeddings.weight.shape == (120, 8)
    assert len(student.encoder.albert_layer_groups) == 2
    states = student(input_ids=torch.tensor([[2, 7, 9, 3]])).last_hidden_state
    assert states.shape == (1, 4, 16)


def test_each_group_starts_from_the_middle_of_the_layers_it_serves(teacher: BertModel) -> None:
    student = started(teacher)
    for group, index in ((0, 1), (1, 3)):
        ours = student.encoder.albert_layer_groups[group].albert_layers[0]
        theirs = teacher.encoder.layer[index]
        assert torch.equal(ours.attention.query.weight, theirs.attention.self.query.weight)
        assert torch.equal(ours.ffn_output.weight, theirs.output.dense.weight)
