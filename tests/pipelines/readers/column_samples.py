"""Cells that columns are made of in the tests, and ways to class them."""

from __future__ import annotations

from collections.abc import Sequence

from pipelines.readers.tables.columns import classify
from pipelines.types import Column

PLACES = ["Marlbridge", "Overton", "Stoke Hammond", "Lower Fenwick", "Ashby", "Tarnside", "Holt"]
SHORT = [
    "speaker of the house", "SPEAKER OF THE HOUSE", "a judge", "head of the senate, I think",
    "no idea who that is", "vice president", "he is the treasurer", "prime minister",
    "not sure, a senator", "the chancellor", "british politician", "she ran for mayor",
]  # fmt: skip
SENTENCES = [
    "The buses stop far too early on Sundays.",
    "Please keep the footpath by the weir open all year.",
    "I would rather see the money spent on the library.",
    "More benches would help my mother to walk into town.",
    "The consultation came too late and few people knew of it.",
    "We like the plan but worry about the lorries.",
    "Nobody has asked the children what they want.",
    "Cycling on the main road does not feel safe.",
    "It is fine as it is, leave it alone.",
    "The crossing outside the school needs lights.",
]
ONE_THING = ["Parking", "litter", "More buses", "the noise", "Dog mess", "Speeding cars", "Benches"]
ONE_THING += ["street lights", "Toilets", "potholes!!", "Trees", "A proper bus shelter", "bins"]
FIRST = ["Ada", "Bert", "Cissie", "Dora", "Margaret", "John", "Susan", "Peter", "Alan", "Ruth"]
LAST = ["Attwater", "Bexfield", "Cleobury", "Dunnett", "Eastlake", "Gisborne", "Hallam", "Jolliffe"]
NAMES = [f"{FIRST[i % 10]} {LAST[i % 8]}" for i in range(24)]
COMPANIES = ["BuildCo Ltd", "Marl Parish Council", "Friends of the Weir", "Overton Cycling Club"]
AGREE = ["Strongly agree", "Agree", "Neither agree nor disagree", "Disagree", "Strongly disagree"]
LETTER = " ".join(["Please keep the crossing patrol outside our school open and staffed."] * 4)


def cycle(values: Sequence[str], length: int) -> list[str]:
    return [values[i % len(values)] for i in range(length)]


def one(header: str, cells: Sequence[str], wording: str = "") -> Column:
    """Class a column on its own."""
    (column,) = classify([header], [[cell] for cell in cells], wordings=[wording])
    return column


def table(columns: dict[str, Sequence[str]], **options: object) -> dict[str, Column]:
    """Class columns together."""
    rows = [list(row) for row in zip(*columns.values(), strict=True)]
    return {c.name: c for c in classify(list(columns), rows, **options)}  # type: ignore[arg-type]


def spread(template: str, count: int = 24) -> list[str]:
    return [template.format(i) for i in range(count)]
