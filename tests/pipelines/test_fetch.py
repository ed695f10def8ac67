"""Fetching: every file of one commit, all or nothing, hashes recorded and compared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pipelines.errors import ModelError, ModelUnavailable
from pipelines.fetch import fetch
from pipelines.models import folder_spec
from pipelines.presets import Preset
from pipelines.stages.encode import Encoder
from tests.pipelines.hub import COMMIT, Hub, serve
from tests.pipelines.stages.named import save_named

PRESET = Preset("small", "owner/albert-small", licence="Apache-2.0")


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that is served."""
    return save_named(tmp_path_factory.mktemp("hub") / "files")


@pytest.fixture
def hub(checkpoint: Path) -> Iterator[Hub]:
    """Return a hub that serves it."""
    with serve(checkpoint) as running:
        yield running


def test_fetched_model_encodes_and_has_a_manifest(hub: Hub, tmp_path: Path) -> None:
    spec = fetch(PRESET, tmp_path, endpoint=hub.address)
    assert (spec.id, spec.licence) == ("small", "Apache-2.0")
    assert spec.revision == f"owner/albert-small@{COMMIT}"
    assert Encoder(spec).encode(["the bus"]).shape == (1, 48)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["small"]
    assert not (spec.folder / "generation_config.json").exists()


def test_branch_becomes_one_commit_for_all_files(hub: Hub, tmp_path: Path) -> None:
    fetch(PRESET, tmp_path, endpoint=hub.address)
    first, *others = [path for path in hub.asked if "/resolve/" in path]
    assert first == "/owner/albert-small/resolve/main/config.json"
    assert all(path.startswith(f"/owner/albert-small/resolve/{COMMIT}/") for path in others)


def test_ref_with_slashes_is_asked_for_as_one_name(hub: Hub, tmp_path: Path) -> None:
    fetch(replace(PRESET, revision="refs/pr/2"), tmp_path, endpoint=hub.address)
    assert hub.asked[0] == "/owner/albert-small/resolve/refs/pr/2/config.json"


def test_nothing_is_told_about_the_machine(hub: Hub, tmp_path: Path) -> None:
    fetch(PRESET, tmp_path, endpoint=hub.address)
    assert hub.agents == {"florilegium"}


def test_second_fetch_asks_for_the_recorded_commit(hub: Hub, tmp_path: Path) -> None:
    fetch(PRESET, tmp_path, endpoint=hub.address)
    hub.asked.clear()
    fetch(PRESET, tmp_path, endpoint=hub.address)
    assert hub.asked[0] == f"/owner/albert-small/resolve/{COMMIT}/config.json"


def test_file_that_comes_changed_is_refused_and_the_old_model_stays(
    hub: Hub, tmp_path: Path, checkpoint: Path
) -> None:
    before = fetch(PRESET, tmp_path, endpoint=hub.address)
    other = save_named(tmp_path / "other", seed=9)
    hub.folder = other
    with pytest.raises(ModelError, match=r"model\.safetensors of small came with sha256") as caught:
        fetch(PRESET, tmp_path, endpoint=hub.address)
    assert caught.value.exit_code == 78
    assert folder_spec(tmp_path / "small", id="small").sha256 == before.sha256


def test_known_hash_must_be_met(hub: Hub, tmp_path: Path) -> None:
    wrong = replace(PRESET, sha256={"config.json": "0" * 64})
    with pytest.raises(ModelError, match="expected 0000"):
        fetch(wrong, tmp_path, endpoint=hub.address)
    assert not list(tmp_path.iterdir())


def test_announced_hash_must_be_met(hub: Hub, tmp_path: Path) -> None:
    hub.announced["model.safetensors"] = "1" * 64
    with pytest.raises(ModelError, match="expected 1111"):
        fetch(PRESET, tmp_path, endpoint=hub.address)


def test_download_that_ends_early_is_refused(hub: Hub, tmp_path: Path) -> None:
    hub.short = True
    with pytest.raises(ModelUnavailable, match=r"ended after|cannot be reached"):
        fetch(PRESET, tmp_path, endpoint=hub.address)
    assert not list(tmp_path.iterdir())


def test_repository_without_safetensors_is_refused(hub: Hub, tmp_path: Path) -> None:
    folder = tmp_path / "pickled"
    folder.mkdir()
    (folder / "config.json").write_text('{"model_type": "albert"}', "utf-8")
    (folder / "pytorch_model.bin").write_bytes(b"\x80")
    hub.folder = folder
    with pytest.raises(ModelUnavailable, match="pickled weights are never loaded"):
        fetch(PRESET, tmp_path / "models", endpoint=hub.address)
    assert not any("pytorch_model.bin" in path for path in hub.asked)


def test_machine_without_network_gets_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="Fetching a model needs the network") as caught:
        fetch(PRESET, tmp_path, endpoint="http://127.0.0.1:9")
    assert caught.value.exit_code == 69
    assert not list(tmp_path.iterdir())


def test_no_other_module_can_fetch() -> None:
    clients = re.compile(
        r"^\s*(?:import|from) (?:urllib\.request|http\.client|requests|httpx|huggingface_hub)\b",
        re.MULTILINE,
    )
    root = Path(__file__).parents[2]
    found = [
        path.name
        for package in ("app", "db", "ontology", "pipelines")
        for path in (root / package).rglob("*.py")
        if clients.search(path.read_text("utf-8"))
    ]
    assert found == ["fetch.py"]
