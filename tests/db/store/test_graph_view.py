"""What the graph is built from: standing documents with all that hangs on them, in one state."""

from __future__ import annotations

from sqlalchemy import update

from db.models import Document, Source, ThemeAssignment
from db.store import Store
from tests.app.graph_people import add_people
from tests.db.samples import collection, full, put, run_all, tag

TEXTS = {f"k{n}": f"The park in street {n} is closed." for n in range(5)}


def filled(store: Store) -> int:
    """Fill a collection, processed twice, with decisions, codings, campaigns and a summary."""
    here = collection(store).id
    put(store, here, TEXTS)
    for fingerprint in ("f1", "f2"):
        run_all(
            store,
            here,
            fingerprint=fingerprint,
            result=lambda row: full(row.text, tag(row.text, 4, 8)),
        )
    add_people(store)
    return here


def test_each_document_comes_with_all_that_hangs_on_it(store: Store) -> None:
    here = filled(store)
    with store.graph_view() as view:
        first, *others = view.documents
        assert [row.number for row in view.versions] == [1, 2]
        assert [row.label for row in view.themes] == ["Matter 3/2", "Matter 4/2", "Matter 5/2"]
        assert [row.kind for row in view.summaries] == ["theme", "series"]
    assert len(others) == 4
    assert first.collection_id == here
    assert [(each.fingerprint, each.current) for each in first.results] == [
        ("f1", False),
        ("f2", True),
    ]
    assert [len(each.sentences) for each in first.results] == [1, 1]
    assert [len(each.labels) for each in first.results] == [1, 1]
    assert {each.document_id for each in first.decisions} == {first.id}
    assert [(book, each.theme_id) for book, each in first.codings] == [(1, 3), (1, 3)]
    assert first.members == ((2, 0.75, False),)
    assert [summary for summary, _ in first.sentences] == [2, 2, 3, 3]


def test_documents_that_were_withdrawn_are_left_out_and_their_campaigns_with_them(
    store: Store,
) -> None:
    filled(store)
    with store.writing() as connection:
        connection.execute(
            update(Document).where(Document.key.in_(["k1", "k2"])).values(withdrawn=True)
        )
    with store.graph_view() as view:
        documents = list(view.documents)
        assert view.campaigns == ()  # one document of three is left
    assert [each.key for each in documents] == ["k0", "k3", "k4"]
    assert all(each.members == () for each in documents)


def test_some_documents_are_given_alone(store: Store) -> None:
    filled(store)
    with store.graph_view([4, 2, 2, 77]) as view:
        assert [each.id for each in view.documents] == [2, 4]
        assert len(view.campaigns) == 1
    with store.graph_view([]) as view:
        assert list(view.documents) == []


def test_what_an_earlier_codebook_version_had_is_left_out(store: Store) -> None:
    filled(store)
    with store.writing() as connection:
        connection.execute(
            update(ThemeAssignment).where(ThemeAssignment.document_id == 1).values(until=2)
        )
    with store.graph_view([1, 2]) as view:
        assert [len(each.codings) for each in view.documents] == [0, 2]


def test_date_columns_come_with_how_they_write_a_date(store: Store) -> None:
    filled(store)
    columns = [
        {"name": "sent", "role": "date", "format": "dd/mm/yyyy"},
        {"name": "answer", "role": "free_text"},
    ]
    with store.writing() as connection:
        connection.execute(update(Source).values(columns=columns))
    with store.graph_view([1]) as view:
        (document,) = view.documents
        assert view.dates[document.source_id] == (("sent", "dd/mm/yyyy"),)
