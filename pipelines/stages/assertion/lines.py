"""The lines of a text that the rules read one at a time: sentences, put together where cut."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipelines.stages.assertion.phrases import Token, tokens
from pipelines.stages.assertion.rules import Rules
from pipelines.types import Segment

_LONG_LINE = 50  # characters after which a line that goes on in lower case was wrapped
_LONGEST = 4_000  # characters of a line that was put together
_BREAK = re.compile(r"[\n\r\v\f\x85\u2028\u2029]")
_OPEN_END = (",", " and", " or", " of", " no", " the", " with", " for", " any", "/")


def whole_lines(text: str, sentences: Sequence[Segment], rules: Rules) -> list[tuple[int, int]]:
    """Return the sentences, with those put together again that a wrapped line had cut."""
    lines: list[tuple[int, int]] = []
    for sentence in sentences:
        if lines:
            first, last = lines[-1]
            gap = text[last : sentence.start]
            short = sentence.end - first < _LONGEST
            if short and not _BREAK.search(gap) and _query(text, first, last, rules):
                lines[-1] = (first, sentence.end)
                continue
            if (
                gap.count("\n") == 1
                and not gap.strip()
                and text[sentence.start].islower()
                and short
                and text[last - 1] not in ".:;?!"
            ):
                begin = text.rfind("\n", first, last) + 1 or first
                hyphen = text[last - 1] == "-" and text[max(0, last - 2) : last - 1].isalpha()
                open_end = text[max(first, last - 6) : last].lower().endswith(_OPEN_END)
                if hyphen or open_end or last - begin >= _LONG_LINE:
                    lines[-1] = (first, sentence.end)
                    continue
        lines.append((sentence.start, sentence.end))
    return lines


def _query(text: str, start: int, end: int, rules: Rules) -> bool:
    """Say whether the line ends with a question mark that opens what follows: "Impression: ?"."""
    if text[end - 1] != "?" or text[max(0, end - 2) : end - 1].isalnum():
        return False
    asks = rules.words["asks"] | rules.words["finite"]
    return not any(token.word in asks for token in tokens(text, max(start, end - 400), end))


def answer_to(
    text: str, end: int, lines: Sequence[tuple[int, int]], number: int, rules: Rules
) -> Token | None:
    """Return the "no" or "yes" that answers the question ending at ``end``, if one does."""
    if text[end - 1 : end] != "?" or number + 1 >= len(lines):
        return None
    start, stop = lines[number + 1]
    following = tokens(text, start, min(stop, start + 80))
    for place, token in enumerate(following[:4]):
        if token.word in (":", "]"):  # who speaks
            following = following[place + 1 :]
            break
    known = rules.words["answer"] | rules.words["agree"]
    if not following or following[0].word not in known:
        return None
    if len(following) > 1 and following[1].word not in (".", ",", "!", "-", "–", "—", ";"):
        return None
    return following[0]
