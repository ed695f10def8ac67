"""Recipes: named stages and their parameters, as TOML, with a fingerprint for what they produce."""

from pipelines.recipes.fingerprint import (
    PIPELINE_VERSION,
    Fingerprint,
    fingerprint,
    input_hash,
)
from pipelines.recipes.recipe import (
    ClassifyParameters,
    Recipe,
    SummariseParameters,
    load_recipe,
    recipe_names,
)

__all__ = [
    "PIPELINE_VERSION",
    "ClassifyParameters",
    "Fingerprint",
    "Recipe",
    "SummariseParameters",
    "fingerprint",
    "input_hash",
    "load_recipe",
    "recipe_names",
]
