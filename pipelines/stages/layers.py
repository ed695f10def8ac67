"""The layers of an ALBERT and how they are read from ``transformers``' named weights."""

from __future__ import annotations

import functools
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

ROWS = 128
"""Rows that a packed product is made for."""


@dataclass(frozen=True, slots=True)
class Linear:
    """Weight [out, in] and bias [out]; the product is made in their precision, handed on in x's.

    ``packed`` is the weight as oneDNN wants it, where that is the faster library.
    """

    weight: Tensor
    bias: Tensor
    packed: Tensor | None = None

    def __call__(self, x: Tensor) -> Tensor:
        return self.product(x).to(x.dtype)

    def product(self, x: Tensor) -> Tensor:
        """Return the product in the weight's precision."""
        x = x.to(self.weight.dtype)
        if self.packed is None:
            return F.linear(x, self.weight, self.bias)
        done: Tensor = torch.ops.mkldnn._linear_pointwise(x, self.packed, self.bias, "none", [], "")
        return done


@functools.cache
def has_onednn() -> bool:
    """Say whether torch's oneDNN products are there: on x86, twice as fast there as its MKL may be."""
    return (
        platform.machine().lower() in ("x86_64", "amd64")
        and bool(torch._C._has_mkldnn)
        and hasattr(torch.ops.mkldnn, "_linear_pointwise")
        and hasattr(torch.ops.mkldnn, "_reorder_linear_weight")
    )


def packed(weight: Tensor, bias: Tensor) -> Linear:
    """Return a linear layer laid out for oneDNN where it is there."""
    if not has_onednn() or weight.device.type != "cpu":
        return Linear(weight, bias)
    return Linear(weight, bias, torch.ops.mkldnn._reorder_linear_weight(weight, ROWS))


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
    """Named weights, with the prefix of a task model removed, as float32 on ``device``."""

    def __init__(
        self,
        weights: Mapping[str, Tensor],
        eps: float = 0.0,
        precision: torch.dtype = torch.float32,
        device: str = "cpu",
    ) -> None:
        self._weights = {name.removeprefix("albert."): value for name, value in weights.items()}
        self._eps = eps
        self._precision = precision
        self._device = device

    def tensor(self, name: str) -> Tensor:
        return self._weights[name].to(self._device, torch.float32).contiguous()

    def linear(self, name: str) -> Linear:
        return Linear(self.tensor(f"{name}.weight"), self.tensor(f"{name}.bias"))

    def norm(self, name: str) -> Norm:
        return Norm(self.tensor(f"{name}.weight"), self.tensor(f"{name}.bias"), self._eps)

    def product(self, *names: str, scales: Sequence[float] = ()) -> Linear:
        """Return linear layers one below the other, times ``scales``, in the precision of products."""
        parts = [self.linear(name) for name in names]
        times = scales or [1.0] * len(parts)
        return packed(
            torch.cat([part.weight * n for part, n in zip(parts, times, strict=True)]).to(
                self._precision
            ),
            torch.cat([part.bias * n for part, n in zip(parts, times, strict=True)]).to(
                self._precision
            ),
        )

    def layer(self, name: str, *, query_scale: float = 1.0) -> Layer:
        """Return a layer; its queries are multiplied by ``query_scale``."""
        parts = (f"{name}.attention.{part}" for part in ("query", "key", "value"))
        return Layer(
            qkv=self.product(*parts, scales=(query_scale, 1.0, 1.0)),
            output=self.product(f"{name}.attention.dense"),
            attention_norm=self.norm(f"{name}.attention.LayerNorm"),
            up=self.product(f"{name}.ffn"),
            down=self.product(f"{name}.ffn_output"),
            feed_forward_norm=self.norm(f"{name}.full_layer_layer_norm"),
        )
