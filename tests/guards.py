"""Trying to break what the database itself keeps: past every form, service and model."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import DatabaseError, connection, models, transaction


@contextmanager
def refused_by(guard: str) -> Iterator[None]:
    """The database refuses what is done inside, by the constraint or trigger of that name."""
    with pytest.raises(DatabaseError) as caught, transaction.atomic():  # noqa: PT012
        yield
        # Whatever waits for the end of the transaction speaks now.
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    assert guard in str(caught.value)


def change(row: models.Model, **columns) -> None:
    """UPDATE the row's columns, by no way that the application has."""
    with connection.cursor() as cursor:
        table = connection.ops.quote_name(row._meta.db_table)
        names = ", ".join(f"{connection.ops.quote_name(name)} = %s" for name in columns)
        cursor.execute(f"UPDATE {table} SET {names} WHERE id = %s", [*columns.values(), row.pk])


def strike_out(row: models.Model) -> None:
    """DELETE the row."""
    with connection.cursor() as cursor:
        table = connection.ops.quote_name(row._meta.db_table)
        cursor.execute(f"DELETE FROM {table} WHERE id = %s", [row.pk])


def repeat(row: models.Model, **fields) -> None:
    """INSERT the row once more, with these fields different."""
    again = type(row).objects.get(pk=row.pk)
    again.pk = None
    again._state.adding = True
    for name, value in fields.items():
        setattr(again, name, value)
    again.save(force_insert=True)
