"""Files that are read along with others: what they hold is part of those others' documents."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

QUESTION = "question.json"
CHOICES = "multi_choice.jsonl"
RESPONDENTS = "respondents.jsonl"
FOLDERS_UP = 2
"""How far above the responses the respondents may lie."""


def beside(folder: Path) -> tuple[Path, ...]:
    """Return the files that decide, beside their own bytes, what files in ``folder`` say.

    Opens none of them; where nothing of the kind is there it looks for one name.
    """
    question = folder / QUESTION
    return (question, *_more(folder)) if question.is_file() else ()


def respondents(folder: Path, top: Path | None = None) -> Path | None:
    """Return the file of respondents in ``folder`` or above it, but not above ``top``."""
    for _ in range(FOLDERS_UP + 1):
        path = folder / RESPONDENTS
        if path.is_file():
            return path
        if folder == top:
            break
        folder = folder.parent
    return None


def _more(folder: Path) -> Iterator[Path]:
    choices = folder / CHOICES
    if choices.is_file():
        yield choices
    if path := respondents(folder):
        yield path
