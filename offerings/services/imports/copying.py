"""Writes many rows at once with COPY, for tables of which a new row leaves no event of its own."""

from collections.abc import Iterable
from enum import Enum
from typing import Any

from django.db import connection
from django.db.models import Field, Model
from django.db.models.fields import NOT_PROVIDED
from psycopg import sql


def rows_copy(model: type[Model], rows: Iterable[Model]) -> None:
    """Write the rows in one statement, however many they are; each has what its fields hold, and
    what the database gives by itself (its key, the moment) it gives here too. Triggers and
    constraints see every row, but the rows are not told their keys."""
    fields = [field for field in model._meta.concrete_fields if _is_written(field)]
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(
        sql.Identifier(model._meta.db_table),
        sql.SQL(", ").join(sql.Identifier(field.column) for field in fields),
    )
    with (
        connection.wrap_database_errors,
        connection.cursor() as cursor,
        cursor.copy(statement) as copy,
    ):
        for row in rows:
            copy.write_row([_value(field, row) for field in fields])


def _is_written(field: Field) -> bool:
    return not field.primary_key and field.db_default is NOT_PROVIDED


def _value(field: Field, row: Model) -> Any:
    value = getattr(row, field.attname)
    if value is None and field.is_relation and getattr(row, field.name) is not None:
        value = getattr(row, field.name).pk  # saved after it was put here
    if isinstance(value, Enum):
        value = value.value
    return field.get_db_prep_save(value, connection)
