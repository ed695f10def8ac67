"""``spiece.model`` is read without the SentencePiece library, to the same ids.

``tests/data/spiece.model`` was trained by SentencePiece 0.2.3 with a table of replacements;
``spiece_ids.json`` holds the ids that it gives.
"""

from __future__ import annotations

import json
import shutil
import struct
from pathlib import Path

import pytest

from pipelines.errors import ModelError
from pipelines.models import folder_spec
from pipelines.stages.encode import Encoder
from pipelines.stages.sentencepiece import load_sentencepiece, read_pieces
from tests.pipelines.stages.named import save_named

DATA = Path(__file__).parents[2] / "data"
MODEL = DATA / "spiece.model"


@pytest.mark.parametrize(
    ("text", "ids"), json.loads((DATA / "spiece_ids.json").read_text("utf-8")).items()
)
def test_ids_are_those_of_sentencepiece(text: str, ids: list[int]) -> None:
    assert load_sentencepiece(MODEL, {}).encode(text, add_special_tokens=False).ids == ids


def test_case_accents_and_quotes_are_cleaned_as_albert_does() -> None:
    tokenizer = load_sentencepiece(MODEL, {})
    assert tokenizer.encode("  The  BUS ").ids == tokenizer.encode("the bus").ids
    assert tokenizer.encode("lâte").ids == tokenizer.encode("late").ids
    kept = load_sentencepiece(MODEL, {"do_lower_case": False})
    assert kept.encode("The bus").ids != kept.encode("the bus").ids


def test_ids_are_those_of_transformers_tokenizer(tmp_path: Path) -> None:
    from transformers import AlbertTokenizer

    found = read_pieces(MODEL.read_bytes())
    theirs = AlbertTokenizer(
        vocab=list(found.pieces), _spm_precompiled_charsmap=found.characters or None
    )
    ours = load_sentencepiece(MODEL, {})
    for text in ("The bus’s late… (YES)！", "naïve ``quotes''", "zebra \u200b x", "a,b 1,000"):
        assert ours.encode(text).ids == theirs(text)["input_ids"], text


def test_offsets_point_into_the_text_as_written() -> None:
    text = "Oh, the BÛS is late…"
    encoding = load_sentencepiece(MODEL, {}).encode(text, add_special_tokens=False)
    assert encoding.offsets[-1][1] == len(text)
    assert "BÛS" in {text[start:end].strip() for start, end in encoding.offsets}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a checkpoint that has ``spiece.model`` only, with as many rows as it has pieces."""
    folder = save_named(tmp_path / "named")
    (folder / "tokenizer.json").unlink()
    shutil.copy(MODEL, folder)
    return folder


def test_tokenizer_of_another_size_is_refused(folder: Path) -> None:
    _grown(folder, 700)
    with pytest.raises(ModelError, match="they do not belong together") as caught:
        Encoder(folder_spec(folder))
    assert caught.value.exit_code == 78


def test_checkpoint_with_sentencepiece_only_encodes(folder: Path) -> None:
    vectors = Encoder(folder_spec(folder)).encode(["the bus is late.", "Read on!"])
    assert vectors.shape == (2, 48)


def _grown(folder: Path, vocabulary: int) -> None:
    from transformers import AlbertForMaskedLM

    model = AlbertForMaskedLM.from_pretrained(folder)
    model.resize_token_embeddings(vocabulary)
    model.save_pretrained(folder)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"not a model", "cannot be read"),
        (b"", "no pieces"),
        (MODEL.read_bytes()[:-3], "too early"),
        (MODEL.read_bytes()[:10], "too early"),
        (b"\x12\x02\x18\x02" + MODEL.read_bytes()[:0] + b"\x0a\x03\x0a\x01a", "model type is 2"),
        (b"\x0a\x08\x0a\x01a\x15" + struct.pack("<f", -1.0), r"no piece \[CLS\] or \[SEP\]"),
        (b"\xff" * 40, "cannot be read"),
    ],
)
def test_file_that_is_no_albert_tokenizer_is_refused(
    tmp_path: Path, data: bytes, said: str
) -> None:
    path = tmp_path / "spiece.model"
    path.write_bytes(data)
    with pytest.raises(ModelError, match=said):
        load_sentencepiece(path, {})
