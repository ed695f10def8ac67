"""Pitfalls 18 to 20 and 25 to 28: several choices in a cell, scales, codes, dates, categories."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.types import Role
from tests.pipelines.readers.pitfalls.material import (
    FLOOD,
    LIBRARY,
    PARKING,
    UNIFORM,
    VISITING,
    cycle,
    got,
    numbered,
    write_csv,
)
from tests.pipelines.readers.pitfalls.workbook import Dated, write

WAYS = [("Bus",), ("Car", "Bicycle"), ("Walking",), ("Bus", "Walking"), ("Car",), ("Bicycle",)]
WAYS += [("Bus", "Car", "Walking"), ("Walking", "Bicycle")]


@pytest.mark.parametrize(
    ("separator", "last"), [(";", ";"), (";", ""), ("; ", ""), (", ", ""), (",", ""), ("\n", "")]
)
def test_pitfall_18_multi_select_in_one_cell(tmp_path: Path, separator: str, last: str) -> None:
    cells = cycle([separator.join(ways) + last for ways in WAYS], 12)
    header = ["Ref", "How do you travel to the library?", "What would you change?"]
    read = got(write_csv(tmp_path / "ways.csv", [header, *numbered(cells, LIBRARY)]))
    column = read.column(header[1])
    assert column.role == Role.CLOSED_MULTI
    assert column.separator.strip(" ") == separator.strip(" ")
    assert set(column.options) == {"Bus", "Car", "Bicycle", "Walking"}
    assert read.values(header[1]) == cells
    assert read.texts == list(LIBRARY)


def test_pitfall_18_multi_select_as_one_column_an_option(tmp_path: Path) -> None:
    options = ["Bus", "Car", "Bicycle"]
    header = ["Ref", *(f"How do you travel? - {option}" for option in options), "Any comments?"]
    ticks = [[option if (i + j) % 2 else "" for i in range(12)] for j, option in enumerate(options)]
    read = got(write_csv(tmp_path / "ticks.csv", [header, *numbered(*ticks, LIBRARY)]))
    assert [name for name, role in read.roles.items() if role == Role.FREE_TEXT] == [header[4]]
    assert {read.roles[name] for name in header[1:4]} <= {Role.CLOSED_SINGLE, Role.CLOSED_MULTI}
    assert read.values(header[2]) == ticks[1]


def test_pitfall_19_options_that_contain_commas_under_semicolons(tmp_path: Path) -> None:
    options = ["Blazer, tie and shirt", "Jumper, any colour", "No uniform"]
    cells = cycle(
        [f"{options[0]};", f"{options[1]};{options[2]};", f"{options[0]};{options[1]};"], 12
    )
    header = ["Ref", "Which would you accept?", "Please explain"]
    read = got(write_csv(tmp_path / "u.csv", [header, *numbered(cells, UNIFORM)]))
    column = read.column(header[1])
    assert column.role == Role.CLOSED_MULTI
    assert set(column.options) == set(options)


def test_pitfall_19_single_options_that_contain_commas_are_not_split(tmp_path: Path) -> None:
    options = ["Yes, every week", "Yes, but rarely", "No, never"]
    header = ["Ref", "Do you use the mobile library?", "Please explain"]
    read = got(write_csv(tmp_path / "m.csv", [header, *numbered(cycle(options, 12), LIBRARY)]))
    column = read.column(header[1])
    assert column.role == Role.CLOSED_SINGLE
    assert set(column.options) == set(options)


def test_pitfall_19_options_that_contain_commas_among_commas(tmp_path: Path) -> None:
    options = ("Car, van or motorbike", "Bus", "Walking, with or without a stick")
    cells = [options[0], options[1], options[2], ", ".join(options[:2]), ", ".join(options[1:])]
    cells += [options[0], options[2], ", ".join(options), options[1], options[0], options[2]]
    cells += [", ".join(options[:2])]
    header = ["Ref", "How do you travel?", "Please explain"]
    read = got(write_csv(tmp_path / "t.csv", [header, *numbered(cells, PARKING)]))
    column = read.column(header[1])
    assert column.role == Role.CLOSED_MULTI
    assert set(column.options) == set(options)
    assert read.values(header[1]) == cells


def test_pitfall_19_a_cell_is_split_only_into_known_options() -> None:
    from pipelines.readers.tables.choices import split_choices

    options = ("Car, van or motorbike", "Bus", "Walking")
    assert split_choices("Car, van or motorbike, Bus", ", ", options) == options[:2]
    assert split_choices("Bus, Walking", ", ", options) == options[1:]
    assert split_choices("Bus;Walking;", ";", options) == options[1:]
    assert split_choices("", ";", options) == ()


def test_pitfall_20_other_please_specify_is_one_option(tmp_path: Path) -> None:
    cells = cycle(["Bus", "Car", "Walking"], 12)
    cells[3] = "Other (please specify): tractor"
    cells[7] = "Other (please specify): my neighbour drives me, when she can"
    cells[10] = "Other (please specify): horse; sometimes a boat"
    header = ["Ref", "How do you travel to the brook?", "What worries you?"]
    read = got(write_csv(tmp_path / "o.csv", [header, *numbered(cells, FLOOD)]))
    column = read.column(header[1])
    assert column.role in {Role.CLOSED_SINGLE, Role.CLOSED_MULTI}
    assert sum(option.startswith("Other") for option in column.options) == 1
    assert {"Bus", "Car", "Walking"} <= set(column.options)
    assert len(column.options) == 4
    assert read.values(header[1]) == cells
    assert read.texts == list(FLOOD)


@pytest.mark.parametrize(
    "scale",
    [
        ["Definitely agree", "Tend to agree", "Tend to disagree", "Definitely disagree"],
        ["Strongly agree", "Agree", "Neither agree nor disagree", "Disagree", "Strongly disagree"],
        ["Very satisfied", "Satisfied", "Dissatisfied", "Very dissatisfied"],
        ["Very useful", "Useful", "Not useful"],
    ],
)
def test_pitfall_25_scales_that_differ_between_forms(tmp_path: Path, scale: list[str]) -> None:
    header = ["Ref", "Where do you stand?", "Please explain"]
    cells = cycle(scale, 12)
    read = got(write_csv(tmp_path / "s.csv", [header, *numbered(cells, VISITING)]))
    assert read.roles[header[1]] == Role.SCALE
    assert set(read.column(header[1]).options) == set(scale)
    assert read.values(header[1]) == cells


def test_pitfall_25_numbers_as_words_stay_as_they_were_written(tmp_path: Path) -> None:
    cells = ["12", "40", "Seventy-seven", "8", "3", "about 25", "110", "6", "15", "9", "2", "31"]
    header = ["Ref", "How many members does your organisation have?", "Please explain"]
    read = got(write_csv(tmp_path / "n.csv", [header, *numbered(cells, FLOOD)]))
    assert read.roles[header[1]] == Role.NUMBER
    assert read.values(header[1]) == cells
    assert read.texts == list(FLOOD)


def test_pitfall_26_closed_answers_as_number_codes_with_no_key(tmp_path: Path) -> None:
    header = ["Ref", "Trust answer", "Q3", "What was good?"]
    codes = cycle(["1", "2", "1", "5", "7", "3"], 12)
    read = got(
        write_csv(tmp_path / "c.csv", [header, *numbered(codes, cycle(["0", "1"], 12), VISITING)])
    )
    assert read.roles["Trust answer"] in {Role.CLOSED_SINGLE, Role.SCALE}
    assert read.roles["Q3"] == Role.CLOSED_SINGLE
    assert read.values("Trust answer") == codes
    assert read.texts == list(VISITING)


def test_pitfall_27_dates_as_serial_numbers(tmp_path: Path) -> None:
    header = ["Ref", "Started", "Completed", "Comment"]
    rows = [[101 + i, Dated(45300.375 + i), 45300.5 + i, text] for i, text in enumerate(LIBRARY)]
    read = got(write(tmp_path / "d.xlsx", {"Data": [header, *rows]}))
    assert read.roles["Started"] == Role.DATE
    assert read.roles["Completed"] == Role.DATE
    assert "serial" in read.column("Completed").format.lower()
    assert read.values("Started")[0].startswith("2024-01-09")
    assert read.values("Completed")[0] == "45300.5"
    assert read.texts == list(LIBRARY)


@pytest.mark.parametrize(
    ("dates", "format"),
    [
        (["03/04/2025 09:15:00", "28/04/2025 17:02:11", "01/05/2025 08:00:59"], "dd/mm/yyyy"),
        (["04/03/2025 09:15:00", "04/28/2025 17:02:11", "05/01/2025 08:00:59"], "mm/dd/yyyy"),
        (["2025-04-03 09:15", "2025-04-28 17:02", "2025-05-01 08:00"], "yyyy-mm-dd"),
    ],
)
def test_pitfall_27_day_first_and_month_first(
    tmp_path: Path, dates: list[str], format: str
) -> None:
    header = ["Ref", "Submitted", "Comment"]
    cells = cycle(dates, 12)
    read = got(write_csv(tmp_path / "d.csv", [header, *numbered(cells, LIBRARY)]))
    assert read.roles["Submitted"] == Role.DATE
    assert read.column("Submitted").format.lower().startswith(format)
    assert read.values("Submitted") == cells


def test_pitfall_27_dates_that_fit_both_orders_are_not_guessed(tmp_path: Path) -> None:
    header = ["Ref", "Submitted", "Comment"]
    cells = cycle(["03/04/2025", "05/06/2025", "07/08/2025"], 12)
    read = got(write_csv(tmp_path / "d.csv", [header, *numbered(cells, LIBRARY)]))
    assert read.roles["Submitted"] == Role.DATE
    column = read.column("Submitted")
    assert column.format.lower() not in {"dd/mm/yyyy", "mm/dd/yyyy"}
    assert read.values("Submitted") == cells


def test_pitfall_28_category_case_and_spacing_differ(tmp_path: Path) -> None:
    kinds = [
        "individual",
        "Individual ",
        "Individual",
        "Organisation",
        "organisation",
        "INDIVIDUAL",
    ]
    header = ["Ref", "Responding as", "Comment"]
    cells = cycle(kinds, 12)
    read = got(write_csv(tmp_path / "k.csv", [header, *numbered(cells, PARKING)]))
    column = read.column("Responding as")
    assert column.role in {Role.CLOSED_SINGLE, Role.DEMOGRAPHIC}
    assert {option.strip().casefold() for option in column.options} == {
        "individual",
        "organisation",
    }
    assert len(column.options) == 2
    assert read.values("Responding as") == cells  # to the character
