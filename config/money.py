"""What waits with the payments: money to give back, what is overdue, banks' files to confirm."""

from django.urls import reverse
from django.utils import timezone

from offerings.enums import ImportState
from offerings.models import BankFile
from offerings.selectors.payment_terms import runs_past_term
from offerings.selectors.payments import (
    OVERDUE,
    OWING,
    awards_due,
    awards_to_refund,
    returns_total,
)
from office.dates import bogota_day
from office.models import User
from office.numbers import write_amount, write_count
from office.roles import Capability


def money_waiting(user: User) -> list[dict[str, str]]:
    """What waits with the payments for whoever prepares: money to give back, awards that were not
    paid in time."""
    if not user.may(Capability.PREPARE):
        return []
    back = awards_to_refund()
    late = (
        awards_due()
        .filter(OWING, adjudication__in=runs_past_term(bogota_day(timezone.now())))
        .count()
    )
    found = [
        _waiting(
            back.count(),
            "adjudicación con dinero por devolver",
            "adjudicaciones con dinero por devolver",
            reverse("refunds"),
            write_amount(returns_total(back)),
        ),
        _waiting(
            late,
            "adjudicación vencida sin pagar",
            "adjudicaciones vencidas sin pagar",
            f"{reverse('payments')}?vista={OVERDUE}",
            "Ninguna se cae por sí sola: decida el Fondo",
        ),
    ]
    waiting = BankFile.objects.filter(state__in=(ImportState.COLUMNS, ImportState.REVIEWED))
    found.append(
        _waiting(
            waiting.count(),
            "archivo del banco por confirmar",
            "archivos del banco por confirmar",
            reverse("bank_files"),
            "Aún no se ha registrado ningún pago de ellos",
        )
    )
    return [row for row in found if row]


def _waiting(count: int, one: str, many: str, url: str, detail: str) -> dict[str, str]:
    if not count:
        return {}
    return {"label": write_count(count, one, many), "url": url, "detail": detail}
