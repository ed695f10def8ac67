"""The parameters of assertion: what is assessed of a tag, and by which rules."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AssertionParameters:
    """``attributes`` of ``pipelines.stages.assertion`` to assess; the others stay null.

    ``rules`` is a TOML file laid over the bundled rules, as a path beside the recipe.
    """

    attributes: tuple[str, ...] = ("negated", "possible", "hypothetical")
    rules: str = ""
