"""Training: seeded, resumed to the same weights, anchored, refused where it does not belong."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from pipelines.adapt.errors import AdaptError
from pipelines.adapt.objective import contrast
from pipelines.adapt.passages import Corpus, corpus
from pipelines.adapt.run import CHECKPOINT, Adaptation
from pipelines.adapt.types import AdaptRecipe
from pipelines.models import ModelSpec, embedded_spec, folder_spec
from tests.pipelines.stages.named import WORDS, save_named, text

RECIPE = {"tokens": 900, "pairs": 6, "longest": 24, "seed": 3}
GENERAL = [text(7, seed) for seed in range(900, 920)]


@pytest.fixture(scope="module")
def spec(tmp_path_factory: pytest.TempPathFactory) -> ModelSpec:
    """Return a small ALBERT of a published shape."""
    return folder_spec(save_named(tmp_path_factory.mktemp("adapt") / "m"))


@pytest.fixture(scope="module")
def documents() -> Corpus:
    """Return passages of eighty small documents."""
    return corpus(
        (f"{text(9, n)} {WORDS[n % 20]}. {text(8, n + 500)} end." for n in range(80)), seed=3
    )


def training(folder: Path, spec: ModelSpec, documents: Corpus, **changes: object) -> Adaptation:
    recipe = AdaptRecipe(**{**RECIPE, **changes})  # type: ignore[arg-type]
    return Adaptation(folder, spec=spec, corpus=documents, general=GENERAL, recipe=recipe)


def same(a: Adaptation, b: Adaptation) -> bool:
    ours, theirs = a.model.state_dict(), b.model.state_dict()
    return all(torch.equal(ours[name], theirs[name]) for name in ours)


def test_the_same_seed_gives_the_same_weights_and_another_does_not(
    spec: ModelSpec, documents: Corpus, tmp_path: Path
) -> None:
    one, two = (training(tmp_path / name, spec, documents) for name in "ab")
    other = training(tmp_path / "c", spec, documents, seed=4)
    assert same(one, two)
    for run in (one, two, other):
        assert run.train()
    assert same(one, two)
    assert not same(one, other)
    assert one.progress.tokens >= 900


def test_a_resumed_training_comes_to_the_weights_of_one_that_was_not_stopped(
    spec: ModelSpec, documents: Corpus, tmp_path: Path
) -> None:
    whole = training(tmp_path / "whole", spec, documents)
    assert whole.train()
    half = training(tmp_path / "half", spec, documents)
    assert not half.train(stop=lambda: half.progress.step == 2)
    assert half.progress.step == 2
    again = training(tmp_path / "half", spec, documents, tokens=5)  # the checkpoint's budget counts
    assert again.resume()
    assert again.recipe.tokens == 900
    assert again.progress == half.progress
    assert again.train()
    assert again.progress.step == whole.progress.step > 3
    assert same(again, whole)


def test_without_a_checkpoint_nothing_is_resumed(
    spec: ModelSpec, documents: Corpus, tmp_path: Path
) -> None:
    assert not training(tmp_path / "none", spec, documents).resume()


def test_a_checkpoint_of_other_documents_or_settings_is_refused(
    spec: ModelSpec, documents: Corpus, tmp_path: Path
) -> None:
    training(tmp_path, spec, documents).save()
    fewer = corpus((f"{text(9, n)} {n}. {text(8, n)} it." for n in range(70)), seed=3)
    for changed, said in (
        (training(tmp_path, spec, fewer), "other documents"),
        (training(tmp_path, spec, documents, pairs=7), "other recipe"),
    ):
        with pytest.raises(AdaptError, match=said) as caught:
            changed.resume()
        assert caught.value.exit_code == 78
    (tmp_path / CHECKPOINT).write_bytes(b"PK")
    with pytest.raises(AdaptError, match="not a readable checkpoint"):
        training(tmp_path, spec, documents).resume()


def test_minutes_become_tokens_and_nothing_is_learnt_while_timing(
    spec: ModelSpec, documents: Corpus, tmp_path: Path
) -> None:
    timed, fresh = (training(tmp_path, spec, documents) for _ in range(2))
    timed.budget(0.5)
    assert timed.recipe.tokens > 1
    assert same(timed, fresh)
    assert timed.progress == fresh.progress


def test_an_anchor_holds_the_vectors_where_they_were(documents: Corpus, tmp_path: Path) -> None:
    changes = {"other_rate": 3e-4, "embedding_rate": 3e-4, "tokens": 2000}
    nearness = []
    for anchors in ({"own": 0.0, "general": 0.0, "relations": 0.0}, {"contrast": 0.0}):
        run = training(tmp_path, embedded_spec(), documents, **changes, **anchors)
        run.train()
        with torch.no_grad():
            now = run._vectors(run._general_ids)
        nearness.append(float((now * run._former(GENERAL)).sum(-1).mean()))
    assert nearness[0] < nearness[1] - 0.02, nearness


def test_passages_the_former_model_finds_alike_are_no_negatives() -> None:
    recipe = AdaptRecipe()
    unit = torch.nn.functional.normalize(torch.randn(4, 8, generator=torch.manual_seed(1)), dim=-1)
    other = unit.roll(1, dims=0)
    apart = contrast(unit, unit, (torch.eye(4, 8), torch.eye(4, 8)), recipe)
    alike = contrast(unit, unit, (torch.ones(4, 8) / 8**0.5,) * 2, recipe)
    assert alike < apart
    assert alike == pytest.approx(0.0, abs=1e-5)
    assert contrast(unit, other, (torch.eye(4, 8), torch.eye(4, 8)), recipe) > apart
