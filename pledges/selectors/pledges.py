"""The pledges that a person may see, and those that answer to what a list asks for."""

import re
from datetime import date
from typing import Any

from dateutil.relativedelta import relativedelta
from django.db.models import BigIntegerField, Case, Count, F, Model, Q, QuerySet, Sum, Value, When

from office.models import User
from office.text import fold
from pledges.enums import PledgeState
from pledges.models import Pledge

SHOWN = (
    "holder",
    "award__adjudication",
    "award__acceptance__stage__programme",
    "award__acceptance__broker",
)
_CODE = re.compile(r"PD[ -]*0*([1-9][0-9]{0,8})")
_MONTH = re.compile(r"([0-9]{4})-(0[1-9]|1[0-2])")
STANDING = Q(state__in=(PledgeState.IN_FORCE, PledgeState.MATURED))
PLEDGED = F("shares") - F("released") - F("passed_on")
TO_ENTER = STANDING & Q(entered_on=None)
# Things that hold of a pledge beside its state, by their name in an address.
CONDITIONS: dict[str, tuple[str, Q]] = {
    "embargadas": ("Con acciones embargadas", Q(attached__gt=0)),
    "por-anotar": ("Por anotar en el registro o depósito", TO_ENTER),
    "con-solicitud": ("Con acciones en trámite de salida", Q(in_process__gt=0)),
}


def pledges_shown(user: User) -> QuerySet[Pledge]:
    """The pledges that `user` may see, with what pages show of them; `left`: shares still
    pledged."""
    left = Case(
        When(state=PledgeState.ANNULLED, then=Value(0)),
        default=PLEDGED,
        output_field=BigIntegerField(),
    )
    return Pledge.objects.visible_to(user).select_related(*SHOWN).annotate(left=left)


def pledges_answering(pledges: QuerySet[Pledge], text: str) -> QuerySet[Pledge]:
    """Those of `pledges` whose number, holder or acceptance answers to `text`."""
    folded = fold(text)
    if not folded:
        return pledges
    code = _CODE.fullmatch(text.upper().strip())
    if code:
        return pledges.filter(pk=int(code[1]))
    digits = "".join(sign for sign in folded if sign.isdecimal())
    found = Q(holder__name_folded__contains=folded)
    if digits:
        found |= Q(holder__identity_number=digits)
    if digits and len(digits) < 10:
        found |= Q(award__acceptance__serial=int(digits)) | Q(pk=int(digits))
    return pledges.filter(found)


def month_of(value: str) -> tuple[date, date] | None:
    """The first day of a month written "1997-09", and that of the next; None for other words."""
    asked = _MONTH.fullmatch(value)
    if asked is None:
        return None
    first = date(int(asked[1]), int(asked[2]), 1)
    return first, first + relativedelta(months=1)


def months_of_maturity(user: User) -> list[date]:
    """The months in which something that `user` may see ends, each by its first day."""
    visible = Pledge.objects.visible_to(user).order_by()
    return list(visible.dates("last_day", "month"))


def pledge_totals(pledges: QuerySet[Pledge]) -> dict[str, Any]:
    """Over the standing ones of `pledges`: how many, and shares pledged, asked for, attached."""
    return (
        pledges.order_by()
        .filter(STANDING)
        .aggregate(
            standing=Count("pk"),
            pledged=Sum(PLEDGED, default=0),
            in_process=Sum("in_process", default=0),
            attached=Sum("attached", default=0),
        )
    )


def acts_subjects(pledge: Pledge) -> list[Model]:
    """What the history of a pledge is about: itself and what hangs on it."""
    lines = pledge.release_lines.select_related("release")
    return [
        pledge,
        *pledge.requests.all(),
        *pledge.attachments.all(),
        *pledge.rights.all(),
        *pledge.transfers.all(),
        *[line.release for line in lines],
        *lines,
    ]
