"""Models on this machine: found by name, path or task; added by hand; broken ones named."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.errors import ModelError, ModelUnavailable
from pipelines.installed import add_model, find_model, first_for, installed
from pipelines.models import ANSWERS, EMBEDDED_ID, ENTAILMENT, folder_spec
from pipelines.stages.albert import load_albert
from tests.pipelines.stages.named import save_bert, save_named


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with checkpoints of several kinds."""
    folder = tmp_path_factory.mktemp("named")
    save_named(folder / "plain")
    save_named(folder / "squad", head="QuestionAnswering")
    save_named(folder / "mnli", head="SequenceClassification")
    save_bert(folder / "bert")
    return folder


def test_model_is_found_by_name_path_and_task(named: Path) -> None:
    assert find_model("", named).id == EMBEDDED_ID
    assert find_model("squad", named).task == ANSWERS
    assert find_model(str(named / "plain"), named / "nowhere").id == "plain"
    nli, nothing = first_for(ENTAILMENT, named), first_for(ANSWERS, named / "nowhere")
    assert nli is not None
    assert nli.id == "mnli"
    assert nothing is None


def test_encoder_parameters_are_those_without_a_head(named: Path) -> None:
    from transformers import AlbertModel

    model = AlbertModel.from_pretrained(named / "plain", add_pooling_layer=False)
    spec = folder_spec(named / "plain")
    assert spec.encoder_parameters == sum(p.numel() for p in model.parameters())
    assert spec.parameters > spec.encoder_parameters


def test_bert_is_for_comparison_only(named: Path) -> None:
    assert find_model("bert", named, kinds=("albert", "bert")).kind == "bert"
    with pytest.raises(ModelError, match="'bert' model, expected 'albert'") as caught:
        find_model("bert", named)
    assert caught.value.exit_code == 78


def test_preset_that_was_not_fetched_says_how_to(named: Path) -> None:
    with pytest.raises(ModelUnavailable, match="models fetch albert-base-v2") as caught:
        find_model("albert-base-v2", named)
    assert caught.value.exit_code == 69


@pytest.mark.parametrize("name", ["nobody", "../plain/x", "."])
def test_unknown_name_is_unavailable(named: Path, name: str) -> None:
    with pytest.raises(ModelUnavailable):
        find_model(name, named / "plain")


def test_broken_model_is_listed_with_its_reason(tmp_path: Path) -> None:
    save_named(tmp_path / "broken")
    (tmp_path / "broken" / "model.safetensors").rename(tmp_path / "broken" / "pytorch_model.bin")
    ((name, found),) = installed(tmp_path)
    assert name == "broken"
    assert isinstance(found, ModelError)
    assert "can run code" in str(found)


def test_added_model_is_a_copy_with_a_manifest(named: Path, tmp_path: Path) -> None:
    spec = add_model(named / "squad", tmp_path / "models", id="mine", licence="MIT")
    assert (spec.id, spec.licence, spec.task) == ("mine", "MIT", ANSWERS)
    weights = spec.folder / "model.safetensors"
    data = bytearray(weights.read_bytes())
    data[-1] ^= 1
    weights.write_bytes(data)
    with pytest.raises(ModelError, match="the file is not the one that was checked") as caught:
        find_model("mine", tmp_path / "models")
    assert caught.value.exit_code == 78


def test_adding_again_replaces_and_adding_in_place_writes_the_manifest(
    named: Path, tmp_path: Path
) -> None:
    first = add_model(named / "plain", tmp_path, id="mine")
    second = add_model(named / "squad", tmp_path, id="mine")
    assert first.sha256 != second.sha256
    third = add_model(tmp_path / "mine", tmp_path, licence="MIT")
    assert (third.id, third.licence) == ("mine", "MIT")
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize("name", ["../x", ".x", EMBEDDED_ID])
def test_name_that_would_leave_the_folder_is_refused(
    named: Path, tmp_path: Path, name: str
) -> None:
    with pytest.raises(ModelError, match="cannot name a model"):
        add_model(named / "plain", tmp_path, id=name)


def test_nothing_is_added_from_a_folder_that_cannot_be_used(tmp_path: Path) -> None:
    folder = save_named(tmp_path / "broken")
    (folder / "tokenizer.json").unlink()
    with pytest.raises(ModelError, match="no tokenizer"):
        add_model(folder, tmp_path / "models")
    assert not (tmp_path / "models").exists()


def test_weights_that_end_early_are_refused(tmp_path: Path) -> None:
    weights = save_named(tmp_path / "m") / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    with pytest.raises(ModelError, match="100 bytes are missing") as caught:
        folder_spec(tmp_path / "m")
    assert caught.value.exit_code == 78


def test_weights_of_another_shape_are_refused(tmp_path: Path) -> None:
    folder = save_named(tmp_path / "m")
    text = (folder / "config.json").read_text("utf-8")
    for old, new, said in (
        ('"vocab_size": ', '"vocab_size": 9', "word_embeddings has shape"),
        ('"intermediate_size": 192', '"intermediate_size": 96', "ffn 0 has shape"),
        ('"num_attention_heads": 12', '"num_attention_heads": 7', "shared out to 7 heads"),
    ):
        (folder / "config.json").write_text(text.replace(old, new), "utf-8")
        with pytest.raises(ModelError, match=said):
            load_albert(folder_spec(folder))
