"""The ALBERT encoder in packed form: no padding, and the same bits for a text in any company.

Sentences lie one after another on a single token axis. Everything that works a token at a time
(embeddings, projections, feed-forward, LayerNorm) runs over blocks of exactly ``BLOCK`` tokens, the
last one filled up with zeros; attention runs over sentences of equal length. Matrix kernels give
other last bits for other shapes, so the shape a text meets must not depend on its neighbours:
that, and not only speed, is why the blocks have a fixed size.

Lan et al. 2020, https://arxiv.org/abs/1909.11942; weights as ``transformers.AlbertModel`` names them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from torch import Tensor

from pipelines.errors import ModelError
from pipelines.models import ModelSpec, read_config, verify

BLOCK = 128


@dataclass(frozen=True, slots=True)
class Linear:
    """Weight [out, in] and bias [out]."""

    weight: Tensor
    bias: Tensor

    def __call__(self, x: Tensor) -> Tensor:
        return F.linear(x, self.weight, self.bias)


@dataclass(frozen=True, slots=True)
class Norm:
    """LayerNorm over the last axis."""

    weight: Tensor
    bias: Tensor
    eps: float

    def __call__(self, x: Tensor) -> Tensor:
        return F.layer_norm(x, self.weight.shape, self.weight, self.bias, self.eps)


@dataclass(frozen=True, slots=True)
class Layer:
    """One shared layer: fused query-key-value, attention output, feed-forward."""

    qkv: Linear
    output: Linear
    attention_norm: Norm
    up: Linear
    down: Linear
    feed_forward_norm: Norm


ACTIVATIONS: Mapping[str, Callable[[Tensor], Tensor]] = {
    "gelu": F.gelu,
    "gelu_new": lambda x: F.gelu(x, approximate="tanh"),
    "gelu_pytorch_tanh": lambda x: F.gelu(x, approximate="tanh"),
    "relu": F.relu,
}


class Albert:
    """An ALBERT encoder of any published shape, float32, on the CPU."""

    def __init__(self, config: Mapping[str, Any], weights: Mapping[str, Tensor]) -> None:
        self.hidden_size = int(config["hidden_size"])
        self.heads = int(config["num_attention_heads"])
        self.layers = int(config["num_hidden_layers"])
        self.max_tokens = int(config["max_position_embeddings"])
        self.activation = ACTIVATIONS[str(config["hidden_act"])]
        read = _Reader(weights, float(config.get("layer_norm_eps", 1e-12)))
        self.word = read.tensor("embeddings.word_embeddings.weight")
        self.vocabulary = len(self.word)
        # One segment only, so its type vector is part of every position.
        self.position = (
            read.tensor("embeddings.position_embeddings.weight")
            + read.tensor("embeddings.token_type_embeddings.weight")[0]
        )
        self.embedding_norm = read.norm("embeddings.LayerNorm")
        self.project = read.linear("encoder.embedding_hidden_mapping_in")
        groups, inner = int(config["num_hidden_groups"]), int(config["inner_group_num"])
        stack = [
            [
                read.layer(f"encoder.albert_layer_groups.{group}.albert_layers.{index}")
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

    @torch.inference_mode()
    def hidden(self, sequences: Sequence[Sequence[int]]) -> Tensor:
        """Return the last hidden states, packed [tokens, hidden], in the order of ``sequences``.

        Sequences of one length must stand together; each holds 1 to ``max_tokens`` token ids.
        """
        lengths = [len(sequence) for sequence in sequences]
        runs = _runs(lengths)
        tokens = sum(lengths)
        padded = -(-tokens // BLOCK) * BLOCK
        ids = torch.zeros(padded, dtype=torch.long)
        places = torch.zeros(padded, dtype=torch.long)
        ids[:tokens] = torch.tensor([token for sequence in sequences for token in sequence])
        places[:tokens] = torch.cat([torch.arange(length).repeat(count) for length, count in runs])
        x = self.embedding_norm(self.word[ids] + self.position[places])
        x = torch.cat([self.project(block) for block in _blocks(x)])
        for layer in self.depths:
            x = self._layer(layer, x, runs)
        return x[:tokens]

    def _layer(self, layer: Layer, x: Tensor, runs: Sequence[tuple[int, int]]) -> Tensor:
        qkv = torch.cat([layer.qkv(block) for block in _blocks(x)])
        context = self._attend(qkv, runs)
        return torch.cat(
            [
                self._feed_forward(layer, block, attended)
                for block, attended in zip(_blocks(x), _blocks(context), strict=True)
            ]
        )

    def _attend(self, qkv: Tensor, runs: Sequence[tuple[int, int]]) -> Tensor:
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


class _Reader:
    """Named weights, with the prefix of a task model removed, as float32."""

    def __init__(self, weights: Mapping[str, Tensor], eps: float) -> None:
        self._weights = {name.removeprefix("albert."): value for name, value in weights.items()}
        self._eps = eps

    def tensor(self, name: str) -> Tensor:
        return self._weights[name].to(torch.float32).contiguous()

    def linear(self, name: str) -> Linear:
        return Linear(self.tensor(f"{name}.weight"), self.tensor(f"{name}.bias"))

    def norm(self, name: str) -> Norm:
        return Norm(self.tensor(f"{name}.weight"), self.tensor(f"{name}.bias"), self._eps)

    def layer(self, name: str) -> Layer:
        parts = [self.linear(f"{name}.attention.{part}") for part in ("query", "key", "value")]
        return Layer(
            qkv=Linear(
                torch.cat([part.weight for part in parts]), torch.cat([part.bias for part in parts])
            ),
            output=self.linear(f"{name}.attention.dense"),
            attention_norm=self.norm(f"{name}.attention.LayerNorm"),
            up=self.linear(f"{name}.ffn"),
            down=self.linear(f"{name}.ffn_output"),
            feed_forward_norm=self.norm(f"{name}.full_layer_layer_norm"),
        )


def load_albert(spec: ModelSpec) -> Albert:
    """Load the weights of ``spec`` after checking the files' hashes.

    Raises ``ModelError`` where a file has changed, a weight is missing or a shape does not fit.
    """
    verify(spec)
    config = read_config(spec.folder)
    try:
        return Albert(config, load_file(spec.folder / "model.safetensors"))
    except (KeyError, ValueError, RuntimeError, TypeError) as error:
        raise ModelError(
            f"model {spec.id} in {spec.folder} does not fit its config.json: "
            f"{type(error).__name__}: {error}; expected the weights of transformers.AlbertModel"
        ) from error


def _blocks(x: Tensor) -> tuple[Tensor, ...]:
    """Cut [n * BLOCK, width] into views of BLOCK rows."""
    return x.view(-1, BLOCK, x.shape[1]).unbind(0)


def _runs(lengths: Sequence[int]) -> list[tuple[int, int]]:
    """Group equal neighbours: [9, 9, 4] -> [(9, 2), (4, 1)]."""
    runs: list[tuple[int, int]] = []
    for length in lengths:
        if runs and runs[-1][0] == length:
            runs[-1] = (length, runs[-1][1] + 1)
        else:
            runs.append((length, 1))
    return runs
