"""Certificates withdrawn: both states kept, the number never used again."""

from datetime import date, timedelta

import pytest
from django.utils import timezone

from office.annulments import (
    certificate_annul,
    certificate_annulment_decide,
    certificate_annulment_prepare,
)
from office.certificates import certificate_draw
from office.decisions import timeline
from office.models import CertificateAnnulment, CertificateState
from office.refusals import Refused
from office.review import ReviewState
from tests.guards import change, refused_by, repeat, strike_out
from tests.office.certificate_rows import make_certificate

CAUSE = "El nombre está mal escrito."
ISSUED_ON, ANNULLED_ON = date(1995, 10, 3), date(1995, 10, 20)


@pytest.fixture
def certificate(irene):
    return certificate_draw(make_certificate(irene).pk)


def ask(certificate, user, *, annulled_on=ANNULLED_ON, cause=CAUSE):
    return certificate_annulment_prepare(
        certificate_id=certificate.pk, annulled_on=annulled_on, cause=cause, user=user
    )


def annul(certificate, preparer, reviewer, outcome=ReviewState.APPROVED, reason=""):
    asked = ask(certificate, preparer)
    return certificate_annulment_decide(
        annulment_id=asked.pk, user=reviewer, outcome=outcome, reason=reason
    )


def test_annulled_certificate_says_why_and_keeps_its_pdf(certificate, irene, ana):
    annul(certificate, irene, ana)
    certificate.refresh_from_db()
    assert certificate.state == CertificateState.ANNULLED
    assert certificate.annulled_why == CAUSE
    assert certificate.file is not None


def test_next_number_is_the_following_one(certificate, irene, ana):
    annul(certificate, irene, ana)
    assert make_certificate(irene).number == certificate.number + 1


def test_rejected_it_stays_in_force(certificate, irene, ana):
    annul(certificate, irene, ana, ReviewState.REJECTED, "El nombre está bien.")
    certificate.refresh_from_db()
    assert certificate.state == CertificateState.ISSUED


def test_annulled_twice_or_without_a_cause_is_refused(certificate, irene, ana):
    with pytest.raises(Refused, match="por qué"):
        ask(certificate, irene, cause=" ")
    annul(certificate, irene, ana)
    with pytest.raises(Refused, match="ya está anulado"):
        ask(certificate, irene)


def test_one_annulment_waits_at_a_time(certificate, irene):
    asked = ask(certificate, irene)
    with pytest.raises(Refused, match="ya espera revisión"):
        ask(certificate, irene)
    with refused_by("certificateannulment_one_under_way"):
        repeat(asked)
    with refused_by("certificateannulment_has_cause"):
        repeat(asked, cause="")
    with refused_by("certificateannulment_has_date"):
        repeat(asked, annulled_on=None)
    with refused_by("certificateannulment_kept"):
        strike_out(asked)


@pytest.mark.parametrize("name", ["aura", "bruno", "adela"])
def test_who_may_not_prepare_asks_for_no_annulment(certificate, name, request):
    with pytest.raises(Refused, match="Solo un analista"):
        ask(certificate, request.getfixturevalue(name))
    assert not CertificateAnnulment.objects.exists()


def test_database_keeps_an_annulled_certificate_annulled_with_its_why(certificate, irene, ana):
    with refused_by("certificate_annulled_says_why"):
        change(certificate, state="annulled")
    with refused_by("certificate_annulled_says_why"):
        change(certificate, annulled_why="Nada")
    annul(certificate, irene, ana)
    with refused_by("certificate_annulled_for_good"):
        change(certificate, state="issued", annulled_at=None, annulled_on=None, annulled_why="")


# Its legal date


def test_it_bears_the_date_that_was_typed_not_that_of_the_typing(certificate, irene, ana):
    annul(certificate, irene, ana)
    certificate.refresh_from_db()
    assert certificate.annulled_on == ANNULLED_ON
    assert [told["when"].split(" · ")[0] for told in timeline([certificate])][1:] == [
        "20/10/1995",
        "20/10/1995",
    ]


@pytest.mark.parametrize(
    ("day", "why"),
    [(ISSUED_ON - timedelta(days=1), "del 03/10/1995"), (date(2099, 1, 1), "futuro")],
)
def test_it_is_not_dated_before_the_certificate_nor_later_than_today(certificate, irene, day, why):
    with pytest.raises(Refused, match=why) as refusal:
        ask(certificate, irene, annulled_on=day)
    assert refusal.value.field == "annulled_on"
    ask(certificate, irene, annulled_on=ISSUED_ON)


def test_what_was_issued_after_the_act_that_annuls_it_falls_on_the_day_of_its_issue(certificate):
    certificate_annul(certificate, CAUSE, ISSUED_ON - timedelta(days=1))
    assert certificate.annulled_on == ISSUED_ON


def test_database_takes_no_annulment_before_the_issue(certificate):
    with refused_by("certificate_annulled_after_issue"):
        change(
            certificate,
            state="annulled",
            annulled_at=timezone.now(),
            annulled_on=ISSUED_ON - timedelta(days=1),
            annulled_why="Por prueba.",
        )


def test_what_takes_its_place_is_not_dated_before_its_annulment(certificate, irene, ana):
    annul(certificate, irene, ana)
    certificate.refresh_from_db()
    with pytest.raises(Refused, match="se anuló el 20/10/1995") as refusal:
        make_certificate(irene, legal_date=ANNULLED_ON - timedelta(days=1), replaces=certificate)
    assert refusal.value.field == "legal_date"
    anew = make_certificate(irene, legal_date=ANNULLED_ON, replaces=certificate)
    assert anew.replaces == certificate
