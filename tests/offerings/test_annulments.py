"""The annulment of an approved adjudication: nothing due, money to give back, all of it kept."""

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from decimal import Decimal
from threading import Event

import pytest
from django.db import connections, transaction
from django.utils import timezone

from offerings.certificates import certificate_allotment_issue
from offerings.models import AdjudicationAnnulment
from offerings.selectors.annulments import annulment_effects
from offerings.selectors.payments import awards_due, awards_to_refund, left_to_return
from offerings.services.adjudications import adjudication_open
from offerings.services.annulments import (
    adjudication_annulment_decide,
    adjudication_annulment_prepare,
)
from office.certificates import certificate_draw
from office.decisions import timeline
from office.models import Certificate, CertificateState
from office.refusals import Refused
from office.review import ReviewState
from tests.guards import change, refused_by, repeat, strike_out
from tests.offerings.paid import PAID_ON, SESSION, make_awards, pay, pay_in_full, undo
from tests.offerings.rows import make_acceptances, places

ORDER = {
    "ordered_by": "Bolsa de Prueba",
    "act": "Resolución 9",
    "act_on": date(1995, 10, 20),
    "cause": "La sesión no tuvo quórum.",
}


@pytest.fixture
def awards(closed_stage, irene, ana):
    """Three: the first is paid and certified, the second paid in part, the third not at all."""
    awards = make_awards(make_acceptances(closed_stage, [100, 50, 20]), irene, ana)
    pay_in_full(awards[0], irene)
    pay(awards[1], irene, "60.60", "Consignación 2")
    certificate = certificate_allotment_issue(
        award_id=awards[0].pk, user=irene, legal_date=PAID_ON
    )
    certificate_draw(certificate.pk)
    return awards


@pytest.fixture
def run(awards):
    return awards[0].adjudication


def annul(run, preparer, reviewer):
    asked = adjudication_annulment_prepare(adjudication_id=run.pk, user=preparer, **ORDER)
    return adjudication_annulment_decide(
        annulment_id=asked.pk, user=reviewer, outcome=ReviewState.APPROVED
    )


def test_nothing_is_due_and_what_was_paid_is_to_be_given_back(awards, run, irene, ana):
    annul(run, irene, ana)
    assert not awards_due().exists()
    owed = {award.pk: award.to_return for award in awards_to_refund()}
    assert owed == {awards[0].pk: Decimal("6060.00"), awards[1].pk: Decimal("60.60")}


def test_its_certificates_are_annulled_and_stay(run, irene, ana):
    annul(run, irene, ana)
    certificate = Certificate.objects.get()
    assert certificate.state == CertificateState.ANNULLED
    assert "Resolución 9" in certificate.annulled_why
    assert "; se anuló 1 certificado" in timeline([run])[-1]["sentence"]
    assert certificate.file is not None


def test_certificate_that_waits_for_its_pdf_is_annulled_and_not_drawn(awards, run, irene, ana):
    pay(awards[1], irene, "2969.40", "Consignación 3")
    pending = certificate_allotment_issue(award_id=awards[1].pk, user=irene, legal_date=PAID_ON)
    annul(run, irene, ana)
    assert certificate_draw(pending.pk).state == CertificateState.ANNULLED


def test_until_another_approves_it_holds(awards, run, irene):
    adjudication_annulment_prepare(adjudication_id=run.pk, user=irene, **ORDER)
    assert awards_due().count() == 3
    assert left_to_return(awards[1]) == 0


@pytest.mark.parametrize("outcome", [ReviewState.RETURNED, ReviewState.REJECTED])
def test_sent_back_or_rejected_nothing_changes_and_it_can_be_asked_again(run, irene, ana, outcome):
    asked = adjudication_annulment_prepare(adjudication_id=run.pk, user=irene, **ORDER)
    adjudication_annulment_decide(
        annulment_id=asked.pk, user=ana, outcome=outcome, reason="Falta el acto."
    )
    assert awards_due().count() == 3
    annul(run, irene, ana)


def test_stage_is_adjudicated_again_as_a_new_version_not_before_the_act_that_annulled_it(
    run, irene, ana
):
    annul(run, irene, ana)
    act_on = ORDER["act_on"]
    again = {"stage_id": run.stage_id, "exchange": places()["exchange"], "user": irene}
    with pytest.raises(Refused, match=f"{run.code} se anuló") as caught:
        adjudication_open(session_on=act_on - timedelta(days=1), **again)
    assert caught.value.field == "session_on"
    assert adjudication_open(session_on=act_on, **again).version == 2


def test_what_was_left_without_effect_before_is_not_counted_again(awards, run, irene, mateo, ana):
    undo(awards[2], mateo, ana, date(1995, 10, 16))
    effects = annulment_effects(run)
    assert (effects.lines, effects.shares) == (2, 150)
    assert effects.due == Decimal("9090.00")


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"act_on": SESSION - timedelta(days=1)}, "anterior a la sesión"),
        ({"act_on": timezone.localdate() + timedelta(days=1)}, "está en el futuro"),
    ],
)
def test_act_dated_wrongly_is_refused(run, irene, changes, why):
    with pytest.raises(Refused, match=why):
        adjudication_annulment_prepare(adjudication_id=run.pk, user=irene, **(ORDER | changes))
    assert not AdjudicationAnnulment.objects.exists()


def test_one_annulment_at_a_time_and_once(run, irene, ana):
    adjudication_annulment_prepare(adjudication_id=run.pk, user=irene, **ORDER)
    with pytest.raises(Refused, match="ya espera revisión"):
        adjudication_annulment_prepare(adjudication_id=run.pk, user=irene, **ORDER)
    asked = AdjudicationAnnulment.objects.get()
    with refused_by("adjudicationannulment_one_under_way"):
        repeat(asked)
    adjudication_annulment_decide(annulment_id=asked.pk, user=ana, outcome=ReviewState.APPROVED)
    with pytest.raises(Refused, match="ya está anulada"):
        adjudication_annulment_prepare(adjudication_id=run.pk, user=irene, **ORDER)


def test_what_is_not_approved_is_not_annulled(closed_stage, irene, ana):
    run = make_awards(make_acceptances(closed_stage, [10]), irene, ana, state="pending")[0]
    with pytest.raises(Refused, match="no está aprobada"):
        adjudication_annulment_prepare(adjudication_id=run.adjudication_id, user=irene, **ORDER)


def test_payment_and_certificate_of_what_was_annulled_are_refused(awards, run, irene, ana):
    annul(run, irene, ana)
    with pytest.raises(Refused, match=r"se anuló.*se devuelve entero"):
        pay(awards[2], irene, "60.60", "Consignación 9")
    with pytest.raises(Refused, match="se anuló"):
        certificate_allotment_issue(award_id=awards[0].pk, user=irene, legal_date=PAID_ON)


@pytest.mark.django_db(transaction=True)
def test_certificate_that_waited_for_the_annulment_is_refused(awards, run, irene, ana):
    """Asked for while the annulment holds the lines, it sees what the annulment did."""
    pay(awards[1], irene, "2969.40", "Consignación 3")
    asked = adjudication_annulment_prepare(adjudication_id=run.pk, user=irene, **ORDER)
    held = Event()

    def issue_now():
        held.wait(10)
        try:
            certificate_allotment_issue(award_id=awards[1].pk, user=irene, legal_date=PAID_ON)
        except Refused as refusal:
            return refusal.message
        finally:
            connections.close_all()
        return "issued"

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            adjudication_annulment_decide(
                annulment_id=asked.pk, user=ana, outcome=ReviewState.APPROVED
            )
            held.set()
            waiting = pool.submit(issue_now)
            time.sleep(0.5)
            assert not waiting.done()
        assert "se anuló" in waiting.result(20)
    assert not Certificate.objects.exclude(state=CertificateState.ANNULLED).exists()


# --- past the services ---


def test_database_annuls_only_by_an_approved_act_and_for_good(run, irene, ana):
    with refused_by("adjudication_decided_is_final"):
        change(run, annulled_at=timezone.now())
    annul(run, irene, ana)
    with refused_by("adjudication_decided_is_final"):
        change(run, annulled_at=None)
    with refused_by("adjudicationannulment_kept"):
        strike_out(AdjudicationAnnulment.objects.get())


def test_database_annuls_nothing_that_was_not_approved(closed_stage, irene, ana):
    run = make_awards(make_acceptances(closed_stage, [10]), irene, ana, state="pending")[0]
    with refused_by("adjudication_annulled_was_approved"):
        change(run.adjudication, annulled_at=timezone.now())
