"""Initialise an ALBERT student from a BERT-shaped teacher.

ALBERT (Lan et al. 2019, https://arxiv.org/abs/1909.11942) factorises the embedding table into
``(vocabulary, E)`` and ``(E, H)`` and uses one layer's weights at several depths (a *group*). Both
can be started from the teacher instead of from noise:

* the table is a truncated singular value decomposition of the teacher's embedding output,
  with each token's row weighted by how often it occurs in the corpus, so that the E dimensions
  are spent on words that are used;
* each group copies **one** teacher layer, the middle one of the depths it serves. Averaging
  several layers is worse: the heads of different layers are not aligned.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from transformers import AlbertConfig, AlbertModel, BertModel

# Positions averaged into the constant part of an embedding: most texts are shorter than this.
TYPICAL_POSITIONS = 64
# The student's position table starts at half the projected size (measured in the trial).
POSITION_SCALE = 0.5
# A token seen c times weighs (c + 1) ** this in the factorisation. On lines of the corpus the error
# of the embedding output is 0.66 of its mean square without weights, 0.41 with this power and 0.38
# with the full count (1.0), which leaves less to rare words and starts from a higher loss.
COUNT_POWER = 0.75


@dataclass(frozen=True, slots=True)
class StudentShape:
    """The sizes that the student does not inherit from its teacher."""

    embedding_size: int = 128
    layers: int = 6
    groups: int = 2


@dataclass(frozen=True, slots=True)
class Factorisation:
    """``table @ basis + mean`` approximates the teacher's embedding output.

    ``table`` is (vocabulary, E), ``basis`` (E, H), ``mean`` (H,); ``energy`` is the share of the
    weighted squared norm, after the mean is taken away, that the E directions keep.
    """

    table: Tensor
    basis: Tensor
    mean: Tensor
    energy: float


def student_config(teacher: BertModel, shape: StudentShape) -> AlbertConfig:
    """Return the student's configuration: the teacher's widths, the shape's depth and groups."""
    source = teacher.config
    return AlbertConfig(
        vocab_size=source.vocab_size,
        embedding_size=shape.embedding_size,
        hidden_size=source.hidden_size,
        num_attention_heads=source.num_attention_heads,
        intermediate_size=source.intermediate_size,
        num_hidden_layers=shape.layers,
        num_hidden_groups=shape.groups,
        inner_group_num=1,
        hidden_act=source.hidden_act,
        layer_norm_eps=source.layer_norm_eps,
        max_position_embeddings=source.max_position_embeddings,
        type_vocab_size=source.type_vocab_size,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        pad_token_id=0,
        bos_token_id=101,
        eos_token_id=102,
    )


def factorise(vectors: Tensor, counts: Tensor, size: int) -> Factorisation:
    """Factorise ``vectors`` (vocabulary, H) to ``size`` directions, weighted by token counts.

    A token seen ``c`` times weighs ``(c + 1) ** COUNT_POWER``: its centred row is multiplied by
    the root of that before the decomposition. The table holds the unweighted rows projected on the
    basis, which is the best table for that basis whatever the weights.
    """
    weight = (counts.to(torch.float64) + 1.0) ** COUNT_POWER
    rows = vectors.to(torch.float64)
    mean = (weight[:, None] * rows).sum(0) / weight.sum()
    centred = rows - mean
    scatter = (centred * weight[:, None]).T @ centred
    values, directions = torch.linalg.eigh(scatter)  # ascending
    basis = directions[:, -size:].flip(1).T
    energy = float(values[-size:].sum() / values.sum())
    return Factorisation(
        table=(centred @ basis.T).float(), basis=basis.float(), mean=mean.float(), energy=energy
    )


@torch.no_grad()
def initialise_embeddings(student: AlbertModel, teacher: BertModel, counts: Tensor) -> float:
    """Fill the student's embeddings and E→H projection; return the energy kept.

    ``counts`` (vocabulary,) holds how often each token occurs in the corpus.
    """
    source, target = teacher.embeddings, student.embeddings
    size = student.config.embedding_size
    positions = source.position_embeddings.weight
    typical = positions[:TYPICAL_POSITIONS].mean(0)
    constant = typical + source.token_type_embeddings.weight[0]
    before_norm = source.word_embeddings.weight + constant
    parts = factorise(source.LayerNorm(before_norm), counts, size)
    # The student normalises its E-dimensional rows, so they start at unit scale and the
    # projection carries the real one. A frequent token counts for more here too.
    share = (counts + 1.0) ** COUNT_POWER
    share = share / share.sum()
    scale = (share[:, None] * parts.table.pow(2)).sum().div(size).sqrt()
    row_spread = (share * before_norm.std(1)).sum()
    target.word_embeddings.weight.copy_(parts.table / scale)
    shifted = (positions - typical) * source.LayerNorm.weight / row_spread
    target.position_embeddings.weight.copy_(shifted @ parts.basis.T / scale * POSITION_SCALE)
    target.token_type_embeddings.weight.zero_()
    projection = student.encoder.embedding_hidden_mapping_in
    projection.weight.copy_(parts.basis.T * scale)
    projection.bias.copy_(parts.mean)
    return parts.energy


@torch.no_grad()
def initialise_groups(student: AlbertModel, teacher: BertModel) -> list[int]:
    """Copy one teacher layer into each group; return the indices of the layers copied."""
    depth, groups = teacher.config.num_hidden_layers, student.config.num_hidden_groups
    shared: Any = student.encoder.albert_layer_groups
    chosen = []
    for group in range(groups):
        first, after = group * depth // groups, (group + 1) * depth // groups
        index = first + (after - first) // 2
        chosen.append(index)
        layer: Any = shared[group].albert_layers[0]
        model: Any = teacher.encoder.layer[index]
        pairs = [
            (layer.attention.query, model.attention.self.query),
            (layer.attention.key, model.attention.self.key),
            (layer.attention.value, model.attention.self.value),
            (layer.attention.dense, model.attention.output.dense),
            (layer.attention.LayerNorm, model.attention.output.LayerNorm),
            (layer.ffn, model.intermediate.dense),
            (layer.ffn_output, model.output.dense),
            (layer.full_layer_layer_norm, model.output.LayerNorm),
        ]
        for target, source in pairs:
            target.load_state_dict(source.state_dict())
    return chosen


def new_student(teacher: BertModel, shape: StudentShape) -> AlbertModel:
    """Return a student without pooling layer and with random weights."""
    return AlbertModel(student_config(teacher, shape), add_pooling_layer=False)


def initialise(student: AlbertModel, teacher: BertModel, counts: Tensor) -> None:
    """Start every weight of the student from the teacher; ``counts`` is (vocabulary,)."""
    initialise_embeddings(student, teacher, counts)
    initialise_groups(student, teacher)
