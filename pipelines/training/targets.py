"""What a student's sentence vector is to be: the teacher's, leaning on its single words' vectors.

A text's words, each by itself, say something that the teacher's vector leaves out: which words they
are. The teacher's embedding output of every token, centred and brought to unit length, is summed
over the text with the token's inverse frequency as weight (after Arora et al. 2017, "A simple but
tough-to-beat baseline for sentence embeddings") and a share of it is mixed in.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import normalize
from transformers import BertModel

from pipelines.training.initialise import TYPICAL_POSITIONS

# Natural logarithm: no token weighs more than one seen in one of 3,000 lines.
MOST_WEIGHT = 8.0


@dataclass(frozen=True, slots=True)
class WordVectors:
    """Weighted vectors of single tokens, float32 of shape (vocabulary, H); zero for marks of format."""

    table: Tensor

    def of(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Return the unit sum over real tokens: (texts, length) twice to (texts, H)."""
        return normalize((self.table[ids] * mask.unsqueeze(-1)).sum(1), dim=-1)


@torch.no_grad()
def word_vectors(teacher: BertModel, counts: Tensor, lines: int, special: list[int]) -> WordVectors:
    """Return the word vectors of a teacher.

    ``counts`` (vocabulary,) holds how often each token occurs in so many ``lines``; ``special``
    lists the tokens that are no part of a text.
    """
    source = teacher.embeddings
    constant = source.position_embeddings.weight[:TYPICAL_POSITIONS].mean(0)
    constant = constant + source.token_type_embeddings.weight[0]
    vectors = source.LayerNorm(source.word_embeddings.weight + constant)
    counts = counts.clone()
    counts[special] = 0
    share = counts / counts.sum().clamp(min=1)
    centred = normalize(vectors - (share[:, None] * vectors).sum(0), dim=-1)
    weight = torch.log((lines + 1) / (counts + 1.0)).clamp(0.0, MOST_WEIGHT)
    weight[special] = 0.0
    return WordVectors(centred * weight[:, None])


def mixed(sentence: Tensor, words: Tensor, share: float) -> Tensor:
    """Return unit vectors of the teacher's unit vectors and the words', (texts, H) each.

    Were the two at right angles, a similarity would be the two similarities' mean, ``share`` of it
    that of the words.
    """
    return normalize((1.0 - share) ** 0.5 * sentence + share**0.5 * words, dim=-1)
