"""A shelf: a real store, SQLite and PostgreSQL, and real files read into it again and again."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Mapping
from email.message import EmailMessage
from pathlib import Path

import pytest

from db.rows import DocumentRow, ResultInput, SourceRow
from db.store import Store
from pipelines.readers import ReadOptions, discover
from pipelines.readers.tables.mapping import Mapping as MappingFile
from pipelines.recipes import load_recipe
from pipelines.runner import Ingested, ingest
from tests.db.conftest import (
    backend,
    engine,
    postgres_engine,
    postgres_server,
    sqlite_template,
    store,
    url,
)

__all__ = [
    "backend",
    "engine",
    "postgres_engine",
    "postgres_server",
    "sqlite_template",
    "store",
    "url",
]
FINGERPRINT = "f"


class Shelf:
    """A collection and the folder that is read into it."""

    def __init__(self, store: Store, folder: Path) -> None:
        self.store = store
        self.folder = folder
        self.recipe = load_recipe("general")
        self.id = store.ensure_collection("c", recipe="general").id

    def read(
        self,
        *paths: Path,
        mapping: str = "",
        questions: tuple[str, ...] = (),
        retry_failed: bool = False,
        stop: Callable[[], bool] = lambda: False,
    ) -> Ingested:
        """Read the folder, or ``paths``, as a run does."""
        known = self.store.sources(self.id)
        named = paths or (self.folder,)
        return ingest(
            self.store,
            self.id,
            discover(named, known={row.path: row.relative for row in known}),
            known=known,
            options=ReadOptions(
                questions=questions, mapping=MappingFile.from_text(mapping) if mapping else None
            ),
            recipe=self.recipe,
            retry_failed=retry_failed,
            roots=[str(path) for path in named],
            stop=stop,
        )

    def process(self) -> list[str]:
        """Save a result for each pending document; return their keys."""
        run = self.store.start_run(self.id, recipe="general", fingerprint=FINGERPRINT, details={})
        done = []
        for rows in self.store.pending(self.id, fingerprint=FINGERPRINT).batches:
            results = [ResultInput("skipped" if row.aside else "processed") for row in rows]
            self.store.save_results(
                run,
                recipe="general",
                fingerprint=FINGERPRINT,
                batch=list(zip(rows, results, strict=True)),
            )
            done += [row.key for row in rows]
        return sorted(done)

    def rows(self) -> list[DocumentRow]:
        """Return the documents that are not withdrawn."""
        batches = self.store.pending(self.id, fingerprint="of no run").batches
        return [row for batch in batches for row in batch]

    @property
    def texts(self) -> dict[str, str]:
        """The documents by key."""
        return {row.key: row.text for row in self.rows()}

    @property
    def ids(self) -> dict[str, int]:
        """The documents' ids by key."""
        return {row.key: row.id for row in self.rows()}

    @property
    def sources(self) -> dict[str, SourceRow]:
        """The files by their path below the folder's parent."""
        start = f"{self.folder}/"
        return {row.path.removeprefix(start): row for row in self.store.sources(self.id)}

    def write(self, name: str, content: str | bytes) -> Path:
        """Write a file into the folder."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def zip(self, name: str, members: Mapping[str, str | bytes]) -> Path:
        """Write an archive into the folder."""
        path = self.folder / name
        with zipfile.ZipFile(path, "w") as archive:
            for member, content in members.items():
                archive.writestr(member, content)
        return path

    def broken(self, ingested: Ingested) -> dict[str, str]:
        """Return what was not read, by its path below the folder, with its outcome."""
        start = f"{self.folder}/"
        return {f.path.removeprefix(start): f.outcome for f in ingested.failures}


def mail(text: str, attachments: Mapping[str, bytes]) -> bytes:
    """Return an e-mail."""
    message = EmailMessage()
    message["Subject"], message["From"], message["To"] = "Buses", "a@example.org", "b@example.org"
    message.set_content(text)
    for name, content in attachments.items():
        message.add_attachment(
            content, maintype="application", subtype="octet-stream", filename=name
        )
    return message.as_bytes()


@pytest.fixture
def shelf(store: Store, tmp_path: Path) -> Shelf:
    """Return an empty collection and an empty folder."""
    folder = tmp_path / "in"
    folder.mkdir()
    return Shelf(store, folder)
