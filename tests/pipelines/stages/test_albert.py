"""The packed forward pass is AlbertModel's, for every published shape."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from pipelines.errors import ModelError
from pipelines.models import EMBEDDED_FOLDER, embedded_spec, folder_spec
from pipelines.stages.albert import load_albert
from tests.pipelines.stages.checkpoints import save_checkpoint

TOLERANCE = 1e-4


def largest_difference(folder: Path, sequences: list[list[int]]) -> float:
    """Return the largest difference from transformers.AlbertModel, each sequence run alone there."""
    from transformers import AutoModel

    reference = AutoModel.from_pretrained(folder, local_files_only=True, dtype=torch.float32).eval()
    packed = load_albert(folder_spec(folder)).hidden(sequences)
    with torch.inference_mode():
        expected = torch.cat(
            [reference(torch.tensor([ids])).last_hidden_state[0] for ids in sequences]
        )
    assert packed.shape == expected.shape
    return float((packed - expected).abs().max())


def test_embedded_model_equals_albert_model() -> None:
    sequences = [[101, *range(2000, 2000 + n), 102] for n in (510, 126, 126, 30, 12, 12, 12, 1)]
    assert largest_difference(EMBEDDED_FOLDER, sequences) < TOLERANCE


@pytest.mark.parametrize(
    "shape",
    [
        {"hidden_act": "gelu_new", "num_hidden_groups": 1},
        {"hidden_act": "gelu", "num_hidden_groups": 2},
        {"hidden_act": "gelu_new", "num_hidden_layers": 3, "inner_group_num": 2},
        {"hidden_act": "relu", "num_hidden_layers": 6, "num_hidden_groups": 4},
        {"embedding_size": 16, "hidden_size": 128, "num_attention_heads": 2},
        {"task": True},
    ],
    ids=lambda shape: ",".join(f"{key}={value}" for key, value in shape.items()),
)
def test_named_checkpoint_equals_albert_model(tmp_path: Path, shape: dict[str, Any]) -> None:
    folder = save_checkpoint(tmp_path / "checkpoint", **shape)
    sequences = [[2, *range(5, 5 + n), 3] for n in (40, 9, 9, 3)]
    assert largest_difference(folder, sequences) < TOLERANCE


def test_parameters_are_counted_from_the_header() -> None:
    from transformers import AlbertModel

    model = AlbertModel.from_pretrained(EMBEDDED_FOLDER, add_pooling_layer=False)
    assert embedded_spec().parameters == sum(p.numel() for p in model.parameters())


def test_weights_that_do_not_fit_the_config_are_refused(tmp_path: Path) -> None:
    folder = save_checkpoint(tmp_path / "checkpoint")
    config = json.loads((folder / "config.json").read_text("utf-8"))
    (folder / "config.json").write_text(json.dumps(config | {"num_hidden_groups": 2}), "utf-8")
    with pytest.raises(ModelError, match="does not fit its config") as caught:
        load_albert(folder_spec(folder))
    assert caught.value.exit_code == 78
