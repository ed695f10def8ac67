"""Labels by inference: transformers' logits, the earning sentence, models that are refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from pipelines.errors import ModelError
from pipelines.labels import LabelDefinition, LabelSet
from pipelines.models import folder_spec
from pipelines.segment import segment
from pipelines.stages.entail import Entailment, label_by_entailment
from tests.pipelines.stages.named import BASE, XXLARGE, save_named, text

SET = LabelSet(
    "mine",
    (LabelDefinition("buses", "The buses are late."), LabelDefinition("library")),
    sha256="",
)


@pytest.fixture(scope="module", params=[BASE, XXLARGE], ids=["base", "xxlarge"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an NLI checkpoint of a published shape."""
    return save_named(
        tmp_path_factory.mktemp("nli") / "m", head="SequenceClassification", shape=request.param
    )


def test_logits_equal_those_of_transformers(folder: Path) -> None:
    from tokenizers import Tokenizer
    from transformers import AlbertForSequenceClassification

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    reference = AlbertForSequenceClassification.from_pretrained(folder).eval()
    pairs = [(text(n, n), text(m, m)) for n, m in ((5, 4), (20, 6), (9, 9), (5, 4), (1, 30))]
    found = Entailment(folder_spec(folder), threads=2).logits(pairs)
    for (premise, hypothesis), row in zip(pairs, found, strict=True):
        encoding = tokenizer.encode(premise, hypothesis)
        with torch.inference_mode():
            expected = reference(
                input_ids=torch.tensor([encoding.ids]),
                token_type_ids=torch.tensor([encoding.type_ids]),
            ).logits[0]
        np.testing.assert_allclose(row, expected.numpy(), atol=1e-4)


def test_probability_is_entailment_against_contradiction(folder: Path) -> None:
    judge = Entailment(folder_spec(folder))
    pairs = [(text(9), "The buses are late.")]
    entails, _, contradicts = judge.logits(pairs)[0]
    expected = 1 / (1 + np.exp(contradicts - entails))
    assert judge.probabilities(pairs)[0] == pytest.approx(expected, abs=1e-6)


def test_label_has_its_best_sentence_as_evidence(folder: Path) -> None:
    judge = Entailment(folder_spec(folder))
    texts = [text(30, 4), "", text(6, 5)]
    segments = [segment(one) for one in texts]
    found = label_by_entailment(judge, SET, texts, segments)
    assert found[1] == ()
    for one, of_text, labels in zip(texts, segments, found, strict=True):
        assert [label.score for label in labels] == sorted((x.score for x in labels), reverse=True)
        for label in labels:
            assert one[label.start : label.end] == label.text
            hypothesis = {
                "buses": "The buses are late.",
                "library": "This text is about library.",
            }
            pairs = [(one[s.start : s.end], hypothesis[label.label]) for s in of_text]
            assert label.score == pytest.approx(judge.probabilities(pairs).max(), abs=1e-4)


def test_long_premise_leaves_room_for_the_hypothesis(folder: Path) -> None:
    judge = Entailment(folder_spec(folder))
    near, far = judge.logits([(text(300), text(6, 1)), (text(300), text(6, 2))])
    assert not np.allclose(near, far)


def test_head_whose_labels_have_no_names_is_refused(tmp_path: Path) -> None:
    folder = save_named(tmp_path / "m", head="SequenceClassification")
    config = json.loads((folder / "config.json").read_text("utf-8"))
    config["id2label"] = {str(number): f"LABEL_{number}" for number in range(3)}
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    with pytest.raises(ModelError, match="expected entailment and contradiction") as caught:
        Entailment(folder_spec(folder))
    assert caught.value.exit_code == 78


def test_model_without_the_head_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="expected entailment"):
        Entailment(folder_spec(save_named(tmp_path / "m", head="QuestionAnswering")))
