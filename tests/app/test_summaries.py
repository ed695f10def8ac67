"""A theme's summary hears both sides, counts a campaign once, and is stored with its places."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.errors import UsageError
from app.settings import load_settings
from app.summaries import Asked, summarise_collection
from app.workspace import open_store
from db.rows import AssignmentRow
from pipelines.recipes import load_recipe
from pipelines.stages.encode import Encoder
from pipelines.summaries import Length
from tests.db.samples import collection, put

TEXTS = {
    "a": "More trees on the High Street would be lovely.",
    "b": "More trees would keep the street cool in summer.",
    "c": "More trees, please, and soon.",
    "d": "No trees: the roots lift the pavement and I fell.",
}


def test_a_theme_is_summarised_by_what_is_coded_with_it(tmp_path: Path) -> None:
    settings = load_settings(home=tmp_path)
    store = open_store(settings, create=True)
    home = collection(store)
    put(store, home.id, TEXTS)
    ids = {row.key: row.id for row in store.group_documents(home.id)}
    book = store.create_codebook(home.id, "main")
    with store.change_codebook(book.id, "find", author="machine") as change:
        trees = change.add_theme("trees", origin="found")
        change.assign(
            [
                AssignmentRow(
                    trees, ids[key], 0, len(text), text, 0.9, "against" if key == "d" else "for",
                    "found", 0,
                )
                for key, text in TEXTS.items()
            ]
        )  # fmt: skip
    theme = store.themes(book.id)[0]
    encoder, parameters = Encoder(threads=1), load_recipe("general").summarise

    def made(asked: Asked) -> object:
        return summarise_collection(
            settings, store, home, asked, Length(sentences=2), encoder, parameters
        )

    row = made(Asked(theme=theme.key)).row  # type: ignore[attr-defined]
    assert (row.kind, row.subject) == ("theme", theme.key)
    assert {one.stance for one in row.sentences} == {"for", "against"}
    texts = {ids[key]: text for key, text in TEXTS.items()}
    assert all(texts[one.document_id][one.start : one.end] == one.text for one in row.sentences)
    assert row.details["stances"] == {"against": 1, "for": 3}
    assert store.group_summaries(home.id, kind="theme") == [row]
    with pytest.raises(UsageError, match=theme.key):
        made(Asked(theme="buses"))
