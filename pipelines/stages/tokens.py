"""Text to token ids with the model's own tokenizer, in windows the model can read."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Protocol

from tokenizers import Encoding, Tokenizer

from pipelines.errors import ModelError
from pipelines.models import ModelSpec

_SURROGATE = re.compile("[\ud800-\udfff]")


class TokenReader(Protocol):
    """Turns texts into windows of token ids."""

    def read(self, texts: Sequence[str]) -> list[list[list[int]]]:
        """Return, for each text, its windows: ids with the model's special tokens around them."""


class _Windows:
    """Windows of ``max_tokens`` ids at most, special tokens included."""

    def __init__(
        self,
        ids: Callable[[Sequence[str]], list[list[int]]],
        prefix: Sequence[int],
        suffix: Sequence[int],
        max_tokens: int,
    ) -> None:
        self._ids = ids
        self._prefix, self._suffix = list(prefix), list(suffix)
        self._content = max_tokens - len(self._prefix) - len(self._suffix)

    def read(self, texts: Sequence[str]) -> list[list[list[int]]]:
        """Return the windows of each text; none for a text without a token."""
        return [
            [
                self._prefix + ids[start : start + self._content] + self._suffix
                for start in range(0, len(ids), self._content)
            ]
            for ids in self._ids([_SURROGATE.sub("\ufffd", text) for text in texts])
        ]


def load_tokens(spec: ModelSpec, *, max_tokens: int, vocabulary: int) -> TokenReader:
    """Load the tokenizer of ``spec``: ``tokenizer.json``, else SentencePiece via transformers.

    Raises ``ModelError`` for a tokenizer that cannot be read or has other ids than the model.
    """
    path = spec.folder / "tokenizer.json"
    if not path.is_file():
        return _load_sentencepiece(spec, max_tokens, vocabulary)
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the Rust library raises plain Exception
        raise ModelError(f"{path} is not a readable tokenizer: {error}") from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    _must_fit(spec, 1 + max(tokenizer.get_vocab().values(), default=-1), vocabulary)
    prefix, suffix = _special(tokenizer)

    def ids(texts: Sequence[str]) -> list[list[int]]:
        return [e.ids for e in tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)]

    return _Windows(ids, prefix, suffix, max_tokens)


def _special(tokenizer: Tokenizer) -> tuple[list[int], list[int]]:
    """Return the ids that stand before and after a text: [CLS] and [SEP]."""
    empty: Encoding = tokenizer.encode("")
    probe: Encoding = tokenizer.encode("a")
    ids, special = probe.ids, probe.special_tokens_mask
    first = special.index(0) if 0 in special else len(ids)
    before = ids[:first]
    return before, empty.ids[len(before) :]


def _must_fit(spec: ModelSpec, size: int, vocabulary: int) -> None:
    if size > vocabulary:
        raise ModelError(
            f"the tokenizer of {spec.folder} has {size} tokens, the model embeds {vocabulary}: "
            "they do not belong together; copy the model's own tokenizer beside its weights"
        )


def _load_sentencepiece(spec: ModelSpec, max_tokens: int, vocabulary: int) -> TokenReader:
    try:
        from transformers import AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(spec.folder, local_files_only=True)
    except Exception as error:
        raise ModelError(
            f"the SentencePiece tokenizer of {spec.folder} cannot be read: {error}; "
            "expected tokenizer.json, or spiece.model with the package sentencepiece installed"
        ) from error

    _must_fit(spec, len(tokenizer), vocabulary)

    def ids(texts: Sequence[str]) -> list[list[int]]:
        return [
            list(tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])
            for text in texts
        ]

    return _Windows(ids, [tokenizer.cls_token_id], [tokenizer.sep_token_id], max_tokens)
