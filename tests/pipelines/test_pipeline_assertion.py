"""Assertion in the pipeline: the recipe decides, the stored text is what cues stand on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from ontology.index import LabelIndex
from ontology.model import Concept, Label, Ontology
from pipelines.errors import RecipeError
from pipelines.pipeline import Pipeline
from pipelines.recipes import Recipe, load_recipe
from pipelines.stages.assertion.rules import RulesError
from pipelines.stages.vectors import Vectors
from pipelines.types import Document, Tag


class NoEncoder:
    """An encoder that the tag stage has no need of."""

    dimension = 1

    def encode(self, texts: Sequence[str]) -> Vectors:
        raise AssertionError("nothing to encode")


def recipe(name: str, **changes: object) -> Recipe:
    loaded = replace(load_recipe(name), stages=("tag",), answers=False)
    return replace(loaded, **changes)  # type: ignore[arg-type]


def tags(used: Recipe, text: str) -> tuple[Tag, ...]:
    bus = Concept("urn:bus", "x:bus", "bus", (Label("bus", "en", "pref"),))
    index = LabelIndex.build([Ontology("o", "", "", "", "turtle", "0", {"urn:bus": bus})])
    (result,) = Pipeline(used, NoEncoder(), index=index).process([Document("a", text)])
    return result.tags


@pytest.mark.parametrize(
    ("name", "experiencer", "hypothetical"),
    [("clinical", "patient", False), ("consultation", None, False), ("historical", None, None)],
)
def test_recipe_says_what_is_assessed(
    name: str, experiencer: str | None, hypothetical: bool | None
) -> None:
    (tag,) = tags(recipe(name), "There is no bus to the village of an evening.")
    assert (tag.negated, tag.possible) == (True, False)
    assert (tag.experiencer, tag.hypothetical) == (experiencer, hypothetical)


def test_cues_stand_on_the_stored_text_where_the_stages_saw_a_view() -> None:
    text = "<p>There is <b>no</b> &amp; never was a bus here.</p>"
    (tag,) = tags(recipe("consultation"), text)
    assert tag.negated
    assert tag.cue_start is not None
    assert text[tag.cue_start : tag.cue_end] == tag.cue
    assert tag.cue


def test_own_rules_beside_the_recipe_count_and_change_the_parameters(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'stages = ["tag"]\nanswers = false\n'
        '[assertion]\nattributes = ["negated"]\nrules = "cues.toml"\n',
        "utf-8",
    )
    cues = tmp_path / "cues.toml"
    cues.write_text('[[rule]]\nsets = "negated"\nphrases = ["nowt like"]\n', "utf-8")
    used = load_recipe(path)
    (tag,) = tags(used, "It is nowt like the bus we had.")
    assert (tag.negated, tag.possible, tag.cue) == (True, None, "nowt like")
    before = used.parameters()
    cues.write_text('[[rule]]\nsets = "negated"\nphrases = ["nobbut"]\n', "utf-8")
    assert load_recipe(path).parameters() != before


def test_missing_rules_are_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('stages = ["tag"]\n[assertion]\nrules = "nowhere.toml"\n', "utf-8")
    with pytest.raises(RulesError, match=r"nowhere\.toml"):
        load_recipe(path).parameters()


def test_unknown_attribute_of_a_recipe_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[assertion]\nattributes = ["negation"]\n', "utf-8")
    with pytest.raises(RecipeError, match="'negation', expected some of negated, possible"):
        load_recipe(path)


def test_nothing_is_assessed_where_the_recipe_asks_for_nothing(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('stages = ["tag"]\n[assertion]\nattributes = []\n', "utf-8")
    used = load_recipe(path)
    assert "assertion" not in used.parameters()
    (tag,) = tags(used, "There is no bus here in the evening.")
    assert tag.negated is None
