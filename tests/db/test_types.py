"""Characters that no database keeps, and times."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from types import MappingProxyType

import pytest
from sqlalchemy import insert, select

from db.errors import UnstorableText
from db.models import Collection
from db.store import Store
from db.types import check_text, to_json, visible, visible_values

HARD = "Ω🙂 é\u0301\r\n\t\ufeff\u200f\U0010ffff\x7f\x01"


@pytest.mark.parametrize(("bad", "said"), [("ab\x00c", "NUL"), ("ab\ud800c", "surrogate")])
def test_unstorable_text_is_a_value_error_that_says_where(bad: str, said: str) -> None:
    with pytest.raises(ValueError, match=said) as caught:
        check_text(bad)
    assert isinstance(caught.value, UnstorableText)
    assert "character 2" in str(caught.value)


def test_every_other_character_passes_unchanged() -> None:
    assert check_text(HARD) == HARD
    assert visible(HARD) == HARD


def test_names_show_what_cannot_be_stored() -> None:
    assert visible("caf\udce9\x00.txt") == "caf\\udce9\\x00.txt"
    assert visible_values({"a\x00": ["\ud800", 1, None]}) == {"a\\x00": ["\\ud800", 1, None]}


@pytest.mark.parametrize("bad", ["a\x00b", "a\udfffb"])
def test_the_column_type_refuses_it_on_both_engines(store: Store, bad: str) -> None:
    with pytest.raises(UnstorableText):
        store.ensure_collection(bad, recipe="general")
    assert store.collections() == []


def test_json_is_readable_in_sql(store: Store) -> None:
    here = store.ensure_collection("x", recipe="general").id
    store.start_run(here, recipe="general", fingerprint="f", details={"where": "Élm 🙂"})
    with store.reading() as connection:
        stored = connection.exec_driver_sql("SELECT CAST(details AS TEXT) FROM runs").scalar()
    assert stored == '{"where": "Élm 🙂"}'


def test_times_come_back_in_utc(store: Store) -> None:
    summer = datetime(2026, 7, 1, 12, 30, 15, 123456, timezone(timedelta(hours=1)))
    with store.writing() as connection:
        connection.execute(
            insert(Collection).values(
                name="x", recipe="r", text_private=True, title="", created_at=summer
            )
        )
        found = connection.scalar(select(Collection.created_at))
    assert found == summer
    assert found is not None
    assert found.tzinfo is UTC
    assert found.hour == 11


def test_a_time_without_a_zone_is_refused(store: Store) -> None:
    with pytest.raises(Exception, match="naive datetime"), store.writing() as connection:
        connection.execute(
            insert(Collection).values(
                name="x",
                recipe="r",
                text_private=True,
                title="",
                created_at=datetime(2026, 7, 1),
            )
        )


def test_json_is_written_as_a_person_would_read_it() -> None:
    assert to_json({"Wárd": "“Élm” 🙂", "n": (1, None)}) == '{"Wárd": "“Élm” 🙂", "n": [1, null]}'
    assert to_json(MappingProxyType({"a": MappingProxyType({})})) == '{"a": {}}'


@pytest.mark.parametrize(
    ("value", "written"),
    [("a\x00b", '"a\\\\x00b"'), ("é\udce9", '"é\\\\udce9"'), ("\\u0000", '"\\\\u0000"')],
)
def test_json_shows_what_no_database_can_keep(value: str, written: str) -> None:
    assert to_json(value) == written


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1, 2}])
def test_json_refuses_what_is_none(value: object) -> None:
    with pytest.raises((ValueError, TypeError)):
        to_json(value)
