"""Name the columns of a table and say what each of them holds.

A column's role comes from its header and its cells (``roles.py``), then from its neighbours: a
question's wording stands beside the answers to it, and the options of one question may have a
column each.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pipelines.readers.tables.headings import read_heading
from pipelines.readers.tables.profiles import Profile, count_words, is_prose
from pipelines.readers.tables.roles import role_of
from pipelines.readers.tables.values import folded, words_of
from pipelines.types import Column, Role

__all__ = ["FREE_TEXT", "RESERVED", "classify", "column_names", "count_words", "expected_role"]

FREE_TEXT = Role.FREE_TEXT
RESERVED = ("file", "folder", "sheet")
"""Metadata names the readers give themselves; a column of that name becomes "file (2)"."""

_STEM = re.compile(
    r"^(?P<stem>.+?)(?:\s[-–—|:>/]+\s(?P<part>[^?]+)|:\s(?P<after>[^?]+)|\s*\[(?P<inside>[^\]?]+)\]"
    r"|[_.](?P<number>\d{1,3}|[a-z]))$",
    re.DOTALL,
)
_OPTION_FIRST = re.compile(r"[^:?]{1,80}:\s?(?P<stem>.+\?)$", re.DOTALL)  # "Bus:How do you travel?"
_INNER = re.compile(r"\[[A-Za-z]*\d*\]")  # an option's code inside the question's: "Q2[SQ001]"
_UNTICKED = frozenset(
    {"0", "no", "n", "false", "unchecked", "not selected", "not ticked", "0.0", "off", "not quoted"}
)


def column_names(header: Sequence[str], width: int) -> tuple[str, ...]:
    """Return a distinct name for each of ``width`` columns.

    White space in a header is folded to single spaces, a missing one becomes "column N", and a
    name that was taken gets " (2)", " (3)" and so on.
    """
    names: list[str] = []
    taken = set(RESERVED)
    for position in range(width):
        text = " ".join(header[position].split()) if position < len(header) else ""
        base = text or f"column {position + 1}"
        name, count = base, 1
        while name in taken:
            count += 1
            name = f"{base} ({count})"
        taken.add(name)
        names.append(name)
    return tuple(names)


def classify(
    names: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    questions: Sequence[str] = (),
    decided: Mapping[int, Column] | None = None,
    wordings: Sequence[str] = (),
) -> tuple[Column, ...]:
    """Give each column its role, from the sample ``rows`` (each as wide as ``names``).

    ``questions`` are the text columns that a person asked for, by name or wording in any case and
    spacing: they are free text, and other free text stays beside them as ``system`` data.
    ``decided`` (position → column, from a mapping file or a known layout) wins over everything; an
    empty name, reason, question or list of options in it is filled from what was found.
    ``wordings`` are the full wordings under the names, "" where there is none. A table without
    free text raises nothing.
    """
    decided = decided or {}
    wanted = {folded(question) for question in questions}
    columns: list[Column] = []
    profiles: list[Profile] = []
    for position, name in enumerate(names):
        wording = wordings[position] if position < len(wordings) else ""
        wording = "" if folded(wording) == folded(name) else wording.strip()
        profiles.append(Profile.of([row[position] for row in rows]))
        column = role_of(name, wording, profiles[-1])
        if wanted & {folded(name), folded(wording)} - {""}:
            column = Column(name, Role.FREE_TEXT, "named by --question")
        columns.append(replace(column, question=wording))
    fixed = {i for i, c in enumerate(columns) if c.reason == "named by --question"} | set(decided)
    for position, given in decided.items():
        if 0 <= position < len(columns):
            columns[position] = _filled_in(given, columns[position])
    _questions(columns, profiles, fixed)
    _ticked(columns, profiles, fixed)
    _staff(columns, fixed)
    if wanted:
        for position, column in enumerate(columns):
            if column.role is Role.FREE_TEXT and position not in fixed:
                reason = f"not named by --question; {column.reason}"
                columns[position] = replace(column, role=Role.SYSTEM, reason=reason)
    return tuple(columns)


def expected_role(name: str, wording: str = "") -> Role:
    """Return what a column that is blank in the sample is, by its header, should a row fill it."""
    heading = read_heading(name, wording)
    if heading.personal:
        return Role.PERSONAL
    if heading.text or (heading.asks and not heading.roles & {"demographic", "rating", "number"}):
        return Role.FREE_TEXT
    named = ("status", "system", "identifier", "demographic", "date", "number")
    return next((Role(role) for role in named if role in heading), Role.CLOSED_SINGLE)


def _filled_in(given: Column, found: Column) -> Column:
    """Return a decided column with what it leaves open taken from what was found."""
    same = given.role in (found.role, "")
    closed = (given.role or found.role) in (
        Role.CLOSED_SINGLE,
        Role.CLOSED_MULTI,
        Role.SCALE,
        Role.DEMOGRAPHIC,
    )
    return Column(
        found.name,
        given.role or found.role,
        given.reason or found.reason,
        given.question or found.question,
        given.options or (found.options if closed else ()),
        given.separator or (found.separator if same or given.role is Role.CLOSED_MULTI else ""),
        given.format or (found.format if same else ""),
    )


def _questions(columns: list[Column], profiles: Sequence[Profile], fixed: set[int]) -> None:
    """Find the column that holds the wording which the free text of its row answers."""
    texts = [i for i, column in enumerate(columns) if column.role is Role.FREE_TEXT]
    if not texts:
        return
    candidates = (
        Role.FREE_TEXT,
        Role.CLOSED_SINGLE,
        Role.DEMOGRAPHIC,
        Role.SYSTEM,
        Role.CLOSED_MULTI,
    )
    for position, column in enumerate(columns):
        if position in fixed or column.role not in candidates or texts == [position]:
            continue
        named = "question" in read_heading(column.name, column.question)
        profile = profiles[position]
        if profile.filled < profile.rows / 2:
            continue
        asking = profile.among(lambda text: text.rstrip().endswith("?"))
        repeats = profile.distinct <= max(1, profile.filled / 3)
        if named and _worded(column.name, profile, asking):
            why = "the header names a question or topic"
        elif repeats and asking >= 0.8 and profile.words >= 4:
            why = "most cells end with a question mark"
        else:
            continue
        texts = [i for i in texts if i != position]
        if not texts:
            return
        reason = f"{why}, {profile.distinct:,} different wordings beside the answers"
        columns[position] = Column(column.name, Role.QUESTION, reason, column.question)


def _staff(columns: list[Column], fixed: set[int]) -> None:
    """Leave what officers and programs wrote beside the respondents' own words."""
    texts = [i for i, column in enumerate(columns) if column.role is Role.FREE_TEXT]
    added = [
        i
        for i in texts
        if i not in fixed and "staff" in read_heading(columns[i].name, columns[i].question)
    ]
    if len(added) == len(texts):
        return
    for i in added:
        reason = f"the header names what was added to the answers; {columns[i].reason}"
        columns[i] = replace(columns[i], role=Role.SYSTEM, reason=reason)


def _worded(name: str, profile: Profile, asking: float) -> bool:
    """Tell whether cells under a "question" or "topic" header are wordings, not labels."""
    asked = "question" in folded(name) or "prompt" in folded(name)
    if not asked and profile.distinct > profile.filled / 2:
        return False  # subjects of letters, each its own
    spoken = profile.words >= 3 and profile.among(is_prose) >= 0.5
    return asking >= 0.5 or spoken or profile.words >= (1.5 if asked else 4)


def _ticked(columns: list[Column], profiles: Sequence[Profile], fixed: set[int]) -> None:
    """Find the columns that are the options of one question, a column each."""
    closed = (
        Role.CLOSED_SINGLE,
        Role.SCALE,
        Role.SYSTEM,
        Role.FREE_TEXT,
        Role.DEMOGRAPHIC,
        Role.NUMBER,
    )
    groups: defaultdict[str, dict[int, str]] = defaultdict(dict)
    for position, column in enumerate(columns):
        if position in fixed or column.role not in closed:
            continue
        profile = profiles[position]
        marks = set(profile.answers)
        if not 0 < len(marks) <= 2:
            continue
        stem, part = _stem(column)
        if len(marks) == 1 and _own_option(next(iter(marks)), column, part, profile):
            if opened := _OPTION_FIRST.match(column.question or column.name):
                stem = opened["stem"]
            groups[f"own {stem or 'options'}"][position] = next(iter(profile.values))
        elif part and marks <= words_of("ticks"):
            groups[f"tick {stem}"][position] = part
    for key, group in groups.items():
        if len(group) < 2:
            continue
        question = key.partition(" ")[2]
        for position, option in group.items():
            column = columns[position]
            sort = "the option itself" if key.startswith("own") else "a mark"
            reason = (
                f"one of {len(group)} columns that are an option each: {sort} in "
                f"{_chosen(profiles[position]):,} of {profiles[position].rows:,} cells"
            )
            columns[position] = Column(
                column.name, Role.CLOSED_MULTI, reason,
                column.question or (question if question not in ("options", "") else ""), (option,),
            )  # fmt: skip


def _stem(column: Column) -> tuple[str, str]:
    """Return what a column shares with the other options of its question, and its own option."""
    for text in (column.question, column.name):
        match = _STEM.match(text)
        if match:
            part = match["part"] or match["after"] or match["inside"] or match["number"] or ""
            if len(part.split()) <= 20:
                return _INNER.sub("", match["stem"]).strip(), part.strip()
    return "", ""


def _own_option(mark: str, column: Column, part: str, profile: Profile) -> bool:
    """Tell whether the only answer of a column is the option it stands for."""
    if mark in words_of("ticks") or profile.filled == profile.rows:
        return False
    name, wording = folded(column.name), folded(column.question)
    return mark in (folded(part), name) or (
        len(mark) > 1
        and (name.endswith(mark) or wording.endswith(mark) or name.startswith(f"{mark}:"))
    )


def _chosen(profile: Profile) -> int:
    return sum(rows for key, (_, rows, _) in profile.answers.items() if key not in _UNTICKED)
