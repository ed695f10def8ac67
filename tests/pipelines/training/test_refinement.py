from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch.nn.functional import normalize
from transformers import AlbertModel, BertModel, PreTrainedTokenizerFast

from pipelines.training.errors import BadCheckpoint
from pipelines.training.groups import GroupPlan, Groups
from pipelines.training.initialise import StudentShape, new_student
from pipelines.training.lexicon import Lexicon
from pipelines.training.losses import PairWeights, pair_parts
from pipelines.training.recipe import Refining, Schedule
from pipelines.training.refinement import Refinement, blend

MakeRun = Callable[[str, Refining], Refinement]
RECIPE = Refining(
    plan=GroupPlan(seed=3, tokens=64, longest=32, lines=15, everyday=0, words=2),
    schedule=Schedule(tokens=900, embedding_rate=2e-2, other_rate=1e-2),
    keep=0.8,
    bfloat16=False,
)


@pytest.fixture
def make_run(
    tmp_path: Path,
    teacher: BertModel,
    tokenizer: PreTrainedTokenizerFast,
    lines: list[str],
    lexicon: Lexicon,
) -> MakeRun:
    """Return a maker of runs in named folders, all from the same student."""
    torch.manual_seed(4)
    student = new_student(teacher, StudentShape(embedding_size=8, layers=4, groups=2))

    def make(folder: str, recipe: Refining) -> Refinement:
        groups = Groups(lines, lexicon, recipe.plan)
        return Refinement(
            tmp_path / folder,
            recipe=recipe,
            teacher=teacher,
            student=copy.deepcopy(student),
            batches=lambda position: groups.stream(tokenizer.backend_tokenizer, position),
            made_of={"corpus": "0" * 64},
            report_every=200,
        )

    return make


def test_a_stopped_and_resumed_refinement_comes_to_the_same_weights(make_run: MakeRun) -> None:
    whole = make_run("whole", RECIPE).train()
    make_run("parts", RECIPE).train(stop_after=450)
    second = make_run("parts", RECIPE)
    second.resume()
    assert 450 <= second.progress.tokens < 600
    resumed = second.train()
    for name, weights in whole.state_dict().items():
        assert torch.equal(weights, resumed.state_dict()[name]), name


def test_refinement_brings_the_student_nearer_to_the_teacher(make_run: MakeRun) -> None:
    run = make_run("run", replace(RECIPE, schedule=replace(RECIPE.schedule, tokens=6000)))
    run.train()
    log = [json.loads(line) for line in (run.folder / "log.jsonl").read_text().splitlines()]
    assert log[-1]["tokens"] >= 6000
    assert log[-1]["sentence"] < 0.6 * log[1]["sentence"]


def test_a_checkpoint_from_another_start_is_refused(make_run: MakeRun) -> None:
    make_run("run", RECIPE).train(stop_after=100)
    other = make_run("run", RECIPE)
    other.settings["made_of"] = {"corpus": "1" * 64}
    with pytest.raises(BadCheckpoint, match=r"made_of\.corpus"):
        other.resume()


def test_the_average_follows_the_student(make_run: MakeRun) -> None:
    run = make_run("run", RECIPE)
    before = run.average.embeddings.word_embeddings.weight.clone()
    with torch.no_grad():
        run.student.embeddings.word_embeddings.weight.add_(1.0)
    blend(run.average, run.student, 0.75)
    assert torch.allclose(run.average.embeddings.word_embeddings.weight, before + 0.25)


def test_padding_does_not_change_a_vector(make_run: MakeRun) -> None:
    run = make_run("run", RECIPE)
    ids = torch.tensor([[2, 9, 11, 3]])
    padded = torch.tensor([[2, 9, 11, 3, 0, 0], [2, 5, 6, 7, 8, 3]])
    mask = torch.tensor([[1, 1, 1, 1, 0, 0], [1, 1, 1, 1, 1, 1]])
    alone = run.vectors(run.student.eval(), ids, torch.ones_like(ids))
    assert isinstance(run.student, AlbertModel)
    assert torch.allclose(alone[0], run.vectors(run.student, padded, mask)[0], atol=1e-5)


def test_equal_vectors_lose_nothing_and_near_pairs_count_more() -> None:
    theirs = normalize(torch.tensor([[1.0, 0.0, 0.0], [0.9, 0.4, 0.0], [0.0, 0.0, 1.0]]), dim=-1)
    assert all(float(part) < 1e-6 for part in pair_parts(theirs, theirs, PairWeights()))
    turn = torch.tensor([[1.0, 0.0, 0.0], [0.9, 0.4, 0.0], [0.3, 0.0, 1.0]])
    far = pair_parts(normalize(turn, dim=-1), theirs, PairWeights(floor=0.05))[1]
    evenly = pair_parts(normalize(turn, dim=-1), theirs, PairWeights(floor=1e6))[1]
    assert 0.0 < float(far) < 0.3 * float(evenly)
