"""Eight-bit weights of an ALBERT, and the ranges of what they meet, measured on given sentences.

Post-training quantisation with fixed ranges: nothing is scaled by what a batch happens to hold, so a
text has the same bits in any company. Weights: signed, one scale an output. What they are multiplied
with: unsigned, one scale a tensor, after each channel was moved to its middle and, as in SmoothQuant
(Xiao et al. 2022, https://arxiv.org/abs/2211.10438), some of a wide channel's range was moved into
the weights. The strength of that and where to clip are searched for each product, by the error that
they leave on the sentences; the mean of what rounding the weights adds is taken off in the bias.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from pipelines.errors import ModelError
from pipelines.models import ModelSpec
from pipelines.stages.albert import Albert, equal_runs, load_albert, pack
from pipelines.stages.layers import Linear
from pipelines.stages.tokens import load_tokens

VERSION = "1"
"""Raised whenever other numbers come out of the same weights."""
LEVELS, ZERO = 255, 128
_TOKENS = 6000
_BATCH = 2048
_ROWS = 768
_STRENGTHS = (0.0, 0.35, 0.5, 0.65, 0.8)
_CLIPS = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3)
_FOLDER = ".int8"


@dataclass(frozen=True, slots=True)
class Inputs:
    """How a product's input is written in eight bits: round((x - middle) / (scale * width)) + zero."""

    middle: Tensor
    width: Tensor
    scale: float
    zero: int


def prepared_path(spec: ModelSpec, folder: Path) -> Path:
    """Return where the eight-bit form of these very weights lies in a folder of models."""
    return folder / _FOLDER / f"{spec.sha256[:16]}-{VERSION}.safetensors"


def prepare(spec: ModelSpec, texts: Sequence[str], folder: Path) -> Path:
    """Write the eight-bit form of ``spec`` into ``folder``, if it is not there; return its path.

    ``texts`` are sentences of the program's own, in an order that stays: the same ones give the
    same file. Raises ``ModelError`` for a model that cannot be used or texts without a token.
    """
    path = prepared_path(spec, folder)
    if not path.is_file():
        tensors = quantise(spec, texts)
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        save_file(tensors, part, metadata={"model": spec.sha256, "version": VERSION})
        part.replace(path)
    return path


def read_prepared(spec: ModelSpec, path: Path) -> dict[str, Tensor]:
    """Return the tensors that ``prepare`` wrote for ``spec``.

    Raises ``ModelError`` where there are none, or those of other weights or another version.
    """
    again = "make it again: florilegium models tune"
    try:
        with safe_open(path, "pt") as file:
            found = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except FileNotFoundError as error:
        raise ModelError(f"model {spec.id} has no eight-bit form at {path}; {again}") from error
    except (OSError, SafetensorError) as error:
        raise ModelError(f"{path} cannot be read: {error}; {again}") from error
    if found != {"model": spec.sha256, "version": VERSION}:
        raise ModelError(f"{path} is of other weights or another version ({found}); {again}")
    return tensors


def quantise(spec: ModelSpec, texts: Sequence[str]) -> dict[str, Tensor]:
    """Return the eight-bit form of ``spec`` as named tensors: ``0.up.weight`` and so on."""
    albert = load_albert(spec)
    reader = load_tokens(spec, max_tokens=albert.max_tokens, vocabulary=albert.vocabulary)
    windows = [window for found in reader.read(texts) for window in found]
    if not windows:
        raise ModelError(f"no text with a token to measure {spec.id} on; expected some sentences")
    every = max(1, sum(map(len, windows)) // _TOKENS)
    tensors: dict[str, Tensor] = {}
    for depth, seen in enumerate(_observe(albert, sorted(windows[::every], key=len))):
        layer = albert.depths[depth]
        for name, linear, smooth in (
            ("qkv", layer.qkv, True),
            ("output", layer.output, True),
            ("up", layer.up, True),
            ("down", layer.down, False),
        ):
            tensors |= _product(f"{depth}.{name}", linear, seen[name], smooth=smooth)
    return tensors


@torch.inference_mode()
def _observe(albert: Albert, windows: Sequence[Sequence[int]]) -> list[dict[str, Tensor]]:
    """Return, for every depth, what each product is given: [tokens, width] in float32."""
    seen: list[dict[str, list[Tensor]]] = [
        {"qkv": [], "output": [], "up": [], "down": []} for _ in albert.depths
    ]
    start = 0
    while start < len(windows):
        end, tokens = start, 0
        while end < len(windows) and (end == start or tokens + len(windows[end]) <= _BATCH):
            tokens += len(windows[end])
            end += 1
        batch = windows[start:end]
        start = end
        runs = equal_runs([len(window) for window in batch])
        ids, places = pack(batch, runs, tokens)
        x = albert.project(albert.embedding_norm(albert.word[ids] + albert.position[places]))
        for layer, of_depth in zip(albert.depths, seen, strict=True):
            context = albert.attend(layer.qkv(x), runs)
            mixed = layer.attention_norm(x + layer.output(context))
            inner = albert.activation(layer.up(mixed))
            for name, value in zip(of_depth, (x, context, mixed, inner), strict=True):
                of_depth[name].append(value)
            x = layer.feed_forward_norm(mixed + layer.down(inner))
    return [{name: torch.cat(parts) for name, parts in one.items()} for one in seen]


@torch.inference_mode()
def _product(name: str, linear: Linear, seen: Tensor, *, smooth: bool) -> dict[str, Tensor]:
    """Return the tensors of one product: weight, its scales, bias, and its input's numbers."""
    weight = linear.weight
    rows = seen[:: max(1, len(seen) // _ROWS)]
    low, high = seen.amin(0), seen.amax(0)
    inputs = _smooth(weight, rows, low, high) if smooth else _plain(weight, rows, low, high)
    scaled = weight * inputs.width
    integers, scales = _round_weights(scaled)
    rounded = integers * scales[:, None]
    mean = (seen.mean(0) - inputs.middle) / inputs.width
    bias = linear.bias + weight @ inputs.middle + (scaled - rounded) @ mean
    return {
        f"{name}.weight": integers.to(torch.int8),
        f"{name}.scales": scales,
        f"{name}.bias": bias,
        f"{name}.middle": inputs.middle.clone(),
        f"{name}.width": inputs.width.clone(),
        f"{name}.scale": torch.tensor([inputs.scale], dtype=torch.float64),
        f"{name}.zero": torch.tensor([inputs.zero]),
    }


def _smooth(weight: Tensor, rows: Tensor, low: Tensor, high: Tensor) -> Inputs:
    """Search strength and clip: channels moved to their middles, one symmetric range for all."""
    middle = (high + low) / 2
    half = ((high - low) / 2).clamp_min(1e-6)
    widest = weight.abs().amax(0).clamp_min(1e-6)
    best: tuple[float, Inputs] | None = None
    for strength in _STRENGTHS:
        width = half**strength / widest ** (1 - strength) if strength else torch.ones_like(half)
        width = width / width.log().mean().exp()
        scaled = weight * width
        integers, scales = _round_weights(scaled)
        x = (rows - middle) / width
        lost = ((integers * scales[:, None] - scaled) ** 2).sum(0) @ (x**2).mean(0)
        energy = (scaled**2).sum(0)
        most = float((half / width).max())
        for clip in _CLIPS:
            scale = clip * most / (LEVELS / 2)
            inputs = Inputs(middle, width, scale, ZERO)
            error = float(lost + energy @ ((_round(x, inputs) - x) ** 2).mean(0))
            if best is None or error < best[0]:
                best = (error, inputs)
    assert best is not None
    return best[1]


def _plain(weight: Tensor, rows: Tensor, low: Tensor, high: Tensor) -> Inputs:
    """Search the clip of a tensor that comes out of an activation: one scale, one zero."""
    energy = (weight**2).sum(0)
    least, most = float(low.min().clamp_max(0)), float(high.max())
    best: tuple[float, Inputs] | None = None
    for clip in _CLIPS:
        scale = max(clip * most - least, 1e-6) / LEVELS
        zero = min(LEVELS, max(0, round(-least / scale)))
        inputs = Inputs(torch.zeros_like(low), torch.ones_like(low), scale, zero)
        error = float(energy @ ((_round(rows, inputs) - rows) ** 2).mean(0))
        if best is None or error < best[0]:
            best = (error, inputs)
    assert best is not None
    return best[1]


def _round(x: Tensor, inputs: Inputs) -> Tensor:
    levels = (x / inputs.scale + inputs.zero).round_().clamp_(0, LEVELS)
    return levels.sub_(inputs.zero).mul_(inputs.scale)


def _round_weights(weight: Tensor) -> tuple[Tensor, Tensor]:
    """Return integers of -127 to 127 as float32, and the scale of each row with the least error."""
    widest = weight.abs().amax(1).clamp_min(1e-12) / 127
    least = torch.full_like(widest, torch.inf)
    scales = widest.clone()
    for clip in (1.0, 0.92, 0.84, 0.76, 0.68):
        tried = widest * clip
        rounded = (weight / tried[:, None]).round_().clamp_(-127, 127) * tried[:, None]
        error = ((rounded - weight) ** 2).sum(1)
        better = error < least
        least[better], scales[better] = error[better], tried[better]
    return (weight / scales[:, None]).round_().clamp_(-127, 127), scales
