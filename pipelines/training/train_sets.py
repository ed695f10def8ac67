"""Make the bundled label sets again: ``python -m pipelines.training.train_sets FOLDER [SET …]``.

FOLDER holds the open data sets as published. Everything is seeded: the same data and encoder give the
same bytes. To be run whenever the embedded model changes; the cards are written with the figures.
"""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from pipelines.bundled import bundled_folder
from pipelines.learn.candidates import CANDIDATES, FLOOR
from pipelines.learn.card import About
from pipelines.learn.features import Weights
from pipelines.learn.hashed import WithHashed
from pipelines.learn.scorer import Candidate
from pipelines.learn.train import train
from pipelines.learn.trained import TrainedSet, save_trained
from pipelines.stages.encode import Encoder
from pipelines.training.set_examples import EXAMPLES, SOURCES

SHIPPED = "hashed n-grams and vectors"
_STANCE = "pipelines.training.train_stance"
_LEARNT: Mapping[str, Candidate] = {
    "sentiment": WithHashed(Weights(), ridge=0.5),
    "section": WithHashed(Weights(), ridge=0.5, columns=1 << 13),
    "richness": WithHashed(
        Weights(words=0.1, characters=0.0, meaning=0.1),
        ridge=0.05,
        columns=1 << 10,
        cues="richness",
        cue_weight=1.0,
    ),
    "kind": WithHashed(
        Weights(words=0.2, characters=0.3, meaning=0.2),
        ridge=0.25,
        columns=1 << 12,
        cues="kind",
        cue_weight=1.0,
    ),
}


def main(folder: Path, names: list[str]) -> None:
    """Make the named sets, or all of them, and write their cards."""
    encoder = Encoder(threads=os.cpu_count() or 1)
    makers: dict[str, Callable[[Path, Encoder], TrainedSet]] = {
        name: lambda data, by, name=name: make(name, data, by)  # type: ignore[misc]
        for name in _LEARNT
    }
    if find_spec(_STANCE) is not None:
        makers["stance"] = import_module(_STANCE).make
    for name in names or sorted(makers):
        trained = makers[name](folder, encoder)
        target = bundled_folder(name)
        save_trained(trained, target, about(name))
        size = sum(file.stat().st_size for file in target.iterdir())
        sys.stdout.write(f"{name}: {trained.report['scores']} {size:,} bytes\n")
        sys.stdout.flush()


def make(name: str, folder: Path, encoder: Encoder) -> TrainedSet:
    """Learn one set in the form that ships, beside the plain floor that it is compared with."""
    return train(
        name,
        SOURCES[name].read(folder),
        encoder,
        encoder_sha256=encoder.spec.sha256,
        seeds=(0,),
        candidates={FLOOR: CANDIDATES[FLOOR], SHIPPED: _LEARNT[name]},
        settled=SHIPPED,
    )


def about(name: str) -> About | None:
    """Return what the card of a set says beside its figures; ``None`` for one made elsewhere."""
    words = tomllib.loads((EXAMPLES / "cards.toml").read_text("utf-8")).get(name)
    if words is None:
        return None
    source = SOURCES.get(name)
    facts: tuple[tuple[str, str], ...] = (
        ("learnt from", source.data if source else words["data"]),
        ("licence of the data", source.licence if source else words["licence"]),
        (
            "holds",
            "weights of hashed n-grams, of vectors and of cues; no text and no word of the data",
        ),
        ("made by", "`python -m pipelines.training.train_sets FOLDER`"),
    )
    if "tested" in words:
        facts += (("tested on", words["tested"]),)
    return About(words["title"], words["use"], facts, words["limits"])


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: python -m pipelines.training.train_sets FOLDER [SET …]")
    main(Path(sys.argv[1]), sys.argv[2:])
