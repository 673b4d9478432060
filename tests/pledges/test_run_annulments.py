"""The annulment of an adjudication meets its pledges: they go with it, or it is refused with what
has to be undone first."""

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from threading import Event
from uuid import uuid4

import pytest
from django.db import connections, transaction
from django.urls import reverse

from offerings.models import AdjudicationAnnulment
from offerings.services.annulments import (
    adjudication_annulment_decide,
    adjudication_annulment_prepare,
)
from office.models import Decision
from office.refusals import Refused
from office.review import ReviewState
from pledges.enums import PledgeState, Rank
from pledges.models import Pledge, ShareholderRights, Transfer
from pledges.services.pledges import PledgeEntry, pledge_locked, pledge_open
from tests.offerings.rows import make_buyer
from tests.pledges.release_rows import (
    annul,
    attach,
    detach,
    make_paid_request,
    prepare_term,
    release_at_term,
    release_early,
    sell,
)
from tests.pledges.rows import make_pledges

ORDER = {
    "ordered_by": "Bolsa de Prueba",
    "act": "Resolución 9",
    "act_on": date(1997, 10, 20),
    "cause": "La sesión no tuvo quórum.",
}


@pytest.fixture
def pledges(irene, ana):
    return make_pledges(irene, ana, (10, 20))


@pytest.fixture
def run(pledges):
    return pledges[0].award.adjudication


def ask(run, user):
    return adjudication_annulment_prepare(adjudication_id=run.pk, user=user, **ORDER)


def approve(asked, user):
    return adjudication_annulment_decide(
        annulment_id=asked.pk, user=user, outcome=ReviewState.APPROVED
    )


@transaction.atomic
def inherit(pledge, user, shares):
    """Shares that pass to an heir, with the pledge that follows them."""
    held = pledge_locked(pledge.pk)
    held.passed_on += shares
    if held.passed_on == held.shares:
        held.state = PledgeState.PASSED_ON
    held.save()
    heir = make_buyer(user, 900)
    own = Pledge.objects.create(
        award=pledge.award, holder=heir, shares=shares, price=pledge.price,
        purchased_on=pledge.purchased_on, opened_on=date(1996, 5, 2), last_day=pledge.last_day,
        rank=pledge.rank, inherited_from=pledge, opened_by=user,
    )  # fmt: skip
    Transfer.objects.create(
        pledge=pledge, kind="inheritance", transferred_on=date(1996, 5, 2), shares=shares,
        to_buyer=heir, to_name=heir.name, proof="Sentencia de prueba", heir_pledge=own,
        recorded_by=user,
    )  # fmt: skip
    return own


@transaction.atomic
def close(request):
    held = pledge_locked(request.pledge_id)
    held.in_process -= request.shares
    held.save()
    request.state, request.ended_why = "closed", "Se anula la adjudicación."
    request.save()


def test_pledges_that_nothing_stands_on_go_with_their_adjudication(run, pledges, irene, ana):
    heir = inherit(pledges[0], irene, 10)
    approve(ask(run, irene), ana)

    states = Pledge.objects.values_list("state", flat=True)
    assert list(states) == [PledgeState.ANNULLED] * 3
    assert not any(one.pledged for one in Pledge.objects.all())
    told = Decision.objects.get(act="adjudication_annulment_approved").sentence
    assert told.endswith("; quedaron sin efecto 3 prendas.")
    of_heir = Decision.objects.get(act="pledge_annulled_with_run", subject_id=heir.pk)
    assert "se anuló AD-" in of_heir.sentence


@pytest.mark.parametrize("when", ["asked for", "approved"])
def test_what_stands_on_the_shares_is_undone_first_in_the_order_that_is_told(
    run, pledges, irene, ana, when
):
    asked = ask(run, irene) if when == "approved" else None
    line = release_at_term(run.stage.programme, irene, ana).lines.get(pledge=pledges[0])
    request = asked_of_the_other(pledges[1], irene, ana)
    held = attach(pledges[1], irene, 5)
    ShareholderRights.objects.create(
        pledge=pledges[1], cause="default", detail="Prueba", since=date(1996, 5, 2),
        recorded_by=irene,
    )  # fmt: skip

    def refused():
        with pytest.raises(Refused) as refusal:
            approve(asked, ana) if asked else ask(run, irene)
        return refusal.value.message

    told = refused()
    order = [
        f"1) anule los levantamientos, del último al primero: {line.release.code}",
        f"2) cierre las solicitudes: {request.code}",
        f"3) registre que se levantaron las medidas: oficio 77 sobre {pledges[1].code}",
        f"4) termine el ejercicio de derechos del Fondo: {pledges[1].code}",
    ]
    places = [told.index(words) for words in order]
    assert places == sorted(places)
    assert set(Pledge.objects.values_list("state", flat=True)) != {PledgeState.ANNULLED}

    annul(line, irene, ana)
    close(request)
    detach(held, irene)
    assert "1) termine el ejercicio de derechos" in refused()
    ShareholderRights.objects.update(until=date(1997, 10, 1), ended_why="Prueba", ended_by=irene)
    approve(asked or ask(run, irene), ana)
    assert set(Pledge.objects.values_list("state", flat=True)) == {PledgeState.ANNULLED}


def asked_of_the_other(pledge, irene, ana):
    """On foot, for half of a pledge whose own release was annulled."""
    for line in pledge.release_lines.filter(state="done"):
        annul(line, irene, ana)
    return make_paid_request(pledge, irene, 10)


def test_shares_that_passed_to_another_leave_no_way_back(run, pledges, irene, ana):
    request = make_paid_request(pledges[0], irene, 4)
    sell(request, irene)
    release_early(request, irene, ana)

    with pytest.raises(Refused, match=f"{pledges[0].code} ya pasaron a otros"):
        ask(run, irene)


def test_a_release_that_is_not_finished_is_told(run, pledges, irene):
    release = prepare_term(run.stage.programme, irene)
    with pytest.raises(Refused, match=f"no han terminado: {release.code}"):
        ask(run, irene)


def test_the_review_shows_the_pledges_that_go_and_what_is_in_the_way(
    run, pledges, client, irene, ana
):
    asked = ask(run, irene)
    client.force_login(ana)
    address = reverse("adjudication_annulment_approve", args=[asked.pk])
    assert "2 prendas, de 30 acciones" in client.get(address).content.decode()

    attach(pledges[0], irene, 5)
    page = client.get(address).content.decode()
    assert "Antes hay que deshacer" in page
    refused = client.post(address, {"number": run.code, "reason": ""})
    assert refused.status_code == 422
    assert "registre que se levantaron las medidas" in refused.content.decode()


@pytest.mark.django_db(transaction=True)
def test_a_pledge_that_waited_for_the_annulment_is_not_opened(run, pledges, irene, ana):
    """Of an award whose pledge is being annulled, another is asked for meanwhile."""
    asked = ask(run, irene)
    held = Event()

    def open_now():
        held.wait(10)
        try:
            entry = PledgeEntry(rank=Rank.FIRST)
            return pledge_open(award_id=pledges[0].award_id, user=irene, entry=entry).state
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            approve(asked, ana)
            held.set()
            waiting = pool.submit(open_now)
            time.sleep(0.5)
            assert not waiting.done()
        assert waiting.result(20) == PledgeState.ANNULLED
    assert Pledge.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_an_heir_s_pledge_made_while_the_annulment_waits_goes_too(run, pledges, irene, ana):
    """Neither waits for the other for ever: the annulment holds the award, the heir's act the
    pledge."""
    asked = ask(run, irene)
    inherits = Event()

    def annul_now():
        inherits.wait(10)
        try:
            return approve(asked, ana).review_state
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            pledge_locked(pledges[0].pk)
            waiting = pool.submit(annul_now)
            inherits.set()
            time.sleep(1)
            assert not waiting.done()
            inherit(pledges[0], irene, 4)
        assert waiting.result(20) == ReviewState.APPROVED
    assert set(Pledge.objects.values_list("state", flat=True)) == {PledgeState.ANNULLED}
    assert Pledge.objects.count() == 3


@pytest.mark.django_db(transaction=True)
def test_an_attachment_that_came_first_stops_the_annulment(run, pledges, irene, ana):
    asked = ask(run, irene)
    attached = Event()

    def annul_now():
        attached.wait(10)
        try:
            approve(asked, ana)
        except Refused as refusal:
            return refusal.message
        finally:
            connections.close_all()
        return "annulled"

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            attach(pledges[0], irene, 5, number=f"O-{uuid4().hex[:6]}")
            attached.set()
            waiting = pool.submit(annul_now)
            time.sleep(1)
            assert not waiting.done()
        assert "registre que se levantaron las medidas" in waiting.result(20)
    assert AdjudicationAnnulment.objects.get().review_state == ReviewState.PENDING
