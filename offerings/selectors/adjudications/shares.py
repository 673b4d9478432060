"""What each class, broker and exchange asked for after the limit, and what it got."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db.models import Count, Sum

from buyers.enums import BuyerClass
from offerings.models import Adjudication

DIRECT = "directo"
DIRECT_WORDS = "Directamente al Fondo"


@dataclass(frozen=True)
class Share:
    """One part of a result. key: what the list of lines is filtered by to see its lines."""

    key: str
    label: str
    acceptances: int
    admitted: int
    awarded: int
    supply: int

    @property
    def of_supply(self) -> Fraction:
        """Its part of what is offered, in per cent."""
        return Fraction(self.awarded * 100, self.supply)


def shares_by_class(adjudication: Adjudication) -> list[Share]:
    """What the lines that entered got, class by class, the largest demand first."""
    column = "acceptance__participation__buyer_class"
    return _shares(
        adjudication, (column,), lambda row: (row[column], BuyerClass(row[column]).plural)
    )


def shares_by_broker(adjudication: Adjudication) -> list[Share]:
    """The same broker by broker; what came without one is the Fund's own."""
    return _shares_of(adjudication, "acceptance__broker")


def shares_by_exchange(adjudication: Adjudication) -> list[Share]:
    """The same exchange by exchange."""
    return _shares_of(adjudication, "acceptance__exchange")


def _shares_of(adjudication: Adjudication, relation: str) -> list[Share]:
    name = f"{relation}__name"

    def named(row: dict[str, Any]) -> tuple[str, str]:
        if row[relation] is None:
            return DIRECT, DIRECT_WORDS
        return str(row[relation]), row[name]

    return _shares(adjudication, (relation, name), named)


def _shares(
    adjudication: Adjudication,
    columns: Sequence[str],
    named: Callable[[dict[str, Any]], tuple[str, str]],
) -> list[Share]:
    rows = (
        adjudication.awards.filter(admitted__gt=0)
        .values(*columns)
        .annotate(count=Count("pk"), asked=Sum("admitted"), got=Sum("awarded"))
        .order_by("-asked", *columns)
    )
    return [
        Share(
            *named(row),
            acceptances=row["count"],
            admitted=int(row["asked"]),
            awarded=int(row["got"]),
            supply=int(adjudication.supply),
        )
        for row in rows
    ]


def shares_total(shares: Sequence[Share]) -> Share:
    """The last row of a table of shares."""
    return Share(
        key="",
        label="Total",
        acceptances=sum(row.acceptances for row in shares),
        admitted=sum(row.admitted for row in shares),
        awarded=sum(row.awarded for row in shares),
        supply=shares[0].supply if shares else 1,
    )
