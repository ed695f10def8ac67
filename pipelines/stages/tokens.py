"""Text to token ids with the model's own tokenizer, in windows the model can read."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from tokenizers import Encoding, Tokenizer

from pipelines.errors import ModelError
from pipelines.models import ModelSpec
from pipelines.stages.sentencepiece import load_sentencepiece
from pipelines.stages.words import word_ids

_SURROGATE = re.compile("[\ud800-\udfff]")
_SPARE = 128
"""Rows of an embedding that need no token: models pad them up to a round number."""


# Whoever reads texts side by side has threads of their own; more than those do not help.
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")


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
            for ids in self._ids([without_surrogates(text) for text in texts])
        ]


def load_tokens(spec: ModelSpec, *, max_tokens: int, vocabulary: int) -> TokenReader:
    """Load the tokenizer of ``spec`` as a reader of windows of at most ``max_tokens`` ids.

    Raises ``ModelError`` as ``load_tokenizer`` does.
    """
    tokenizer = load_tokenizer(spec, vocabulary=vocabulary)
    prefix, suffix = special_ids(tokenizer)

    words = word_ids(tokenizer)

    def ids(texts: Sequence[str]) -> list[list[int]]:
        known = [words.read(text) for text in texts] if words is not None else [None] * len(texts)
        rest = [text for text, found in zip(texts, known, strict=True) if found is None]
        read = iter(tokenizer.encode_batch_fast(rest, add_special_tokens=False))
        return [found if found is not None else next(read).ids for found in known]

    return _Windows(ids, prefix, suffix, max_tokens)


def load_tokenizer(spec: ModelSpec, *, vocabulary: int) -> Tokenizer:
    """Load ``tokenizer.json`` of ``spec``, else its ``spiece.model``; it neither pads nor cuts.

    ``vocabulary`` is the number of tokens that the model embeds. Raises ``ModelError`` for a
    tokenizer that cannot be read or is not the model's.
    """
    path = spec.folder / "tokenizer.json"
    if path.is_file():
        try:
            tokenizer = Tokenizer.from_file(str(path))
        except Exception as error:  # the Rust library raises plain Exception
            raise ModelError(
                f"{path} is not a readable tokenizer: {error}; "
                "copy the model's own tokenizer beside its weights"
            ) from error
        tokenizer.no_padding()
        tokenizer.no_truncation()
    else:
        tokenizer = load_sentencepiece(spec.folder / "spiece.model", _settings(spec))
    size = 1 + max(tokenizer.get_vocab().values(), default=-1)
    if not vocabulary - _SPARE <= size <= vocabulary:
        raise ModelError(
            f"the tokenizer of {spec.folder} has {size} tokens, the model embeds {vocabulary}: "
            "they do not belong together; copy the model's own tokenizer beside its weights"
        )
    return tokenizer


def without_surrogates(text: str) -> str:
    """Return ``text`` with halves of surrogate pairs replaced; no tokenizer takes them."""
    return _SURROGATE.sub("\ufffd", text)


def special_ids(tokenizer: Tokenizer) -> tuple[list[int], list[int]]:
    """Return the ids that stand before and after a text: [CLS] and [SEP]."""
    empty: Encoding = tokenizer.encode("")
    probe: Encoding = tokenizer.encode("a")
    ids, special = probe.ids, probe.special_tokens_mask
    first = special.index(0) if 0 in special else len(ids)
    before = ids[:first]
    return before, empty.ids[len(before) :]


def _settings(spec: ModelSpec) -> dict[str, Any]:
    path = spec.folder / "tokenizer_config.json"
    if not path.is_file():
        return {}
    try:
        settings = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(
            f"{path} is not readable JSON: {error}; copy the model's own file"
        ) from error
    return settings if isinstance(settings, dict) else {}
