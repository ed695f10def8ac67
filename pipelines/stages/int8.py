"""An ALBERT whose products run in eight bits, on a processor with units for them.

Sums of products are exact in 32 bits, so the shape that a text's tokens meet does not matter here as
it does in floating point; sums over the residual, LayerNorm and the embeddings stay in float32,
attention is ``stages.attention``. What the numbers mean is written in ``stages.quantise``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor

from pipelines.errors import ModelError
from pipelines.models import ModelSpec, read_config, verify
from pipelines.stages.albert import BLOCK, equal_runs, pack
from pipelines.stages.attention import PackedAttention
from pipelines.stages.layers import WeightReader, has_onednn, packed
from pipelines.stages.quantise import LEVELS, read_prepared

_ROWS = 512
"""Rows that go through the feed-forward part together: they stay near the processor."""
_ALIGNED = 64
GELU = {"gelu": "none", "gelu_new": "tanh", "gelu_pytorch_tanh": "tanh"}
"""Activations that the eight-bit product has built in, and what it calls their form."""


class Int8Albert:
    """The encoder in eight bits; as ``Albert``, sequences in, packed hidden states out."""

    def __init__(
        self,
        config: Mapping[str, object],
        weights: Mapping[str, Tensor],
        tensors: Mapping[str, Tensor],
    ) -> None:
        def number(name: str) -> int:
            return int(str(config[name]))

        self.hidden_size = number("hidden_size")
        self.heads = number("num_attention_heads")
        self.max_tokens = number("max_position_embeddings")
        layers, groups = number("num_hidden_layers"), number("num_hidden_groups")
        self._size = self.hidden_size // self.heads
        self._eps = float(str(config.get("layer_norm_eps", 1e-12)))
        read = WeightReader(weights, self._eps)
        self.word = read.tensor("embeddings.word_embeddings.weight")
        self.vocabulary = len(self.word)
        types = read.tensor("embeddings.token_type_embeddings.weight")
        self.position = read.tensor("embeddings.position_embeddings.weight") + types[0]
        self.embedding_norm = read.norm("embeddings.LayerNorm")
        project = read.linear("encoder.embedding_hidden_mapping_in")
        self.project = packed(project.weight, project.bias)
        gelu = GELU[str(config["hidden_act"])]
        inner = number("inner_group_num")
        names = [
            f"encoder.albert_layer_groups.{int(depth / (layers / groups))}.albert_layers.{index}"
            for depth in range(layers)
            for index in range(inner)
        ]
        self.depths = [
            _Layer(depth, name, read, tensors, self._size, gelu) for depth, name in enumerate(names)
        ]

    @torch.inference_mode()
    def hidden(self, sequences: Sequence[Sequence[int]]) -> Tensor:
        """Return the last hidden states, packed [tokens, hidden], in the order of ``sequences``.

        Sequences of one length must stand together; each holds 1 to ``max_tokens`` token ids.
        """
        runs = equal_runs([len(sequence) for sequence in sequences])
        tokens = sum(length * count for length, count in runs)
        ids, places = pack(sequences, runs, -(-tokens // BLOCK) * BLOCK)
        x = self.embedding_norm(self.word[ids] + self.position[places])
        x = torch.cat([self.project(block) for block in torch.split(x, BLOCK)])
        x = x[: -(-tokens // _ALIGNED) * _ALIGNED]
        attention = PackedAttention(runs, self.heads, self._size)
        context = torch.zeros_like(x, dtype=torch.bfloat16)
        for layer in self.depths:
            attention(layer.attended(x), context)
            x = layer.fed(x, context)
        return x[:tokens]


class _Product:
    """One linear layer: eight-bit rows in, float32, bfloat16 or eight-bit rows out."""

    def __init__(
        self,
        tensors: Mapping[str, Tensor],
        name: str,
        times: Tensor | None = None,
        plus: Tensor | None = None,
    ) -> None:
        """``times`` and ``plus`` are of each output, for what comes after the product."""
        weight = tensors[f"{name}.weight"]
        scales, bias = tensors[f"{name}.scales"], tensors[f"{name}.bias"]
        if times is not None and plus is not None:
            scales, bias = scales * times, bias * times + plus
        self._weight = torch.ops.onednn.qlinear_prepack(weight, [_ROWS, weight.shape[1]])
        self._scales, self._bias = scales.contiguous(), bias.contiguous()
        self._zeros = torch.zeros(len(scales), dtype=torch.int32)
        middle, width = tensors[f"{name}.middle"], tensors[f"{name}.width"]
        self.scale, self.zero = float(tensors[f"{name}.scale"]), int(tensors[f"{name}.zero"])
        # Conversion to integers cuts towards zero: one half more makes it round.
        self.width = width * self.scale
        self.middle = middle
        self._times = 1 / self.width
        self._plus = self.zero + 0.5 - middle / self.width

    def levels(self, x: Tensor) -> Tensor:
        """Return float32 rows in eight bits."""
        return to_levels(torch.addcmul(self._plus, x, self._times))

    def __call__(self, levels: Tensor, kind: torch.dtype) -> Tensor:
        out: Tensor = torch.ops.onednn.qlinear_pointwise(
            levels, self.scale, self.zero, self._weight, self._scales, self._zeros, self._bias,
            1.0, 0, kind, "none", [], "",
        )  # fmt: skip
        return out

    def gelu(self, levels: Tensor, scale: float, zero: int, form: str) -> Tensor:
        """Return the activation of the product, in eight bits of ``scale`` and ``zero``."""
        out: Tensor = torch.ops.onednn.qlinear_pointwise(
            levels, self.scale, self.zero, self._weight, self._scales, self._zeros, self._bias,
            scale, zero, torch.uint8, "gelu", [], form,
        )  # fmt: skip
        return out

    def added(self, levels: Tensor, other: Tensor) -> Tensor:
        """Add the product to ``other``, float32, in place."""
        out: Tensor = torch.ops.onednn.qlinear_pointwise.binary(
            levels, self.scale, self.zero, self._weight, self._scales, self._zeros, other,
            self._bias, 1.0, 0, torch.float32, 1.0, 0, "sum", 1.0, "none", [], "",
        )  # fmt: skip
        return out


class _Layer:
    """One depth: its products and norms."""

    def __init__(
        self,
        depth: int,
        name: str,
        read: WeightReader,
        tensors: Mapping[str, Tensor],
        size: int,
        gelu: str,
    ) -> None:
        self._output = _Product(tensors, f"{depth}.output")
        hidden = len(self._output.width)
        # Queries are divided for attention; values come out as levels from the zero of what is
        # read next, which mixing with weights that add up to 1 leaves them.
        ones = torch.ones(hidden)
        self._qkv = _Product(
            tensors,
            f"{depth}.qkv",
            torch.cat([ones * size**-0.5, ones, 1 / self._output.width]),
            torch.cat([0 * ones, 0 * ones, -self._output.middle / self._output.width]),
        )
        self._up = _Product(tensors, f"{depth}.up")
        self._down = _Product(tensors, f"{depth}.down")
        self._gelu = gelu
        self._attention_norm = read.norm(f"{name}.attention.LayerNorm")
        self._norm = read.norm(f"{name}.full_layer_layer_norm")

    def attended(self, x: Tensor) -> Tensor:
        """Return queries, keys and values in bfloat16."""
        return self._qkv(self._qkv.levels(x), torch.bfloat16)

    def fed(self, x: Tensor, context: Tensor) -> Tensor:
        """Return the layer's output for rows of ``x``, which is overwritten, and their context."""
        levels = to_levels(context.float().add_(self._output.zero + 0.5))
        x = self._attention_norm(self._output.added(levels, x))
        levels = self._up.levels(x)
        for part, row in zip(torch.split(levels, _ROWS), torch.split(x, _ROWS), strict=True):
            inner = self._up.gelu(part, self._down.scale, self._down.zero, self._gelu)
            self._down.added(inner, row)
        return self._norm(x)


def to_levels(x: Tensor) -> Tensor:
    """Return float32 levels, which are overwritten, as bytes, cut off at both ends."""
    return x.clamp_(0, LEVELS).to(torch.int32).to(torch.uint8)


def int8_missing() -> str:
    """Say why eight-bit products cannot run here; empty where they can."""
    if not has_onednn() or not hasattr(torch.ops.onednn, "qlinear_pointwise"):
        return "torch has no eight-bit products for this processor"
    return ""


def load_int8(spec: ModelSpec, path: Path) -> Int8Albert:
    """Load ``spec`` with the eight-bit form at ``path``.

    Raises ``ModelError`` where a file has changed, the form is missing or is not of these weights,
    or the processor cannot run it.
    """
    verify(spec)
    if missing := int8_missing():
        raise ModelError(f"engine int8: {missing}; choose again: florilegium models tune")
    config = read_config(spec.folder)
    if str(config.get("hidden_act")) not in GELU:
        raise ModelError(
            f"engine int8 cannot run model {spec.id}: its activation is "
            f"{config.get('hidden_act')!r}, expected one of {', '.join(GELU)}"
        )
    tensors = read_prepared(spec, path)
    try:
        return Int8Albert(config, load_file(spec.folder / "model.safetensors"), tensors)
    except (KeyError, ValueError, RuntimeError) as error:
        raise ModelError(
            f"{path} does not fit model {spec.id}: {type(error).__name__}: {error}; "
            "make it again: florilegium models tune"
        ) from error
