"""Requests that are paid, made straight in the tables, and releases made as the house makes them.

The quote's answer has the shape of offerings.rules.penalty.ReleasePenalty.as_data.
"""

from datetime import date, datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

from django.db import transaction

from office.review import ReviewState
from pledges.models import (
    Attachment,
    PenaltyPayment,
    Pledge,
    Quote,
    ReleaseRequest,
    Transfer,
)
from pledges.services.release_annulments import (
    release_annulment_decide,
    release_annulment_prepare,
)
from pledges.services.release_batches import release_carry_out, releases_matured_prepare
from pledges.services.releases import release_decide, release_prepare

FILED_AT = datetime(1997, 1, 20, 10, 0, tzinfo=ZoneInfo("America/Bogota"))
ACCEPTED_ON = date(1997, 1, 21)
PAID_ON = date(1997, 1, 23)
RELEASED_ON = date(1997, 1, 24)
LAST_DAY = date(1997, 9, 15)
FREE_DAY = date(1997, 9, 16)
AMOUNT = Decimal("141702.20")
OUTCOME = {
    "amount": str(AMOUNT),
    "basis": "difference",
    "month": 17,
    "last_day": "1997-09-15",
    "reference": {
        "traded_on": "1995-11-20",
        "price": "80.00",
        "shares": 30_000_000,
        "in_auction": True,
        "reference": "",
    },
    "threshold": 15_703_905,
    "cpi": [{"month": "09/1995", "index": "21.24"}, {"month": "12/1996", "index": "26.52"}],
    "factor": "221/177",
    "difference": "97/5",
    "reduction_percent": "41.5",
    "paid_percent": "58.5",
    "remaining": None,
    "semester": None,
}
STEPS = [
    {"label": "Mes en que se pide", "detail": "", "shown": "mes 17", "cite": "art. 6-4"},
    {
        "label": "Reducción de los meses 13 a 17",
        "detail": "5 × 8,3 % = 41,5 %, sumada y no compuesta; se paga el 58,5 %",
        "shown": "−$100.523,80",
        "cite": "art. 6-4, parágrafo 1.º",
    },
]
READINGS = [
    {
        "name": "cpi_factor",
        "value": "decree_window",
        "sentence": "El IPC del mes anterior a la solicitud entre el del mes de la compra.",
    }
]


@transaction.atomic
def make_paid_request(pledge, user, shares, *, number="R-1", amount=AMOUNT, **quoted):
    """A request of 20/01/1997, whose quote was accepted on the 21st and paid on the 23rd."""
    held = Pledge.objects.select_for_update().get(pk=pledge.pk)
    held.in_process += shares
    held.save()
    request = ReleaseRequest.objects.create(
        pledge=pledge,
        kind="asked",
        shares=shares,
        filing_number=number,
        filed_at=FILED_AT,
        recorded_by=user,
    )
    make_quote(request, user, amount=amount, **quoted)
    move(request, "settled")
    if amount:
        pay_penalty(request, user, amount)
    return move(request, "paid")


def make_quote(request, user, *, amount=AMOUNT, outcome=OUTCOME, **fields):
    """A quote that is accepted."""
    return Quote.objects.create(
        request=request,
        state="accepted",
        amount=amount,
        valid_until=date(1997, 1, 31),
        outcome=outcome,
        prepared_by=user,
        accepted_on=ACCEPTED_ON,
        accepted_by=user,
        **(
            {
                "basis": "difference", "month": 17, "facts": {}, "steps": STEPS,
                "readings": READINGS, "terms": {}, "terms_sha256": "0" * 64,
            }
            | fields
        ),
    )  # fmt: skip


def pay_penalty(request, user, amount=AMOUNT):
    return PenaltyPayment.objects.create(
        request=request,
        receipt=f"PG-1997-{request.pk:06d}",
        means="cheque",
        reference=f"Cheque {request.pk}",
        paid_on=PAID_ON,
        amount=amount,
        recorded_by=user,
    )


def move(request, state):
    request.state = state
    request.save()
    return request


@transaction.atomic
def attach(pledge, user, shares, number="77", authority="Juzgado 1 Civil de Prueba"):
    """An embargo of so many of its shares."""
    held = Pledge.objects.select_for_update().get(pk=pledge.pk)
    held.attached += shares
    held.save()
    return Attachment.objects.create(
        pledge=pledge,
        measure="embargo",
        authority=authority,
        number=number,
        ordered_on=date(1997, 1, 10),
        received_at=FILED_AT,
        shares=shares,
        recorded_by=user,
    )


@transaction.atomic
def detach(attachment, user):
    held = Pledge.objects.select_for_update().get(pk=attachment.pledge_id)
    held.attached -= attachment.shares
    held.save()
    attachment.lifted_on = date(1997, 1, 22)
    attachment.lifted_act = "Oficio 78"
    attachment.lifted_by = user
    attachment.save()


def sell(request, user):
    """A sale of a request's shares, on record."""
    return Transfer.objects.create(
        pledge=request.pledge,
        kind="sale",
        transferred_on=date(1997, 1, 27),
        shares=request.shares,
        price=Decimal("90.00"),
        to_name="Comprador Supuesto",
        proof="Comprobante de prueba",
        request=request,
        recorded_by=user,
    )


def decide(release, user, outcome=ReviewState.APPROVED, reason=""):
    return release_decide(release_id=release.pk, user=user, outcome=outcome, reason=reason)


def release_early(request, preparer, reviewer, released_on=RELEASED_ON):
    """Prepared by one, approved by the other: done."""
    return decide(prepare_early(request, preparer, released_on), reviewer)


def prepare_early(request, user, released_on=RELEASED_ON):
    return release_prepare(request_id=request.pk, released_on=released_on, user=user)


def prepare_term(programme, user, released_on=FREE_DAY):
    return releases_matured_prepare(programme_id=programme.pk, released_on=released_on, user=user)


def release_at_term(programme, preparer, reviewer, released_on=FREE_DAY):
    """Prepared, approved and carried out."""
    release = decide(prepare_term(programme, preparer, released_on), reviewer)
    release_carry_out(release_id=release.pk)
    release.refresh_from_db()
    return release


def ask_annulment(line, user, annulled_on=None):
    """On the day of the release itself, where no other is said."""
    return release_annulment_prepare(
        line_id=line.pk,
        annulled_on=annulled_on or line.release.released_on,
        cause="Se levantó por error.",
        user=user,
    )


def annul(line, preparer, reviewer, **said):
    asked = ask_annulment(line, preparer, **said)
    return release_annulment_decide(
        annulment_id=asked.pk, user=reviewer, outcome=ReviewState.APPROVED
    )
