"""The whole run on PostgreSQL gives what it gives on SQLite."""

from __future__ import annotations

import pytest

from tests.app.conftest import call
from tests.db.conftest import make_database, postgres_server

__all__ = ["postgres_server"]


@pytest.mark.postgres
def test_a_run_on_postgresql_stores_what_one_on_sqlite_does(tmp_path, postgres_server):
    url = make_database(postgres_server, "flo_run")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("The library is open late. The bus is not.")
    (tmp_path / "in" / "b.csv").write_text(
        "id,answer\n1,The park needs a new gate\n2,\n3,Café £5\n"
    )
    shown = []
    for name, database in (("one", ()), ("two", ("--db", url))):
        workspace = ("--home", tmp_path / name, *database)
        answer = call(*workspace, "run", tmp_path / "in", "--recipe", "consultation", "--json")
        assert answer.code == 0, answer.err
        again = call(*workspace, "run", tmp_path / "in", "--json").json
        assert again["documents"]["total"] == 0
        document = call(*workspace, "document", "a.txt", "--json").json
        shown.append((answer.json["documents"], document["summary"], document["labels"]))
    assert shown[0] == shown[1]
