"""What a single column holds: its role from its header and cells, with the reason."""

from __future__ import annotations

import pytest

from pipelines.types import Role
from tests.pipelines.readers.column_samples import (
    AGREE,
    COMPANIES,
    LAST,
    LETTER,
    NAMES,
    ONE_THING,
    PLACES,
    SENTENCES,
    SHORT,
    cycle,
    one,
    spread,
)

# --- respondents' own words -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "cells"),
    [
        ("verbatim", SHORT),
        ("Comment", ONE_THING),
        ("Any other comments?", ["None", "n/a", "no", "Thank you", "Keep going!", "-"] * 2 + ONE_THING),
        ("Please explain your answer", SENTENCES),
        ("Please explain", SENTENCES[:3]),
        ("Q4a. Other (please specify)", ["", "", "tractor", "", "my horse", "", "canal boat", ""]),
        ("What is the one thing you would change?", ONE_THING),
        ("What role would you play?", SENTENCES[:5]),
        ("Q7", SENTENCES * 2),
        ("Q7", SHORT),
        ("column 3", SENTENCES),
        ("FFT answer", [*SENTENCES, *["Did not answer"] * 12]),
        ("Views", [*SENTENCES, LETTER, LETTER, LETTER]),
        ("Do you have any comments on the timetable?", cycle(ONE_THING, 12)),
        ("Which street is worst?", ["Mill Lane", "High Street", "Weir Road", "Church Hill", "Tan Row"]),
        ("notes", [f"Patient {i} was seen and is doing well, no pain." for i in range(30)]),
        ("How could we improve?", ["Nothing", "Nothing.", "More staff", "Cheaper parking", "nothing"] * 3 + ONE_THING),
        ("reason_text", ONE_THING),
        ("Please explain why you rated it so", SENTENCES[:5] * 8),
        ("Anything else?", ["", "No", "", "no"] * 8),
        ("Which do you use? [Other]", ["", "tractor", "", "cart"]),
        ("Internal notes", ["chase", "", "sent letter"]),
    ],
)  # fmt: skip
def test_own_words_are_free_text(header: str, cells: list[str]) -> None:
    column = one(header, cells)
    assert column.role == Role.FREE_TEXT, column.reason


def test_a_campaign_sent_many_times_is_free_text() -> None:
    column = one("Your response", [*[LETTER] * 80, LETTER + " Thank you.", *SENTENCES])
    assert column.role == Role.FREE_TEXT


def test_two_campaigns_and_nothing_else_are_free_text() -> None:
    other = " ".join(["The patrol costs too much and the lights are enough for everybody."] * 4)
    assert one("Q2", [LETTER] * 40 + [other] * 20).role == Role.FREE_TEXT


def test_a_few_addresses_inside_answers_do_not_make_them_personal() -> None:
    cells = [*SENTENCES, "ann@post.example", "Write to me: bert@post.example"]
    assert one("Comments", cells).role == Role.FREE_TEXT


def test_the_wording_under_a_code_counts_as_the_header() -> None:
    column = one("Q12_TEXT", ONE_THING, "What is the one thing you would change?")
    assert (column.role, column.question) == (
        Role.FREE_TEXT,
        "What is the one thing you would change?",
    )


# --- what is not ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("role", "header", "cells"),
    [
        # personal
        (Role.PERSONAL, "Contact", spread("parent{}@school.example")),
        (Role.PERSONAL, "column 4", [*spread("a{}@post.example", 20), "none", "n/a", "-"]),
        (Role.PERSONAL, "Email", ["anonymous"] * 20),
        (Role.PERSONAL, "Your name (optional)", [*NAMES[:10], "", ""]),
        (Role.PERSONAL, "Name", NAMES),
        (Role.PERSONAL, "RecipientLastName", LAST),
        (Role.PERSONAL, "doctor_name", ["Attwater", "", "", "Bexfield"]),
        (Role.PERSONAL, "submitted", NAMES),
        (Role.PERSONAL, "provider", ["Dr A. Attwater", "Dr B. Bexfield"] * 9),
        (Role.PERSONAL, "userName", ["ann_o", "biker77", "x99"] * 5),
        (Role.PERSONAL, "What is your full name?", NAMES[:6]),
        (Role.PERSONAL, "Telephone", spread("01632 9600{:02d}")),
        (Role.PERSONAL, "Reach me on", spread("+44 7700 9001{:02d}")),
        (Role.PERSONAL, "Mobile", spread("77009001{:02d}")),
        (Role.PERSONAL, "Home address", spread("{} Tannery Row, Marlbridge")),
        (Role.PERSONAL, "Where we can write to you", spread("{} Tannery Row, Marlbridge MB1 2AB")),
        (Role.PERSONAL, "Date of birth", spread("{:02d}/02/1970", 28)[1:]),
        (Role.PERSONAL, "IP Address", spread("203.0.113.{}")),
        (Role.PERSONAL, "addr", spread("2001:db8::{:x}:1:2:3")),
        (Role.PERSONAL, "If you would like a reply, please give your e-mail address", ["", "a@b.example", "c@d.example"]),
        # identifiers
        (Role.IDENTIFIER, "Response ID", [f"{i:08x}-1111-4222-8333-abcdef012345" for i in range(9)]),
        (Role.IDENTIFIER, "key", [f"{i:08x}-1111-4222-8333-abcdef012345" for i in range(9)]),
        (Role.IDENTIFIER, "UserNo", spread("{}")),
        (Role.IDENTIFIER, "Ref", spread("ANON-7KX{}-Q")),
        (Role.IDENTIFIER, "column 1", spread("{}")),
        (Role.IDENTIFIER, "column 1", spread("REF{}/24")),
        (Role.IDENTIFIER, "author-id", cycle(["3", "7", "12"], 24)),
        (Role.IDENTIFIER, "Participant ID", cycle(["P01", "P02"], 24)),
        (Role.IDENTIFIER, "Comment ID", spread("NE PTS {} - Q1")),
        (Role.IDENTIFIER, "participant", spread("{}")),
        # dates
        (Role.DATE, "Submitted", cycle(["03/04/2025 09:15", "28/04/2025 17:02"], 12)),
        (Role.DATE, "x", cycle(["2025-04-03T09:15:00Z", "2025-04-28T17:02:11.5+01:00"], 12)),
        (Role.DATE, "datetime", ["Sat Nov 17 05:09:36 WIB 2018", "Wed Jun 18 11:53:44 WIB 2014"]),
        (Role.DATE, "When was this?", ["3rd March 2024", "14 April 2024", "1 May 2024"]),
        (Role.DATE, "date", ["March 3, 2024", "Apr 14 2024"]),
        (Role.DATE, "Completed", spread("453{:02d}")),
        (Role.DATE, "x", spread("453{:02d}.375")),
        (Role.DATE, "timestamp", spread("15424061765{:02d}")),
        (Role.DATE, "t", spread("15424061765{:02d}")),
        (Role.DATE, "created_at", spread("17000000{:02d}")),
        (Role.DATE, "Started", [*["01/02/2024"] * 8, "N/A", "-", "not provided"]),
        # system
        (Role.SYSTEM, "Tracking Link", ["https://example.org/s/1", "https://example.org/s/2"]),
        (Role.SYSTEM, "x", spread("https://example.org/page?id={}")),
        (Role.SYSTEM, "UA", spread("Mozilla/5.0 (X11; Linux x86_64) {}")),
        (Role.SYSTEM, "Duration (in seconds)", spread("3{}")),
        (Role.SYSTEM, "Time taken", spread("00:0{}:12", 9)),
        (Role.SYSTEM, "Progress", ["100", "57", "100", "20"] * 4),
        (Role.SYSTEM, "Collector ID", ["9912"] * 12),
        (Role.SYSTEM, "target_topics", ["[{'A': None, 'B': {'x': 1}}]", "[{'A': 1}]"] * 6),
        (Role.SYSTEM, "meta", ['{"ImportId": "QID1"}', "{}"] * 6),
        # status
        (Role.STATUS, "Status", ["Complete"] * 9 + ["Partial"]),
        (Role.STATUS, "Finished", ["True"] * 9 + ["False"]),
        (Role.STATUS, "Response Type", ["IP Address"] * 9 + ["Survey Preview"]),
        (Role.STATUS, "V3", ["Completed"] * 9 + ["Incomplete"]),
        # facts about the respondent
        (Role.DEMOGRAPHIC, "Postcode", ["MB1 2AB", "OV3 4CD", "LS1", "n/a"] * 3),
        (Role.DEMOGRAPHIC, "x", ["MB1 2AB", "OV3 4CD", "SW1A 1AA"] * 3),
        (Role.DEMOGRAPHIC, "Town", PLACES * 4),
        (Role.DEMOGRAPHIC, "Which ward do you live in?", PLACES * 4),
        (Role.DEMOGRAPHIC, "Job title", ["Planner", "Head of Roads", "Nurse", "Clerk", "Teacher"]),
        (Role.DEMOGRAPHIC, "Organisation name", ["", "", *COMPANIES]),
        (Role.DEMOGRAPHIC, "What is the name of your organisation?", COMPANIES * 2),
        (Role.DEMOGRAPHIC, "What is your age?", ["18-24", "25-34", "35-44"] * 8),
        (Role.DEMOGRAPHIC, "Age", spread("{}")),
        (Role.DEMOGRAPHIC, "Gender", ["Female", "Male", "Prefer not to say"] * 8),
        (Role.DEMOGRAPHIC, "Do you consider yourself disabled?", ["Yes", "No"] * 8),
        (Role.DEMOGRAPHIC, "Are you responding as an individual or on behalf of an organisation?", ["Individual", "Organisation"] * 8),
        (Role.DEMOGRAPHIC, "Location - address", ["Derbyshire", "Derby City", "Derbyshire"] * 3),
        (Role.DEMOGRAPHIC, "Employment status", ["Employed", "Retired", "Student"] * 8),
        (Role.DEMOGRAPHIC, "Locality", [f"Upper {p}" for p in PLACES] + [f"{p} North" for p in PLACES * 2]),
        (Role.DEMOGRAPHIC, "product", [f"Garden Shed Model {chr(65 + i % 26)}{chr(65 + i // 26)} Deluxe" for i in range(300)]),
        # closed
        (Role.CLOSED_SINGLE, "Do you agree?", ["Yes", "No", "Don't know"] * 8),
        (Role.CLOSED_SINGLE, "Do you have any comments?", ["Yes", "No"] * 8),
        (Role.CLOSED_SINGLE, "How did you hear of this?", ["Letter", "A friend", "Web site", "Poster"] * 8),
        (Role.CLOSED_SINGLE, "Q", ["I agree with the whole proposal", "I do not agree with the proposal"] * 20),
        (Role.CLOSED_SINGLE, "section", [f"{p} and the Parts Around It" for p in PLACES] * 9),
        (Role.CLOSED_SINGLE, "Q3", ["0", "1"] * 8),
        (Role.CLOSED_SINGLE, "Answer code", ["1", "2", "1", "5", "7", "3"] * 4),
        # scales
        (Role.SCALE, "Q5", AGREE * 4),
        (Role.SCALE, "Why not?", AGREE),
        (Role.SCALE, "How satisfied are you?", ["1", "2", "3", "4", "5"] * 4),
        (Role.SCALE, "How likely are you to recommend us, 0 to 10?", spread("{}", 11) * 3),
        (Role.SCALE, "Rate the leaflet", ["7", "5", "1", "4", "N/A"] * 4),
        (Role.SCALE, "Q6", ["1 - very poor", "2", "3 - fair", "5 - very good", "4 - good"] * 4),
        (Role.SCALE, "vote", ["-1", "0", "1", ""] * 6),
        # numbers
        (Role.NUMBER, "How many members do you have?", ["12", "40", "Seventy-seven", "8", "about 25", "110"] * 2),
        (Role.NUMBER, "agrees", cycle(["1", "38", "53", "0", "7"], 40)),
        (Role.NUMBER, "Cost", ["£1,200.50", "£30", "£4,000", "£7.25"]),
        (Role.NUMBER, "Share", ["12%", "40.5%", "7%", "99%"]),
        # nothing
        (Role.EMPTY, "Comment", ["", " ", "\t\n"]),
    ],
)  # fmt: skip
def test_a_column_is_told_by_its_header_and_cells(
    role: Role, header: str, cells: list[str]
) -> None:
    column = one(header, cells)
    assert column.role == role, column.reason
    assert column.reason


SCALES = """
Definitely agree | Tend to agree | Tend to disagree | Definitely disagree | Not sure
Strongly support | Somewhat support | Neither support nor oppose | Somewhat oppose | Strongly oppose
Very satisfied | Fairly satisfied | Neither satisfied nor dissatisfied | Fairly dissatisfied | Very dissatisfied
Extremely likely | Likely | Neither likely nor unlikely | Unlikely | Extremely unlikely | Don't know
Very important | Quite important | Not very important | Not at all important
Always | Often | Sometimes | Rarely | Never
Every day | Once a week | Two or three times a month | Less often | Never
Very good | Good | Neither good nor poor | Poor | Very poor
To a great extent | To some extent | Not at all
A great deal | A fair amount | Not very much | Not at all
Much better | A little better | About the same | A little worse | Much worse
Yes, definitely | Yes, to some extent | No
Very useful | Useful | Not useful
Excellent | Good | Fair | Poor
High priority | Medium priority | Low priority | Not a priority
Very walkable | Fairly walkable | Not walkable at all
1. Agree | 2. Neutral | 3. Disagree
Strongly Agree | agree | DISAGREE
Very easy | Easy | Difficult | Very difficult
Fully | Partly | Not at all
"""


@pytest.mark.parametrize("line", SCALES.strip().splitlines())
def test_the_usual_scales_are_known(line: str) -> None:
    points = [point.strip() for point in line.split("|")]
    column = one("Q3", points * 5)
    assert column.role == Role.SCALE, column.reason
    assert list(column.options) == points


@pytest.mark.parametrize(
    "words", ["Bus|Train|Walk", "Red|Green|Blue", "Resident|Business", "Option A|Option B|Neither"]
)
def test_other_options_are_no_scale(words: str) -> None:
    assert one("Q3", words.split("|") * 8).role == Role.CLOSED_SINGLE


# --- reasons and options --------------------------------------------------------------------


def test_the_reason_of_free_text_counts_and_never_quotes() -> None:
    reason = one("Q7", SENTENCES).reason
    assert reason == "100% of 10 answers are different, 9.1 words on average"


def test_the_reason_of_a_closed_column_names_its_answers() -> None:
    column = one("Q", ["Bus", "Train", "Walk", "Car"] * 6)
    assert column.reason == "4 different answers: Bus, Train, Walk …"
    assert column.options == ("Bus", "Train", "Walk", "Car")


def test_a_personal_column_shows_none_of_its_cells() -> None:
    column = one("Name", NAMES)
    assert column.reason == "the header names a person's name"
    assert column.options == ()


def test_spellings_of_one_option_are_one_option_and_named() -> None:
    column = one("Type", ["individual", "Individual ", "INDIVIDUAL", "Group", "group"] * 4)
    assert column.options == ("individual", "Group")
    assert "also spelt “Individual”, “INDIVIDUAL”, “group”" in column.reason


def test_other_please_specify_is_one_option_and_the_words_are_counted() -> None:
    cells = ["Bus", "Walk"] * 8 + [
        "Other (please specify): a horse",
        "Other (please specify): boat",
    ]
    column = one("How do you come?", cells)
    assert column.role == Role.CLOSED_SINGLE
    assert column.options == ("Bus", "Walk", "Other (please specify)")
    assert "2 cells with the respondent's own words" in column.reason


def test_more_than_two_hundred_options_are_not_listed() -> None:
    column = one("Town", [f"Town of {chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(260)] * 2)
    assert (column.role, column.options) == (Role.DEMOGRAPHIC, ())


def test_words_for_missing_stay_answers() -> None:
    column = one("How do you come?", ["N/A", "None", "null", "nan", "Bus", "Walk"] * 5)
    assert column.options == ("N/A", "None", "null", "nan", "Bus", "Walk")


def test_choices_that_cannot_be_taken_apart_are_kept_whole_and_it_is_said() -> None:
    cells = ["Blue, Green", "Red, Yellow", "Blue, Green", "Red, Yellow"] * 6
    column = one("Which colours?", cells)
    assert column.role == Role.CLOSED_SINGLE
    assert "kept whole" in column.reason


@pytest.mark.parametrize(
    ("cells", "written", "note"),
    [
        (["03/04/2025", "28/04/2025"], "dd/mm/yyyy", ""),
        (["04/03/2025", "04/28/2025"], "mm/dd/yyyy", ""),
        (["03/04/2025", "05/06/2025"], "dd/mm/yyyy or mm/dd/yyyy", "no day above 12"),
        (["13/04/2025", "04/28/2025"], "dd/mm/yyyy or mm/dd/yyyy", "both orders occur"),
        (["45300.5", "45301"], "Excel serial number", "the header names a date"),
        (["1542406176584", "1403067224363"], "Unix time in milliseconds", ""),
    ],
)
def test_a_date_column_says_how_it_is_written(cells: list[str], written: str, note: str) -> None:
    column = one("Date", cells * 4)
    assert (column.role, column.format) == (Role.DATE, written)
    assert note in column.reason
