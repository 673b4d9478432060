"""What the lists of offerings share: the programme that they are narrowed to, identities."""

from collections.abc import Callable
from typing import Any

from buyers.models import Buyer
from offerings.models import Programme, Stage
from office.identities import write_number
from office.lists import Column, Filter, Narrowed
from office.models import User


def programme_filter(lookup: str) -> Filter:
    """A filter by programme; `lookup` leads from a row to it."""

    def by_programme(rows: Any, value: str, user: User) -> Narrowed | None:
        programme = Programme.objects.filter(slug=value).first()
        if programme is None:
            return None
        return rows.filter(**{lookup: programme}), f"Programa: {programme}"

    return Filter("programa", "Programa", by_programme, options=programme_options)


def programme_options(user: User) -> list[tuple[str, str]]:
    """The programmes that a list can be narrowed to."""
    return [(programme.slug, str(programme)) for programme in Programme.objects.all()]


def stage_options(user: User) -> list[tuple[str, str]]:
    """The stages that a list can be narrowed to."""
    return [(str(stage.pk), str(stage)) for stage in Stage.objects.select_related("programme")]


def buyer_columns(buyer_of: Callable[[Any], Buyer]) -> tuple[Column, ...]:
    """Who a row is about, in an export: its identity as text, then its name."""
    return (
        Column("Tipo de documento", lambda row: buyer_of(row).identity_type),
        Column("Documento", lambda row: _number(buyer_of(row))),
        Column("Comprador", lambda row: buyer_of(row).name),
    )


def _number(buyer: Buyer) -> str:
    return write_number(buyer.identity_type, buyer.identity_number, buyer.check_digit)
