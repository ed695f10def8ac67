"""Eight bits: near float32, the same bits in any company, never with other weights' ranges."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from pipelines.engines import INT8, LEAST_COSINE
from pipelines.errors import ModelError
from pipelines.models import embedded_spec, folder_spec
from pipelines.segment import segment
from pipelines.stages import encode as encode_module
from pipelines.stages import int8 as int8_module
from pipelines.stages.encode import Encoder
from pipelines.stages.int8 import int8_missing, to_levels
from pipelines.stages.quantise import prepare, prepared_path
from tests.pipelines.stages.checkpoints import save_checkpoint
from tests.pipelines.stages.named import text

pytestmark = pytest.mark.skipif(bool(int8_missing()), reason=int8_missing() or "here")
SAMPLES = Path(__file__).parents[3] / "app" / "samples" / "clinical"


@pytest.fixture(scope="module")
def sentences() -> list[str]:
    """Return sentences of the sample notes."""
    found: list[str] = []
    for path in sorted(SAMPLES.glob("*.txt"))[:12]:
        note = path.read_text("utf-8")
        found += [note[one.start : one.end] for one in segment(note)]
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, sentences: list[str]) -> Path:
    """Return a folder of models with the embedded one prepared."""
    made = tmp_path_factory.mktemp("models")
    prepare(embedded_spec(), sentences[::2], made)
    return made


@pytest.fixture(scope="module")
def reduced(folder: Path) -> Encoder:
    """Return the embedded model in eight bits."""
    return Encoder(engine=INT8, folder=folder)


def test_vectors_stay_near_on_sentences_not_measured_on(
    encoder: Encoder, reduced: Encoder, sentences: list[str]
) -> None:
    unseen = sentences[1::2]
    cosines = (encoder.encode(unseen) * reduced.encode(unseen)).sum(axis=1)
    assert cosines.mean() >= LEAST_COSINE
    assert cosines.min() >= 0.95


def test_a_text_has_the_same_bits_in_any_company(
    reduced: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [text(words, words) for words in (1, 2, 9, 9, 25, 26, 60, 140, 700)]
    together = reduced.encode(texts)
    for row, one in enumerate(texts):
        assert np.array_equal(reduced.encode([one])[0], together[row])
    order = random.Random(3).sample(range(len(texts)), len(texts))
    monkeypatch.setattr(encode_module, "_TOKENS", 300)
    assert np.array_equal(reduced.encode([texts[place] for place in order]), together[order])


def test_the_same_sentences_give_the_same_file(tmp_path: Path, sentences: list[str]) -> None:
    spec = folder_spec(save_checkpoint(tmp_path / "m", hidden_act="gelu_new"))
    first = load_file(prepare(spec, sentences[:40], tmp_path / "one"))
    again = load_file(prepare(spec, sentences[:40], tmp_path / "two"))
    assert first.keys() == again.keys()
    assert all(torch.equal(first[name], again[name]) for name in first)


def test_a_prepared_file_is_kept(tmp_path: Path, sentences: list[str]) -> None:
    spec = folder_spec(save_checkpoint(tmp_path / "m", hidden_act="gelu"))
    path = prepare(spec, sentences[:20], tmp_path)
    before = path.read_bytes()
    assert prepare(spec, sentences[20:40], tmp_path) == path
    assert path.read_bytes() == before


def test_other_weights_have_another_file_and_none_of_theirs_is_used(
    tmp_path: Path, sentences: list[str]
) -> None:
    one = folder_spec(save_checkpoint(tmp_path / "one", hidden_act="gelu", seed=1))
    two = folder_spec(save_checkpoint(tmp_path / "two", hidden_act="gelu", seed=2))
    path = prepare(one, sentences[:20], tmp_path)
    assert prepared_path(two, tmp_path) != path
    with pytest.raises(ModelError, match=r"no eight-bit form .* florilegium models tune") as caught:
        Encoder(two, engine=INT8, folder=tmp_path)
    assert caught.value.exit_code == 78
    shutil.copy(path, prepared_path(two, tmp_path))
    with pytest.raises(ModelError, match="of other weights"):
        Encoder(two, engine=INT8, folder=tmp_path)
    path.write_bytes(b"not tensors")
    with pytest.raises(ModelError, match="cannot be read"):
        Encoder(one, engine=INT8, folder=tmp_path)


def test_what_cannot_run_in_eight_bits_is_said(
    tmp_path: Path, sentences: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = folder_spec(save_checkpoint(tmp_path / "m", hidden_act="relu"))
    prepare(spec, sentences[:20], tmp_path)
    with pytest.raises(ModelError, match="its activation is 'relu'"):
        Encoder(spec, engine=INT8, folder=tmp_path)
    with pytest.raises(ModelError, match="needs the folder of models"):
        Encoder(engine=INT8)
    with pytest.raises(ModelError, match="no text with a token"):
        prepare(spec, [], tmp_path / "none")
    monkeypatch.setattr(int8_module, "has_onednn", lambda: False)
    with pytest.raises(ModelError, match="no eight-bit products for this processor"):
        Encoder(engine=INT8, folder=folder)


def test_levels_are_cut_off_at_both_ends() -> None:
    levels = to_levels(torch.tensor([[-7.0, 0.4, 0.6 + 0.5, 254.9, 255.0, 9000.0]]))
    assert levels.dtype == torch.uint8
    assert levels.tolist() == [[0, 0, 1, 254, 255, 255]]
