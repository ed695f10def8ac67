"""The declarative base, and what several tables share."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, Double, Integer, MetaData
from sqlalchemy.orm import DeclarativeBase

from db.types import Json, UtcDateTime, Words

BIG = BigInteger().with_variant(Integer, "sqlite")  # SQLite: only INTEGER can be the row id
CASCADE = "CASCADE"
SET_NULL = "SET NULL"


class Base(DeclarativeBase):
    """Declarative base with the naming convention that migrations rely on."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {  # noqa: RUF012
        str: Words,
        float: Double,
        datetime: UtcDateTime,
        dict[str, Any]: Json,
        list[Any]: Json,
    }
