"""Presets: what is shipped is complete, and a broken file names every problem."""

from __future__ import annotations

import pytest

from pipelines.errors import ModelError
from pipelines.presets import custom, presets, read_presets


def test_every_published_size_and_task_is_there() -> None:
    known = presets()
    assert {f"albert-{size}-v2" for size in ("base", "large", "xlarge", "xxlarge")} <= set(known)
    assert {preset.task for preset in known.values()} >= {"encoder", "nli", "question-answering"}


def test_published_sizes_are_pinned_to_a_commit() -> None:
    assert all(presets()[f"albert-{x}-v2"].pinned for x in ("base", "large", "xlarge", "xxlarge"))


@pytest.mark.parametrize("name", presets())
def test_preset_asks_for_safetensors_and_never_for_pickles(name: str) -> None:
    preset = presets()[name]
    files = (*preset.files, *preset.optional)
    assert {"config.json", "model.safetensors"} <= set(preset.files)
    assert {"tokenizer.json", "spiece.model"} & set(preset.files)
    assert not [file for file in files if file.endswith((".bin", ".pt", ".h5", ".ot", ".msgpack"))]
    assert preset.licence


def test_all_problems_are_reported_together() -> None:
    text = """
    [[preset]]
    id = "a b"
    repository = "nobody"
    revision = "../x"
    licence = "MIT"
    task = "poetry"
    files = ["../config.json"]
    [preset.sha256]
    "x" = "12"
    [[preset]]
    id = "c"
    colour = "red"
    """
    with pytest.raises(ModelError) as caught:
        read_presets(text)
    said = str(caught.value)
    for part in ("'a b'", "'nobody'", "'../x'", "'poetry'", "'../config.json'", "sha256 of x"):
        assert part in said
    assert "c: no repository" in said
    assert "unknown key colour" in said
    assert caught.value.exit_code == 78


@pytest.mark.parametrize("repository", ["owner", "https://x/y", "../../etc", "a/b/c"])
def test_repository_of_ones_own_must_be_one(repository: str) -> None:
    with pytest.raises(ModelError, match="expected owner/name"):
        custom("mine", repository, "", "")
