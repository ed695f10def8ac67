"""Give one column its role, from its header and the cells of a sample, with the reason.

The rules are asked in order and the first that knows the column answers: what cells plainly are
(structures, e-mail addresses…), what the header promises as far as the cells bear it out, closed
answers, numbers, several choices, the respondent's own words, labels.
"""

from __future__ import annotations

from collections.abc import Callable

from pipelines.readers.tables import values as cell
from pipelines.readers.tables.answer_roles import (
    codes,
    free_text,
    is_wordy,
    is_yes_no,
    label,
    number,
    scale_of,
    several,
    short_closed,
)
from pipelines.readers.tables.choices import find_choices
from pipelines.readers.tables.headings import Heading, read_heading
from pipelines.readers.tables.profiles import Profile, rules
from pipelines.readers.tables.reasons import article, cells, closed_column, listed
from pipelines.types import Column, Role

Rule = Callable[[str, Heading, Profile], Column | None]
_OPINION = frozenset({"agreement", "support", "satisfaction", "likelihood", "numbered"})


def role_of(name: str, wording: str, profile: Profile) -> Column:
    """Return the column ``name`` with its role, judged alone."""
    if not profile.filled:
        return Column(name, Role.EMPTY, "no filled cell")
    heading = read_heading(name, wording)
    for rule in _RULES:
        column = rule(name, heading, profile)
        if column is not None:
            return column
    raise AssertionError("the last rule knows every column")


# --- what the cells plainly are -------------------------------------------------------------


def _technical(name: str, heading: Heading, profile: Profile) -> Column | None:
    for kind, role, least in (
        ("structure", Role.SYSTEM, 0.8),
        ("user agent", Role.SYSTEM, 0.6),
        ("IP address", Role.PERSONAL, 0.6),
        ("web address", Role.SYSTEM, 0.7),
        ("UUID", Role.IDENTIFIER, 0.8),
    ):
        share = profile.kinds.get(kind, 0.0)
        if share >= least:
            shown = "JSON or Python structures" if kind == "structure" else f"{article(kind)} each"
            return Column(name, role, f"{share:.0%} of {cells(profile)} are {shown}")
    return None


def _personal(name: str, heading: Heading, profile: Profile) -> Column | None:
    for kind, least in (
        ("e-mail", 0.6),
        ("telephone number", 0.7),
        ("address", 0.6),
        ("user name", 0.6),
    ):
        share = profile.kinds.get(kind, 0.0)
        if share < least or (kind == "telephone number" and "identifier" in heading):
            continue
        if kind == "address" and (profile.prose > 0.3 or (heading.text and not heading.personal)):
            continue
        kind = "e-mail address" if kind == "e-mail" else kind
        named = f"the header names {article(heading.personal)} and " if heading.personal else ""
        return Column(
            name, Role.PERSONAL, f"{named}{share:.0%} of {cells(profile)} are {article(kind)}"
        )
    reached = profile.kinds.get("e-mail", 0.0) + profile.kinds.get("telephone number", 0.0)
    if reached >= 0.7 and "identifier" not in heading:
        reason = f"{reached:.0%} of {cells(profile)} are e-mail addresses or telephone numbers"
        return Column(name, Role.PERSONAL, reason)
    people = profile.among(cell.person)
    if heading.personal:
        return _promised(name, heading, profile, people)
    known = profile.among(cell.known_person)
    if people >= 0.8 and known >= 0.8 and profile.distinct > 1 and not heading.text:
        reason = f"{people:.0%} of {cells(profile)} are written like a person's name"
        return Column(name, Role.PERSONAL, reason)
    if (
        people >= 0.8 and known >= 0.3 and profile.distinct >= 3 and profile.share >= 0.3
        and not heading.text and "demographic" not in heading
    ):  # fmt: skip
        reason = f"{people:.0%} of {cells(profile)} are written like a person's name"
        return Column(name, Role.PERSONAL, reason)
    return None


def _promised(name: str, heading: Heading, profile: Profile, people: float) -> Column | None:
    """Believe a header that names personal data, unless the cells are plainly something else."""
    kind = heading.personal
    if is_wordy(profile) or is_yes_no(profile) or scale_of(profile):
        return None
    if kind in ("person's name", "person"):
        coded = sum(profile.kinds.get(k, 0.0) for k in ("number", "code", "date"))
        if coded >= 0.5 or (kind == "person" and not _are_people(profile)):
            return None
    if kind == "address":
        places = profile.among(lambda text: "," in text or any(map(str.isdigit, text)))
        if places < 0.4 and (profile.repeated > 0.5 or "demographic" in heading):
            return None
    return Column(name, Role.PERSONAL, f"the header names {article(kind)}")


def _are_people(profile: Profile) -> bool:
    """Tell whether the cells are names of people, or of people among bodies."""
    known = profile.among(cell.known_person)
    return known >= 0.15 or profile.among(cell.likely_person) >= 0.5


def _date(name: str, heading: Heading, profile: Profile) -> Column | None:
    share = profile.kinds.get("date", 0.0)
    dated = "date" in heading
    if share >= (0.5 if dated else 0.8):
        dates = cell.order_of(profile.sample)
        note = f"; {dates.note}" if dates.note else ""
        reason = f"{share:.0%} of {cells(profile)} are dates, {dates.format}{note}"
        return Column(name, Role.DATE, reason, format=dates.format)
    share = profile.kinds.get("duration", 0.0)
    if share >= 0.8:
        return Column(name, Role.SYSTEM, f"{share:.0%} of {cells(profile)} are times or durations")
    if profile.kinds.get("number", 0.0) >= 0.9:
        written = cell.number_dates(profile.numbers(), dated and "number" not in heading)
        if written:
            why = "the header names a date and the" if dated else "all"
            reason = f"{why} cells are numbers in the range of dates, {written}"
            return Column(name, Role.DATE, reason, format=written)
    return None


# --- what the header promises ---------------------------------------------------------------


def _named(name: str, heading: Heading, profile: Profile) -> Column | None:
    """Status, system and identifier columns."""
    states = {cell.folded(value) for value in profile.sample} - cell.words_of("fillers")
    plain = "status" not in heading and (heading.asks or states <= cell.words_of("plain_states"))
    if profile.distinct <= 20 and states and states <= cell.words_of("states") and not plain:
        return closed_column(name, Role.STATUS, profile, "states of a submission: ")
    if is_wordy(profile) or profile.words > 2 * rules()["text"]["wordy"]:
        return None
    if "status" in heading and profile.distinct <= 20:
        return closed_column(name, Role.STATUS, profile, "the header names a status; ")
    if heading.text and not (heading.roles & {"identifier", "system"}):
        return None
    if "system" in heading:
        return Column(name, Role.SYSTEM, "the header names data of the survey system")
    if "identifier" in heading:
        coded = sum(
            profile.kinds.get(k, 0.0) for k in ("number", "code", "UUID", "telephone number")
        )
        digits = profile.among(lambda text: any(map(str.isdigit, text)))
        if coded >= 0.5 or digits >= 0.8 or (profile.share >= 0.9 and not heading.asks):
            reason = f"the header names an identifier; {profile.distinct:,} different ones in "
            return Column(name, Role.IDENTIFIER, reason + cells(profile))
    return None


def _demographic(name: str, heading: Heading, profile: Profile) -> Column | None:
    share = profile.kinds.get("postcode", 0.0)
    if share >= 0.6:
        return Column(name, Role.DEMOGRAPHIC, f"{share:.0%} of {cells(profile)} are postcodes")
    if "demographic" not in heading or is_wordy(profile) or scale_of(profile) in _OPINION:
        return None
    unlike = profile.share >= 0.5
    if heading.own and (unlike or profile.distinct > rules()["closed"]["hinted_distinct"]):
        return None
    if heading.text and unlike and (profile.words >= 3 or profile.prose >= 0.3):
        return None
    why = "the header names a fact about the respondent; "
    choices = find_choices(profile.values, cautious=True)
    if choices is not None:
        return Column(
            name, Role.DEMOGRAPHIC, f"{why}several choices, {listed(choices.options)}",
            options=choices.options, separator=choices.separator,
        )  # fmt: skip
    if profile.kinds.get("number", 0.0) >= 0.9 or (profile.share > 0.7 and profile.distinct > 10):
        return Column(name, Role.DEMOGRAPHIC, f"{why}{profile.distinct:,} different answers")
    return closed_column(name, Role.DEMOGRAPHIC, profile, why)


_RULES: tuple[Rule, ...] = (
    _technical, _personal, _date, _named, _demographic, short_closed, number, codes,
    several, free_text, label,
)  # fmt: skip
