"""Personal data in the forms that offices write it, and text under headings that do not ask."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from pipelines.readers.tables.columns import classify
from tests.pipelines.readers.pitfalls.material import FLOOD, LIBRARY, PARKING, UNIFORM, cycle
from tests.pipelines.readers.tables.export_texts import (
    BUS,
    CODES,
    MAILS,
    PARK,
    PEOPLE,
    PHONES,
    PLAN,
    SHORT,
    STREETS,
)
from tests.pipelines.readers.tables.exports import Export, faults, of

ALL = (*PARKING, *LIBRARY, *FLOOD, *UNIFORM)
SENDERS = tuple(f"{person} <{mail}>" for person, mail in zip(PEOPLE, MAILS, strict=True))
TURNED = ("Marsh, Helen", "PUGH, Gareth", "O'Neill, Siobhan", "Nair, Priya", "Birkett, Tom (Mr)", "Lowe, Wendy")  # fmt: skip
INITIALS = ("H Marsh", "G. Pugh", "Mr & Mrs Osei", "S O'Neill", "P. K. Nair", "Mrs Fairclough")
WHOLE = tuple(f"{PEOPLE[i]}, {STREETS[i]}, {CODES[i % 5]}" for i in range(6))
CONTACTS = tuple((MAILS[i], PHONES[i % 8])[i % 2] for i in range(8))
COMBINED = (
    "Yes", "No, it is too far for my mother to walk", "Yes - good idea", "No", "No. The crossing is dangerous as it is.",
    "Yes, as long as the trees stay", "No", "Unsure, the drawings are unreadable", "Yes", "No because of the cost",
)  # fmt: skip
PEOPLE_FILES = (
    Export("outlook", 10, (
        of("From", "P", *SENDERS), of("To", "P", "Consultations <consult@overton.example>"), of("Cc", "P", "", *SENDERS[:3]), of("Subject", "O", "Mill Park", "RE: consultation"), of("Body", "F", *PARK),
    )),
    Export("surname first", 12, (
        of("Ref", "I", "{}"), of("Name", "P", *TURNED), of("Contact", "P", *CONTACTS), of("Name and address", "P", *WHOLE), of("Comment", "F", *BUS, "Yes", "Fine"),
    )),
    Export("initials", 12, (
        of("Ref", "I", "{}"), of("Respondent", "P", *INITIALS), of("Contact details", "P", *CONTACTS), of("Title", "PO", "Mr", "Mrs", "Dr"), of("Comment", "F", *BUS, "Yes", "Fine"),
    )),
    Export("under no name", 12, (
        of("column A", "I", "X-{}"), of("Resident", "P", *PEOPLE), of("House", "P", *STREETS), of("Mobile", "P", *PHONES), of("Remark", "F", *BUS, "Yes", "Fine"), of("Landowner", "P", *SENDERS), of("Author (if known)", "P", *PEOPLE),
    )),
    Export("headings that do not ask", 10, (
        of("No", "I", "{}"), of("Positives", "F", *SHORT), of("Negatives", "F", "cost", "Too far", "", "dogs", "the wind", "None", "lorries", "mud", "Dust", "hills"), of("Strengths", "F", *SHORT), of("Improvements", "F", "more seats", "Lights", "", "shade", "bins", "Nothing", "signs", "ramps", "a café", "Toilets"),
        of("Ideas", "F", *SHORT), of("Likes", "F", *SHORT), of("Dislikes", "F", "noise", "", "wind", "Fumes", "price", "queues", "mud", "crowds", "dogs", "rain"), of("Barriers", "F", "steps", "cost", "", "buses", "time", "Illness", "childcare", "None", "language", "fear"),
        of("Impact", "F", "Huge", "none", "I lose my job", "Worse air", "", "Longer walk", "noise", "less trade", "Stress", "some"),
    )),
    Export("statements as headings", 10, (
        of("ID", "I", "{}"), of("The proposal is fair", "C", "Strongly agree", "Disagree"), of("The proposal is fair - reasons", "F", *PARK), of("Your experience", "F", *BUS), of("Option A", "F", *PLAN, "ok", "No"), of("Option B", "F", *ALL[:10]),
    )),
    Export("answer and reason in one", 10, (of("ID", "I", "{}"), of("Do you agree with the closure?", "F", *COMBINED), of("Age group", "G", "16-24", "65+"))),
    Export("two people and headings that do not ask", 2, (of("Name", "P", *PEOPLE[:2]), of("Likes", "F", "trees", "the pond"), of("Dislikes", "F", "dogs", "litter"), of("Comments", "F", "fine", "Good luck"))),
    Export("question codes", 30, (of("ID", "I", "{}"), of("Q1", "OSC", "Yes", "No"), of("Q1a", "F", *ALL[:30]), of("Q2", "F", *SHORT, *[f"{a} and {b}" for a, b in pairwise(SHORT[:8])], "the buses are late", "I like it", "no idea", "we need trees"), of("Q3", "OG", "North", "South", "East"))),
)  # fmt: skip


@pytest.mark.parametrize("export", PEOPLE_FILES, ids=lambda export: export.name)
def test_people_are_kept_out_and_text_is_found(export: Export, tmp_path: Path) -> None:
    assert faults(export, tmp_path) == []


LOWER = tuple(person.lower() for person in PEOPLE)
BODIES = ("Marl Parish Council", "Natural England", "Historic England", "BuildCo Ltd")
PLATES = ("AB12 CDE", "XY61 ZZZ")


@pytest.mark.parametrize(
    ("header", "cells"),
    [
        ("Consultee", LOWER), ("From", LOWER), ("Submitted by", tuple(map(str.upper, PEOPLE))),
        ("Signed", ("Helen", "Gareth", "Priya")), ("Consultee", (*BODIES, *PEOPLE)),
        ("Parent / carer name", PEOPLE), ("Name of child", PEOPLE), ("Note taker", PEOPLE[:3]),
        ("Staff member involved", PEOPLE[:3]), ("Which member of staff did you see?", PEOPLE[:3]),
        ("NI Number", ("QQ123456C", "QQ123457C")), ("NHS No.", ("943 476 5919", "943 476 5870")),
        ("Vehicle registration", PLATES), ("Number plate", PLATES), ("Instagram", ("@hmarsh", "@gpugh")),
        ("Their login", ("hmarsh", "gpugh1")), ("Preferred contact", MAILS), ("Reply to", SENDERS),
    ],
)  # fmt: skip
def test_personal_data_is_known(header: str, cells: tuple[str, ...]) -> None:
    assert role(header, cells) == "personal"


@pytest.mark.parametrize(
    ("header", "cells"),
    [
        ("Consultee", BODIES), ("Decision maker", ("Planning Committee", "Full Council")),
        ("Town", ("Stoke Hammond", "Lower Fenwick", "Long Crendon")), ("Owner", ("Housing", "Highways")),
        ("Agent", ("Yes", "No")), ("From", ("Web form", "Letter", "E-mail")), ("Caller", ("Parent", "Carer")),
        ("Park", ("Mill Park", "Rose Gardens", "Victoria Park")), ("Age last birthday", ("34", "71")),
        ("Job title", ("Planning Officer", "Social Worker")), ("Car", ("Yes", "No", "Shared")),
    ],
)  # fmt: skip
def test_what_is_not_personal_stays(header: str, cells: tuple[str, ...]) -> None:
    assert role(header, cells) not in ("personal", "free_text")


def role(header: str, cells: tuple[str, ...]) -> str:
    """Return the role of a column of 24 cells beside comments."""
    rows = [[cell, f"{BUS[i % 10]} {i}"] for i, cell in enumerate(cycle(cells, 24))]
    return str(classify((header, "Comments"), rows)[0].role)
