"""Answers about three things, written for these tests, and their vectors by the embedded model."""

from __future__ import annotations

from functools import cache

import numpy as np

from pipelines.stages.encode import Encoder
from pipelines.stages.vectors import Vectors
from pipelines.themes.statements import statements
from pipelines.themes.types import Answer, Statement

QUESTION = "We should introduce parking charges in the town centre"
PARKING = (
    "Parking charges are unfair on people who work in the town",
    "The parking charges will drive shoppers away",
    "Free parking keeps the shops alive",
    "I cannot afford to pay for parking every day",
    "Parking should stay free for blue badge holders",
    "Charging for parking will hurt small shops",
    "Paid parking would free up spaces for visitors",
    "Car park charges are far too high already",
    "I support parking charges because spaces would be free again",
    "Two hours of free parking would be fair",
)
BUSES = (
    "The buses are always late in the morning",
    "There is no bus on Sundays from our village",
    "More buses are needed in the evening",
    "Bus fares have gone up too much",
    "The last bus leaves before the shops close",
    "We need a reliable bus service to the hospital",
    "Buses are overcrowded with school children",
    "A better bus service would mean fewer cars",
    "The bus stop has no shelter from the rain",
    "Bus drivers are friendly but the bus is slow",
)
TREES = (
    "Please plant more trees along the high street",
    "The trees give shade in summer",
    "Cutting down the old trees is a disgrace",
    "Trees and green spaces are good for our health",
    "Keep the park and its trees for wildlife",
    "We need more flowers and trees in the park",
    "The park is full of litter and dead trees",
    "Green space matters more than new buildings",
    "New trees must be watered and looked after",
    "Birds nest in the trees by the river",
)


def answers() -> list[Answer]:
    """Return the answers, and three that give no reason."""
    texts = (*PARKING, *BUSES, *TREES, "Yes.", "n/a", "Agree")
    return [Answer(number, text, QUESTION) for number, text in enumerate(texts, start=1)]


@cache
def encoder() -> Encoder:
    """Return the embedded model, loaded once."""
    return Encoder(threads=1)


def said() -> tuple[list[Statement], Vectors]:
    """Return the statements and their vectors."""
    found = statements(answers())
    return found, encoder().encode([one.text for one in found])


def shuffled(seed: int) -> tuple[list[Statement], Vectors]:
    """Return the same in another order."""
    found, vectors = said()
    order = np.random.default_rng(seed).permutation(len(found))
    return [found[row] for row in order], vectors[order]
