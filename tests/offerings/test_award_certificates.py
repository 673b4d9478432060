"""All that was issued for an award: what was annulled is found beside what took its place."""

from datetime import date

import pytest

from offerings.certificates import award_notice_issue, certificate_allotment_issue
from offerings.models import AwardCertificate
from offerings.selectors.certificates import certificates_of, certificates_visible
from office.annulments import certificate_annul
from office.models import Certificate
from tests.guards import change, refused_by, strike_out
from tests.offerings.paid import PAID_ON, make_awards, pay_in_full
from tests.offerings.rows import make_acceptance

ISSUED_ON = date(1995, 10, 3)


@pytest.fixture
def award(broker, closed_stage, irene, ana):
    award = make_awards([make_acceptance(closed_stage, 1, 10, broker=broker)], irene, ana)[0]
    pay_in_full(award, irene)
    return award


def issue(award, user):
    return certificate_allotment_issue(award_id=award.pk, user=user, legal_date=ISSUED_ON)


def test_those_annulled_one_after_another_stay_with_the_award(award, irene, aura):
    notice = award_notice_issue(award_id=award.pk, user=irene, legal_date=PAID_ON)
    issued = [notice]
    for _ in range(3):
        issued.append(issue(award, irene))
        certificate_annul(issued[-1], "Por prueba.", issued[-1].legal_date)
    issued.append(issue(award, irene))
    assert list(certificates_of(award, aura)) == issued
    assert issued[-1].replaces == issued[-2]


def test_its_broker_sees_the_annulled_ones_too_and_no_other_broker_does(award, irene, bruno, olga):
    first = issue(award, irene)
    certificate_annul(first, "Por prueba.", first.legal_date)
    second = issue(award, irene)
    assert list(certificates_visible(bruno)) == [second, first]
    assert not certificates_visible(olga).exists()


def test_database_keeps_what_was_issued_for_whom(award, irene):
    issue(award, irene)
    known = AwardCertificate.objects.get()
    with refused_by("awardcertificate_kept"):
        change(known, award_id=award.pk + 1)
    with refused_by("awardcertificate_kept"):
        strike_out(known)
    assert Certificate.objects.get().issued_for == known
