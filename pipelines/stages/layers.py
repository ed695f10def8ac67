"""The layers of an ALBERT and how they are read from ``transformers``' named weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor


@dataclass(frozen=True, slots=True)
class Linear:
    """Weight [out, in] and bias [out]; the product is made in their precision, handed on in x's."""

    weight: Tensor
    bias: Tensor

    def __call__(self, x: Tensor) -> Tensor:
        return F.linear(x.to(self.weight.dtype), self.weight, self.bias).to(x.dtype)


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


class WeightReader:
    """Named weights, with the prefix of a task model removed, as float32."""

    def __init__(
        self,
        weights: Mapping[str, Tensor],
        eps: float = 0.0,
        precision: torch.dtype = torch.float32,
    ) -> None:
        self._weights = {name.removeprefix("albert."): value for name, value in weights.items()}
        self._eps = eps
        self._precision = precision

    def tensor(self, name: str) -> Tensor:
        return self._weights[name].to(torch.float32).contiguous()

    def linear(self, name: str) -> Linear:
        return Linear(self.tensor(f"{name}.weight"), self.tensor(f"{name}.bias"))

    def norm(self, name: str) -> Norm:
        return Norm(self.tensor(f"{name}.weight"), self.tensor(f"{name}.bias"), self._eps)

    def product(self, *names: str) -> Linear:
        """Return linear layers one below the other, in the precision of products."""
        parts = [self.linear(name) for name in names]
        return Linear(
            torch.cat([part.weight for part in parts]).to(self._precision),
            torch.cat([part.bias for part in parts]).to(self._precision),
        )

    def layer(self, name: str) -> Layer:
        parts = (f"{name}.attention.{part}" for part in ("query", "key", "value"))
        return Layer(
            qkv=self.product(*parts),
            output=self.product(f"{name}.attention.dense"),
            attention_norm=self.norm(f"{name}.attention.LayerNorm"),
            up=self.product(f"{name}.ffn"),
            down=self.product(f"{name}.ffn_output"),
            feed_forward_norm=self.norm(f"{name}.full_layer_layer_norm"),
        )
