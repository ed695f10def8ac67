"""The ALBERT encoder in packed form: no padding, and the same bits for a text in any company.

Sentences lie one after another on a single token axis. Everything that works a token at a time
(embeddings, projections, feed-forward, LayerNorm) runs over blocks of exactly ``BLOCK`` tokens, the
last one filled up with zeros; attention runs over sentences of equal length. Matrix kernels give
other last bits for other shapes, so the shape a text meets must not depend on its neighbours:
that, and not only speed, is why the blocks have a fixed size.

In float32 the hidden states are those of ``AlbertModel``. In bfloat16 the products of the layers and
attention are; sums, LayerNorm and the activation stay in float32, without which the worst texts drift.

Lan et al. 2020, https://arxiv.org/abs/1909.11942; weights as ``transformers.AlbertModel`` names them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any

import torch
import torch.nn.functional as F
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

from pipelines.errors import ModelError
from pipelines.models import ModelSpec, read_config, verify
from pipelines.stages.attention import PackedAttention
from pipelines.stages.layers import ROWS, Layer, Linear, WeightReader, packed

BLOCK = ROWS
_DEVICE_BLOCK = 4096


ACTIVATIONS: Mapping[str, Callable[[Tensor], Tensor]] = {
    "gelu": F.gelu,
    "gelu_new": lambda x: F.gelu(x, approximate="tanh"),
    "gelu_pytorch_tanh": lambda x: F.gelu(x, approximate="tanh"),
    "relu": F.relu,
}


class Albert:
    """An ALBERT encoder of any published shape.

    ``precision`` is that of the layers' products; ``device`` is torch's name of where it runs.
    """

    def __init__(
        self,
        config: Mapping[str, Any],
        weights: Mapping[str, Tensor],
        precision: torch.dtype = torch.float32,
        device: str = "cpu",
    ) -> None:
        self.hidden_size = int(config["hidden_size"])
        self.heads = int(config["num_attention_heads"])
        self.layers = int(config["num_hidden_layers"])
        self.max_tokens = int(config["max_position_embeddings"])
        self.activation = ACTIVATIONS[str(config["hidden_act"])]
        self.device = device
        self.block = BLOCK if device == "cpu" else _DEVICE_BLOCK
        self._reduced = precision != torch.float32 and device == "cpu"
        eps = float(config.get("layer_norm_eps", 1e-12))
        read = WeightReader(weights, eps, precision, device)
        self.word = read.tensor("embeddings.word_embeddings.weight")
        self.vocabulary = len(self.word)
        # Most sequences have one segment, so its type vector is part of every position.
        types = read.tensor("embeddings.token_type_embeddings.weight")
        self.position = read.tensor("embeddings.position_embeddings.weight") + types[0]
        self.second = types[1] - types[0] if len(types) > 1 else torch.zeros_like(types[0])
        self.embedding_norm = read.norm("embeddings.LayerNorm")
        project = read.linear("encoder.embedding_hidden_mapping_in")
        self.project = packed(project.weight, project.bias)
        groups, inner = int(config["num_hidden_groups"]), int(config["inner_group_num"])
        stack = [
            [
                read.layer(
                    f"encoder.albert_layer_groups.{group}.albert_layers.{index}",
                    query_scale=(self.hidden_size // self.heads) ** -0.5 if self._reduced else 1.0,
                )
                for index in range(inner)
            ]
            for group in range(groups)
        ]
        # A depth's group as AlbertTransformer chooses it.
        self.depths = [
            layer
            for depth in range(self.layers)
            for layer in stack[int(depth / (self.layers / groups))]
        ]
        self._check(config)

    @torch.inference_mode()
    def hidden(
        self, sequences: Sequence[Sequence[int]], firsts: Sequence[int] | None = None
    ) -> Tensor:
        """Return the last hidden states, packed [tokens, hidden], in the order of ``sequences``.

        Sequences of one length must stand together; each holds 1 to ``max_tokens`` token ids.
        ``firsts`` says how many tokens of each sequence are of the first segment, where they are
        pairs; the others are of the second.
        """
        lengths = [len(sequence) for sequence in sequences]
        runs = equal_runs(lengths)
        tokens = sum(lengths)
        ids, places = (
            part.to(self.device)
            for part in pack(sequences, runs, -(-tokens // self.block) * self.block)
        )
        x = self.word[ids] + self.position[places]
        if firsts is not None:
            start = torch.tensor(firsts).repeat_interleave(torch.tensor(lengths)).to(self.device)
            x[:tokens] += (places[:tokens] >= start).unsqueeze(1) * self.second
        x = self.embedding_norm(x)
        x = torch.cat([self.project(block) for block in self._blocks(x)])
        attention = (
            PackedAttention(runs, self.heads, self.hidden_size // self.heads)
            if self._reduced
            else None
        )
        for layer in self.depths:
            x = self._layer(layer, x, runs, attention)
        return x[:tokens].cpu()

    def _check(self, config: Mapping[str, Any]) -> None:
        """Raise ValueError where a shape is not what the configuration says."""
        width, inner = self.word.shape[1], int(config["intermediate_size"])
        hidden = self.hidden_size
        found: dict[str, tuple[Tensor, tuple[int, ...]]] = {
            "word_embeddings": (self.word, (int(config["vocab_size"]), width)),
            "position_embeddings": (self.position, (self.max_tokens, width)),
            "embedding_hidden_mapping_in": (self.project.weight, (hidden, width)),
        }
        for number, layer in enumerate(self.depths):
            found[f"query, key and value {number}"] = (layer.qkv.weight, (3 * hidden, hidden))
            found[f"ffn {number}"] = (layer.up.weight, (inner, hidden))
            found[f"ffn_output {number}"] = (layer.down.weight, (hidden, inner))
        for name, (tensor, shape) in found.items():
            if tuple(tensor.shape) != shape:
                raise ValueError(f"{name} has shape {list(tensor.shape)}, expected {list(shape)}")
        if hidden % self.heads:
            raise ValueError(f"{hidden} hidden units cannot be shared out to {self.heads} heads")

    def _layer(
        self,
        layer: Layer,
        x: Tensor,
        runs: Sequence[tuple[int, int]],
        attention: PackedAttention | None,
    ) -> Tensor:
        qkv = torch.cat([layer.qkv.product(block) for block in self._blocks(x)])
        if attention is None:
            context = self.attend(qkv, runs)
        else:
            context = qkv.new_zeros(len(x), self.hidden_size)
            attention(qkv, context)
        return torch.cat(
            [
                self._feed_forward(layer, block, attended)
                for block, attended in zip(self._blocks(x), self._blocks(context), strict=True)
            ]
        )

    def attend(self, qkv: Tensor, runs: Sequence[tuple[int, int]]) -> Tensor:
        """Mix tokens within each sequence: [tokens, 3 * hidden] -> [tokens, hidden]."""
        context = qkv.new_zeros(qkv.shape[0], self.hidden_size)
        size = self.hidden_size // self.heads
        start = 0
        for length, count in runs:
            end = start + length * count
            split = qkv[start:end].view(count, length, 3, self.heads, size)
            query, key, value = split.permute(2, 0, 3, 1, 4)
            mixed = F.scaled_dot_product_attention(query, key, value)
            context[start:end] = mixed.transpose(1, 2).reshape(end - start, self.hidden_size)
            start = end
        return context

    def _feed_forward(self, layer: Layer, x: Tensor, context: Tensor) -> Tensor:
        x = layer.attention_norm(x + layer.output(context))
        return layer.feed_forward_norm(x + layer.down(self.activation(layer.up(x))))

    def _blocks(self, x: Tensor) -> tuple[Tensor, ...]:
        """Cut [n * block, width] into views of ``block`` rows."""
        return x.view(-1, self.block, x.shape[1]).unbind(0)


def load_albert(
    spec: ModelSpec, *, precision: torch.dtype = torch.float32, device: str = "cpu"
) -> Albert:
    """Load the weights of ``spec`` after checking the files' hashes.

    Raises ``ModelError`` where a file has changed, a weight is missing or a shape does not fit.
    """
    return load_with_head(spec, precision=precision, device=device)[0]


def load_with_head(
    spec: ModelSpec, *names: str, precision: torch.dtype = torch.float32, device: str = "cpu"
) -> tuple[Albert, tuple[Linear, ...]]:
    """Load the weights of ``spec`` and the linear layers ``names`` of its head.

    Raises ``ModelError`` as ``load_albert`` does.
    """
    verify(spec)
    config = read_config(spec.folder)
    try:
        weights = load_file(spec.folder / "model.safetensors")
        albert = Albert(config, weights, precision, device)
        read = WeightReader(weights)
        return albert, tuple(read.linear(name) for name in names)
    except (KeyError, IndexError, ValueError, RuntimeError, TypeError, SafetensorError) as error:
        raise ModelError(
            f"model {spec.id} in {spec.folder} does not fit its config.json: "
            f"{type(error).__name__}: {error}; expected the weights of transformers.AlbertModel"
            f"{' with ' + ' and '.join(names) if names else ''}"
        ) from error


def pack(
    sequences: Sequence[Sequence[int]], runs: Sequence[tuple[int, int]], padded: int
) -> tuple[Tensor, Tensor]:
    """Return token ids and positions on one axis of ``padded`` places, zeros at its end."""
    ids = torch.zeros(padded, dtype=torch.long)
    places = torch.zeros(padded, dtype=torch.long)
    tokens = sum(length * count for length, count in runs)
    ids[:tokens] = torch.tensor(list(chain.from_iterable(sequences)))
    places[:tokens] = torch.cat([torch.arange(length).repeat(count) for length, count in runs])
    return ids, places


def equal_runs(lengths: Sequence[int]) -> list[tuple[int, int]]:
    """Group equal neighbours: [9, 9, 4] -> [(9, 2), (4, 1)]."""
    runs: list[tuple[int, int]] = []
    for length in lengths:
        if runs and runs[-1][0] == length:
            runs[-1] = (length, runs[-1][1] + 1)
        else:
            runs.append((length, 1))
    return runs
