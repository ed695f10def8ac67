"""BERT as a sentence encoder through transformers, to be compared with; padded batches, float32.

The program's own work is done with ALBERT (``stages.encode``). This is what one would write without
it: texts of like length together, padding masked, the mean of the tokens, L2-normalised.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from pipelines.errors import ModelError
from pipelines.models import ModelSpec, verify
from pipelines.stages.tokens import without_surrogates
from pipelines.stages.vectors import Vectors

_BATCH = 32


class BertEncoder:
    """A BERT folder, loaded from safetensors only and never from the network.

    Raises ``ModelError`` where a file has changed or the folder cannot be read.
    """

    def __init__(self, spec: ModelSpec) -> None:
        from transformers import AutoModel, AutoTokenizer

        verify(spec)
        self.spec = spec
        try:
            loaded: Any = AutoModel.from_pretrained(
                spec.folder,
                local_files_only=True,
                use_safetensors=True,
                dtype=torch.float32,
                add_pooling_layer=False,
                output_loading_info=True,
            )
            self._tokenizer: Any = AutoTokenizer.from_pretrained(spec.folder, local_files_only=True)
        except Exception as error:  # whatever transformers raises for a folder that does not fit
            raise ModelError(
                f"model {spec.id} in {spec.folder} cannot be read: {type(error).__name__}: {error}; "
                "expected config.json, model.safetensors and the model's own tokenizer"
            ) from error
        if missing := sorted(loaded[1]["missing_keys"]):
            raise ModelError(
                f"model {spec.id} in {spec.folder} has no weights for {', '.join(missing[:3])}"
                f"{' …' if len(missing) > 3 else ''}: they do not fit its config.json; install or "
                "copy the model again"
            )
        self._model: Any = loaded[0].eval()
        config = self._model.config
        if len(self._tokenizer) > int(config.vocab_size):
            raise ModelError(
                f"the tokenizer of {spec.folder} has {len(self._tokenizer)} tokens, the model "
                f"embeds {config.vocab_size}: they do not belong together; copy the model's own "
                "tokenizer beside its weights"
            )
        self._size = int(config.max_position_embeddings) - 2
        self.dimensions = int(config.hidden_size)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one row a text, [len(texts), dimensions]; a text without a token gives zeros."""
        distinct = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        windows = sorted(self._windows(list(distinct)), key=lambda window: -len(window[1]))
        sums = np.zeros((len(distinct), self.dimensions), dtype=np.float32)
        for start in range(0, len(windows), _BATCH):
            batch = windows[start : start + _BATCH]
            np.add.at(sums, [row for row, _ in batch], self._sums([ids for _, ids in batch]))
        norms = np.linalg.norm(sums, axis=1, keepdims=True)
        np.divide(sums, norms, out=sums, where=norms > 0)
        rows: Vectors = sums[[distinct[text] for text in texts]]
        return rows

    def count_tokens(self, texts: Sequence[str]) -> int:
        """Return how many tokens ``encode`` would read, padding aside."""
        return sum(len(ids) for _, ids in self._windows(list(dict.fromkeys(texts))))

    def _windows(self, texts: Sequence[str]) -> list[tuple[int, list[int]]]:
        if not texts:
            return []
        clean = [without_surrogates(text) for text in texts]
        read = self._tokenizer(clean, add_special_tokens=False, verbose=False)["input_ids"]
        before, after = self._tokenizer.cls_token_id, self._tokenizer.sep_token_id
        return [
            (row, [before, *ids[start : start + self._size], after])
            for row, ids in enumerate(read)
            for start in range(0, len(ids), self._size)
        ]

    @torch.inference_mode()
    def _sums(self, batch: Sequence[list[int]]) -> Vectors:
        """Return the sum of the token vectors of each window, [windows, dimensions]."""
        longest = max(map(len, batch))
        ids = torch.zeros(len(batch), longest, dtype=torch.long)
        mask = torch.zeros(len(batch), longest, dtype=torch.long)
        for row, window in enumerate(batch):
            ids[row, : len(window)] = torch.tensor(window)
            mask[row, : len(window)] = 1
        hidden = self._model(input_ids=ids, attention_mask=mask).last_hidden_state
        sums: Vectors = (hidden * mask.unsqueeze(-1)).sum(1).numpy()
        return sums
