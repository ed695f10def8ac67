"""Model folders: what is hashed, what is refused, and with which exit code."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pipelines.errors import ModelError, ModelUnavailable
from pipelines.models import (
    EMBEDDED_FOLDER,
    MANIFEST,
    embedded_spec,
    folder_spec,
    verify,
    write_manifest,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a copy of the embedded model without its manifest."""
    copy = tmp_path / "copy"
    shutil.copytree(EMBEDDED_FOLDER, copy, ignore=shutil.ignore_patterns(MANIFEST))
    return copy


def test_embedded_model_is_described_by_its_files() -> None:
    spec = embedded_spec()
    assert spec.id == "florilegium-albert"
    assert {"config.json", "model.safetensors", "tokenizer.json"} <= set(spec.files)
    assert spec.bytes <= 16_000_000
    assert 5_000_000 < spec.parameters <= 8_000_000


def test_specification_needs_neither_torch_nor_transformers() -> None:
    code = (
        "import sys; from pipelines.models import embedded_spec;"
        "from pipelines.recipes import fingerprint, load_recipe;"
        "fingerprint(load_recipe(), embedded_spec());"
        "print([m for m in ('torch', 'transformers', 'spacy', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[]"


def test_changing_the_card_does_not_change_the_hash(folder: Path) -> None:
    before = folder_spec(folder).sha256
    (folder / "README.md").write_text("another card", "utf-8")
    assert folder_spec(folder).sha256 == before


def test_changing_the_weights_changes_the_hash(folder: Path) -> None:
    before = folder_spec(folder).sha256
    data = bytearray((folder / "model.safetensors").read_bytes())
    data[-1] ^= 1
    (folder / "model.safetensors").write_bytes(data)
    assert folder_spec(folder).sha256 != before


def test_file_changed_after_it_was_described_is_refused(folder: Path) -> None:
    spec = folder_spec(folder)
    (folder / "config.json").write_text("{}", "utf-8")
    with pytest.raises(ModelError, match=r"config\.json has sha256 .* expected") as caught:
        verify(spec)
    assert caught.value.exit_code == 78


def test_manifest_gives_revision_and_licence(folder: Path) -> None:
    write_manifest(folder, id="mine", revision="3", licence="MIT")
    spec = folder_spec(folder)
    assert (spec.id, spec.revision, spec.licence) == ("mine", "3", "MIT")


def test_folder_that_differs_from_its_manifest_is_refused(folder: Path) -> None:
    write_manifest(folder, id="mine", revision="3", licence="MIT")
    config = json.loads((folder / "config.json").read_text("utf-8"))
    (folder / "config.json").write_text(json.dumps(config | {"layer_norm_eps": 1e-5}), "utf-8")
    with pytest.raises(ModelError, match="the file is not the one that was checked"):
        folder_spec(folder)


def test_file_of_the_manifest_that_is_missing_is_refused(folder: Path) -> None:
    write_manifest(folder, id="mine", revision="3", licence="MIT")
    (folder / "tokenizer_config.json").unlink()
    with pytest.raises(ModelError, match=r"tokenizer_config\.json is missing"):
        folder_spec(folder)


def test_folder_without_a_model_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable) as caught:
        folder_spec(tmp_path)
    assert caught.value.exit_code == 69


def test_pickled_weights_are_refused_by_name(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(ModelError, match=r"pytorch_model\.bin, which can run code"):
        folder_spec(folder)


def test_folder_without_a_tokenizer_is_refused(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()
    with pytest.raises(ModelError, match="no tokenizer"):
        folder_spec(folder)


def test_other_architecture_is_refused(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text("utf-8"))
    (folder / "config.json").write_text(json.dumps(config | {"model_type": "bert"}), "utf-8")
    with pytest.raises(ModelError, match="'bert' model, expected 'albert'"):
        folder_spec(folder)


def test_truncated_weights_are_refused(folder: Path) -> None:
    (folder / "model.safetensors").write_bytes(b"\x10\x00")
    with pytest.raises(ModelError, match="not a safetensors file"):
        folder_spec(folder)
