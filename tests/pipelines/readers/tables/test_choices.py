"""Several choices in one cell: which separator, which options, and what is no list of choices."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from pipelines.readers.tables.choices import find_choices, opening, split_choices

PLAIN = ["Bus", "Train", "Car", "Bicycle", "On foot"]
COMMAS = ["Walking, wheeling or cycling", "Bus", "Train", "Car, van or lorry"]


def cells(
    options: Sequence[str], separator: str, count: int, *, end: str = "", own: float = 0.0
) -> list[str]:
    """Let ``count`` people choose, in the order of the form."""
    chooser = random.Random(f"{options}{separator}{count}")
    chosen = []
    for person in range(count):
        choices = [option for option in options if chooser.random() < 0.4]
        choices = choices or [chooser.choice(options)]
        if chooser.random() < own:
            choices.append(f"my own way number {person}")
        chosen.append(separator.join(choices) + end)
    return chosen


@pytest.mark.parametrize("separator", [";", "; ", ",", ", ", "|", " | ", "\n"])
@pytest.mark.parametrize("options", [PLAIN, COMMAS])
def test_the_separator_and_the_options_are_found(options: list[str], separator: str) -> None:
    found = find_choices(Counter(cells(options, separator, 120)))
    assert found is not None
    assert found.separator.strip(" ") == separator.strip(" ")
    assert set(found.options) == set(options)
    assert found.own == 0


@pytest.mark.parametrize("count", [4, 12, 60])
def test_a_separator_at_the_end_is_evidence_enough_in_a_few_rows(count: int) -> None:
    found = find_choices(Counter(cells(COMMAS, ";", count, end=";")))
    assert found is not None
    assert set(found.options) <= set(COMMAS)
    assert found.separator == ";"


def test_options_that_contain_the_separator_are_named() -> None:
    found = find_choices(Counter(cells(COMMAS, ", ", 60)))
    assert found is not None
    assert set(found.joined) == {"Walking, wheeling or cycling", "Car, van or lorry"}


def test_an_option_that_goes_on_in_capitals_is_kept_whole_when_never_seen_apart() -> None:
    options = ["Yes, I Drive", "Bus", "Train"]
    found = find_choices(Counter(cells(options, ", ", 120)))
    assert found is not None
    assert set(found.options) == set(options)


def test_an_option_that_is_the_beginning_of_another_stays_one_of_its_own() -> None:
    options = ["Bus", "Bus, coach or tram", "Train", "Car"]
    found = find_choices(Counter(cells(options, ", ", 200)))
    assert found is not None
    assert set(found.options) == set(options)


def test_own_words_are_no_options_and_are_counted() -> None:
    given = cells(PLAIN, ";", 200, own=0.15)
    found = find_choices(Counter(given))
    assert found is not None
    assert set(found.options) == set(PLAIN)
    assert found.own == sum("own way" in cell for cell in given)


def test_words_after_other_please_specify_are_no_options() -> None:
    given = cells(PLAIN, ";", 40)
    given += [f"Bus;Other (please specify): horse number {i}" for i in range(6)]
    given += [f"Other (please specify): boat number {i}" for i in range(6)]
    found = find_choices(Counter(given))
    assert found is not None
    assert set(found.options) == {*PLAIN, "Other (please specify)"}
    assert found.own == 12


def test_spellings_of_one_option_are_one_option() -> None:
    given = [*cells(PLAIN, ";", 60), "BUS;Train", "bus ; Car"]
    found = find_choices(Counter(given))
    assert found is not None
    assert set(found.options) == set(PLAIN)
    assert set(found.variants) == {"BUS", "bus"}


@pytest.mark.parametrize(
    "given",
    [
        ["Leeds, West Riding", "Bradford, West Riding", "York, North Riding"] * 10,
        ["Yes, definitely", "Yes, to some extent", "No, not at all"] * 10,
        ["Yes, I am", "Yes, I was", "No"] * 9,
        ["Attwater, Ada", "Bexfield, Bert", "Attwater, Bert"] * 3,
        ["I like the park, the trees, and the pond", "No, it is bad", "Roads, bins", "No, thanks"],
        ["We walk; they drive", "It is late; go home", "No; never", "Fine; if it must be"],
        ["Bus", "Train", "Car"] * 9,
        ["11-50 employees", "1,000 or more employees", "51-999 employees"] * 9,
        [f"Dear council, please keep road {i}, lane {i}, and path {i}, yours, a friend" for i in range(90)],
        ["", " "],
        [],
    ],
)  # fmt: skip
def test_what_the_answers_do_not_bear_out_is_no_list_of_choices(given: list[str]) -> None:
    assert find_choices(Counter(cell for cell in given if cell.strip())) is None


def test_free_text_with_many_commas_is_no_list_of_choices() -> None:
    chooser = random.Random(5)
    words = [
        "we",
        "the",
        "path",
        "keep",
        "open",
        "and",
        "not",
        "too",
        "late",
        "for",
        "all",
        "who",
        "walk",
        "there",
        "now",
        "trees",
    ]
    given = [
        ", ".join(" ".join(chooser.choices(words, k=4)) for _ in range(chooser.randint(1, 5)))
        for _ in range(3_000)
    ]
    assert find_choices(Counter(given)) is None


@pytest.mark.parametrize(
    ("cell", "separator", "options", "choices"),
    [
        ("Bus;Train;", ";", PLAIN, ("Bus", "Train")),
        (" bus ;TRAIN", ";", PLAIN, ("Bus", "Train")),
        ("Bus, Walking, wheeling or cycling", ", ", COMMAS, ("Bus", "Walking, wheeling or cycling")),
        ("Walking, wheeling or cycling,Bus", ",", COMMAS, ("Walking, wheeling or cycling", "Bus")),
        ("Bus, Bus, coach", ", ", ["Bus", "Bus, coach"], ("Bus", "Bus, coach")),
        ("Bus, a horse, sometimes", ", ", COMMAS, ("Bus", "a horse, sometimes")),
        ("a horse;Bus", ";", PLAIN, ("Bus", "a horse")),
        ("Bus;Other (please specify): a cart;", ";", ["Bus", "Other (please specify)"], ("Bus", "Other (please specify)")),
        ("Bus;Bus", ";", PLAIN, ("Bus",)),
        ("Car, van or lorry", "", COMMAS, ("Car, van or lorry",)),
        ("car, van or  lorry ", "", COMMAS, ("Car, van or lorry",)),
        ("Tram", ";", PLAIN, ("Tram",)),
        (" \n", ";", PLAIN, ()),
        (";", ";", PLAIN, ()),
    ],
)  # fmt: skip
def test_a_cell_is_split_into_its_options(
    cell: str, separator: str, options: list[str], choices: tuple[str, ...]
) -> None:
    assert split_choices(cell, separator, options) == choices


@pytest.mark.parametrize("separator", [";", ", ", ",", "\n"])
def test_every_cell_of_a_column_is_put_together_from_its_options(separator: str) -> None:
    given = cells(COMMAS, separator, 150)
    found = find_choices(Counter(given))
    assert found is not None
    for cell in given:
        choices = split_choices(cell, found.separator, found.options)
        assert set(choices) <= set(COMMAS)
        assert separator.join(choices) == cell


@pytest.mark.parametrize(
    ("answer", "option"),
    [
        ("Other (please specify): my horse", "Other (please specify)"),
        ("Other - my horse", "Other"),
        ("Other: Bus: 7", "Other"),
        ("Otherwise: no", "Otherwise: no"),
        ("Bus", "Bus"),
    ],
)
def test_an_answer_that_goes_on_in_own_words_has_an_opening(answer: str, option: str) -> None:
    assert opening(answer) == option
