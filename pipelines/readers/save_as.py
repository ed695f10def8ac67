"""Say what to do with a file of a kind that no reader takes (``save_as.toml``)."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files


def advice(suffix: str) -> str | None:
    """Return why files ending in ``suffix`` are not read and what to save them as.

    ``None`` where nothing is known about the kind.
    """
    known = _kinds().get(suffix.lower())
    return None if known is None else f"{known[0]}, which is not read: {known[1]} and read that"


@cache
def _kinds() -> dict[str, tuple[str, str]]:
    source = files("pipelines.readers").joinpath("save_as.toml").read_text("utf-8")
    return {
        suffix: (what, remedy) for suffix, (what, remedy) in tomllib.loads(source)["kinds"].items()
    }
