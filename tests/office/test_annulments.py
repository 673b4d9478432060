"""Certificates withdrawn: both states kept, the number never used again."""

import pytest

from office.annulments import certificate_annulment_decide, certificate_annulment_prepare
from office.certificates import certificate_draw
from office.models import CertificateAnnulment, CertificateState
from office.refusals import Refused
from office.review import ReviewState
from tests.guards import change, refused_by, repeat, strike_out
from tests.office.certificate_rows import make_certificate

CAUSE = "El nombre está mal escrito."


@pytest.fixture
def certificate(irene):
    return certificate_draw(make_certificate(irene).pk)


def annul(certificate, preparer, reviewer, outcome=ReviewState.APPROVED, reason=""):
    asked = certificate_annulment_prepare(
        certificate_id=certificate.pk, cause=CAUSE, user=preparer
    )
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
        certificate_annulment_prepare(certificate_id=certificate.pk, cause=" ", user=irene)
    annul(certificate, irene, ana)
    with pytest.raises(Refused, match="ya está anulado"):
        certificate_annulment_prepare(certificate_id=certificate.pk, cause=CAUSE, user=irene)


def test_one_annulment_waits_at_a_time(certificate, irene):
    asked = certificate_annulment_prepare(certificate_id=certificate.pk, cause=CAUSE, user=irene)
    with pytest.raises(Refused, match="ya espera revisión"):
        certificate_annulment_prepare(certificate_id=certificate.pk, cause=CAUSE, user=irene)
    with refused_by("certificateannulment_one_under_way"):
        repeat(asked)
    with refused_by("certificateannulment_has_cause"):
        repeat(asked, cause="")
    with refused_by("certificateannulment_kept"):
        strike_out(asked)


@pytest.mark.parametrize("name", ["aura", "bruno", "adela"])
def test_who_may_not_prepare_asks_for_no_annulment(certificate, name, request):
    with pytest.raises(Refused, match="Solo un analista"):
        certificate_annulment_prepare(
            certificate_id=certificate.pk, cause=CAUSE, user=request.getfixturevalue(name)
        )
    assert not CertificateAnnulment.objects.exists()


def test_database_keeps_an_annulled_certificate_annulled_with_its_why(certificate, irene, ana):
    with refused_by("certificate_annulled_says_why"):
        change(certificate, state="annulled")
    with refused_by("certificate_annulled_says_why"):
        change(certificate, annulled_why="Nada")
    annul(certificate, irene, ana)
    with refused_by("certificate_annulled_for_good"):
        change(certificate, state="issued", annulled_at=None, annulled_why="")
