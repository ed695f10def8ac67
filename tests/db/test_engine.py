"""Engines, transactions, and what the driver's errors become."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from db.engine import create_engine_for, transaction
from db.errors import DatabaseError, Locked, SchemaError, UrlError
from db.migrate import upgrade
from db.store import Store
from tests.db.samples import collection


def test_sqlite_uses_wal_and_foreign_keys(tmp_path: Path) -> None:
    engine = create_engine_for(f"sqlite:///{tmp_path / 'a.sqlite'}")
    with transaction(engine) as connection:
        assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"
        assert connection.execute(text("PRAGMA foreign_keys")).scalar() == 1
        assert connection.execute(text("PRAGMA busy_timeout")).scalar() == 30_000
    engine.dispose()


def test_a_failing_transaction_leaves_nothing(store: Store) -> None:
    collection(store)

    def half_done() -> None:
        with store.writing() as connection:
            connection.execute(text("UPDATE collections SET title = 'half'"))
            raise RuntimeError("boom")

    with pytest.raises(RuntimeError, match="boom"):
        half_done()
    assert store.collection("parks").title == ""


def test_a_reader_cannot_change_anything(store: Store) -> None:
    collection(store)
    try:
        with store.reading() as connection:
            connection.execute(text("DELETE FROM collections"))
    except DatabaseError:
        pass  # PostgreSQL says so at once, SQLite rolls back
    assert len(store.collections()) == 1


def test_a_reader_sees_one_state_and_never_waits(store: Store) -> None:
    collection(store, "first")
    with store.reading() as connection:
        before = connection.execute(text("SELECT count(*) FROM collections")).scalar()
        collection(store, "second")
        after = connection.execute(text("SELECT count(*) FROM collections")).scalar()
    assert (before, after) == (1, 1)


def test_a_writer_that_reads_first_waits_for_the_other(engine: Engine) -> None:
    """Under a deferred BEGIN one of the two would fail at once with "database is locked"."""
    store = Store(engine)
    here = collection(store).id
    both = threading.Barrier(2)

    def add_one() -> None:
        both.wait()
        for _ in range(20):
            with store.writing() as connection:
                size = connection.execute(text("SELECT count(*) FROM collections")).scalar()
                connection.execute(
                    text("UPDATE collections SET title = :t WHERE id = :i"),
                    {"t": str(size), "i": here},
                )

    threads = [threading.Thread(target=add_one) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert store.collection("parks").title == "1"


def test_a_busy_sqlite_database_is_locked_not_broken(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'a.sqlite'}"
    engine = create_engine_for(url, busy_seconds=0.1)
    upgrade(engine)
    with transaction(engine, write=True), pytest.raises(Locked, match="another writer") as caught:
        Store(engine).ensure_collection("x", recipe="general")
    assert caught.value.exit_code == 75
    engine.dispose()


@pytest.mark.parametrize("url", ["mysql://host/x", "not a url", "", "oracle+cx://h/x"])
def test_an_unknown_url_is_refused_with_an_example(url: str) -> None:
    with pytest.raises(UrlError, match="sqlite:///") as caught:
        create_engine_for(url)
    assert caught.value.exit_code == 78


def test_a_refused_url_does_not_show_its_password() -> None:
    with pytest.raises(UrlError) as caught:
        create_engine_for("mysql://user:secret@host/x")
    assert "secret" not in str(caught.value)


def test_short_postgres_urls_use_psycopg() -> None:
    engine = create_engine_for("postgresql://user@127.0.0.1/x")
    assert engine.url.drivername == "postgresql+psycopg"


def test_an_unreachable_server_is_a_database_error_without_the_password() -> None:
    engine = create_engine_for("postgresql+psycopg://user:secret@127.0.0.1:1/x")
    with pytest.raises(DatabaseError) as caught:
        Store(engine).collections()
    assert caught.value.exit_code == 69
    assert "secret" not in str(caught.value)
    assert "127.0.0.1" in str(caught.value)


def test_a_missing_folder_is_a_database_error(tmp_path: Path) -> None:
    engine = create_engine_for(f"sqlite:///{tmp_path / 'no' / 'such' / 'a.sqlite'}")
    with pytest.raises(DatabaseError, match="unable to open"):
        Store(engine).collections()


def test_a_file_that_is_no_database_is_a_database_error(tmp_path: Path) -> None:
    path = tmp_path / "letter.sqlite"
    path.write_text("Dear Sir or Madam, " * 100)
    engine = create_engine_for(f"sqlite:///{path}")
    with pytest.raises(DatabaseError, match="not a database"):
        Store(engine).collections()


def test_missing_tables_name_the_command_to_type(empty_url: str) -> None:
    engine = create_engine_for(empty_url)
    with pytest.raises(SchemaError, match="florilegium db upgrade"):
        Store(engine).collections()
    engine.dispose()


def test_sqlite_folds_the_case_of_every_letter(tmp_path: Path) -> None:
    engine = create_engine_for(f"sqlite:///{tmp_path / 'a.sqlite'}")
    with transaction(engine) as connection:
        assert connection.execute(text("SELECT lower('ÉCOLE')")).scalar() == "école"
    engine.dispose()


def test_importing_the_store_loads_nothing_heavy() -> None:
    heavy = "{'torch', 'transformers', 'spacy', 'pandas', 'alembic', 'streamlit', 'numpy'}"
    code = f"import sys, db.store, db.queue, db.migrate; assert not {heavy} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
