"""Who is quoted in a report: each side, never one who refused, nothing that tells a person."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.exports.reports import make_report
from app.exports.types import Asked
from app.report.blocks import Paragraph
from app.report.compose import WORDLESS, Wanted
from app.settings import load_settings
from app.workspace import open_store
from db.rows import AssignmentRow
from db.store import Store
from tests.db.samples import collection, doc, source

SAID = {
    "r1": ("for", "Plant more trees along the river walk this spring.", "Yes"),
    "r2": ("for", "New trees would give shade to the playground benches.", "Yes"),
    "r3": ("against", "The trees will block the winter sun from our windows.", "Yes"),
    "r4": ("against", "Roots of those trees have broken the pavement twice.", "No"),
    "r5": ("for", "Trees please, write to me at ann.carver@example.org soon.", "Yes"),
    "r6": ("mixed", "Trees are good for shade but the leaves block our drains.", "Yes"),
}
KEEP_OUT = ("Roots of those", "ann.carver")


@pytest.fixture
def asked(tmp_path: Path) -> Asked:
    """Return a request for a report on six answers under one theme."""
    settings = load_settings(home=tmp_path / "home")
    store = open_store(settings, create=True)
    home = collection(store)
    columns = ({"name": "May we publish?", "role": "consent"},)
    answers = [
        doc(key, text, metadata={"May we publish?": leave})
        for key, (_, text, leave) in SAID.items()
    ]
    store.put_file(home.id, source(columns=columns), answers)
    ids = {row.key: row.id for row in store.documents_page(home.id).rows}
    book = store.create_codebook(home.id, "main")
    with store.change_codebook(book.id, "find", author="machine") as change:
        trees = change.add_theme("Trees", description="About trees.", origin="found")
        change.assign(
            [
                AssignmentRow(trees, ids[key], 0, len(text), text, 0.5, stance, "found", 0)
                for key, (stance, text, _) in SAID.items()
            ]
        )
    book = store.codebook(home.id)
    return Asked(settings, store, home, tmp_path / "r", book, Wanted(threshold=0, quotes=2))


def test_each_side_is_quoted_and_nobody_who_refused(asked: Asked) -> None:
    report = make_report(asked)
    assert Paragraph("About trees.") in report.blocks
    quotes = list(report.quotes())
    assert [quote.about for quote in quotes] == ["Trees, for"] * 2 + [
        "Trees, against",
        "Trees, mixed",
    ]
    assert {quote.source for quote in quotes} == {"r1", "r2", "r3", "r6"}
    for quote in quotes:
        assert quote.text == SAID[quote.source][1][quote.start : quote.end]
        assert not any(words in quote.text for words in KEEP_OUT)


def test_a_private_report_has_no_word_of_theirs(asked: Asked) -> None:
    bare = Asked(
        asked.settings, asked.store, asked.collection, asked.path, asked.book, Wanted(words=False)
    )
    report = make_report(bare)
    assert list(report.quotes()) == []
    said = repr(report)
    assert WORDLESS in said
    assert not any(text in said for _, text, _ in SAID.values())
    assert "'Trees'" not in said
    assert "t1" in said


def test_the_date_is_that_of_the_codebook_or_of_the_last_run(asked: Asked) -> None:
    store: Store = asked.store
    assert asked.book is not None
    assert asked.made == store.codebook_versions(asked.book.id)[-1].created_at
    bare = Asked(asked.settings, store, asked.collection, asked.path)
    assert bare.made == asked.collection.created_at
    run = store.start_run(asked.collection.id, recipe="general", fingerprint="f", details={})
    store.finish_run(run, "finished", {})
    assert bare.made == store.runs(asked.collection.id)[-1].finished_at
