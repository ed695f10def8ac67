"""Read ``spiece.model``, the SentencePiece file that the published ALBERTs carry, without its library.

The file is a protocol buffer; what a unigram tokenizer needs of it is the list of pieces with
their scores and the table of character replacements. Fields as in ``sentencepiece_model.proto``
(https://github.com/google/sentencepiece, Kudo 2018, https://arxiv.org/abs/1804.10959). Text is
cleaned first as ALBERT's own tokenizer does: quotes, accents, case.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer, normalizers, pre_tokenizers, processors
from tokenizers.models import Unigram

from pipelines.errors import ModelError

_VARINT, _EIGHT, _BYTES, _FOUR = 0, 1, 2, 5
_UNIGRAM = 1
_PIECES, _TRAINER, _NORMALIZER = 1, 2, 3
_PIECE_TEXT, _PIECE_SCORE, _PIECE_TYPE = 1, 2, 3
_UNKNOWN = 2
_MODEL_TYPE, _CHARACTERS = 3, 2
_SPECIAL = ("[CLS]", "[SEP]")

Field = tuple[int, int | bytes]


@dataclass(frozen=True, slots=True)
class Pieces:
    """The pieces with their log-probabilities in order of id, the unknown one, the replacements."""

    pieces: tuple[tuple[str, float], ...]
    unknown: int
    characters: bytes


def load_sentencepiece(path: Path, settings: Mapping[str, Any]) -> Tokenizer:
    """Return the tokenizer of a unigram ``spiece.model``.

    ``settings`` are those of ``tokenizer_config.json``: ``do_lower_case`` (default true) and
    ``keep_accents`` (default false). Raises ``ModelError`` for a file that is no unigram model or
    has no [CLS] and [SEP].
    """
    try:
        found = read_pieces(path.read_bytes())
        tokenizer = Tokenizer(Unigram(list(found.pieces), unk_id=found.unknown))
        tokenizer.normalizer = _cleaning(found.characters, settings)
    except Exception as error:  # the Rust library raises plain Exception
        raise ModelError(
            f"the SentencePiece tokenizer {path} cannot be read: {error}; expected a unigram model "
            "as ALBERT has it. Copy the model's own spiece.model or tokenizer.json beside its "
            "weights"
        ) from error
    ids = {name: tokenizer.token_to_id(name) for name in _SPECIAL}
    missing = [name for name, id in ids.items() if id is None]
    if missing:
        raise ModelError(
            f"the SentencePiece tokenizer {path} has no piece {' or '.join(missing)}; expected an "
            "ALBERT's. Copy the model's own spiece.model beside its weights"
        )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(prepend_scheme="always")]
    )
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS]:0 $A:0 [SEP]:0",
        pair="[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1",
        special_tokens=list(ids.items()),
    )
    return tokenizer


def read_pieces(data: bytes) -> Pieces:
    """Return what a unigram model file holds. Raises ValueError for anything else."""
    pieces: list[tuple[str, float]] = []
    unknown, characters, model_type = 0, b"", _UNIGRAM
    for number, value in _fields(data):
        if not isinstance(value, bytes):
            continue
        if number == _PIECES:
            part = dict(_fields(value))
            text, score = part.get(_PIECE_TEXT), part.get(_PIECE_SCORE, b"\0\0\0\0")
            if not isinstance(text, bytes) or not isinstance(score, bytes):
                raise ValueError(f"piece {len(pieces)} has no text")
            if part.get(_PIECE_TYPE) == _UNKNOWN:
                unknown = len(pieces)
            pieces.append((text.decode("utf-8"), struct.unpack("<f", score)[0]))
        elif number == _TRAINER:
            kind = dict(_fields(value)).get(_MODEL_TYPE, _UNIGRAM)
            model_type = kind if isinstance(kind, int) else 0
        elif number == _NORMALIZER:
            table = dict(_fields(value)).get(_CHARACTERS, b"")
            characters = table if isinstance(table, bytes) else b""
    if not pieces:
        raise ValueError("it holds no pieces")
    if model_type != _UNIGRAM:
        raise ValueError(f"its model type is {model_type}, expected {_UNIGRAM} (unigram)")
    return Pieces(tuple(pieces), unknown, characters)


def _cleaning(characters: bytes, settings: Mapping[str, Any]) -> normalizers.Normalizer:
    steps: list[normalizers.Normalizer] = [
        normalizers.Replace("``", '"'),
        normalizers.Replace("''", '"'),
    ]
    if not settings.get("keep_accents", False):
        steps += [normalizers.NFKD(), normalizers.StripAccents()]
    if settings.get("do_lower_case", True):
        steps.append(normalizers.Lowercase())
    if characters:
        steps.append(normalizers.Precompiled(characters))
    return normalizers.Sequence(steps)


def _fields(data: bytes) -> Iterator[Field]:
    """Yield the fields of a message: number and value; a float is its four bytes.

    https://protobuf.dev/programming-guides/encoding/
    """
    place = 0
    while place < len(data):
        key, place = _varint(data, place)
        number, wire = key >> 3, key & 7
        if wire == _VARINT:
            value, place = _varint(data, place)
            yield number, value
            continue
        if wire == _BYTES:
            size, place = _varint(data, place)
        elif wire in (_EIGHT, _FOUR):
            size = 8 if wire == _EIGHT else 4
        else:
            raise ValueError(f"byte {place} starts a field of wire type {wire}")
        if place + size > len(data):
            raise ValueError(f"it ends {place + size - len(data)} bytes too early")
        yield number, data[place : place + size]
        place += size


def _varint(data: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if place >= len(data) or shift > 63:
            raise ValueError(f"byte {place} does not end its number")
        byte = data[place]
        value |= (byte & 0x7F) << shift
        place, shift = place + 1, shift + 7
        if byte < 0x80:
            return value, place
