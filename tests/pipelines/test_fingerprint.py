"""What makes a document pending again, and what does not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pipelines.labels import LabelDefinition, LabelSet
from pipelines.models import ModelSpec
from pipelines.recipes import Fingerprint, fingerprint, input_hash, load_recipe
from pipelines.types import Document

MODEL = ModelSpec(id="m", folder=Path("here"), files={"model.safetensors": "aa"})
LABELS = LabelSet("themes", (LabelDefinition("A"),), "ff")
ONTOLOGIES = [("symptoms", "01"), ("services", "02")]


def mark(**changes: object) -> Fingerprint:
    arguments = {"recipe": load_recipe(), "model": MODEL, "ontologies": ONTOLOGIES}
    arguments |= {"label_set": LABELS} | changes
    return fingerprint(**arguments)  # type: ignore[arg-type]


def test_order_of_ontologies_does_not_matter() -> None:
    assert mark().value == mark(ontologies=ONTOLOGIES[::-1]).value


def test_where_the_model_lies_does_not_matter() -> None:
    moved = replace(MODEL, folder=Path("there"), revision="2", id="n")
    assert mark().value == mark(model=moved).value


def test_reference_engine_changes_nothing_and_another_does() -> None:
    assert mark(engine="float32") == mark()
    assert mark(engine="bfloat16").value != mark().value
    assert mark(engine="bfloat16").details["engine"] == "bfloat16"


def test_title_of_the_recipe_does_not_matter() -> None:
    assert mark().value == mark(recipe=replace(load_recipe(), title="Other")).value


@pytest.mark.parametrize(
    "changes",
    [
        {"model": replace(MODEL, files={"model.safetensors": "bb"})},
        {"ontologies": [("symptoms", "01"), ("services", "03")]},
        {"ontologies": [("symptoms", "01")]},
        {"label_set": replace(LABELS, sha256="fe")},
        {"label_set": None},
        {"recipe": replace(load_recipe(), stages=("tag",))},
        {"recipe": replace(load_recipe(), metadata=("age",))},
        {"recipe": replace(load_recipe(), summarise=replace(load_recipe().summarise, sentences=3))},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_change_of_what_decides_a_result_changes_it(changes: dict[str, object]) -> None:
    assert mark(**changes).value != mark().value


def test_details_name_every_part() -> None:
    details = mark().details
    assert details["model"] == {"id": "m", "revision": "", "sha256": MODEL.sha256}
    assert details["ontologies"] == [
        {"id": "services", "sha256": "02"},
        {"id": "symptoms", "sha256": "01"},
    ]
    assert details["label_sets"] == [{"id": "themes", "sha256": "ff"}]
    assert details["recipe"] == "general"


def test_same_words_under_another_question_are_another_input() -> None:
    recipe = load_recipe()
    one, two = (Document("k", "Yes.", question=q) for q in ("Q1", "Q2"))
    assert input_hash(one, recipe) != input_hash(two, recipe)


def test_metadata_counts_only_where_the_recipe_uses_it() -> None:
    old, young = (Document("k", "Yes.", metadata={"age": age}) for age in ("80", "20"))
    plain, using = load_recipe(), replace(load_recipe(), metadata=("age",))
    assert input_hash(old, plain) == input_hash(young, plain)
    assert input_hash(old, using) != input_hash(young, using)


def test_place_of_a_document_is_no_input() -> None:
    recipe = load_recipe()
    here, there = Document("a", "Yes.", locator="row 1"), Document("b", "Yes.", locator="row 2")
    assert input_hash(here, recipe) == input_hash(there, recipe)
