"""Certificates of all that is paid, as a job: once each, and told when it was cut short."""

from datetime import date

import pytest

from offerings.certificates import (
    certificate_allotment_issue,
    certificates_issue,
    certificates_job_open,
)
from offerings.models import Award
from offerings.selectors.certificates import ALLOTMENT, Scope
from offerings.services.annulments import (
    adjudication_annulment_decide,
    adjudication_annulment_prepare,
)
from offerings.tasks import certificates_issue_paid_task
from office.models import Certificate, JobState
from office.refusals import Refused
from office.review import ReviewState
from tests.offerings.paid import make_awards, pay, pay_in_full
from tests.offerings.rows import make_acceptance

ISSUED_ON = date(1995, 10, 3)


@pytest.fixture
def awards(broker, closed_stage, irene, ana):
    """Ten, twenty and thirty shares, all unpaid."""
    acceptances = [make_acceptance(closed_stage, n, 10 * n, broker=broker) for n in (1, 2, 3)]
    return make_awards(acceptances, irene, ana)


@pytest.fixture
def award(awards, irene):
    """Ten shares, paid on 02/10/1995."""
    pay_in_full(awards[0], irene)
    return awards[0]


def issue(award, user, legal_date=ISSUED_ON):
    return certificate_allotment_issue(award_id=award.pk, user=user, legal_date=legal_date)


def scope_of(award):
    return Scope(programme=award.acceptance.stage.programme)


def test_all_that_is_paid_is_numbered_and_what_is_owed_is_not(awards, irene):
    for award in awards[:2]:
        pay_in_full(award, irene)
    told = []
    issued = certificates_issue(
        kind=ALLOTMENT,
        scope=scope_of(awards[0]),
        user=irene,
        legal_date=ISSUED_ON,
        report=lambda *far: told.append(far),
    )
    labels = [certificate.label for certificate in Certificate.objects.filter(pk__in=issued.pks)]
    assert sorted(labels) == ["ADJ-1995-000001", "ADJ-1995-000002"]
    assert told[-1] == (2, 2)
    assert Award.objects.get(pk=awards[2].pk).certificate is None


def test_what_was_paid_after_the_day_of_issue_waits(awards, irene):
    pay_in_full(awards[0], irene)
    pay(awards[1], irene, awards[1].total, "tarde", paid_on=date(1995, 10, 4))
    issued = certificates_issue(
        kind=ALLOTMENT, scope=scope_of(awards[0]), user=irene, legal_date=ISSUED_ON
    )
    assert len(issued.pks) == 1


@pytest.mark.django_db(transaction=True, databases=["default", "progress"])
def test_the_job_numbers_draws_and_delivered_twice_does_nothing_more(awards, irene):
    for award in awards:
        pay_in_full(award, irene)
    scope = scope_of(awards[0])
    job = certificates_job_open(kind=ALLOTMENT, scope=scope, user=irene, legal_date=ISSUED_ON)
    certificates_issue_paid_task(job.pk)
    files = list(Certificate.objects.order_by("pk").values_list("file", flat=True))
    certificates_issue_paid_task(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.DONE
    assert (job.progress.step, job.progress.done, job.progress.total) == (2, 3, 3)
    assert None not in files
    assert list(Certificate.objects.order_by("pk").values_list("file", flat=True)) == files


def test_what_is_issued_before_a_new_start_counts_with_what_comes_after(awards, irene):
    for award in awards[:2]:
        pay_in_full(award, irene)
    scope = scope_of(awards[0])
    job = certificates_job_open(kind=ALLOTMENT, scope=scope, user=irene, legal_date=ISSUED_ON)
    job.refresh_from_db()
    issue(awards[0], irene)
    told = []
    again = certificates_issue(
        kind=ALLOTMENT,
        scope=scope,
        user=irene,
        legal_date=ISSUED_ON,
        report=lambda *far: told.append(far),
        asked=job.arguments["count"],
        since=job.requested_at,
    )
    assert (told[0], told[-1]) == ((1, 2), (2, 2))
    assert again.cut_short == ""


@pytest.mark.django_db(transaction=True, databases=["default", "progress"])
def test_the_job_of_what_was_annulled_under_it_says_that_it_was_cut_short(awards, irene, ana):
    for award in awards:
        pay_in_full(award, irene)
    job = certificates_job_open(
        kind=ALLOTMENT, scope=scope_of(awards[0]), user=irene, legal_date=ISSUED_ON
    )
    issue(awards[0], irene)
    asked = adjudication_annulment_prepare(
        adjudication_id=awards[0].adjudication_id,
        ordered_by="Bolsa de Prueba",
        act="Acta de muestra 9",
        act_on=date(1995, 10, 20),
        cause="Por prueba.",
        user=irene,
    )
    adjudication_annulment_decide(annulment_id=asked.pk, user=ana, outcome=ReviewState.APPROVED)
    certificates_issue_paid_task(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert "se pidieron 3 y se expidieron 1. Sin expedir, 2: mientras tanto" in job.message
    assert (job.progress.steps["1"]["done"], job.progress.steps["1"]["total"]) == (1, 3)


@pytest.mark.django_db(transaction=True, databases=["default", "progress"])
def test_a_pdf_that_fails_keeps_its_number_and_is_drawn_when_the_job_starts_again(
    awards, irene, monkeypatch
):
    from office.jobs import job_restart
    from office.pdf import PdfError, render_pdf

    for award in awards[:2]:
        pay_in_full(award, irene)
    scope = scope_of(awards[0])
    job = certificates_job_open(kind=ALLOTMENT, scope=scope, user=irene, legal_date=ISSUED_ON)

    def broken(html, *, stylesheet):
        if "ADJ-1995-000001" in html:
            raise PdfError("Falta una letra.")
        return render_pdf(html, stylesheet=stylesheet)

    monkeypatch.setattr("office.certificates.render_pdf", broken)
    certificates_issue_paid_task(job.pk)
    job.refresh_from_db()
    first, second = Certificate.objects.order_by("number")
    assert (first.get_state_display(), second.get_state_display()) == ("Por generar", "Vigente")
    assert job.state == JobState.FAILED
    assert "ADJ-1995-000001: Falta una letra." in job.message

    monkeypatch.setattr("office.certificates.render_pdf", render_pdf)
    monkeypatch.setattr("office.jobs.job_enqueue", lambda job: None)
    job_restart(job_id=job.pk, user=irene)
    certificates_issue_paid_task(job.pk)
    first.refresh_from_db()
    assert (first.label, first.get_state_display()) == ("ADJ-1995-000001", "Vigente")


def test_a_second_request_while_the_job_waits_is_the_same_job(award, irene, mateo):
    scope = scope_of(award)
    jobs = {
        certificates_job_open(kind=ALLOTMENT, scope=scope, user=user, legal_date=ISSUED_ON).pk
        for user in (irene, mateo)
    }
    assert len(jobs) == 1


def test_a_job_for_nothing_is_refused(awards, irene):
    with pytest.raises(Refused, match="no hay adjudicaciones pagadas"):
        certificates_job_open(
            kind=ALLOTMENT, scope=scope_of(awards[0]), user=irene, legal_date=ISSUED_ON
        )
