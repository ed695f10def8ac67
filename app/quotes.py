"""Quotes on one line: the words of a document with what stands around them, cut at words."""

from __future__ import annotations

from typing import NamedTuple

from db.rows import QuoteRow

CONTEXT = 80
"""Characters of context on either side, as the store gives them."""


class Quote(NamedTuple):
    """A quote in three parts that joined read as one line; "…" where something is left out."""

    before: str
    words: str
    after: str

    def __str__(self) -> str:
        return "".join(self)


def on_one_line(row: QuoteRow, most: int = CONTEXT) -> Quote:
    """Return a quote with up to ``most`` characters on either side, white space made single."""
    before, after = row.before[-most:], row.after[:most]
    left, right = before.split(), after.split()
    if len(before) >= most and left:
        left = ["…", *(left if before[0].isspace() else left[1:])]
    if len(after) >= most and right:
        right = [*(right if after[-1].isspace() else right[:-1]), "…"]
    return Quote(
        " ".join(left) + (" " if left and before[-1:].isspace() else ""),
        " ".join(row.text.split()),
        (" " if right and after[:1].isspace() else "") + " ".join(right),
    )


def assertion(row: QuoteRow) -> str:
    """Return what the text says about the mention, "negated, family" for example; "" for none."""
    told = [
        name
        for name in ("negated", "possible", "historical", "hypothetical")
        if getattr(row, name) is True
    ]
    if row.experiencer not in (None, "patient"):
        told.append(f"about: {row.experiencer}")
    return ", ".join(told)
