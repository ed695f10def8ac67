"""From documents to a judged model in a folder: the use case behind ``florilegium models adapt``."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from pipelines.adapt.errors import AdaptError
from pipelines.adapt.judge import judge
from pipelines.adapt.keep import export, keep
from pipelines.adapt.passages import corpus
from pipelines.adapt.run import Adaptation, Progress
from pipelines.adapt.types import AdaptRecipe, Judgement
from pipelines.models import EMBEDDED_ID, ModelSpec, embedded_spec
from pipelines.stages.encode import Encoder

_KEPT_GENERAL = 300
"""General sentences, a third of them at most, that are kept apart to see what moved."""


@dataclass(frozen=True, slots=True)
class Adapted:
    """What came of it; without ``spec`` it was stopped and its checkpoint kept."""

    documents: int
    passages: int
    progress: Progress
    tokens: int
    spec: ModelSpec | None = None
    judgement: Judgement | None = None


def adapt(
    texts: Iterable[str],
    general: Sequence[str],
    models: Path,
    *,
    name: str,
    collection: str,
    recipe: AdaptRecipe,
    minutes: float | None = None,
    resume: bool = False,
    threads: int = 1,
    stop: Callable[[], bool] = lambda: False,
    said: Callable[[str], None] = lambda _: None,
    stepped: Callable[[Progress, int], None] = lambda *_: None,
) -> Adapted:
    """Train the embedded model on ``texts``, judge it and keep it as ``models/NAME``.

    ``minutes`` sets the budget by what this machine gives. The checkpoint lies in ``models`` until
    the model does. Raises ``AdaptError`` for too few documents, a name that is none, or a checkpoint
    of another training.
    """
    check_name(name, models)
    torch.set_num_threads(threads)
    found = corpus(texts, seed=recipe.seed)
    said(
        f"{found.documents:,} different documents, {found.passages:,} passages to train on, "
        f"{len(found.held):,} documents kept apart to judge by"
    )
    apart, held_on = _general(general, recipe.seed)
    spec = embedded_spec()
    before = Encoder(spec, threads=threads)
    folder = models / f".{name}.adapt"
    training = Adaptation(
        folder, spec=spec, corpus=found, general=held_on, recipe=recipe, encoder=before
    )
    if resume and training.resume():
        said(f"Going on after {training.progress.tokens:,} of {training.recipe.tokens:,} tokens")
    elif minutes is not None:
        training.budget(minutes)
        said(f"{minutes:g} minutes are {training.recipe.tokens:,} tokens on this machine")
    budget = training.recipe.tokens
    ended = training.train(stop=stop, said=lambda progress: stepped(progress, budget))
    if not ended:
        return Adapted(found.documents, found.passages, training.progress, budget)
    half = models / f".{name}.part"
    try:
        after = Encoder(export(training, half, name=name), threads=threads)
        judgement = judge(before, after, found.held, apart, seed=recipe.seed)
        kept = keep(training, half, models / name, judgement, collection=collection)
    finally:
        shutil.rmtree(half, ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)
    return Adapted(found.documents, found.passages, training.progress, budget, kept, judgement)


def check_name(name: str, models: Path) -> None:
    """Raise ``AdaptError`` where ``name`` cannot name an adapted model in ``models``.

    An adapted one of this name is replaced, another model is not.
    """
    from pipelines.models import JUDGEMENT

    if not name or Path(name).name != name or name.startswith(".") or name == EMBEDDED_ID:
        raise AdaptError(
            f"{name!r} cannot name a model: expected letters, digits, '.', '-', '_'. "
            "Name it: florilegium models adapt COLLECTION --name NAME"
        )
    if (models / name).exists() and not (models / name / JUDGEMENT).is_file():
        raise AdaptError(
            f"there is a model {name!r} already, which was not adapted here. Choose another name: "
            "florilegium models adapt COLLECTION --name NAME"
        )


def _general(sentences: Sequence[str], seed: int) -> tuple[list[str], list[str]]:
    """Return the general sentences in two parts: kept apart, and held on to."""
    order = sorted(set(sentences))
    random.Random(f"{seed}/general").shuffle(order)
    cut = max(2, min(_KEPT_GENERAL, len(order) // 3))
    return order[:cut], order[cut:]
