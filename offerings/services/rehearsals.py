"""An act tried out: all its checks, and nothing saved."""

from collections.abc import Callable
from typing import TypeVar

from django.db import transaction

T = TypeVar("T")


def rehearsed(act: Callable[[], T]) -> T:
    """What `act` would give; it is undone whole, also in the decision log."""
    with transaction.atomic():
        result = act()
        transaction.set_rollback(True)
    return result
