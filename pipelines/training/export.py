"""Write a student as an ordinary Hugging Face folder with float16 weights."""

from __future__ import annotations

import copy
from pathlib import Path

from transformers import AlbertModel, PreTrainedTokenizerFast


def export(student: AlbertModel, tokenizer: PreTrainedTokenizerFast, folder: Path) -> None:
    """Write config.json, model.safetensors (float16) and the tokenizer's two files to ``folder``.

    The folder holds an AlbertModel without its pooling layer: sentence vectors are the mean of
    the last hidden states over real tokens.
    """
    half = copy.deepcopy(student).half()  # type: ignore[no-untyped-call]
    half.save_pretrained(folder)
    backend = tokenizer.backend_tokenizer
    backend.no_truncation()
    backend.no_padding()
    tokenizer.save_pretrained(folder)
