"""What a phrase of the rules says, and how far it reaches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

ATTRIBUTES: Final = ("negated", "possible", "hypothetical", "historical", "experiencer")
DIRECTIONS: Final = ("forward", "backward", "both", "here", "section", "block")
EXPERIENCERS: Final = ("patient", "family", "other")
STOPS: Final = (
    *("contrast", "cause", "relative", "event", "affirm", "subject", "verb", "determiner"),
    *("amount", "break", "clause", "purpose", "comma", "and"),
)
ENDS: Final = frozenset(STOPS) - {"purpose", "comma", "and"}
"""The stops at which a scope ends unless its rule says otherwise."""
FARTHEST: Final = 60
"""Words that a cue reaches at most."""


@dataclass(frozen=True, slots=True)
class Cue:
    """What a phrase says, and how far it reaches.

    ``sets`` is an attribute (``stop`` for what ends a scope); ``value`` of the experiencer is one
    of ``EXPERIENCERS``, of a stop one of ``STOPS``. ``reach`` counts words. ``ends`` are the stops
    that end the scope. ``closes`` asks for the end of the clause behind the cue, ``opens`` for its
    beginning before it, ``alone`` for nothing else in the line, ``adjacent`` for no space between
    cue and tag, ``verbless`` for a line without a verb. ``inside``: holds also where the cue is part of the tag's own words. ``outward``:
    reaches out of a longer tag that it is part of.
    """

    sets: str
    direction: str
    value: str = ""
    reach: int = FARTHEST
    ends: frozenset[str] = frozenset()
    closes: bool = False
    opens: bool = False
    alone: bool = False
    inside: bool = False
    outward: bool = False
    adjacent: bool = False
    verbless: bool = False
