"""The recipe: which stages run, with which parameters; read from TOML and checked completely."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from pipelines.errors import RecipeError
from pipelines.labels import LabelSet, load_label_set
from pipelines.recipes.assertion import AssertionParameters
from pipelines.recipes.tagging import TagParameters
from pipelines.stages.assertion.cue import ATTRIBUTES
from pipelines.stages.assertion.rules import Rules, load_rules, rules_sha256

STAGES = ("summarise", "classify", "tag")
_FOLDER = Path(__file__).parent
_CODE = re.compile(r"[a-z]{2,3}")
# Bounds of the numbers of a recipe, inclusive; a number without a bound is any float >= 0.
_BOUNDS: Mapping[str, tuple[float, float]] = {
    "sentences": (1, 50),
    "redundancy": (0.0, 1.0),
    "threshold": (0.0, 1.0),
    "whole": (0.0, 1.0),
    "midpoint": (-1.0, 1.0),
    "scale": (0.001, 1.0),
    "most": (1, 1000),
    "ideal_words": (1, 200),
    "window": (2, 50),
    "fuzzy_letters": (6, 50),
    "meaning_threshold": (0.0, 1.0),
}


@dataclass(frozen=True, slots=True)
class SummariseParameters:
    """Weights of the extractive summary; see ``pipelines.summaries.worth``."""

    sentences: int = 2
    centrality: float = 1.0
    phrases: float = 1.0
    length: float = 0.5
    ideal_words: int = 9
    position: float = 0.02
    salience: float = 0.2
    redundancy: float = 0.3


@dataclass(frozen=True, slots=True)
class ClassifyParameters:
    """Labels: zero-shot ones as in ``pipelines.stages.classify``, or those of a trained set.

    ``also`` names trained sets that judge every text beside ``label_set``.
    """

    label_set: str = ""
    also: tuple[str, ...] = ()
    whole: float = 0.3
    midpoint: float = 0.28
    scale: float = 0.08
    threshold: float = 0.5
    most: int = 5


@dataclass(frozen=True, slots=True)
class Recipe:
    """Named stages and parameters. ``metadata`` names the columns a stage reads.

    ``languages`` are the ISO 639-1 codes of the languages read; a document in another one is told
    apart. Empty reads every language. ``model`` is an encoder of the workspace, or the path of one, in
    place of the embedded one. ``answers`` says that texts answer questions: then a way to
    say nothing is empty; in a clinical note "None" says something.
    """

    id: str
    title: str
    description: str = ""
    stages: tuple[str, ...] = STAGES
    metadata: tuple[str, ...] = ()
    languages: tuple[str, ...] = ("en",)
    answers: bool = True
    model: str = ""
    summarise: SummariseParameters = field(default_factory=SummariseParameters)
    classify: ClassifyParameters = field(default_factory=ClassifyParameters)
    tag: TagParameters = field(default_factory=TagParameters)
    assertion: AssertionParameters = field(default_factory=AssertionParameters)
    folder: Path = _FOLDER

    def parameters(self) -> dict[str, Any]:
        """Return all that can change a result, as JSON-ready values."""
        values: dict[str, Any] = {
            "stages": list(self.stages),
            "metadata": list(self.metadata),
            "languages": sorted(self.languages),
            "answers": self.answers,
        }
        if "summarise" in self.stages:
            values["summarise"] = asdict(self.summarise)
        if "classify" in self.stages:
            values["classify"] = asdict(self.classify)
            if not self.classify.also:
                del values["classify"]["also"]
        if "tag" in self.stages:
            values["tag"] = asdict(self.tag)
        if "tag" in self.stages and self.assertion.attributes:
            values["assertion"] = {
                "attributes": sorted(self.assertion.attributes),
                "rules": rules_sha256(self._rules_path()),
            }
        return values

    def assertion_rules(self) -> Rules:
        """Return the bundled assertion rules, with the recipe's own over them.

        Raises ``RulesError``.
        """
        return load_rules(self._rules_path())

    def _rules_path(self) -> Path | None:
        return self.folder / self.assertion.rules if self.assertion.rules else None

    def label_set(self) -> LabelSet | None:
        """Load the recipe's label set; ``None`` where it has none. Raises ``LabelSetError``.

        A value that is not the name of a bundled set is a path beside the recipe's own file.
        """
        name = self.classify.label_set
        if "classify" not in self.stages or not name:
            return None
        beside = self.folder / name
        return load_label_set(beside if beside.is_file() else name)


def recipe_names() -> tuple[str, ...]:
    """Return the names of the bundled recipes, sorted."""
    return tuple(sorted(file.stem for file in _FOLDER.glob("*.toml")))


def load_recipe(name: str | Path = "general") -> Recipe:
    """Load a bundled recipe by name or the user's own TOML file by path.

    Raises ``RecipeError`` with every problem of the file at once.
    """
    path = _FOLDER / f"{name}.toml" if str(name) in recipe_names() else Path(name)
    try:
        values = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise RecipeError(
            f"no recipe {str(name)!r}: expected one of {', '.join(recipe_names())}, "
            "or the path of a TOML file"
        ) from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise RecipeError(f"recipe {path} is not readable TOML: {error}") from error
    return _check(values, path)


_SECTIONS: Mapping[str, type] = {
    "summarise": SummariseParameters,
    "classify": ClassifyParameters,
    "tag": TagParameters,
    "assertion": AssertionParameters,
}


def _check(values: dict[str, Any], path: Path) -> Recipe:
    problems: list[str] = []
    plain = {"id": str, "title": str, "description": str, "model": str}
    known = {*plain, "stages", "metadata", "languages", "answers", *_SECTIONS}
    problems += [f"unknown key {key!r}" for key in values if key not in known]
    arguments: dict[str, Any] = {"id": path.stem, "title": path.stem, "folder": path.parent}
    for key in plain:
        if key in values:
            if isinstance(values[key], str) and values[key].strip():
                arguments[key] = values[key]
            else:
                problems.append(f"{key} is {values[key]!r}, expected a text")
    for key in ("stages", "metadata", "languages"):
        if key in values:
            arguments[key] = _texts(key, values[key], problems)
    if values.get("stages") == []:
        problems.append(f"stages is empty, expected some of {', '.join(STAGES)}")
    if "answers" in values:
        if isinstance(values["answers"], bool):
            arguments["answers"] = values["answers"]
        else:
            problems.append(f"answers is {values['answers']!r}, expected true or false")
    for code in arguments.get("languages", ()):
        if not _CODE.fullmatch(code):
            problems.append(f"language {code!r}, expected an ISO 639-1 code such as en or cy")
    for stage in arguments.get("stages", ()):
        if stage not in STAGES:
            problems.append(f"unknown stage {stage!r}, expected {', '.join(STAGES)}")
    for key, kind in _SECTIONS.items():
        if key in values:
            section = _section(key, kind, values[key], problems)
            if section is not None:
                arguments[key] = section
    for name in getattr(arguments.get("assertion"), "attributes", ()):
        if name not in ATTRIBUTES:
            problems.append(
                f"assertion.attributes has {name!r}, expected some of {', '.join(ATTRIBUTES)}"
            )
    if problems:
        raise RecipeError(f"recipe {path} cannot be used: {'; '.join(problems)}")
    return Recipe(**arguments)


def _texts(key: str, value: object, problems: list[str]) -> tuple[str, ...]:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    problems.append(f"{key} is {value!r}, expected a list of texts")
    return ()


def _section(key: str, kind: type, value: object, problems: list[str]) -> Any:
    if not isinstance(value, dict):
        problems.append(f"{key} is {value!r}, expected a table")
        return None
    types = {item.name: type(item.default) for item in fields(kind)}
    before = len(problems)
    arguments: dict[str, Any] = {}
    for name, given in value.items():
        where = f"{key}.{name}"
        if name not in types:
            problems.append(f"unknown key {where!r}")
        elif types[name] is str:
            if isinstance(given, str):
                arguments[name] = given
            else:
                problems.append(f"{where} is {given!r}, expected a text")
        elif types[name] is tuple:
            arguments[name] = _texts(where, given, problems)
        elif types[name] is bool:
            if isinstance(given, bool):
                arguments[name] = given
            else:
                problems.append(f"{where} is {given!r}, expected true or false")
        else:
            number = _number(where, given, types[name], problems)
            if number is not None:
                arguments[name] = number
    return kind(**arguments) if len(problems) == before else None


def _number(where: str, given: object, kind: type, problems: list[str]) -> int | float | None:
    lowest, highest = _BOUNDS.get(where.partition(".")[2], (0.0, float("inf")))
    number = isinstance(given, int | float) and not isinstance(given, bool)
    if not number or (kind is int and not isinstance(given, int)):
        problems.append(
            f"{where} is {given!r}, expected {'a whole number' if kind is int else 'a number'}"
        )
        return None
    assert isinstance(given, int | float)
    if not lowest <= given <= highest:
        problems.append(f"{where} is {given!r}, expected {lowest:g} to {highest:g}")
        return None
    return kind(given)  # type: ignore[no-any-return]
