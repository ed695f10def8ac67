"""Peers on torch: feature extraction of ``transformers``, and ``sentence-transformers``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pipelines.stages.vectors import Vectors

LONGEST = 512
"""Tokens of a text that a peer reads; ours reads all."""
Run = Callable[[Sequence[str]], Vectors]


def feature_extraction(folder: Path) -> Run:
    """Return ``transformers``' pipeline with batches of 32 sorted texts, and the mean of tokens."""
    from transformers import AutoModel, AutoTokenizer, pipeline

    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    tokenizer.model_max_length = LONGEST
    model = AutoModel.from_pretrained(folder, local_files_only=True, dtype="float32").eval()
    extract: Any = pipeline("feature-extraction", model=model, tokenizer=tokenizer, device="cpu")

    def run(texts: Sequence[str]) -> Vectors:
        order = sorted(range(len(texts)), key=lambda row: len(texts[row]))
        vectors = np.zeros((len(texts), model.config.hidden_size), dtype=np.float32)
        found = extract(
            [texts[row] for row in order],
            batch_size=32,
            return_tensors=True,
            tokenize_kwargs={"truncation": True},
        )
        for row, tokens in zip(order, found, strict=True):
            vectors[row] = tokens[0].mean(0).numpy()  # padding, where there is any, counts too
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    return run


def sentence_transformers(folder: Path) -> Run:
    """Return ``sentence-transformers`` with its own batches: sorted by length, 32 at a time."""
    from sentence_transformers import SentenceTransformer, models

    if (folder / "modules.json").is_file():
        encoder = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    else:
        words = models.Transformer(str(folder), max_seq_length=LONGEST)
        mean = models.Pooling(words.get_embedding_dimension(), pooling_mode="mean")
        encoder = SentenceTransformer(modules=[words, mean, models.Normalize()], device="cpu")
    encoder.max_seq_length = LONGEST

    def run(texts: Sequence[str]) -> Vectors:
        return np.asarray(encoder.encode(list(texts), batch_size=32), dtype=np.float32)

    return run
