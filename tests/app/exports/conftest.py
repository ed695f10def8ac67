"""The sample collections with codebooks, decisions and campaigns, and a short way to ask for an export."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.exports.types import Asked
from app.report.compose import Wanted
from app.settings import Settings, load_settings
from app.workspace import open_store
from db.store import Store
from tests.app.graph_people import add_people

Ask = Callable[..., Asked]


@pytest.fixture(scope="module")
def settings(demo_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """The settings of a copy of the demo workspace, to which people have added."""
    home = tmp_path_factory.mktemp("exports") / "home"
    home.mkdir()
    shutil.copy(demo_home / "florilegium.sqlite", home)
    found = load_settings(home=home)
    add_people(open_store(found))
    return found


@pytest.fixture(scope="module")
def store(settings: Settings) -> Store:
    """The store of that workspace."""
    return open_store(settings)


@pytest.fixture(scope="module")
def ask(settings: Settings, store: Store) -> Ask:
    """Return what makes a request: ``ask(collection, path, book=…, words=…)``."""

    def asked(name: str, path: Path, *, book: str = "", words: bool = True, **more: Any) -> Asked:
        row = store.collection(name)
        wanted = replace(Wanted(threshold=0), words=words, **more)
        chosen = store.codebook(row.id, book) if book else None
        return Asked(settings, store, row, path, chosen, wanted)

    return asked


def texts(store: Store, collection: str) -> Mapping[str, str]:
    """Return the stored texts of a collection by key."""
    with store.export(store.collection(collection).id) as view:
        return {each.document.key: each.document.text for each in view.documents}
