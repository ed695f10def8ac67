"""Find where in a JSON text the records are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipelines.readers.errors import UnreadableFile
from pipelines.readers.text.fields import Fields, is_scalar
from pipelines.readers.text.json_text import JsonText

_DEEPEST = 3  # objects around the list of records
_ALONE = "text"  # the column of a list of plain texts

Path = tuple[str, ...]


@dataclass(slots=True)
class Found:
    """A list of the text: where it is and what is in it."""

    path: Path
    fields: Fields = field(default_factory=Fields)
    objects: int = 0
    texts: int = 0
    scalars: int = 0
    others: int = 0

    @property
    def length(self) -> int:
        """How many items it has."""
        return self.objects + self.texts + self.scalars + self.others

    @property
    def strange(self) -> int:
        """How many items are left out when it is read as records."""
        return self.length - (self.objects or self.texts)

    def add(self, item: Any) -> None:
        """Count ``item`` and learn its columns."""
        if isinstance(item, dict):
            self.objects += 1
            self.fields.learn(item)
        elif type(item) is str:
            self.texts += 1
        elif is_scalar(item):
            self.scalars += 1
        else:
            self.others += 1

    def told(self) -> str:
        """Return the list in words."""
        name = f"“{'.'.join(self.path)}”" if self.path else "a list"
        kinds = {
            "objects": self.objects,
            "texts": self.texts,
            "numbers or other values": self.scalars,
            "lists": self.others,
        }
        inside = ", ".join(f"{count} {kind}" for kind, count in kinds.items() if count)
        return f"{name} of {inside or 'nothing'}"


@dataclass(slots=True)
class Shape:
    """The lists of a JSON text, and the names at its top."""

    names: set[str] = field(default_factory=set)
    lists: list[Found] = field(default_factory=list)
    several: bool = False
    scalars: int = 0
    repeated: int = 0

    def records(self, preferred: Sequence[str]) -> tuple[Found | None, list[str]]:
        """Return the list of records, or ``None``, and the other lists in words."""
        able = [found for found in self.lists if found.objects]
        if not able:
            able = [found for found in self.lists if found.texts and not found.path]
            for found in able:
                found.fields.learn({_ALONE: ""})
        if len(able) > 1:
            known = [found for found in able if found.path and found.path[-1] in preferred]
            known.sort(key=lambda found: (len(found.path), preferred.index(found.path[-1])))
            if not known:
                return None, []
            able = known[:1]
        if not able:
            return None, []
        return able[0], [found.told() for found in self.lists if found is not able[0]]

    def is_columns(self) -> bool:
        """Return whether the text is an object of lists that are the columns of a table."""
        lengths = {found.length for found in self.lists}
        return (
            len(self.lists) > 1
            and len(lengths) == 1
            and lengths != {0}
            and all(len(found.path) == 1 for found in self.lists)
            and not any(found.objects or found.others for found in self.lists)
            and len(self.names) == len(self.lists)
        )

    def told(self) -> str:
        """Return the shape in words."""
        if self.lists and not self.names:
            return self.lists[0].told()
        if not self.names:
            return "a single value"
        shown = ", ".join(f"“{name}”" for name in sorted(self.names)[:5])
        more = f" and {len(self.names) - 5} more" if len(self.names) > 5 else ""
        held = f" with {len(self.lists)} lists" if self.lists else ", as in settings"
        return f"an object of {shown}{more}{held}; expected one list of objects"

    def walk(self, text: JsonText, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield the records at ``path`` with their places in the list, from 1."""
        if self.several:
            number = 0
            while text.peek():
                number += 1
                yield number, text.value()
            return
        yield from _numbered(text, path)


def survey(text: JsonText) -> Shape:
    """Go through all of ``text`` and return its shape.

    Raises:
        UnreadableFile: it is not sound JSON.
    """
    shape = Shape()
    try:
        _survey(text, (), shape)
        if text.peek() == "{":
            shape.several = True
            shape.lists = [_several(text)]
            shape.names = set()
    except RecursionError:
        raise UnreadableFile("not sound JSON: nested too deeply") from None
    if text.peek():
        text.take("\0")  # says where it goes on
    shape.repeated = text.decoder.repeated
    return shape


def _survey(text: JsonText, path: Path, shape: Shape) -> None:
    start = text.peek()
    if start == "[":
        found = Found(path)
        shape.lists.append(found)
        for item in text.items():
            found.add(item)
    elif start == "{" and len(path) < _DEEPEST:
        for name in text.names():
            if not path:
                shape.names.add(name)
            _survey(text, (*path, name), shape)
    else:
        text.value()
        shape.scalars += 1


def _several(text: JsonText) -> Found:
    found = Found(())
    while text.peek() == "{":
        found.add(text.value())
    return found


def _numbered(text: JsonText, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    if path:
        for name in text.names():
            if name == path[0]:
                yield from _numbered(text, path[1:])
                return
            text.value()
        return
    for number, item in enumerate(text.items(), start=1):
        if isinstance(item, dict):
            yield number, item
        elif type(item) is str:
            yield number, {_ALONE: item}
