"""Every store test runs twice: on a real SQLite file and on a real PostgreSQL server."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine, text

from db.engine import create_engine_for
from db.migrate import upgrade
from db.models import Base
from db.queue import Queue
from db.store import Store
from tests.db.postgres_server import NoServer, running_server

_numbers = count(1)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """Yield the URL of a running server, without a database name."""
    try:
        with running_server() as url:
            yield url
    except NoServer as reason:
        pytest.skip(str(reason))


def make_database(server: str, name: str) -> str:
    """Create a database on the server and return its URL."""
    engine = create_engine(f"{server}/postgres", isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f'CREATE DATABASE "{name}"'))
    engine.dispose()
    return f"{server}/{name}"


@pytest.fixture(scope="session")
def postgres_engine(postgres_server: str) -> Iterator[Engine]:
    """Return an engine on a database with our tables, emptied before each test.

    One engine for all tests, so that each statement is compiled once.
    """
    engine = create_engine_for(make_database(postgres_server, "flo"))
    upgrade(engine)
    yield engine
    engine.dispose()


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an SQLite file with our tables, to be copied by each test."""
    path = tmp_path_factory.mktemp("template") / "template.sqlite"
    engine = create_engine_for(f"sqlite:///{path}")
    upgrade(engine)
    engine.dispose()
    return path


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def backend(request: pytest.FixtureRequest) -> str:
    """Return the name of the engine the test runs on."""
    return str(request.param)


@pytest.fixture
def empty_url(backend: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the URL of a database without tables."""
    if backend == "sqlite":
        return f"sqlite:///{tmp_path / 'empty.sqlite'}"
    return make_database(request.getfixturevalue("postgres_server"), f"flo_{next(_numbers)}")


@pytest.fixture
def url(backend: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the URL of a database with our tables and nothing in them."""
    if backend == "sqlite":
        path = tmp_path / "store.sqlite"
        shutil.copy(request.getfixturevalue("sqlite_template"), path)
        return f"sqlite:///{path}"
    engine: Engine = request.getfixturevalue("postgres_engine")
    tables = ", ".join(f'"{table}"' for table in Base.metadata.tables)
    with engine.begin() as connection:
        connection.execute(text(f"TRUNCATE {tables} RESTART IDENTITY CASCADE"))
    return engine.url.render_as_string(hide_password=False)


@pytest.fixture
def engine(url: str, backend: str, request: pytest.FixtureRequest) -> Iterator[Engine]:
    """Return an engine on the test's own database."""
    if backend == "postgresql":
        yield request.getfixturevalue("postgres_engine")
        return
    engine = create_engine_for(url)
    yield engine
    engine.dispose()


@pytest.fixture
def store(engine: Engine) -> Store:
    """Return a store on the test's own database."""
    return Store(engine)


@pytest.fixture
def queue(engine: Engine) -> Queue:
    """Return a queue on the test's own database."""
    return Queue(engine)
