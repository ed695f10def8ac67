"""Peers that run our weights in OpenVINO or ONNX Runtime: sorted, padded batches with a mask."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipelines.stages.vectors import Vectors
from tests.bench.peers.plain import LONGEST, Run

Ids = NDArray[np.int64]
Hidden = Callable[[Ids, Ids], NDArray[np.float32]]
BATCH = 64
"""The best of 32, 64 and 128 for the fastest of these engines."""
_CALIBRATION = 38


def padded(folder: Path, hidden: Hidden) -> Run:
    """Return text to vector: the Rust tokenizer, batches of like lengths, the mean under the mask."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST)

    def run(texts: Sequence[str]) -> Vectors:
        ids = [one.ids for one in tokenizer.encode_batch_fast(list(texts))]
        vectors: Vectors = np.zeros((0, 0), dtype=np.float32)
        for rows, tokens, mask in batches(ids):
            states = hidden(tokens, mask)
            if not vectors.size:
                vectors = np.zeros((len(texts), states.shape[-1]), dtype=np.float32)
            means = (states * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
            vectors[rows] = means / np.linalg.norm(means, axis=1, keepdims=True)
        return vectors

    return run


def batches(ids: Sequence[Sequence[int]]) -> Iterator[tuple[list[int], Ids, Ids]]:
    """Yield rows, token ids and mask of texts of like length."""
    order = sorted(range(len(ids)), key=lambda row: len(ids[row]))
    for start in range(0, len(order), BATCH):
        rows = order[start : start + BATCH]
        shape = (len(rows), max(len(ids[row]) for row in rows))
        tokens, mask = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        for place, row in enumerate(rows):
            tokens[place, : len(ids[row])] = ids[row]
            mask[place, : len(ids[row])] = 1
        yield rows, tokens, mask


class OpenVino:
    """The weights as an OpenVINO model; eight bits by NNCF's post-training quantisation."""

    def __init__(self, folder: Path, threads: int, texts: Sequence[str]) -> None:
        import openvino

        self._folder, self._threads, self._texts = folder, threads, texts
        self._core = openvino.Core()
        self._plain: Any = openvino.convert_model(_torch(folder), example_input=_example())
        self._quantised: Any = None

    def run(self, precision: str) -> Run:
        """Return text to vector in ``f32``, ``bf16``, ``int8`` or ``int8-bf16``."""
        model = self._int8() if precision.startswith("int8") else self._plain
        hint = "bf16" if precision.endswith("bf16") else "f32"
        settings = {"INFERENCE_NUM_THREADS": self._threads, "INFERENCE_PRECISION_HINT": hint}
        request = self._core.compile_model(model, "CPU", settings).create_infer_request()

        def hidden(tokens: Ids, mask: Ids) -> NDArray[np.float32]:
            states: NDArray[np.float32] = request.infer([tokens, mask])[0]
            return states

        return padded(self._folder, hidden)

    def _int8(self) -> Any:
        if self._quantised is None:
            import nncf
            from tokenizers import Tokenizer

            tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
            tokenizer.no_padding()
            tokenizer.enable_truncation(LONGEST)
            ids = [one.ids for one in tokenizer.encode_batch_fast(list(self._texts))]
            found = [[tokens, mask] for _, tokens, mask in batches(ids)]
            self._quantised = nncf.quantize(
                self._plain,
                nncf.Dataset(found[:: max(1, len(found) // _CALIBRATION)]),
                model_type=nncf.ModelType.TRANSFORMER,
                subset_size=_CALIBRATION,
            )
        return self._quantised


class OnnxRuntime:
    """The weights exported to ONNX; eight bits by ONNX Runtime's dynamic quantisation."""

    def __init__(self, folder: Path, threads: int) -> None:
        import torch

        self._folder, self._threads = folder, threads
        self._made = tempfile.TemporaryDirectory()
        self._file = Path(self._made.name) / "model.onnx"
        names = ["input_ids", "attention_mask"]
        axes = {name: {0: "texts", 1: "tokens"} for name in (*names, "hidden")}
        torch.onnx.export(
            _torch(folder),
            _example(),
            str(self._file),
            input_names=names,
            output_names=["hidden"],
            dynamic_axes=axes,
            opset_version=17,
            dynamo=False,
        )

    def run(self, precision: str) -> Run:
        """Return text to vector in ``f32`` or ``int8``."""
        import onnxruntime
        from onnxruntime.quantization import QuantType, quantize_dynamic

        file = self._file
        if precision == "int8":
            file = file.with_name("int8.onnx")
            quantize_dynamic(str(self._file), str(file), weight_type=QuantType.QInt8)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self._threads
        session = onnxruntime.InferenceSession(
            str(file), options, providers=["CPUExecutionProvider"]
        )

        def hidden(tokens: Ids, mask: Ids) -> NDArray[np.float32]:
            given = {"input_ids": tokens, "attention_mask": mask}
            states: NDArray[np.float32] = session.run(None, given)[0]
            return states

        return padded(self._folder, hidden)


def _example() -> Any:
    import torch

    return torch.ones(2, 8, dtype=torch.long), torch.ones(2, 8, dtype=torch.long)


def _torch(folder: Path) -> Any:
    import torch
    from transformers import AutoModel

    class Hidden(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = AutoModel.from_pretrained(
                folder, local_files_only=True, dtype=torch.float32
            ).eval()

        def forward(self, input_ids: Any, attention_mask: Any) -> Any:
            return self.model(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state

    return Hidden()
