"""Tell an answer from a way of saying nothing, question by question; the rules are data.

"Nothing" under "What could we do better?" is an answer, under "What was good?" it is none. The
text is judged as a whole: words that say nothing beside others that do are part of an answer, and
in doubt a text is an answer.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from pipelines.views import decoded

LONGEST = 200
"""Characters beyond which a text is always an answer."""
_FAR_LONGER = 4_000  # no decoding brings that down to LONGEST

_PARTS = re.compile(r"//|\s/\s|[.!?;:,\n\r\t…]+(?=\s|$)|\s[-–—]+\s|[\n\r\t]+")
_EDGES = ' \t\r\n\f\v\xa0.,;:!?…·•*_~"“”„«»‘`´|\\/-–—−=+^'
_UNFOLDED = str.maketrans("’‘‛´ʼ", "'" * 5, "\ufeff\u200b\u200c\u200d\u2060\xad")
_WORD_CHARACTER = re.compile(r"[^\W_]")
_FIRST = re.compile(r"[^\W\d_][\w']*")
_CROSSES = re.compile(r"(?!xx?\s*$)x+")  # "x" and "xx" beside words are kisses


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a text answers its question; if not, the ``rule`` that fired and a sentence why."""

    answers: bool
    rule: str = ""
    reason: str = ""


ANSWER = Verdict(True)
REFERENCE = "reference"
BLANK = Verdict(False, "blank", "no text")
MARK = Verdict(False, "mark", "a mark that holds the place of an answer")


def assess(text: str, question: str | None) -> Verdict:
    """Judge ``text`` as an answer to ``question``; without a question it is a free comment."""
    if len(text) > _FAR_LONGER and text[:_FAR_LONGER].strip():
        return ANSWER
    view = decoded(text)
    plain = _fold(text if view is None else view.text)
    if not plain:
        return BLANK
    if len(plain) > LONGEST:
        return ANSWER
    if not _WORD_CHARACTER.search(plain):
        return ANSWER if any(map(_is_sign, plain)) else MARK
    return _rules().judge(plain, kind_of(question))


@lru_cache(maxsize=4096)
def kind_of(question: str | None) -> str:
    """Return what a question asks for: ``faults``, ``yes_no``, ``anything_else`` or ``open``."""
    if not question:
        return "open"
    folded = _fold(question)
    for kind, pattern in _rules().questions:
        if pattern.search(folded):
            return kind
    return "open"


def _fold(text: str) -> str:
    """Return ``text`` in lower case, with straight apostrophes, white space folded."""
    plain = text.casefold()
    if not plain.isascii():
        plain = plain.translate(_UNFOLDED)
    return " ".join(plain.split()).replace("(s)", "s")


def _is_sign(character: str) -> bool:
    """Tell whether ``character`` may say something without being a letter: a smiley, a tick."""
    return ord(character) > 0x2100


Entry = tuple[Verdict, frozenset[str]]
"""What a phrase says, and the kinds of question under which it is an answer all the same."""


@dataclass(frozen=True, slots=True)
class _Rules:
    questions: tuple[tuple[str, re.Pattern[str]], ...]
    phrases: dict[str, Entry]
    patterns: tuple[tuple[re.Pattern[str], Entry], ...]
    before: dict[str, list[str]]
    after: dict[str, list[str]]
    alone: frozenset[str]
    reference: Entry
    longest: int
    sender: int
    pointers: frozenset[str]
    targets: frozenset[str]
    words: frozenset[str]
    number: re.Pattern[str]
    date: re.Pattern[str]
    first_words: frozenset[str]
    any_first_word: tuple[str, ...]

    def judge(self, plain: str, kind: str) -> Verdict:
        """Judge a folded text: nothing only when each of its parts is."""
        if not self._may_begin(plain):
            return ANSWER
        whole = self._look_up(plain)
        entries = [whole] if whole else self._parts(plain)
        if not entries:
            return ANSWER
        if any(kind in answers for _, answers in entries):
            return ANSWER
        verdicts = [verdict for verdict, _ in entries]
        return next((one for one in verdicts if one.rule == REFERENCE), verdicts[0])

    def refers(self, plain: str) -> bool:
        """Tell whether a folded text only points at another answer or document."""
        words = [word for word in map(_trim, plain.split()) if word]
        if not words or not self._all_known(words[:1]):
            return False
        for place, word in enumerate(words):
            if word in ("from", "by") and 0 < len(words) - place - 1 <= self.sender:
                words = words[:place] if self._all_known(words[:place]) else words
                break
        if len(words) > self.longest or not self._all_known(words):
            return False
        numbered = any(self.number.fullmatch(word) for word in words)
        return not self.pointers.isdisjoint(words) and (
            numbered or not self.targets.isdisjoint(words)
        )

    def _all_known(self, words: Sequence[str]) -> bool:
        return all(
            word in self.pointers
            or word in self.targets
            or word in self.words
            or self.number.fullmatch(word)
            or self.date.fullmatch(word)
            for word in words
        )

    def _may_begin(self, plain: str) -> bool:
        """Tell quickly whether a text begins with a word that any way to say nothing begins with."""
        word = _FIRST.match(_trim(plain))
        return (
            word is None
            or word[0] in self.first_words
            or len(set(word[0])) == 1
            or self.number.fullmatch(word[0]) is not None
            or any(words in plain for words in self.any_first_word)
        )

    def _parts(self, plain: str) -> list[Entry]:
        """Return what the parts say; nothing where one is an answer, or all are mere politeness."""
        found = []
        for part in _PARTS.split(plain):
            trimmed = _trim(part)
            if trimmed and trimmed not in self.alone:
                entry = self._look_up(trimmed)
                if entry is None:
                    return []
                found.append(entry)
        return found

    def _look_up(self, text: str) -> Entry | None:
        """Find the phrase that ``text`` is, once what may stand around one is taken away."""
        text = _trim(text)
        if self.refers(text):
            return self.reference
        if _CROSSES.fullmatch(text):
            return MARK, frozenset()
        if len(text) == 1 and text.isascii() and text.isalpha() and text not in self.phrases:
            return MARK, frozenset()
        while True:
            if entry := self._phrase(text):
                return entry
            shorter = self._shorter(text)
            if shorter is None:
                return None
            text = shorter

    def _phrase(self, text: str) -> Entry | None:
        if text in self.phrases:
            return self.phrases[text]
        words = text.split(" ")
        half = len(words) // 2
        if half and words[:half] == words[half:]:
            return self._phrase(" ".join(words[:half]))
        return next((entry for pattern, entry in self.patterns if pattern.fullmatch(text)), None)

    def _shorter(self, text: str) -> str | None:
        for words in self.after.get(text[text.rfind(" ") + 1 :], ()):
            if text.endswith(f" {words}"):
                return _trim(text[: -len(words) - 1])
        for words in self.before.get(text.partition(" ")[0].rstrip(","), ()):
            if text.startswith((f"{words} ", f"{words}, ")):
                return _trim(text[len(words) + 1 :])
        return None


def _trim(text: str) -> str:
    """Take punctuation from both ends, and brackets that hold the whole."""
    text = text.strip(_EDGES)
    while len(text) > 1 and (text[0], text[-1]) in (("(", ")"), ("[", "]"), ("'", "'"), ("{", "}")):
        text = text[1:-1].strip(_EDGES)
    return text


@cache
def _rules() -> _Rules:
    data = tomllib.loads(files("pipelines").joinpath("answers.toml").read_text("utf-8"))
    phrases: dict[str, Entry] = {}
    patterns: list[tuple[re.Pattern[str], Entry]] = []
    for group in data["phrases"]:
        entry = (
            Verdict(False, group["rule"], group["reason"]),
            frozenset(group.get("answers", ())),
        )
        phrases.update((_trim(phrase), entry) for phrase in _listed(group["phrases"]))
        patterns += [(re.compile(pattern), entry) for pattern in group.get("patterns", ())]
    around, reference = data["around"], data["reference"]
    known = (*phrases, *_listed(around["before"]), *_listed(around["alone"]))
    first_words = {found[0] for found in map(_FIRST.match, known) if found}
    for name in ("pointers", "targets", "words"):
        first_words.update(reference[name].split())
    for pattern, _ in patterns:
        first_words.update(_FIRST.findall(pattern.pattern))
    return _Rules(
        questions=tuple(_question(entry) for entry in data["question"]),
        phrases=phrases,
        patterns=tuple(patterns),
        before=_by_word(_listed(around["before"]), 0),
        after=_by_word(_listed(around["after"]), -1),
        alone=frozenset(_listed(around["alone"])),
        reference=(Verdict(False, REFERENCE, reference["reason"]), frozenset()),
        longest=reference["longest"],
        sender=reference["sender"],
        pointers=frozenset(reference["pointers"].split()),
        targets=frozenset(reference["targets"].split()),
        words=frozenset(reference["words"].split()),
        number=re.compile(reference["number"]),
        date=re.compile(reference["date"]),
        first_words=frozenset(first_words),
        any_first_word=tuple(data["any_first_word"]["within"]),
    )


def _question(entry: dict[str, Any]) -> tuple[str, re.Pattern[str]]:
    return entry["kind"], re.compile("|".join(entry["patterns"]))


def _listed(text: str) -> Iterator[str]:
    for line in text.splitlines():
        yield from (phrase.strip() for phrase in line.split(" | ") if phrase.strip())


def _by_word(phrases: Iterable[str], place: int) -> dict[str, list[str]]:
    """Group phrases by their first (0) or last (-1) word, the longest first."""
    groups: dict[str, list[str]] = {}
    for phrase in sorted(phrases, key=lambda phrase: (-len(phrase), phrase)):
        groups.setdefault(phrase.split()[place], []).append(phrase)
    return groups
