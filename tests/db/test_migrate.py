"""Tables are created, checked and kept equal to the models on both engines."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.command import downgrade
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, insert, inspect, select, text
from sqlalchemy.exc import IntegrityError

from db.engine import create_engine_for, transaction, writer
from db.errors import SchemaError
from db.migrate import HEAD, REVISIONS, check, config, current, upgrade
from db.models import Base, Document
from db.rows import DocumentInput, SourceInput
from db.store import Store
from db.store.access import table


def test_models_and_migrations_agree(engine: Engine) -> None:
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []


def test_the_known_revisions_are_those_on_disc(engine: Engine) -> None:
    with engine.connect() as connection:
        script = ScriptDirectory.from_config(config(connection))
    on_disc = [revision.revision for revision in script.walk_revisions()]
    assert tuple(reversed(on_disc)) == REVISIONS
    assert script.get_current_head() == HEAD


def test_upgrade_creates_the_tables_once(empty_url: str) -> None:
    engine = create_engine_for(empty_url)
    assert current(engine) is None
    assert upgrade(engine) is True
    assert upgrade(engine) is False
    check(engine)
    engine.dispose()


def test_concurrent_upgrades_both_succeed(empty_url: str) -> None:
    engines = [create_engine_for(empty_url) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(upgrade, engines))
    assert any(done)
    for engine in engines:
        check(engine)
        engine.dispose()


def test_foreign_keys_are_on_again_after_an_upgrade(tmp_path: Path) -> None:
    engine = create_engine_for(f"sqlite:///{tmp_path / 'a.sqlite'}")
    upgrade(engine)
    with engine.connect() as connection:
        assert connection.execute(text("PRAGMA foreign_keys")).scalar() == 1
    engine.dispose()


def test_downgrade_leaves_no_table_behind(empty_url: str) -> None:
    engine = create_engine_for(empty_url)
    upgrade(engine)
    with writer(engine).begin() as connection:
        downgrade(config(connection), "base")
    assert inspect(engine).get_table_names() == ["alembic_version"]
    engine.dispose()


_ROWS_OF_0001 = (
    "INSERT INTO collections VALUES (3, 'parks', 'general', :no, 'Parks', :now)",
    "INSERT INTO sources VALUES (5, 3, '/d/a.csv', 'a.csv', 'csv', 'read', '', 9, 8, 'ab', 'utf-8', "
    "1, 2, '[]', '[\"w\"]', '{}', :now)",
    "INSERT INTO documents VALUES (7, 3, 5, 'a#r1', 's1', 'i1', 4, 0, :no, :now, 'row 1', 'Q?', "
    "'{\"Ward\": \"Élm\"}', 'Ω 🙂.')",
    "INSERT INTO documents VALUES (8, 3, 5, 'a#r2', 's2', 'i2', 0, 1, :yes, :now, 'row 2', NULL, "
    "'{}', '')",
    "INSERT INTO runs VALUES (1, 3, 'general', 'f1', '{}', :now, :now, 'finished', '{}')",
    "INSERT INTO results VALUES (9, 7, 1, 'general', 'i1', 'f1', 'processed', '', :no, 1, :yes, "
    "1, 0, 0, 0, 0, :now)",
    "INSERT INTO sentences VALUES (9, 0, 0, 4)",
)


@pytest.fixture
def upgraded(empty_url: str) -> Iterator[Engine]:
    """Return an engine on a database that had rows at revision 0001."""
    engine = create_engine_for(empty_url)
    upgrade(engine, "0001")
    values = {"no": False, "yes": True, "now": datetime(2026, 1, 2, 3, 4, 5)}
    with transaction(engine, write=True) as connection:
        for statement in _ROWS_OF_0001:
            named = {k: v for k, v in values.items() if f":{k}" in statement}
            connection.execute(text(statement), named)
    assert upgrade(engine) is True
    yield engine
    engine.dispose()


def test_an_upgrade_from_0001_keeps_documents_and_their_results(upgraded: Engine) -> None:
    store = Store(upgraded)
    detail = store.document(7)
    assert detail.document.text == "Ω 🙂."
    assert detail.document.metadata == {"Ward": "Élm"}
    assert detail.document.created_at == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert detail.result is not None
    assert [(s.start, s.end) for s in detail.result.sentences] == [(0, 4)]
    assert store.document(8).document.withdrawn


def test_an_upgrade_from_0001_fills_what_is_new(upgraded: Engine) -> None:
    store = Store(upgraded)
    document = store.document(7).document
    assert (document.respondent, document.aside, document.flags) == ("", "", ())
    assert store.collection("parks").reading == {}
    assert [row.report for row in store.sources(3)] == [{}]


def test_a_database_from_0001_has_every_index_and_constraint(upgraded: Engine) -> None:
    with upgraded.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []
        again = insert(Document).from_select(
            [c.name for c in table(Document).columns if c.name != "id"],
            select(*(c for c in table(Document).columns if c.name != "id")),
        )
        with pytest.raises(IntegrityError):
            connection.execute(again)


def test_a_document_of_0001_that_is_read_again_is_untouched(upgraded: Engine) -> None:
    given = DocumentInput("a#r1", "Ω 🙂.", "s1", "i1", "Q?", {"Ward": "Élm"}, "row 1")
    assert Store(upgraded).put_file(3, SourceInput("/d/a.csv", "read"), [given]).untouched == 1


def test_the_text_stays_the_last_column_on_sqlite(tmp_path: Path) -> None:
    engine = create_engine_for(f"sqlite:///{tmp_path / 'a.sqlite'}")
    upgrade(engine)
    assert inspect(engine).get_columns("documents")[-1]["name"] == "text"
    engine.dispose()


def test_check_refuses_an_empty_database(empty_url: str) -> None:
    engine = create_engine_for(empty_url)
    with pytest.raises(SchemaError, match="florilegium db upgrade") as caught:
        check(engine)
    assert caught.value.exit_code == 78
    engine.dispose()


def test_check_refuses_a_newer_schema(empty_url: str) -> None:
    engine = create_engine_for(empty_url)
    upgrade(engine)
    with transaction(engine, write=True) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(SchemaError, match="newer Florilegium"):
        check(engine)
    with pytest.raises(SchemaError, match="9999"):
        upgrade(engine)
    engine.dispose()


def test_check_does_not_import_alembic(sqlite_template: Path) -> None:
    code = (
        "import sys; from db.engine import create_engine_for; from db.migrate import check;"
        f"check(create_engine_for('sqlite:///{sqlite_template}'));"
        "assert 'alembic' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
