"""Tables are created, checked and kept equal to the models on both engines."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.command import downgrade
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, inspect, text

from db.engine import create_engine_for, transaction, writer
from db.errors import SchemaError
from db.migrate import HEAD, REVISIONS, check, config, current, upgrade
from db.models import Base


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
