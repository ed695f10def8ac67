"""Notice texts that were decoded wrongly before they came here; nothing is repaired.

The judgement is ftfy's "badness": sequences of characters that almost only come of decoding UTF-8
with a single-byte encoding (https://ftfy.readthedocs.io/en/latest/heuristic.html).
"""

from __future__ import annotations

import re

from pipelines.types import Flag

CELL_LIMITS = frozenset({255, 32_767})
"""Lengths at which programs cut a cell: old exporters, and Excel."""
_REPLACED = "\ufffd"
# A character of UTF-8 decoded with a single-byte encoding gives two to four that are not ASCII.
_PAIR = re.compile(r"[^\x00-\x7f]{2}")


def flags_of(text: str, *, cell: bool = False) -> tuple[str, ...]:
    """Return the flags of ``text``; ``cell`` says that it came from the cell of a table."""
    flags = []
    if is_garbled(text):
        flags.append(Flag.GARBLED.value)
    if cell and len(text) in CELL_LIMITS:
        flags.append(Flag.CUT.value)
    return tuple(flags)


def is_garbled(text: str) -> bool:
    """Tell whether ``text`` holds characters that come of decoding it wrongly."""
    if text.isascii():
        return False
    if _REPLACED in text:
        return True
    if not _PAIR.search(text):
        return False
    from ftfy.badness import is_bad

    return bool(is_bad(text))
