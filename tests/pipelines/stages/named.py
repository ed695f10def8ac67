"""Named checkpoints made small: real config, a unigram tokenizer trained here, heads, random weights."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, normalizers, pre_tokenizers, processors
from tokenizers.models import Unigram
from tokenizers.trainers import UnigramTrainer

from tests.pipelines.stages.checkpoints import SPECIAL

BASE = {
    "embedding_size": 8,
    "hidden_size": 48,
    "num_attention_heads": 12,
    "intermediate_size": 192,
    "num_hidden_layers": 12,
    "hidden_act": "gelu_new",
}
"""albert-base-v2 at a sixteenth of its width."""
XXLARGE = {
    "embedding_size": 4,
    "hidden_size": 128,
    "num_attention_heads": 8,
    "intermediate_size": 512,
    "num_hidden_layers": 12,
    "hidden_act": "gelu",
}
"""albert-xxlarge-v2 at a thirty-second of its width."""
LABELS = {0: "entailment", 1: "neutral", 2: "contradiction"}
_SENTENCE = (
    "the council library opens on monday and closes at noon because buses are late for children "
    "who read there after school in winter when market street is icy nobody complains about it"
)
WORDS = _SENTENCE.split()


def text(words: int, seed: int = 1) -> str:
    """Return a text of some words, a full stop after every seventh."""
    chosen = random.Random(seed).choices(WORDS, k=words)
    return " ".join(word + "." * (place % 7 == 6) for place, word in enumerate(chosen))


def trained_tokenizer(folder: Path) -> Tokenizer:
    """Train a unigram tokenizer as ALBERT's is built, and save it as ``tokenizer.json``."""
    tokenizer = Tokenizer(Unigram())
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.Replace("``", '"'),
            normalizers.Replace("''", '"'),
            normalizers.NFKD(),
            normalizers.StripAccents(),
            normalizers.Lowercase(),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(prepend_scheme="always")]
    )
    trainer = UnigramTrainer(
        vocab_size=120, special_tokens=list(SPECIAL), unk_token="<unk>", show_progress=False
    )
    tokenizer.train_from_iterator([text(12, seed) for seed in range(400)], trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS]:0 $A:0 [SEP]:0",
        pair="[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    return tokenizer


def save_named(
    folder: Path, *, head: str = "MaskedLM", shape: dict[str, Any] = BASE, seed: int = 3
) -> Path:
    """Write a checkpoint with ``transformers.AlbertFor{head}``; return its folder."""
    import transformers

    tokenizer = trained_tokenizer(folder)
    config = transformers.AlbertConfig(
        vocab_size=tokenizer.get_vocab_size(),
        max_position_embeddings=64,
        **shape,
        **({"id2label": LABELS} if head == "SequenceClassification" else {}),
    )
    torch.manual_seed(seed)
    model = getattr(transformers, f"AlbertFor{head}")(config)
    for name, weights in model.named_parameters():
        if "LayerNorm" in name or "layer_norm" in name or name.endswith("bias"):
            torch.nn.init.normal_(weights, 0.5, 0.2)
        elif name.startswith(("qa_outputs", "classifier", "albert.pooler")):
            torch.nn.init.normal_(weights, 0.0, 0.5)
    model.save_pretrained(folder)
    return folder


def save_bert(folder: Path) -> Path:
    """Write a small BERT with a tokenizer of the same words."""
    from transformers import BertConfig, BertModel

    tokenizer = trained_tokenizer(folder)
    torch.manual_seed(5)
    config = BertConfig(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=32,
        num_attention_heads=4,
        num_hidden_layers=2,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    BertModel(config).save_pretrained(folder)
    settings = '{"tokenizer_class": "PreTrainedTokenizerFast", "cls_token": "[CLS]", '
    settings += '"sep_token": "[SEP]", "pad_token": "<pad>", "unk_token": "<unk>"}'
    (folder / "tokenizer_config.json").write_text(settings, "utf-8")
    return folder
