"""Options that every command shares, accepted before the command and after it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from app.settings import Settings

Function = TypeVar("Function", bound=Callable[..., Any])

_GLOBALS: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "home": (("--home",), {"metavar": "DIR", "help": "Workspace folder."}),
    "database_url": (("--db", "database_url"), {"metavar": "URL", "help": "Database URL."}),
    "quiet": (("--quiet", "-q"), {"is_flag": True, "default": None, "help": "Warnings only."}),
    "verbose": (("--verbose", "-v"), {"count": True, "default": None, "help": "Say more."}),
    "debug": (("--debug",), {"is_flag": True, "default": None, "help": "Show tracebacks."}),
}
_READING: tuple[tuple[tuple[str, ...], dict[str, Any]], ...] = (
    (
        ("--question", "questions"),
        {
            "multiple": True,
            "metavar": "COL",
            "help": "Text column; remembered with the collection, '' forgets.",
        },
    ),
    (
        ("--mapping",),
        {
            "metavar": "FILE",
            "help": "Column roles (TOML) as --write-mapping wrote them; remembered too.",
        },
    ),
    (("--no-mapping",), {"is_flag": True, "help": "Forget the remembered mapping."}),
    (
        ("--ocr/--no-ocr",),
        {"default": None, "help": "Read pictures and scans with tesseract; remembered too."},
    ),
)


def global_options(function: Function) -> Function:
    """Add the global options; their values go to the shared context object, not the function."""

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        shared = click.get_current_context().ensure_object(dict)
        for name in _GLOBALS:
            value = kwargs.pop(name, None)
            if value not in (None, 0):
                shared[name] = value
        _logging(shared)
        return function(*args, **kwargs)

    for name, (flags, keywords) in reversed(_GLOBALS.items()):
        names = flags if name in flags else (*flags, name)
        wrapper = click.option(*names, **{"default": None, **keywords})(wrapper)
    return wrapper  # type: ignore[return-value]


def json_option(function: Function) -> Function:
    """Add ``--json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")(function)


def reading_options(function: Function) -> Function:
    """Add what says how files are read: ``--question``, ``--mapping`` and ``--ocr``."""
    for flags, keywords in reversed(_READING):
        function = click.option(*flags, **keywords)(function)
    return function


def asked_mapping(file: str | None, forget: bool) -> str | None:
    """Return the text of the mapping file; "" to forget the remembered one, None to keep it.

    Raises UsageError where there is no such file, MappingError where it does not fit.
    """
    if forget or file == "":
        return ""
    if file is None:
        return None
    from pathlib import Path

    from app.errors import UsageError
    from pipelines.readers.tables.mapping import Mapping

    path = Path(file)
    if not path.is_file():
        raise UsageError(
            f"--mapping {file!r}: no such file; expected a mapping file. Write one with: "
            "florilegium ingest PATH --collection C --dry-run --write-mapping FILE"
        )
    return Mapping.load(path).text


def settings() -> Settings:
    """Return the settings in force for the current command."""
    from app.settings import load_settings

    shared = click.get_current_context().ensure_object(dict)
    return load_settings(home=shared.get("home"), database_url=shared.get("database_url"))


def flags() -> dict[str, Any]:
    """Return the values of the global flags that were given."""
    shared = click.get_current_context().ensure_object(dict)
    return {key: shared.get(key) for key in ("home", "database_url")}


def is_quiet() -> bool:
    """Return whether ``--quiet`` was given."""
    return bool(click.get_current_context().ensure_object(dict).get("quiet"))


def _logging(shared: dict[str, Any]) -> None:
    from app.logs import configure

    level = "WARNING" if shared.get("quiet") else "DEBUG" if shared.get("verbose") else "INFO"
    configure(level)
