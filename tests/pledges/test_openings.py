"""Pledges of all that is paid in a programme, as a job; one by one on their screens."""

from dataclasses import replace
from datetime import date
from uuid import uuid4

import pytest
from django.urls import reverse

from offerings.decrees.reader import terms_of
from offerings.models import Programme
from offerings.rules.terms import Cited, PledgeRank
from offerings.services.payments import PaymentEntry, payment_record
from office.models import Decision, Job, JobState
from office.refusals import Refused
from pledges.enums import Rank
from pledges.models import Pledge
from pledges.selectors.opening import awards_to_pledge, programmes_to_pledge
from pledges.services import openings
from pledges.services.openings import pledges_job_open, pledges_open
from pledges.services.pledges import PledgeEntry, pledge_open
from pledges.tasks import pledges_open_task
from tests.offerings.paid import FUND, entry, make_awards, pay, pay_in_full
from tests.offerings.rows import SLUG, make_acceptances, make_stage

FIRST = PledgeEntry(rank=Rank.FIRST)


def paid_awards(irene, ana, rank="first"):
    """Four, two of them wholly paid, one in part; `rank`: what the Fund says of pledges."""
    stage = make_stage(irene, ana, supply=100, closed=True)
    said = Cited(PledgeRank(rank), "Acto de prueba 2 de 1995")
    terms = replace(terms_of(SLUG, FUND), pledge_rank=said)
    awards = make_awards(make_acceptances(stage, [10, 20, 30, 40]), irene, ana, terms=terms)
    pay_in_full(awards[0], irene)
    pay_in_full(awards[1], irene)
    pay(awards[2], irene, "60.60")
    return awards


@pytest.fixture
def awards(irene, ana):
    return paid_awards(irene, ana)


@pytest.fixture
def programme(awards):
    return awards[0].acceptance.stage.programme


@pytest.fixture
def inside(client, irene):
    client.force_login(irene)
    return client


def test_what_is_paid_and_has_no_pledge_waits_for_it(awards, programme, irene):
    assert list(awards_to_pledge().order_by("pk")) == awards[:2]
    assert programmes_to_pledge() == [(programme, 2)]

    pledge_open(award_id=awards[0].pk, user=irene, entry=FIRST)
    assert list(awards_to_pledge()) == [awards[1]]


def test_the_job_pledges_what_is_paid_each_with_its_decision(awards, programme, irene):
    assert pledges_open(programme=programme, user=irene, entry=FIRST) == 2

    pledges = Pledge.objects.order_by("pk")
    assert [pledge.shares for pledge in pledges] == [10, 20]
    assert {pledge.last_day for pledge in pledges} == {date(1997, 9, 15)}
    told = Decision.objects.filter(act="pledge_open", subject_id=pledges[1].pk).get()
    assert "20 acciones, en primer grado, hasta el 15/09/1997" in told.sentence


def test_cut_short_it_keeps_what_it_did_and_goes_on_from_there(
    awards, programme, irene, monkeypatch
):
    monkeypatch.setattr(openings, "CHUNK", 1)

    def stop(done, total):
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pledges_open(programme=programme, user=irene, entry=FIRST, report=stop)
    assert Pledge.objects.count() == 1

    assert pledges_open(programme=programme, user=irene, entry=FIRST) == 1
    assert pledges_open(programme=programme, user=irene, entry=FIRST) == 0
    assert Pledge.objects.count() == 2


def test_asked_twice_there_is_one_job(awards, programme, irene, ana):
    asked = pledges_job_open(programme_id=programme.pk, user=irene, entry=FIRST)
    assert pledges_job_open(programme_id=programme.pk, user=ana, entry=FIRST) == asked


def test_an_auditor_opens_no_job(programme, aura):
    with pytest.raises(Refused, match="Solo un analista o un supervisor"):
        pledges_job_open(programme_id=programme.pk, user=aura, entry=FIRST)


def test_a_second_rank_names_its_lender(irene, ana):
    programme = paid_awards(irene, ana, "second")[0].acceptance.stage.programme
    second = PledgeEntry(rank=Rank.SECOND)
    with pytest.raises(Refused, match="escriba quién tiene el primero") as refusal:
        pledges_job_open(programme_id=programme.pk, user=irene, entry=second)
    assert refusal.value.field == "lender"

    behind = PledgeEntry(rank=Rank.SECOND, lender="Banco de Prueba")
    assert pledges_open(programme=programme, user=irene, entry=behind) == 2
    assert set(Pledge.objects.values_list("lender", flat=True)) == {"Banco de Prueba"}


def test_where_the_programme_has_no_pledge_it_is_said(irene, ana, inside):
    awards = paid_awards(irene, ana, "none")
    programme = awards[0].acceptance.stage.programme

    assert not awards_to_pledge().exists()
    with pytest.raises(Refused, match="no se pignoran"):
        pledge_open(award_id=awards[0].pk, user=irene, entry=FIRST)
    for address in (
        reverse("pledges_open", args=[programme.slug]),
        reverse("pledge_new", args=[awards[0].pk]),
    ):
        told = inside.get(address, follow=True).content.decode()
        assert "las acciones no se pignoran" in told


def test_money_over_what_was_due_does_not_delay_the_pledge(awards, irene):
    over = entry("5.00", "Consignación de más", paid_on=date(1995, 10, 20))
    payment_record(
        award_id=awards[0].pk,
        user=irene,
        entry=PaymentEntry(**{**vars(over), "gives_back": True}),
        submission_key=uuid4(),
    )

    pledge = pledge_open(award_id=awards[0].pk, user=irene, entry=FIRST)
    assert pledge.opened_on == date(1995, 10, 2)


def test_an_award_leads_to_its_pledge_and_before_to_its_opening(awards, inside):
    address = reverse("payment_award", args=[awards[0].pk])
    opens = reverse("pledge_new", args=[awards[0].pk])
    assert opens in inside.get(address).content.decode()
    assert opens not in inside.get(reverse("payment_award", args=[awards[2].pk])).content.decode()

    review = inside.post(opens, {"rank": "first", "lender": "", "paso": "revisar"})
    assert "10 acciones" in review.content.decode()
    assert not Pledge.objects.exists()
    for _ in range(2):
        answer = inside.post(opens, {"rank": "first", "lender": "", "paso": "confirmar"})
    pledge = Pledge.objects.get()
    assert answer["Location"] == reverse("pledge", args=[pledge.pk])
    assert pledge.code in inside.get(address).content.decode()


def test_the_programme_s_form_opens_a_job_that_pledges(awards, programme, inside):
    address = reverse("pledges_open", args=[programme.slug])
    review = inside.post(address, {"rank": "first", "lender": "", "paso": "revisar"})
    assert "Constituir 2 prendas" in review.content.decode()

    inside.post(address, {"rank": "first", "lender": "", "paso": "confirmar"})
    job = Job.objects.get()
    assert (job.kind, job.state) == ("pledges_open", JobState.QUEUED)


def test_where_all_that_is_paid_is_pledged_it_is_said(awards, programme, inside, irene):
    pledges_open(programme=programme, user=irene, entry=FIRST)
    told = inside.get(reverse("pledges_open", args=[programme.slug]), follow=True)
    assert "todo lo pagado tiene ya su prenda" in told.content.decode()


@pytest.mark.django_db(transaction=True, databases=["default", "progress"])
def test_the_task_pledges_once_however_often_it_is_delivered(awards, programme, irene):
    job = pledges_job_open(programme_id=programme.pk, user=irene, entry=FIRST)
    pledges_open_task(job.pk)
    pledges_open_task(job.pk)

    job.refresh_from_db()
    assert (job.state, job.message) == (JobState.DONE, "Se constituyeron 2 prendas.")
    assert Pledge.objects.count() == 2
    assert Programme.objects.get() == programme


def test_the_entry_is_recorded_on_its_screen_and_corrected(awards, inside, irene):
    pledge = pledge_open(award_id=awards[0].pk, user=irene, entry=FIRST)
    address = reverse("pledge_enter", args=[pledge.pk])
    typed = {"kept_by": "Depósito de Prueba", "reference": "A-1", "entered_on": "03/10/1995"}

    early = inside.post(address, typed | {"entered_on": "01/10/1995", "paso": "revisar"})
    assert early.status_code == 422
    assert "no puede ser anterior a la prenda" in early.content.decode()
    assert inside.post(address, typed | {"paso": "revisar"}).status_code == 200
    inside.post(address, typed | {"paso": "confirmar"})
    inside.post(address, typed | {"reference": "A-2", "paso": "confirmar"})

    pledge.refresh_from_db()
    assert pledge.entry_reference == "A-2"
    page = inside.get(reverse("pledge", args=[pledge.pk])).content.decode()
    assert "Depósito de Prueba, A-2, 03/10/1995" in page
    assert "en lugar de A-1" in page
