"""An approved adjudication with its awards, made straight in the tables, and its payments."""

from datetime import date
from decimal import Decimal
from uuid import uuid4

from django.utils import timezone

from offerings.decrees.fund_values import FundValue
from offerings.decrees.reader import asks_of, terms_as_data, terms_of, terms_sha256
from offerings.enums import DefaultMeasure
from offerings.models import Adjudication, Award
from offerings.services.defaults import award_default_decide, award_default_prepare
from offerings.services.payments import PaymentEntry, payment_record
from office.review import ReviewState
from tests.offerings.rows import SLUG, places

SESSION = date(1995, 9, 15)
PAID_ON = date(1995, 10, 2)
SOURCE = "Acto de prueba 1 de 1995"
FUND = {
    "outstanding": FundValue(5_609_906_000, SOURCE),
    "pledge_rank": FundValue("first", SOURCE),
    "signatory_name": FundValue("Rosa Muestra Peña", SOURCE),
    "signatory_title": FundValue("Directora de Prueba", SOURCE),
}


def make_awards(
    acceptances,
    preparer,
    reviewer,
    *,
    state="approved",
    terms=None,
    slug=SLUG,
    version=1,
    session=SESSION,
):
    """Award each acceptance what was admitted, in the session of 15/09/1995, under `terms`: by
    default those of the decree of `slug`."""
    stage = acceptances[0].stage
    asked = {ask.key for ask in asks_of(slug)}
    fund = {key: value for key, value in FUND.items() if key in asked}
    terms = terms or terms_of(slug, fund)
    awarded = sum(acceptance.admitted for acceptance in acceptances)
    adjudication = Adjudication.objects.create(
        stage=stage,
        version=version,
        exchange=places()["exchange"],
        session_on=session,
        prepared_by=preparer,
        supply=stage.supply,
        demand=awarded,
        demand_kept=awarded,
        awarded=awarded,
        unsold=stage.supply - awarded,
        left_over_shares=0,
        lines=len(acceptances),
        is_pro_rata=False,
        summary={"threshold": None, "least_winning": None},
        terms=terms_as_data(terms),
        terms_sha256=terms_sha256(terms),
    )
    for acceptance in acceptances:
        _award(adjudication, acceptance)
    Adjudication.objects.filter(pk=adjudication.pk).update(review_state="pending")
    if state == "approved":
        Adjudication.objects.filter(pk=adjudication.pk).update(
            review_state="approved", reviewed_by=reviewer, reviewed_at=timezone.now()
        )
    return list(Award.objects.filter(adjudication=adjudication).order_by("pk"))


def _award(adjudication, acceptance):
    Award.objects.create(
        adjudication=adjudication,
        acceptance=acceptance,
        requested=acceptance.requested,
        admitted=acceptance.admitted,
        awarded=acceptance.admitted,
        reason="in_full",
    )


def entry(
    amount, reference="Consignación 4118", paid_on=PAID_ON, means="cheque", *, gives_back=False
):
    return PaymentEntry(means, reference, paid_on, Decimal(amount), gives_back)


def pay(award, user, amount, reference="Consignación 4118", **changes):
    """Record a payment as its own submission."""
    return payment_record(
        award_id=award.pk,
        user=user,
        entry=entry(amount, reference, **changes),
        submission_key=uuid4(),
    )


def pay_in_full(award, user):
    return pay(award, user, award.total, f"Consignación {award.pk}")


def undo(award, preparer, reviewer, decided_on):
    """Leave it without effect for want of payment, by an act of that day."""
    proposed = award_default_prepare(
        award_id=award.pk,
        measure=DefaultMeasure.UNDO,
        decided_on=decided_on,
        cause="No pagó.",
        user=preparer,
    )
    award_default_decide(default_id=proposed.pk, user=reviewer, outcome=ReviewState.APPROVED)
