"""Recognise what single cells are: dates, numbers, scales, addresses of many kinds.

The word lists and scale wordings are in ``values.toml``. Nothing here changes a cell.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

_TIME = (
    r"(?:[T ,]*(?:at )?\d{1,2}[:.]\d{2}(?:[:.]\d{2}(?:[.,]\d+)?)?\s*(?:[ap]\.?m\.?)?"
    r"\s*(?:Z|[A-Z]{2,5}|[+-]\d{2}:?\d{2})?)?"
)
_MAIL = r"(?:mailto:)?<?[\w.+'’-]+@[\w-]+(?:\.[\w-]+)+>?"
_SENDER = rf"(?:[^<>@;\n]{{1,80}}<{_MAIL}|{_MAIL})"  # "Ann Other <ann@example.org>"
_PATTERNS = {
    "e-mail": rf"{_SENDER}(?:\s*[;,]\s*{_SENDER}){{0,50}};?",
    "user name": r"@\w{2,40}",
    "UUID": r"\{?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}?",
    "IP address": r"(?:\d{1,3}(?:\.(?:\d{1,3}|[x*]{1,3})){3}|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){3,7})",
    "web address": r"(?:https?://|www\.)\S+",
    "user agent": r"(?:mozilla|opera|dalvik|curl|okhttp|python-requests)/\d.*",
    "postcode": r"[a-z]{1,2}\d[a-z\d]?\s*\d[a-z]{2}",
    "duration": r"(?:\d{1,3}:)?\d{1,2}:\d{2}(?:\.\d+)?|(?:\d+\s*(?:h|hrs?|hours?|m|mins?|minutes?|s|secs?|seconds?)[ ,]*)+",
    "telephone number": r"(?=(?:\D*\d){10,13}\D*$)(?:\+|00|0|\(0|\(\+)[\d ().-]{9,20}(?:\s*(?:ext|x)\.?\s*\d+)?",
    "number": r"[+-]?[£$€]?\s?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[+-]?\d+)?\s?%?",
}
_KINDS = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _PATTERNS.items()}
_STRUCTURE = re.compile(r"(?:\{\s*[\"'{}]|\[\s*[\"'{\[\]\d-]).*?[\]}]|[\[{]\s*[\]}]", re.DOTALL)
_ADDRESS = re.compile(
    r"[^?!]{8,140}\b[A-Z]{1,2}\d[A-Z\d]?\s*\d[A-Z]{2}\.?"
    r"|(?:flat \w+,? |unit \w+,? )?\d{1,4}[a-z]?,? (?:[A-Z][\w'’.-]+ ){1,4}?"
    r"(?:street|st|road|rd|lane|ln|avenue|ave|close|drive|way|court|place|crescent|gardens|terrace"
    r"|grove|hill|square|row|mews|view|walk|green|park)\b.{0,80}",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_CODE = re.compile(r"(?=\S*\d)#?[A-Za-z0-9][\w./:#-]*")
_PERSON = re.compile(
    r"(?:(?:mr|mrs|ms|miss|mx|dr|prof|sir|cllr|rev)\.? )?[A-Z][\w'’-]*\.?(?: [A-Z][\w'’.-]*){1,3}"
)
_TITLED = re.compile(r"(?:mr|mrs|ms|miss|mx|dr|prof|cllr|rev)\.? ", re.IGNORECASE)


@cache
def rules() -> dict[str, Any]:
    """Return ``values.toml``."""
    return tomllib.loads(
        files("pipelines.readers.tables").joinpath("values.toml").read_text("utf-8")
    )


def folded(value: str) -> str:
    """Return ``value`` without case, outer and repeated white space and curly quotation marks."""
    return " ".join(value.split()).casefold().replace("’", "'").replace("‘", "'")


@cache
def words_of(name: str) -> frozenset[str]:
    """Return a word list of ``values.toml``: "fillers", "neutral", "yes_no", "ticks" or "states"."""
    return frozenset(rules()[name])


def kind(value: str) -> str:
    """Return what a stripped cell is, "" when it is only text.

    One of the keys above, "date", "structure" (JSON or Python), "address", "code" (no space, with
    a digit) or "filler" (a way of not answering).
    """
    if not value:
        return ""
    if value[0] in "{[" and value[-1] in "]}" and _STRUCTURE.match(value):
        return "structure"
    if len(value) > 400:
        return ""
    if len(value) < 40 and folded(value) in words_of("fillers"):
        return "filler"
    spaced = " " in value or "\n" in value
    if not _DIGIT.search(value):  # most cells of text leave here
        if "@" in value and _KINDS["e-mail"].fullmatch(value):
            return "e-mail"
        if value[0] == "@" and _KINDS["user name"].fullmatch(value):
            return "user name"
        return "web address" if not spaced and _KINDS["web address"].fullmatch(value) else ""
    if value[0] in "0123456789+-£$€.(":
        if _KINDS["number"].fullmatch(value):
            return "telephone number" if _KINDS["telephone number"].fullmatch(value) else "number"
        for name in ("IP address", "duration", "telephone number"):
            if _KINDS[name].fullmatch(value):
                return name
    if len(value) < 60 and date_format(value):
        return "date"
    for name in (
        "e-mail",
        "user name",
        "UUID",
        "web address",
        "user agent",
        "postcode",
        "IP address",
    ):
        if _KINDS[name].fullmatch(value):
            return name
    if spaced:
        return "address" if _ADDRESS.fullmatch(" ".join(value.split())) else ""
    return "code" if _CODE.fullmatch(value) else ""


# --- dates ----------------------------------------------------------------------------------


@cache
def _dates() -> tuple[tuple[str, re.Pattern[str]], ...]:
    month, day = rules()["dates"]["months"], rules()["dates"]["days"]
    month, day = (re.sub(r"\((?!\?)", "(?:", f"(?:{part})") for part in (month, day))
    patterns = {
        "yyyy-mm-dd": rf"\d{{4}}[-/.](?:0?[1-9]|1[0-2])[-/.](?:0?[1-9]|[12]\d|3[01]){_TIME}",
        "numeric": rf"(\d{{1,2}})[-/.](\d{{1,2}})[-/.](?:\d{{4}}|\d{{2}}){_TIME}",
        "d month yyyy": rf"(?:{day},? )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)?[ -]{month}[ ,.-]+(?:\d{{4}}|\d{{2}}){_TIME}",
        "month d yyyy": rf"(?:{day},? )?{month}\.?[ -]\d{{1,2}}(?:st|nd|rd|th)?,?[ -](?:\d{{4}}|\d{{2}}){_TIME}",
        "day month d time yyyy": rf"{day},? {month} \d{{1,2}} \d{{1,2}}:\d{{2}}:\d{{2}}(?: [A-Z]{{2,5}}| [+-]\d{{4}})? \d{{4}}",
        "month yyyy": rf"{month}[ -](?:\d{{4}}|\d{{2}})",
        "d month": rf"(?:{day},? )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)?[ -]{month}",
    }
    return tuple((name, re.compile(text, re.IGNORECASE)) for name, text in patterns.items())


def date_format(value: str) -> str:
    """Return how a stripped cell writes a date, "numeric" for d/m and m/d alike, "" for none."""
    for name, pattern in _dates():
        match = pattern.fullmatch(value)
        if match and (name != "numeric" or _plausible(match)):
            return name
    return ""


def _plausible(match: re.Match[str]) -> bool:
    first, second = int(match[1]), int(match[2])
    return 0 < min(first, second) <= 12 and max(first, second) <= 31


@dataclass(frozen=True, slots=True)
class Dates:
    """How a column writes its dates; ``note`` is what a person should know about it."""

    format: str
    note: str = ""


def order_of(values: Iterable[str]) -> Dates:
    """Decide the order of day and month from all dates of a column."""
    found: dict[str, None] = {}
    first = second = 0
    numeric = _dates()[1][1]
    for value in values:
        name = date_format(value)
        if not name:
            continue
        found[name] = None
        match = numeric.fullmatch(value) if name == "numeric" else None
        if match:
            first, second = max(first, int(match[1])), max(second, int(match[2]))
    if "numeric" not in found:
        return Dates(" or ".join(found))
    del found["numeric"]
    rest = "".join(f" or {name}" for name in found)
    if first > 12 and second > 12:
        return Dates(f"dd/mm/yyyy or mm/dd/yyyy{rest}", "both orders occur in the column")
    if second > 12:
        return Dates(f"mm/dd/yyyy{rest}")
    if first > 12:
        return Dates(f"dd/mm/yyyy{rest}")
    return Dates(f"dd/mm/yyyy or mm/dd/yyyy{rest}", "no day above 12 tells one from the other")


def number_dates(numbers: Collection[float], dated_header: bool) -> str:
    """Return "Excel serial number", "Unix time in milliseconds"… when numbers are dates, or ""."""
    if not numbers:
        return ""
    low, high = min(numbers), max(numbers)
    years = rules()["dates"]
    first, last = _serial(years["first_year"]), _serial(years["last_year"])
    for scale, name in ((1000, "Unix time in milliseconds"), (1, "Unix time in seconds")):
        start, end = ((day - 25_569) * 86_400 * scale for day in (first, last))
        # Ten digits may be any number; thirteen in this range are hardly anything else.
        if start <= low and high <= end and low > 1e9 * scale * 0.6 and (scale > 1 or dated_header):
            return name
    if first <= low and high <= last:
        parts = sum(number != int(number) for number in numbers)
        if dated_header or (parts > len(numbers) / 2 and high - low < 5_000):
            return "Excel serial number"
    if dated_header and all(number == int(number) and 1800 <= number <= 2100 for number in numbers):
        return "yyyy"
    compact = [number for number in numbers if number == int(number) and _compact(int(number))]
    return "yyyymmdd" if dated_header and len(compact) == len(numbers) else ""


def _serial(year: int) -> float:
    return (year - 1900) * 365.25 + 1


def _compact(number: int) -> bool:
    years = rules()["dates"]
    year, month, day = number // 10_000, number // 100 % 100, number % 100
    return years["first_year"] <= year <= years["last_year"] and 0 < month < 13 and 0 < day < 32


# --- numbers ------------------------------------------------------------------------------


def number(value: str) -> float | None:
    """Return the number a stripped cell is, in figures or in words ("Seventy-seven")."""
    if _KINDS["number"].fullmatch(value):
        figures = float(re.sub(r"[£$€,%\s]", "", value))
        return figures if math.isfinite(figures) else None
    if not value[:1].isalpha() or len(value) > 60:
        return None
    first = re.split(r"[\s-]", value, maxsplit=1)[0].lower()
    return _in_words(folded(value)) if first in _number_words() else None


@cache
def _number_words() -> frozenset[str]:
    numbers = rules()["numbers"]
    return frozenset((*numbers["small"], *numbers["tens"], *numbers["beyond"]))


def _in_words(text: str) -> float | None:
    small, tens = rules()["numbers"]["small"], rules()["numbers"]["tens"]
    total = part = 0
    words = text.replace("-", " ").split()
    if not words or words == ["and"]:
        return None
    for word in words:
        if word in small:
            part += small.index(word)
        elif word in tens:
            part += (tens.index(word) + 2) * 10
        elif word == "hundred":
            part = max(part, 1) * 100
        elif word in ("thousand", "million"):
            total += max(part, 1) * (1_000 if word == "thousand" else 1_000_000)
            part = 0
        elif word != "and":
            return None
    return float(total + part)


# --- people ---------------------------------------------------------------------------------


@cache
def _given() -> frozenset[str]:
    return frozenset(rules()["names"]["given"].split())


@cache
def _bodies() -> frozenset[str]:
    return frozenset(rules()["names"]["bodies"].split())


def person(value: str) -> bool:
    """Tell whether a stripped cell is written like a person's name ("Mrs Ann Other")."""
    if len(value) >= 60 or not _PERSON.fullmatch(value):
        return False
    words = value.casefold().split()
    return words[0] in _given() or bool(_TITLED.match(value)) or _bodies().isdisjoint(words)


def likely_person(value: str) -> bool:
    """Tell whether a cell under a header that names a person is one: also "ann other", "Ann"."""
    if value.islower() or value.isupper():
        return person(value) or known_person(value.title()) or value.casefold() in _given()
    return person(value) or value.casefold() in _given()


def known_person(value: str) -> bool:
    """Tell whether it also begins with a common first name or a form of address."""
    if not person(value):
        return False
    return bool(_TITLED.match(value)) or value.split()[0].casefold() in _given()
