"""How long a piece of work takes, in wall and processor time, and how many queries it makes."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction


@dataclass(frozen=True)
class Spent:
    """Seconds on the wall, seconds of this process, queries on the main connection."""

    wall: float
    cpu: float
    queries: int


def spent_on(work: Callable[[], Any]) -> Spent:
    """Do the work once and tell what it cost."""
    queries = 0

    def counted(execute, sql, params, many, context):
        nonlocal queries
        queries += 1
        return execute(sql, params, many, context)

    wall, cpu = time.perf_counter(), time.process_time()
    with connection.execute_wrapper(counted):
        work()
    return Spent(time.perf_counter() - wall, time.process_time() - cpu, queries)


def best_of(times: int, work: Callable[[], Any]) -> Spent:
    """The quickest of several times: what else the machine did counts least there."""
    return min((spent_on(work) for _ in range(times)), key=lambda spent: spent.wall)


@contextmanager
def undone() -> Iterator[None]:
    """Whatever is done inside is undone at the end, so that the next measure starts alike."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def analyzed() -> None:
    """Let the database know its new rows, as it does by itself after a while."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
