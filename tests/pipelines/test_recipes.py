"""Recipes: bundled ones load, broken ones name every problem."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.errors import LabelSetError, RecipeError
from pipelines.recipes import load_recipe, recipe_names


def write(folder: Path, text: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(text, "utf-8")
    return path


def test_four_recipes_are_bundled() -> None:
    assert recipe_names() == ("clinical", "consultation", "general", "historical")


@pytest.mark.parametrize("name", ["clinical", "consultation", "historical"])
def test_bundled_recipe_has_its_own_label_set(name: str) -> None:
    labels = load_recipe(name).label_set()
    assert labels is not None
    assert labels.id == name


def test_general_recipe_runs_every_stage_without_a_label_set() -> None:
    recipe = load_recipe()
    assert recipe.id == "general"
    assert recipe.stages == ("summarise", "classify", "tag")
    assert recipe.label_set() is None


def test_unknown_recipe_names_the_known_ones() -> None:
    with pytest.raises(RecipeError, match="clinical, consultation, general, historical") as caught:
        load_recipe("poetry")
    assert caught.value.exit_code == 78


def test_every_problem_is_reported_at_once(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        'colour = 1\nstages = ["sumarise"]\n'
        '[summarise]\nsentences = 0\nspeed = 2\nposition = "first"\n[classify]\nthreshold = 1.5\n',
    )
    with pytest.raises(RecipeError) as caught:
        load_recipe(path)
    message = str(caught.value)
    for problem in (
        "unknown key 'colour'",
        "unknown stage 'sumarise'",
        "summarise.sentences is 0, expected 1 to 50",
        "unknown key 'summarise.speed'",
        "summarise.position is 'first', expected a number",
        "classify.threshold is 1.5, expected 0 to 1",
    ):
        assert problem in message


def test_true_is_not_a_number(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=r"summarise\.sentences is True, expected a whole number"):
        load_recipe(write(tmp_path, "[summarise]\nsentences = true\n"))


def test_file_that_is_not_toml_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="not readable TOML"):
        load_recipe(write(tmp_path, "stages = ["))


def test_own_recipe_finds_the_label_set_beside_it(tmp_path: Path) -> None:
    (tmp_path / "themes.csv").write_text("label,description\nA,about a\nB,about b\n", "utf-8")
    recipe = load_recipe(write(tmp_path, '[classify]\nlabel_set = "themes.csv"\n'))
    labels = recipe.label_set()
    assert labels is not None
    assert [label.label for label in labels.labels] == ["A", "B"]


def test_missing_label_set_names_the_bundled_ones(tmp_path: Path) -> None:
    recipe = load_recipe(write(tmp_path, '[classify]\nlabel_set = "nowhere.csv"\n'))
    with pytest.raises(LabelSetError, match="clinical, consultation, historical"):
        recipe.label_set()


def test_a_recipe_without_a_stage_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="stages is empty, expected some of summarise"):
        load_recipe(write(tmp_path, "stages = []\n"))


def test_tag_settings_are_read_checked_and_part_of_the_parameters(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[tag]\nfuzzy = true\nwindow = 6\n", "utf-8")
    recipe = load_recipe(path)
    assert (recipe.tag.fuzzy, recipe.tag.window, recipe.tag.lemma) == (True, 6, True)
    assert recipe.parameters()["tag"]["window"] == 6
    path.write_text("[tag]\nfuzzy = 1\nwindow = 1\nstemming = true\n", "utf-8")
    with pytest.raises(RecipeError, match=r"tag.fuzzy is 1, expected true or false.*window"):
        load_recipe(path)


def test_tags_by_meaning_are_off_unless_asked_for() -> None:
    assert not any(load_recipe(name).tag.meaning for name in recipe_names())
