"""Column types that behave the same on SQLite and PostgreSQL, and the text they accept.

PostgreSQL refuses U+0000 in text and neither engine can encode a lone surrogate; SQLite takes
U+0000 and then cuts the value in some functions. Both characters are therefore refused before
the engine sees them, with the same error on both.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, DateTime, Dialect, Text
from sqlalchemy.types import TypeDecorator

from db.errors import UnstorableText

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def check_text(text: str, what: str = "text") -> str:
    """Return ``text`` unchanged.

    Raises UnstorableText (a ValueError) naming ``what``, the character and its place when the
    text holds U+0000 or a lone surrogate.
    """
    if "\x00" in text or not text.isascii():
        found = _UNSTORABLE.search(text)
        if found:
            name = "a NUL character" if found[0] == "\x00" else "half of a surrogate pair"
            raise UnstorableText(
                f"{what}: {name} (U+{ord(found[0]):04X}) at character {found.start()}; "
                "no database can keep it as text: remove it from the source and run again"
            )
    return text


def visible(text: str) -> str:
    r"""Return ``text`` with each unstorable character written out (``\x00``, ``\udce9``).

    For paths, keys, locators, metadata, reasons and messages: file names that are not UTF-8
    reach Python as lone surrogates, and the file must still be listed.
    """
    if "\x00" not in text and text.isascii():
        return text
    return _UNSTORABLE.sub(
        lambda m: "\\x00" if m[0] == "\x00" else f"\\u{ord(m[0]):04x}",
        text,
    )


def visible_values(value: Any) -> Any:
    """Apply :func:`visible` to every string in a JSON-like value."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, Mapping):
        return {visible(str(k)): visible_values(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [visible_values(v) for v in value]
    return value


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is no JSON value")


_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, default=_plain).encode


def to_json(value: Any) -> str:
    """Write JSON that a person can read in SQL, unstorable characters as :func:`visible` does.

    NaN is refused, as PostgreSQL does.
    """
    written = _encode(value)
    if "\\u0000" in written or (not written.isascii() and _UNSTORABLE.search(written)):
        return _encode(visible_values(value))
    return written


class Words(TypeDecorator[str]):
    """Text of any length; refuses what :func:`check_text` refuses."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Check the text on its way in."""
        return None if value is None else check_text(value)


class Json(TypeDecorator[Any]):
    """JSON; the engine's serialiser is :func:`to_json`."""

    impl = JSON
    cache_ok = True


class UtcDateTime(TypeDecorator[datetime]):
    """An aware datetime, stored in UTC; SQLite keeps it as ISO text without an offset."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Turn into UTC; raises ValueError for a naive datetime."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"naive datetime {value!r}: expected one with a time zone")
        value = value.astimezone(UTC)
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return an aware UTC datetime."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def utc_now() -> datetime:
    """Return the present time in UTC."""
    return datetime.now(UTC)
