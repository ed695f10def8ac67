"""WordPiece a word at a time: most words of a text have been seen, and their ids are known.

For tokenizers that cut a text into words before anything else, as BERT's does, and for texts of plain
characters, where words end at white space and punctuation. Everything else is left to the tokenizer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from tokenizers import Tokenizer

# Printable ASCII, what separates lines, and the quotation marks, dashes and dots of word processors.
_PLAIN = re.compile("[\t\n\r -~\u2013\u2014\u2018\u2019\u201c\u201d\u2026]*")
_WORDS = re.compile("[a-z0-9]+|[^a-z0-9\t\n\r ]")
_MOST = 200_000
"""Words kept; after so many the memory starts anew."""


class WordIds(dict[str, tuple[int, ...]]):
    """The ids of words, each asked of the tokenizer once."""

    def __init__(self, tokenizer: Tokenizer, added: Sequence[str]) -> None:
        super().__init__()
        self._tokenizer = tokenizer
        self._added = re.compile("|".join(map(re.escape, added))) if added else None

    def __missing__(self, word: str) -> tuple[int, ...]:
        if len(self) >= _MOST:
            self.clear()
        ids = self[word] = tuple(self._tokenizer.encode(word, add_special_tokens=False).ids)
        return ids

    def read(self, text: str) -> list[int] | None:
        """Return the ids of a plain text, ``None`` of another."""
        if not _PLAIN.fullmatch(text) or (self._added is not None and self._added.search(text)):
            return None
        ids: list[int] = []
        for word in _WORDS.findall(text.lower()):
            ids += self[word]
        return ids


def word_ids(tokenizer: Tokenizer) -> WordIds | None:
    """Return a memory of words where ``tokenizer`` works word by word in lower case, else ``None``."""
    described: dict[str, Any] = json.loads(tokenizer.to_str())
    normalizer, words = described.get("normalizer"), described.get("pre_tokenizer")
    if (
        not normalizer
        or normalizer.get("type") != "BertNormalizer"
        or not normalizer.get("clean_text")
        or not normalizer.get("lowercase")
        or not words
        or words.get("type") != "BertPreTokenizer"
        or described["model"].get("type") != "WordPiece"
    ):
        return None
    return WordIds(tokenizer, [token["content"] for token in described.get("added_tokens", [])])
