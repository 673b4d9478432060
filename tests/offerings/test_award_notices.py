"""The notice of award: what is due, until when, with which reference; once, or anew."""

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.db import connection

from offerings.certificates import award_notice_issue, certificates_job_open, notice_facts
from offerings.decrees.reader import terms_as_data, terms_from_data
from offerings.enums import DefaultMeasure
from offerings.models import Award
from offerings.rules.payment_reference import payment_reference
from offerings.selectors.certificates import NOTICE, Scope
from offerings.services.defaults import award_default_decide, award_default_prepare
from offerings.tasks import certificates_issue_paid_task
from office.annulments import certificate_annul
from office.certificates import certificate_html
from office.models import Certificate, CertificateState, JobState
from office.refusals import Refused
from office.review import ReviewState
from office.words import amount_phrase
from tests.offerings.paid import SESSION, make_awards, pay
from tests.offerings.rows import make_acceptance

ISSUED_ON = date(1995, 9, 18)


@pytest.fixture
def awards(broker, other_broker, closed_stage, irene, ana):
    """Ten shares through one broker, twenty and thirty through another."""
    brokers = (broker, other_broker, other_broker)
    acceptances = [
        make_acceptance(closed_stage, n, 10 * n, broker=brokers[n - 1]) for n in (1, 2, 3)
    ]
    return make_awards(acceptances, irene, ana)


def issue(award, user, legal_date=ISSUED_ON):
    return award_notice_issue(award_id=award.pk, user=user, legal_date=legal_date)


def test_it_has_a_series_of_its_own_and_says_what_is_due_until_when(awards, irene):
    notice = issue(awards[0], irene)
    assert notice.label == "CON-1995-000001"
    assert Award.objects.get(pk=awards[0].pk).notice == notice
    facts = notice.facts
    assert facts["award"]["total"] == "606.00"
    assert facts["payment"] == {
        "reference": payment_reference(awards[0].pk),
        "last_day": "1995-10-15",
        "days": 30,
        "guarantee": True,
        "cites": ["art. 13"],
    }
    assert facts["credit"] == {"cites": ["art. 7"]}


def test_where_no_term_is_set_it_says_so(awards, irene):
    award = awards[0]
    terms = replace(terms_from_data(award.adjudication.terms), payment=None)
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")  # past what the database keeps
        type(award.adjudication).objects.filter(pk=award.adjudication_id).update(
            terms=terms_as_data(terms)
        )
        cursor.execute("SET session_replication_role = DEFAULT")
    notice = issue(Award.objects.get(pk=award.pk), irene)
    assert "last_day" not in notice.facts["payment"]
    html = certificate_html(Certificate.objects.select_related("series").get(pk=notice.pk))
    assert "no consta" in html
    assert "a más tardar" not in html


def test_what_was_paid_before_it_is_told_and_only_then(awards, irene):
    assert notice_facts(awards[0], ISSUED_ON)["paid"] == "0.00"
    pay(awards[0], irene, "60.60", paid_on=ISSUED_ON)
    html = certificate_html(issue(awards[0], irene))
    left = amount_phrase(awards[0].total - Decimal("60.60"))
    assert "sesenta pesos con sesenta centavos ($60,60), que ya se descontó" in html
    assert f"de los cuales debe pagar todavía <b>{left}</b> a más tardar el" in html


def test_what_was_paid_after_its_day_is_not_in_it(awards, irene):
    pay(awards[0], irene, "60.60", paid_on=ISSUED_ON + timedelta(days=1))
    assert issue(awards[0], irene).facts["paid"] == "0.00"
    pay(awards[1], irene, "60.60", "Consignación 2", paid_on=ISSUED_ON)
    assert issue(awards[1], irene).facts["paid"] == "60.60"


def test_asked_twice_it_is_the_same_and_after_its_annulment_another(awards, irene, mateo):
    first = issue(awards[0], irene)
    assert issue(awards[0], mateo) == first
    certificate_annul(first, "El nombre está mal escrito.", first.legal_date)
    second = issue(awards[0], irene)
    assert (second.label, second.replaces) == ("CON-1995-000002", first)


@pytest.mark.parametrize(("state", "why"), [("pending", "no está aprobada")])
def test_before_the_approval_there_is_none(closed_stage, irene, ana, state, why):
    award = make_awards([make_acceptance(closed_stage, 1, 10)], irene, ana, state=state)[0]
    with pytest.raises(Refused, match=why):
        issue(award, irene)


def test_it_is_not_dated_before_the_session(awards, irene):
    with pytest.raises(Refused, match="15/09/1995"):
        issue(awards[0], irene, date(1995, 9, 14))
    assert issue(awards[0], irene, SESSION)


@pytest.mark.parametrize("person", ["aura", "adela", "root", "bruno"])
def test_who_may_not_prepare_issues_none(awards, person, request):
    with pytest.raises(Refused, match="analista o un supervisor"):
        issue(awards[0], request.getfixturevalue(person))


def test_of_an_undone_award_the_notice_is_annulled(awards, irene, ana):
    notice = issue(awards[0], irene)
    proposed = award_default_prepare(
        award_id=awards[0].pk, measure=DefaultMeasure.UNDO, decided_on=date(1995, 10, 16),
        cause="No pagó.", user=irene,
    )  # fmt: skip
    award_default_decide(default_id=proposed.pk, user=ana, outcome=ReviewState.APPROVED)
    notice.refresh_from_db()
    assert notice.state == CertificateState.ANNULLED
    assert "16/10/1995" in notice.annulled_why


# As a job


@pytest.mark.django_db(transaction=True, databases=["default", "progress"])
def test_the_job_of_a_broker_issues_its_own_and_again_nothing_more(
    awards, irene, mateo, other_broker
):
    scope = Scope(broker=other_broker)
    jobs = {
        certificates_job_open(kind=NOTICE, scope=scope, user=user, legal_date=ISSUED_ON)
        for user in (irene, mateo)
    }
    job = jobs.pop()
    assert not jobs
    for _ in range(2):
        certificates_issue_paid_task(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.DONE
    issued = Certificate.objects.order_by("number")
    assert [one.label for one in issued] == ["CON-1995-000001", "CON-1995-000002"]
    assert all(one.state == CertificateState.ISSUED for one in issued)
    assert {one.noticed_award for one in issued} == set(awards[1:])
    with pytest.raises(Refused, match="no hay aceptaciones adjudicadas"):
        certificates_job_open(kind=NOTICE, scope=scope, user=irene, legal_date=ISSUED_ON)


def test_a_job_of_everything_is_refused(awards, irene):
    with pytest.raises(Refused, match="Elija un programa"):
        certificates_job_open(kind=NOTICE, scope=Scope(), user=irene, legal_date=ISSUED_ON)
