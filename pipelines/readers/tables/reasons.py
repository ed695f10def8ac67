"""Word the reasons of the roles, so that a person can tell whether they are right."""

from __future__ import annotations

from collections.abc import Sequence

from pipelines.readers.tables import values as cell
from pipelines.readers.tables.choices import opening
from pipelines.readers.tables.profiles import Profile, rules
from pipelines.types import Column, Role

_SHOWN = 3  # options named in a reason


def closed_column(name: str, role: Role, profile: Profile, why: str = "") -> Column:
    """Describe a column of single choices: an option for each answer, own words folded."""
    options: dict[str, str] = {}
    variants: list[str] = []
    own = 0
    for first, rows, others in profile.answers.values():
        option = opening(first)
        own += rows if option != first else 0
        kept = options.setdefault(cell.folded(option), option)
        variants += [other for other in (option, *others) if other != kept and option == first]
    known = tuple(options.values())
    whole = ""
    split = sum(n for value, n in profile.values.items() if ";" in value or ", " in value)
    if role is Role.CLOSED_SINGLE and len(known) > 1 and split >= 0.2 * profile.filled:
        whole = "; the answers do not show a separator between options, so each is kept whole"
    if len(known) > rules()["closed"]["options"]:
        known = ()
    return Column(
        name, role,
        f"{why}{listed(known, 'answer')}{own_words(own)}{spelt(variants)}{whole}",
        options=known,
    )  # fmt: skip


def listed(options: Sequence[str], what: str = "option") -> str:
    shown = ", ".join(" ".join(option.split())[:40] for option in options[:_SHOWN])
    more = " …" if len(options) > _SHOWN else ""
    return f"{len(options)} different {what}{'' if len(options) == 1 else 's'}: {shown}{more}"


def own_words(rows: int) -> str:
    return (
        f"; {count(rows, 'cell')} with the respondent's own words, kept as they are" if rows else ""
    )


def spelt(variants: Sequence[str]) -> str:
    if not variants:
        return ""
    shown = ", ".join(f"“{variant[:40]}”" for variant in variants[:_SHOWN])
    more = f" and {len(variants) - _SHOWN} more" if len(variants) > _SHOWN else ""
    return f"; also spelt {shown}{more}"


def count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def cells(profile: Profile) -> str:
    return f"{count(profile.filled, 'filled cell')}"


def article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeioI' else 'a'} {noun}"
