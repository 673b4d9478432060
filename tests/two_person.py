"""A kind of act that takes two people, in the words in which the tables of kinds are written."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """A kind of act: how one comes to wait for review, how it is decided, its guards."""

    prepare: Callable
    decide: Callable
    by_another: str
    has_reviewer: str
    has_reason: str
    final: str
    supervisor: str
    preparer: str
    approved: dict
