from __future__ import annotations

from pipelines.training.sources import SOURCES
from pipelines.training.stages import read_stages


def test_stages_follow_each_other() -> None:
    stages = read_stages()
    assert [stage.start for stage in stages.values()] == ["run", *list(stages)[:-1]]


def test_stages_read_known_sources_and_frames_and_end_within_their_budget() -> None:
    known = {source.name for source in SOURCES}
    for stage in read_stages().values():
        assert stage.lines.keys() <= known
        assert all(times >= 1 for times in stage.lines.values())
        assert all(path.is_file() for path in stage.frame_files())
        assert 0 < stage.stop_after <= stage.tokens


def test_a_stage_decides_its_recipe_and_a_budget_may_be_given() -> None:
    stage = read_stages()["words"]
    recipe = stage.recipe(500)
    assert recipe.schedule.tokens == 500
    assert stage.recipe().schedule.tokens == stage.tokens
    assert (recipe.plan.seed, recipe.lexical) == (stage.seed, stage.lexical)
