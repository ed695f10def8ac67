"""Comparing models: the same head for all, sizes and speeds measured, a failing model is a row."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

import pipelines.measure as measure_module
from pipelines.compare import compare
from pipelines.errors import ModelError
from pipelines.learn.errors import ExamplesError
from pipelines.learn.types import Example, Examples
from pipelines.models import embedded_spec, folder_spec
from pipelines.stages.bert import BertEncoder
from tests.pipelines.stages.named import save_bert, save_named, text


def examples(rows: int = 60) -> Examples:
    """Return texts about two things."""
    kinds = (
        ("transport", "The {} bus was late again on the {} road"),
        ("nature", "We saw {} birds and {} wild flowers in the wood"),
    )
    names = ("first", "second", "third", "blue", "old", "new", "long", "short", "green", "small")
    made = [
        Example(
            str(row),
            kinds[row % 2][1].format(names[row % 10], names[row // 10 % 10]) + f" {row}.",
            (kinds[row % 2][0],),
        )
        for row in range(rows)
    ]
    return Examples(("nature", "transport"), tuple(made), single=True)


def bert_spec(folder: Path):  # type: ignore[no-untyped-def]
    """Return the specification of a BERT folder."""
    return folder_spec(save_bert(folder), kinds=("albert", "bert"))


def test_every_kind_of_model_gets_a_row(tmp_path: Path) -> None:
    named = folder_spec(save_named(tmp_path / "named"))
    floor, rows = compare([embedded_spec(), named, bert_spec(tmp_path / "bert")], examples())
    assert [row.kind for row in rows] == ["albert", "albert", "bert"]
    assert floor.score is not None
    for row in rows:
        assert not row.error
        assert row.score is not None
        assert 0.4 <= row.score <= 1.0
        assert row.per_million == pytest.approx(100 * row.score / (row.parameters / 1e6), rel=0.01)
        assert row.tokens_per_second
        assert row.peak_memory is not None
        assert 50e6 < row.peak_memory < 4e9
    assert rows[0].score == 1.0


def test_model_that_fails_is_a_row_and_the_others_go_on(tmp_path: Path) -> None:
    folder = save_named(tmp_path / "named")
    broken = folder_spec(folder)
    (folder / "model.safetensors").unlink()
    other = folder_spec(save_named(tmp_path / "other"))
    _, rows = compare([broken, other], examples(20))
    assert "is missing, expected sha256" in rows[0].error
    assert rows[0].score is None
    assert rows[1].score is not None


def test_too_few_texts_cannot_be_compared() -> None:
    few = examples(20)
    with pytest.raises(ExamplesError, match="expected 10 or more") as caught:
        compare([embedded_spec()], replace(few, rows=few.rows[:5]))
    assert caught.value.exit_code == 78


def test_process_that_ends_early_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = folder_spec(save_named(tmp_path / "named"))
    monkeypatch.setattr(measure_module, "CHILD", (sys.executable, "-c", "import os; os._exit(9)"))
    with pytest.raises(ModelError, match="ended with exit code 9 before"):
        measure_module.measure(spec, ["x"])


def test_bert_vectors_are_the_masked_mean_of_transformers(tmp_path: Path) -> None:
    from transformers import AutoModel, AutoTokenizer

    spec = bert_spec(tmp_path / "bert")
    texts = [text(words, words) for words in (3, 40, 7, 7)] + ["", text(3, 3)]
    found = BertEncoder(spec).encode(texts)
    model = AutoModel.from_pretrained(spec.folder, add_pooling_layer=False).eval()
    tokenizer = AutoTokenizer.from_pretrained(spec.folder)
    for one, row in zip(texts, found, strict=True):
        if not one:
            assert not row.any()
            continue
        ids = [2, *tokenizer(one, add_special_tokens=False)["input_ids"], 3]
        if len(ids) > 64:
            continue
        with torch.inference_mode():
            mean = model(torch.tensor([ids])).last_hidden_state[0].mean(0).numpy()
        np.testing.assert_allclose(row, mean / np.linalg.norm(mean), atol=1e-4)


def test_bert_with_a_tokenizer_that_is_too_large_is_refused(tmp_path: Path) -> None:
    folder = save_bert(tmp_path / "bert")
    other = embedded_spec().folder / "tokenizer.json"
    (folder / "tokenizer.json").write_bytes(other.read_bytes())
    with pytest.raises(ModelError, match="they do not belong together"):
        BertEncoder(folder_spec(folder, kinds=("bert",)))
