"""Parquet: a folder with a file a kind of thing, keyed by document, for pandas and its like."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.errors import UsageError
from app.exports.material import Item, material, themes_of
from app.exports.types import Asked, Written

if TYPE_CHECKING:
    from db.rows import ThemeRow

Row = Mapping[str, Any]
_PLACE = "start:int end:int text score:float"
TABLES: dict[str, dict[str, str]] = {
    name: {
        column: kind or "text"
        for column, _, kind in (each.partition(":") for each in columns.split())
    }
    for name, columns in {
        "documents": "id:int document question respondent outcome reason kept_apart noticed:list "
        "repeats:bool campaign:int characters:int text metadata",
        "labels": f"document set label {_PLACE}",
        "tags": f"document ontology iri curie label {_PLACE} method displayed:bool negated:bool "
        "possible:bool historical:bool hypothetical:bool experiencer cue cue_start:int cue_end:int",
        "summaries": f"document rank:int {_PLACE}",
        "codings": f"document theme label stance {_PLACE} method since:int",
        "themes": "theme label description parent kind concept",
        "decisions": "document kind scheme item start:int end:int text verdict reviewer reason stands:bool",
    }.items()
}
"""Columns of each table. Offsets are code points, the end excluded: ``text[start:end]``."""
_WORDS = frozenset({"text", "metadata", "respondent", "cue"})
_ROWS = 20_000
"""Rows of a table that are held before they are written."""


def write_parquet(asked: Asked) -> Written:
    """Write a folder of tables (TABLES); of a private collection without the words' columns filled.

    Raises UsageError where the folder holds anything but an earlier export.
    """
    folder = asked.path
    part = folder.with_name(f".{folder.name}.part")
    _check(folder)
    shutil.rmtree(part, ignore_errors=True)
    try:
        part.mkdir(parents=True)
        with ExitStack() as stack:
            tables = {name: stack.enter_context(_Table(part, name)) for name in TABLES}
            _fill(asked, tables)
        if folder.exists():
            shutil.rmtree(folder)
        part.rename(folder)
    except OSError as error:
        raise UsageError(
            f"Cannot write {str(folder)!r}: {error.strerror or error}. Expected the name of a folder "
            "in one that you may write to, with room on its disk."
        ) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return Written(sum(table.count for table in tables.values()), "rows")


def _check(folder: Path) -> None:
    ours = {f"{name}.parquet" for name in TABLES}
    if folder.is_dir():
        other = sorted(each.name for each in folder.iterdir() if each.name not in ours)
        if not other:
            return
        said = f"a folder that holds {other[0]!r}"
    elif folder.exists():
        said = "a file"
    else:
        return
    raise UsageError(
        f"--out {str(folder)!r}: that is {said}; expected a new name: parquet is written as a "
        "folder, one file a table."
    )


def _fill(asked: Asked, tables: Mapping[str, _Table]) -> None:
    themes = themes_of(asked)
    keys: dict[int, str] = {}

    def put(name: str, rows: Iterator[Row]) -> None:
        for row in rows:
            tables[name].add(row if asked.words else _wordless(row))

    with material(asked) as items:
        for item in items:
            keys[item.document.id] = item.document.key
            put("documents", iter([_document(item, words=asked.words)]))
            for name, rows in _parts(item, themes):
                put(name, rows)
    by_id = {theme.id: theme.key for theme in themes.values()}
    put("themes", (_theme(theme, by_id) for theme in themes.values()))
    put("decisions", _decisions(asked, keys))


def _wordless(row: Row) -> Row:
    return {name: None if name in _WORDS else value for name, value in row.items()}


def _document(item: Item, *, words: bool) -> Row:
    document, result = item.document, item.result
    return {
        "id": document.id,
        "document": document.key,
        "question": document.question,
        "respondent": document.respondent or None,
        "outcome": result.outcome if result else "pending",
        "reason": result.reason if result and words else None,
        "kept_apart": document.aside if words else ("yes" if document.aside else ""),
        "noticed": list(document.flags),
        "repeats": bool(result and result.duplicate),
        "campaign": item.campaign,
        "characters": len(document.text),
        "text": document.text,
        "metadata": json.dumps(dict(document.metadata), ensure_ascii=False),
    }


def _parts(item: Item, themes: Mapping[int, ThemeRow]) -> Iterator[tuple[str, Iterator[Row]]]:
    key, result = item.document.key, item.result
    if result is not None:
        for name, parts in (
            ("labels", result.labels),
            ("tags", result.tags),
            ("summaries", result.summary),
        ):
            yield name, (_named(name, key, each) for each in parts)
    yield (
        "codings",
        (
            {
                **_named("codings", key, each),
                "theme": themes[each.theme_id].key,
                "label": themes[each.theme_id].label,
            }
            for each in item.codings
        ),
    )


def _named(table: str, key: str, part: Any) -> dict[str, Any]:
    """Return the columns of a table that a part has."""
    return {name: getattr(part, name, None) for name in TABLES[table]} | {"document": key}


def _theme(theme: ThemeRow, keys: Mapping[int, str]) -> Row:
    parent = keys.get(theme.parent_id) if theme.parent_id is not None else None
    return _named("themes", "", theme) | {"theme": theme.key, "parent": parent}


def _decisions(asked: Asked, keys: Mapping[int, str]) -> Iterator[Row]:
    for each in asked.store.decisions(asked.collection.id, current=False):
        if each.document_id in keys:
            reason = each.reason if asked.words else None
            named = _named("decisions", keys[each.document_id], each)
            yield named | {"stands": each.current, "reason": reason}


class _Table:
    """One file, written some rows at a time."""

    def __init__(self, folder: Path, name: str) -> None:
        import pyarrow as pa

        self.schema = pa.schema([(column, _type(kind)) for column, kind in TABLES[name].items()])
        self.path = folder / f"{name}.parquet"
        self.count = 0
        self._rows: list[Row] = []

    def __enter__(self) -> _Table:
        import pyarrow.parquet as pq

        self._file = pq.ParquetWriter(self.path, self.schema, compression="zstd")
        return self

    def __exit__(self, *_: object) -> None:
        self._flush()
        self._file.close()

    def add(self, row: Row) -> None:
        """Add a row; columns of other tables are left out."""
        self._rows.append(row)
        self.count += 1
        if len(self._rows) >= _ROWS:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        if self._rows:
            self._file.write_table(pa.Table.from_pylist(self._rows, schema=self.schema))
            self._rows = []


def _type(kind: str) -> Any:
    import pyarrow as pa

    kinds = {"int": pa.int64(), "float": pa.float64(), "bool": pa.bool_(), "text": pa.string()}
    return kinds.get(kind) or pa.list_(pa.string())
