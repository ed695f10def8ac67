"""Small ALBERT checkpoints in the published files' format: real config, random weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from tokenizers.models import Unigram
from tokenizers.normalizers import Lowercase
from tokenizers.pre_tokenizers import Metaspace
from tokenizers.processors import TemplateProcessing

WORDS = [
    "the",
    "a",
    "bus",
    "bike",
    "lane",
    "road",
    "is",
    "was",
    "safe",
    "slow",
    "late",
    "early",
    "doctor",
    "said",
    "no",
    "yes",
    "not",
    "and",
]
SPECIAL = ("<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]")


def save_checkpoint(folder: Path, *, task: bool = False, seed: int = 1, **shape: Any) -> Path:
    """Write an ALBERT of ``shape`` with a Unigram tokenizer, as albert-base-v2 has; return it.

    ``task`` saves a masked language model, whose weights carry the prefix ``albert.``.
    """
    from transformers import AlbertConfig, AlbertForMaskedLM, AlbertModel

    torch.manual_seed(seed)
    tokenizer = save_tokenizer(folder)
    sizes: dict[str, Any] = {
        "vocab_size": tokenizer.get_vocab_size(),
        "embedding_size": 16,
        "hidden_size": 48,
        "num_attention_heads": 4,
        "intermediate_size": 96,
        "num_hidden_layers": 4,
        "max_position_embeddings": 64,
    }
    config = AlbertConfig(**sizes | shape)
    model = AlbertForMaskedLM(config) if task else AlbertModel(config)
    for name, weights in model.named_parameters():
        if "LayerNorm" in name or "layer_norm" in name or name.endswith("bias"):
            torch.nn.init.normal_(weights, 0.5, 0.2)
    model.save_pretrained(folder)
    return folder


def save_tokenizer(folder: Path) -> Tokenizer:
    """Write ``tokenizer.json`` with the special tokens of the published ALBERTs."""
    letters = [chr(code) for code in range(ord("a"), ord("z") + 1)]
    pieces = [(token, 0.0) for token in SPECIAL]
    pieces += [(f"▁{word}", -3.0) for word in WORDS] + [("▁", -5.0), (".", -5.0)]
    pieces += [(letter, -8.0) for letter in letters]
    tokenizer = Tokenizer(Unigram(pieces, unk_id=1))
    tokenizer.normalizer = Lowercase()
    tokenizer.pre_tokenizer = Metaspace()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    return tokenizer
