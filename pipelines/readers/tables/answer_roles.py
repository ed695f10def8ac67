"""Tell the columns of answers apart: yes and no, scales, numbers, choices, own words, labels."""

from __future__ import annotations

from pipelines.readers.tables import values as cell
from pipelines.readers.tables.choices import find_choices
from pipelines.readers.tables.headings import Heading
from pipelines.readers.tables.profiles import Profile, rules
from pipelines.readers.tables.reasons import cells, closed_column, count, listed, own_words, spelt
from pipelines.readers.tables.scales import says_nothing, scale
from pipelines.types import Column, Role

# --- closed answers and numbers -------------------------------------------------------------


def short_closed(name: str, heading: Heading, profile: Profile) -> Column | None:
    """Yes and no, and the points of a scale."""
    if heading.text and says_nothing(profile.answers):
        return None
    if is_yes_no(profile):
        return closed_column(name, Role.CLOSED_SINGLE, profile)
    family = scale_of(profile)
    if family:
        return closed_column(name, Role.SCALE, profile, f"points of a scale ({family}): ")
    return None


def number(name: str, heading: Heading, profile: Profile) -> Column | None:
    answered = 1 - profile.kinds.get("filler", 0.0)
    numeric = sum(w for v, w in profile.sample.items() if cell.number(v) is not None)
    if answered <= 0 or numeric < (0.7 if "number" in heading else 0.9) * answered:
        return None
    numbers = profile.numbers()
    low, high, few = min(numbers), max(numbers), len(set(numbers)) <= 11
    whole = all(number == int(number) for number in numbers)
    span = f"{low:g} to {high:g}"
    if whole and set(numbers) <= {0, 1}:
        return closed_column(name, Role.CLOSED_SINGLE, profile, "0/1 codes; ")
    if whole and few and low >= -5 and high <= 10 and "number" not in heading:
        if set(numbers) <= {-1, 0, 1} or "rating" in heading:
            why = "the header asks for a rating and the" if "rating" in heading else "the"
            return closed_column(
                name, Role.SCALE, profile, f"{why} cells are whole numbers, {span}; "
            )
        if profile.filled >= 10 and profile.repeated >= 0.7 and profile.share <= 0.5:
            return closed_column(
                name, Role.CLOSED_SINGLE, profile, f"number codes without a key, {span}; "
            )
    one_each = profile.distinct == profile.filled == profile.rows >= 3 and whole
    running = high - low == len(numbers) - 1
    counted = heading.roles & {"number", "rating", "asks"} or (heading.text and not running)
    in_order = running or profile.distinct > len(numbers) or low >= 10_000
    if one_each and not counted and in_order:
        reason = f"a different whole number in each of {cells(profile)}"
        return Column(name, Role.IDENTIFIER, reason)
    return Column(
        name, Role.NUMBER, f"{numeric / answered:.0%} of {cells(profile)} are numbers, {span}"
    )


def codes(name: str, heading: Heading, profile: Profile) -> Column | None:
    coded = profile.kinds.get("code", 0.0) + profile.kinds.get("UUID", 0.0)
    complete = profile.filled >= 0.95 * profile.rows and profile.rows >= 3
    if coded >= 0.9 and profile.share > 0.98 and complete and not heading.text:
        return Column(name, Role.IDENTIFIER, f"a different code in each of {cells(profile)}")
    return None


def several(name: str, heading: Heading, profile: Profile) -> Column | None:
    choices = find_choices(profile.values, cautious=heading.text)
    if choices is None:
        return None
    shown = {"\n": "a line break", ", ": "“, ”"}.get(choices.separator, f"“{choices.separator}”")
    reason = f"several choices separated by {shown}, {listed(choices.options)}"
    if choices.joined:
        reason += f"; {count(len(choices.joined), 'option')} with a comma inside kept whole"
    reason += own_words(choices.own) + spelt(choices.variants)
    return Column(
        name, Role.CLOSED_MULTI, reason, options=choices.options, separator=choices.separator
    )


# --- the respondent's own words, and labels -------------------------------------------------


def free_text(name: str, heading: Heading, profile: Profile) -> Column | None:
    limits = rules()["text"]
    words, share = profile.words, profile.share
    mostly = share >= limits["distinct_share"]
    found = (
        words >= limits["words"]
        and mostly
        and (heading.text or words >= 2 * limits["words"] or profile.prose >= limits["prose"])
    )
    found |= words >= limits["long_words"] and profile.distinct >= limits["long_distinct"]
    found |= words >= limits["letter_words"] and profile.distinct > 1
    found |= (
        words >= limits["words"]
        and profile.distinct >= limits["many_distinct"]
        and share >= limits["many_share"]
        and profile.prose >= 3 * limits["prose"]
    )
    header = ""
    named = "label" in heading and words < limits["long_words"]
    if named or (profile.prose < limits["prose"] and _terms(profile)):
        return None
    silent = says_nothing(profile.answers)
    if (
        not found
        and heading.text
        and (silent or heading.own or not _few(profile, offered="chooses" in heading))
    ):
        found, header = True, "the header asks for the respondent's own words; "
    elif not found and heading.asks and not _repeats(profile) and (mostly or profile.distinct > 30):
        found, header = True, "the header asks a question; "
    elif not found and heading.opens and _all_unlike(profile):
        found, header = True, "the header asks an open question; "
    elif not found and heading.bare and not _repeats(profile):
        found = share >= 0.4 and profile.distinct >= 10 and profile.prose >= limits["short_prose"]
    if not found:
        return None
    return Column(
        name,
        Role.FREE_TEXT,
        f"{header}{share:.0%} of {profile.filled:,} answers are different, "
        f"{words:.1f} words on average",
    )


def label(name: str, heading: Heading, profile: Profile) -> Column:
    limits = rules()["closed"]
    if profile.distinct == 1 and profile.filled == profile.rows > 1 and not heading.asks:
        return Column(name, Role.SYSTEM, "the same in every row")
    closed = 0 < len(profile.answers) <= limits["options"]
    if closed and (profile.share <= 0.8 or profile.filled < limits["few_rows"]):
        return closed_column(name, Role.CLOSED_SINGLE, profile)
    return Column(
        name,
        Role.DEMOGRAPHIC,
        f"labels, not sentences: {profile.distinct:,} different ones in {cells(profile)}, "
        f"{profile.words:.1f} words on average; kept as a fact about the row",
    )


def _terms(profile: Profile) -> bool:
    """Tell whether the cells are lists of terms ("asthma;diabetes"), with nobody speaking."""
    lists = profile.among(lambda text: ";" in text or "|" in text)
    parts = sum(text.count(";") + text.count("|") + 1 for text in profile.sample)
    words = sum(len(text.split()) for text in profile.sample)
    return bool(lists >= 0.4 and words <= 4 * parts)


def is_wordy(profile: Profile) -> bool:
    return profile.words >= float(rules()["text"]["wordy"]) and profile.prose >= 0.3


def _few(profile: Profile, *, offered: bool) -> bool:
    """Tell whether the answers are so few and so often the same that nobody wrote them.

    Sentences are a campaign's rather, unless the question says that they were ``offered``.
    """
    limits = rules()["closed"]
    answers = len(profile.answers)
    if profile.filled < limits["few_rows"] or not 0 < answers <= limits["hinted_distinct"]:
        return False
    sentences = profile.prose >= 0.5 and profile.words >= float(rules()["text"]["wordy"])
    return answers <= float(limits["hinted_share"]) * profile.filled and (offered or not sentences)


def _repeats(profile: Profile) -> bool:
    """Tell whether the answers repeat each other as those of a closed question do."""
    limits = rules()["closed"]
    if not profile.answers or len(profile.answers) > limits["options"]:
        return False
    if profile.filled < limits["few_rows"]:
        return profile.share <= 0.6 or profile.words < 1.6
    return profile.repeated >= limits["covered"] and len(profile.answers) <= 0.5 * profile.filled


def _all_unlike(profile: Profile) -> bool:
    """Tell whether short answers differ as those that people wrote do, not codes or dates."""
    limits = rules()["closed"]
    coded = sum(share for kind, share in profile.kinds.items() if kind not in ("", "filler"))
    least = limits["unlike"] if profile.filled >= limits["unlike_rows"] else 0.6
    return profile.share >= least and coded < 0.6


def is_yes_no(profile: Profile) -> bool:
    said = profile.answers.keys() - cell.words_of("fillers")
    rest = {word.rstrip(".!") for word in said} - cell.words_of("neutral")
    return bool(rest) and rest <= cell.words_of("yes_no")


def scale_of(profile: Profile) -> str:
    """Return the family of the scale the answers are on; one in twenty may be off it."""
    if len(profile.answers) > 40:
        return ""
    common = [key for key, (_, n, _) in profile.answers.items() if n >= 0.01 * profile.filled]
    if sum(profile.answers[key][1] for key in common) < 0.95 * profile.filled:
        return ""
    return scale(common)
