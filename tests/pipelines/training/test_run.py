from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from transformers import AutoModel, AutoTokenizer, BertModel, PreTrainedTokenizerFast

from pipelines.training.errors import BadCheckpoint
from pipelines.training.export import export
from pipelines.training.losses import LossWeights, loss_parts
from pipelines.training.recipe import Recipe, Schedule
from pipelines.training.run import Run

MakeRun = Callable[[str, Recipe], Run]


@pytest.fixture
def make_run(
    tmp_path: Path, teacher: BertModel, tokenizer: PreTrainedTokenizerFast, lines: list[str]
) -> MakeRun:
    """Return a maker of runs in named folders, neither started nor resumed."""

    def make(folder: str, recipe: Recipe) -> Run:
        return Run(
            tmp_path / folder,
            recipe=recipe,
            teacher=teacher,
            tokenizer=tokenizer,
            lines=lines,
            corpus_sha256="0" * 64,
            report_every=200,
        )

    return make


def started(run: Run) -> Run:
    run.start()
    return run


def test_a_stopped_and_resumed_run_comes_to_the_same_weights(
    make_run: MakeRun, recipe: Recipe
) -> None:
    whole = started(make_run("whole", recipe)).train()
    started(make_run("parts", recipe)).train(stop_after=450)
    torch.manual_seed(99)
    second = make_run("parts", recipe)
    second.resume()
    assert 450 <= second.progress.tokens < 600
    resumed = second.train()
    for name, weights in whole.state_dict().items():
        assert torch.equal(weights, resumed.state_dict()[name]), name


def test_training_lowers_the_loss_and_logs_it(make_run: MakeRun, recipe: Recipe) -> None:
    run = started(make_run("run", replace(recipe, schedule=Schedule(tokens=4000))))
    run.train()
    log = [json.loads(line) for line in (run.folder / "log.jsonl").read_text().splitlines()]
    assert log[-1]["tokens"] >= 4000
    assert log[-1]["sentence"] < 0.6 * log[1]["sentence"]
    assert log[-1]["tokens_loss"] < log[1]["tokens_loss"]


def test_a_checkpoint_of_another_recipe_is_refused(make_run: MakeRun, recipe: Recipe) -> None:
    started(make_run("run", recipe)).train(stop_after=100)
    other = replace(recipe, plan=replace(recipe.plan, seed=4))
    with pytest.raises(BadCheckpoint, match=r"recipe\.plan\.seed=3, not 4"):
        make_run("run", other).resume()


def test_the_token_budget_may_change_and_is_logged(make_run: MakeRun, recipe: Recipe) -> None:
    started(make_run("run", recipe)).train(stop_after=100)
    run = make_run("run", replace(recipe, schedule=Schedule(tokens=300)))
    run.resume()
    run.train()
    log = [json.loads(line) for line in (run.folder / "log.jsonl").read_text().splitlines()]
    assert [line["budget"] for line in log] == [900, 900, 300]
    assert run.progress.tokens >= 300


def test_an_exported_folder_loads_as_an_albert_in_half_precision(
    tmp_path: Path,
    make_run: MakeRun,
    recipe: Recipe,
    tokenizer: PreTrainedTokenizerFast,
    lines: list[str],
) -> None:
    run = started(make_run("run", recipe))
    export(run.student, tokenizer, tmp_path / "model")
    loaded = AutoModel.from_pretrained(tmp_path / "model", add_pooling_layer=False)
    assert type(loaded).__name__ == "AlbertModel"
    assert loaded.dtype == torch.float16
    assert run.student.dtype == torch.float32
    again = AutoTokenizer.from_pretrained(tmp_path / "model")
    assert again(lines[0])["input_ids"] == tokenizer(lines[0])["input_ids"]


def test_identical_states_lose_nothing() -> None:
    states, mask = torch.randn(3, 5, 8), torch.tensor([[1, 1, 1, 1, 1], [1, 1, 0, 0, 0], [1] * 5])
    assert all(abs(float(part)) < 1e-5 for part in loss_parts(states, states.clone(), mask))


def test_padding_does_not_enter_the_loss() -> None:
    student, teacher = torch.randn(2, 4, 8), torch.randn(2, 4, 8)
    mask = torch.tensor([[1, 1, 1, 1], [1, 1, 0, 0]])
    before = loss_parts(student, teacher, mask)
    student[1, 2:] = 7.0
    after = loss_parts(student, teacher, mask)
    assert [float(part) for part in before] == [float(part) for part in after]


def test_the_token_term_fades_in_the_second_half() -> None:
    weights = LossWeights()
    assert weights.tokens_at(0.5) == 1.0
    assert abs(weights.tokens_at(0.75) - 0.55) < 1e-9
    assert abs(weights.tokens_at(1.0) - 0.1) < 1e-9


def test_rates_warm_up_and_fall_to_the_floor() -> None:
    schedule = Schedule(tokens=1000)
    assert schedule.factor(0) < 0.1
    assert schedule.factor(40) > 0.99
    assert abs(schedule.factor(500) - 0.5) < 1e-9
    assert schedule.factor(1000) == 0.02
