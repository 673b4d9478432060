"""An act that waits for its review is told where it would be asked for, and is not asked for
twice."""

from datetime import date

import pytest
from django.urls import reverse

from office.review import ReviewState
from pledges.certificates import release_certificate_issue
from pledges.models import ReleaseAnnulment
from pledges.services.release_annulments import release_annulment_decide
from tests.pledges.early import find_breach, pending_readings, programme_of
from tests.pledges.release_rows import (
    ask_annulment,
    make_paid_request,
    prepare_early,
    release_early,
)
from tests.pledges.rows import make_pledge
from tests.pledges.test_request_closings import ask_to_close
from tests.pledges.two_person import pending_decision


@pytest.fixture
def pledge(irene, ana):
    return make_pledge(irene, ana, 10)


@pytest.fixture
def line(pledge, irene, ana):
    """Of an early exit with four of its ten shares, certified."""
    line = release_early(make_paid_request(pledge, irene, 4), irene, ana).lines.get()
    release_certificate_issue(line_id=line.pk, user=irene, legal_date=date(1997, 1, 24))
    line.refresh_from_db()
    return line


def read(client, person, name, *args):
    client.force_login(person)
    answer = client.get(reverse(name, args=args))
    assert answer.status_code == 200
    return answer.content.decode()


def led_to(client, person, name, *args):
    """Where the form leads instead of opening, and what it says."""
    client.force_login(person)
    answer = client.get(reverse(name, args=args), follow=True)
    return answer.redirect_chain[0][0], answer.content.decode()


# --- the annulment of a release ---


def pages_of(line):
    return [
        ("release", line.release_id),
        ("pledge", line.pledge_id),
        ("certificate", line.certificate_id),
    ]


def test_an_annulment_that_waits_is_linked_where_it_was_asked_for_and_offered_no_more(
    client, line, irene, ana, aura
):
    form = reverse("release_annul", args=[line.pk])
    assert [form in read(client, irene, *page) for page in pages_of(line)] == [True] * 3

    waiting = reverse("release_annulment", args=[ask_annulment(line, irene).pk])
    for person in (irene, ana, aura):
        for page in pages_of(line):
            told = read(client, person, *page)
            assert (waiting in told, "Anulación en revisión" in told) == (True, True), page
            assert form not in told, page


def test_its_form_opened_again_leads_to_the_one_that_waits_and_says_whose_it_is(
    client, line, irene, ana
):
    waiting = reverse("release_annulment", args=[ask_annulment(line, irene).pk])
    for name, pk in (("release_annul", line.pk), ("certificate_annul", line.certificate_id)):
        address, page = led_to(client, ana, name, pk)
        assert address == waiting
        assert "ya espera revisión" in page
    typed = {"annulled_on": "01/10/1997", "cause": "Otra vez.", "number": line.release.code}
    again = client.post(reverse("release_annul", args=[line.pk]), typed | {"paso": "confirmar"})
    assert again.url == waiting
    assert ReleaseAnnulment.objects.count() == 1


def test_its_page_leads_another_supervisor_to_its_approval_and_nobody_else(
    client, line, irene, ana, aura
):
    asked = ask_annulment(line, irene)
    approve = reverse("release_annulment_approve", args=[asked.pk])
    found = [
        approve in read(client, person, "release_annulment", asked.pk)
        for person in (ana, irene, aura)
    ]
    assert found == [True, False, False]
    assert "Solo un supervisor puede revisar" in read(client, irene, "release_annulment", asked.pk)


def test_sent_back_its_page_says_why_and_it_can_be_asked_for_again(client, line, irene, ana):
    asked = ask_annulment(line, irene)
    release_annulment_decide(
        annulment_id=asked.pk, user=ana, outcome=ReviewState.RETURNED, reason="Falta el oficio."
    )
    assert "«Falta el oficio.»" in read(client, irene, "release_annulment", asked.pk)
    page = read(client, irene, "release", line.release_id)
    assert "Anulación en revisión" not in page
    assert reverse("release_annul", args=[line.pk]) in page


# --- what is asked about a request, and a programme's readings ---


def test_a_closing_that_waits_is_told_with_its_review_and_its_form_leads_there(
    client, pledge, irene, ana
):
    request = find_breach(pledge, irene, 4)
    form = reverse("release_request_close", args=[request.pk])
    assert form in read(client, irene, "release_request", request.pk)
    closing = ask_to_close(request, irene)

    page = read(client, ana, "release_request", request.pk)
    assert reverse("release_request_closing_review", args=[closing.pk]) in page
    assert form not in page
    address, page = led_to(client, irene, "release_request_close", request.pk)
    assert address == reverse("release_request", args=[request.pk])
    assert f"El cierre de {request.code} ya espera revisión" in page


def test_a_decision_that_waits_is_told_with_its_review_and_its_form_leads_there(
    client, irene, ana
):
    decision = pending_decision(irene, ana)
    request = decision.request

    page = read(client, ana, "release_request", request.pk)
    assert reverse("fund_decision_review", args=[decision.pk]) in page
    assert reverse("fund_decision_new", args=[request.pk]) not in page
    address, page = led_to(client, irene, "fund_decision_new", request.pk)
    assert address == reverse("release_request", args=[request.pk])
    assert f"La decisión sobre {request.code} ya espera revisión" in page


def test_whoever_asked_for_one_act_of_a_request_reviews_the_other_alone(client, irene, ana):
    decision = pending_decision(irene, ana)
    closing = ask_to_close(decision.request, ana)

    page = read(client, ana, "release_request", decision.request_id)
    assert reverse("fund_decision_review", args=[decision.pk]) in page
    assert reverse("release_request_closing_review", args=[closing.pk]) not in page


def test_a_release_that_waits_is_linked_from_its_request(client, pledge, irene):
    request = make_paid_request(pledge, irene, 4)
    release = prepare_early(request, irene)
    page = read(client, irene, "release_request", request.pk)
    assert reverse("release", args=[release.pk]) in page
    assert reverse("release_new", args=[request.pk]) not in page
    address, page = led_to(client, irene, "release_new", request.pk)
    assert address == reverse("release", args=[release.pk])
    assert f"{release.code} ya espera revisión" in page


def test_readings_that_wait_are_told_with_their_review_and_their_form_leads_there(
    client, pledge, irene, ana
):
    programme = programme_of(pledge)
    version = pending_readings(programme, irene)
    review = reverse("penalty_readings_review", args=[version.pk])
    assert review in read(client, ana, "penalty_readings", programme.slug)
    address, page = led_to(client, irene, "penalty_readings_new", programme.slug)
    assert address == reverse("penalty_readings", args=[programme.slug])
    assert "La versión 1 ya espera revisión" in page
