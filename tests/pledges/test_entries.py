"""All of a programme's pledges are entered in the register at once, as a job."""

from datetime import date

import pytest
from django.urls import reverse

from office.models import Decision, Job, JobState
from office.refusals import Refused
from pledges.models import Pledge
from pledges.services import entries
from pledges.services.entries import ListEntered, pledges_enter, pledges_enter_job_open
from pledges.services.pledges import pledge_enter
from pledges.tasks import pledges_enter_task
from tests.pledges.rows import make_pledges

LIST = ListEntered("Depósito de Prueba", "Lista 7", date(1995, 10, 9))


@pytest.fixture
def pledges(irene, ana):
    """Three, of which the first is entered alone."""
    made = make_pledges(irene, ana, (10, 20, 30))
    pledge_enter(
        pledge_id=made[0].pk, user=irene, kept_by="Libro de Prueba", reference="Folio 1",
        entered_on=date(1995, 10, 3),
    )  # fmt: skip
    return made


@pytest.fixture
def programme(pledges):
    return pledges[0].award.acceptance.stage.programme


def references():
    return list(Pledge.objects.order_by("pk").values_list("entry_reference", flat=True))


def test_what_is_lacking_is_entered_and_what_was_entered_stays(pledges, programme, irene):
    assert pledges_enter(programme=programme, user=irene, entry=LIST) == 2
    assert references() == ["Folio 1", "Lista 7", "Lista 7"]
    assert pledges_enter(programme=programme, user=irene, entry=LIST) == 0
    told = Decision.objects.get(act="pledge_enter", subject_id=pledges[2].pk)
    assert "Depósito de Prueba: Lista 7" in told.sentence


def test_cut_short_it_goes_on_where_it_was(pledges, programme, irene, monkeypatch):
    monkeypatch.setattr(entries, "CHUNK", 1)

    def stop(done, total):
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pledges_enter(programme=programme, user=irene, entry=LIST, report=stop)
    assert references() == ["Folio 1", "Lista 7", ""]
    assert pledges_enter(programme=programme, user=irene, entry=LIST) == 1


@pytest.mark.parametrize(
    ("day", "why"),
    [(date(1995, 10, 1), "se constituyó el 02/10/1995"), (date(2090, 1, 1), "futuro")],
)
def test_a_day_before_the_last_of_them_or_to_come_is_refused(programme, irene, day, why):
    entry = ListEntered("Depósito de Prueba", "Lista 7", day)
    with pytest.raises(Refused, match=why) as refusal:
        pledges_enter_job_open(programme_id=programme.pk, user=irene, entry=entry)
    assert refusal.value.field == "entered_on"


def test_it_is_asked_for_on_its_screen_and_done_once(client, programme, irene):
    client.force_login(irene)
    address = reverse("pledges_enter", args=[programme.slug])
    typed = {"kept_by": "Depósito de Prueba", "reference": "Lista 7", "entered_on": "09/10/1995"}
    assert "Anotar 2 prendas" in client.post(address, typed | {"paso": "revisar"}).content.decode()
    for _ in range(2):
        client.post(address, typed | {"paso": "confirmar"})
    assert (Job.objects.get().kind, Job.objects.get().state) == ("pledges_enter", JobState.QUEUED)


def test_where_all_are_entered_it_is_said(client, programme, irene):
    pledges_enter(programme=programme, user=irene, entry=LIST)
    client.force_login(irene)
    told = client.get(reverse("pledges_enter", args=[programme.slug]), follow=True)
    assert "todas sus prendas están anotadas" in told.content.decode()
    with pytest.raises(Refused, match="están anotadas"):
        pledges_enter_job_open(programme_id=programme.pk, user=irene, entry=LIST)


def test_an_auditor_enters_nothing(programme, aura):
    with pytest.raises(Refused, match="Solo un analista o un supervisor"):
        pledges_enter(programme=programme, user=aura, entry=LIST)


@pytest.mark.django_db(transaction=True, databases=["default", "progress"])
def test_the_task_enters_once_however_often_it_is_delivered(programme, irene):
    job = pledges_enter_job_open(programme_id=programme.pk, user=irene, entry=LIST)
    pledges_enter_task(job.pk)
    pledges_enter_task(job.pk)
    job.refresh_from_db()
    assert (job.state, job.message) == (JobState.DONE, "Se anotaron 2 prendas.")
