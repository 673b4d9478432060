"""Screens of awards that were not paid in time: the list, the proposal, the review by another."""

from datetime import date

import pytest
from django.urls import reverse

from config import queue
from config.money import money_waiting
from offerings.enums import DefaultMeasure
from offerings.models import AwardDefault
from offerings.services.defaults import award_default_decide, award_default_prepare
from office.review import ReviewState
from tests.offerings.paid import make_awards, pay, pay_in_full
from tests.offerings.rows import make_acceptances

AFTER = "1995-10-16 08:00:00-05:00"  # the last day is 15 October
ON_THE_DAY = "1995-10-15 23:59:00-05:00"


@pytest.fixture
def awards(closed_stage, irene, ana):
    return make_awards(make_acceptances(closed_stage, [100, 50]), irene, ana)


@pytest.fixture
def award(awards):
    return awards[0]


def typed(**changes):
    return {
        "measure": "undo",
        "decided_on": "16/10/1995",
        "cause": "No consta ningún pago.",
        **changes,
    }


def propose(award, user, measure=DefaultMeasure.UNDO):
    return award_default_prepare(
        award_id=award.pk,
        measure=measure,
        decided_on=date(1995, 10, 16),
        cause="No pagó.",
        user=user,
    )


def shown(client, person, name, *args, **query):
    client.force_login(person)
    answer = client.get(reverse(name, args=args), query)
    assert answer.status_code == 200
    return answer.content.decode()


def test_award_is_overdue_from_the_day_after_the_last_and_stays_due(
    client, awards, irene, time_machine
):
    pay_in_full(awards[1], irene)
    time_machine.move_to(ON_THE_DAY, tick=False)
    assert awards[0].acceptance.code not in shown(client, irene, "payments", vista="vencidas")
    time_machine.move_to(AFTER, tick=False)
    text = shown(client, irene, "payments", vista="vencidas")
    assert awards[0].acceptance.code in text
    assert awards[1].acceptance.code not in text
    assert "Vencida" in text
    assert reverse("default_new", args=[awards[0].pk]) in text
    assert not AwardDefault.objects.exists()


def test_proposal_tells_before_what_it_will_do(client, award, irene):
    pay(award, irene, "60.60")
    client.force_login(irene)
    address = reverse("default_new", args=[award.pk])
    page = client.post(address, typed()).content.decode()
    assert "queda sin efecto para siempre" in page
    assert "sesenta pesos con sesenta centavos ($60,60)" in page
    claim = client.post(address, typed(measure="claim")).content.decode()
    assert "Lo adjudicado se sigue debiendo." in claim
    assert not AwardDefault.objects.exists()


def test_confirmed_proposal_waits_for_another_supervisor(client, award, irene, ana, tomas):
    client.force_login(ana)
    client.post(reverse("default_new", args=[award.pk]), typed(paso="confirmar"))
    proposed = AwardDefault.objects.get()
    assert not queue.acts_to_review(ana)
    assert "Espera revisión" in shown(client, ana, "payments", vista="vencidas")
    [row] = queue.acts_to_review(tomas)
    assert row["url"] == reverse("default_review", args=[proposed.pk])
    assert row["label"] == f"Falta de pago de {award.acceptance.code}"
    assert "Usted lo preparó" in shown(client, ana, "default_review", proposed.pk)


def test_approved_by_another_the_award_is_without_effect(client, award, irene, ana):
    pay(award, irene, "60.60")
    proposed = propose(award, irene)
    client.force_login(ana)
    answer = client.post(
        reverse("default_review", args=[proposed.pk]),
        {"decision": "aprobar", "reason": "", "number": award.acceptance.code.lower()},
    )
    assert answer.headers["location"] == reverse("default", args=[proposed.pk])
    done = shown(client, ana, "default", proposed.pk)
    assert f"Solo {award.acceptance.code} queda sin efecto" in done
    assert "Debía" in done
    assert "$5.999,40" in done  # 100 shares at 60,60, less what was paid
    page = shown(client, ana, "payment_award", award.pk)
    assert "Sin efecto" in page
    assert "Quedó sin efecto por falta de pago, por acto del 16/10/1995" in page
    assert "Sin efecto" in shown(client, ana, "acceptance", award.acceptance_id)
    assert "Sin efecto" in shown(client, ana, "award", award.pk)
    assert "Quedó sin efecto por falta de pago" in shown(client, ana, "refunds")


@pytest.mark.parametrize("number", ["", "A-000002", "AD-000001"])
def test_it_is_left_without_effect_where_its_own_number_is_typed_alone(
    client, award, irene, ana, number
):
    proposed = propose(award, irene)
    client.force_login(ana)
    address = reverse("default_review", args=[proposed.pk])
    assert award.acceptance.code in client.get(address).content.decode()
    page = client.post(address, {"decision": "aprobar", "reason": "Visto.", "number": number})
    assert page.status_code == 422
    assert page.context["form"].errors.keys() == {"number"}
    assert "Visto." in page.content.decode()
    proposed.refresh_from_db()
    assert proposed.review_state == ReviewState.PENDING


def test_a_claim_asks_for_no_number(client, award, irene, ana):
    proposed = propose(award, irene, DefaultMeasure.CLAIM)
    client.force_login(ana)
    address = reverse("default_review", args=[proposed.pk])
    assert "number" not in client.get(address).context["form"].fields
    client.post(address, {"decision": "aprobar", "reason": ""})
    proposed.refresh_from_db()
    assert proposed.review_state == ReviewState.APPROVED


def test_claimed_award_is_said_to_be_claimed_and_can_still_be_paid(client, award, irene, ana):
    proposed = propose(award, irene, DefaultMeasure.CLAIM)
    award_default_decide(default_id=proposed.pk, user=ana, outcome=ReviewState.APPROVED)
    for name, pk in (
        ("payment_award", award.pk),
        ("acceptance", award.acceptance_id),
        ("award", award.pk),
    ):
        assert "Reclamada" in shown(client, irene, name, pk)
    assert reverse("payment_new", args=[award.pk]) in shown(
        client, irene, "payment_award", award.pk
    )


def test_sent_back_it_is_shown_to_who_prepared_it_until_it_is_proposed_again(
    client, award, irene, ana
):
    proposed = propose(award, irene)
    client.force_login(ana)
    address = reverse("default_review", args=[proposed.pk])
    refused = client.post(address, {"decision": "devolver", "reason": ""})
    assert refused.status_code == 422
    client.post(address, {"decision": "devolver", "reason": "Falta la certificación."})
    [row] = queue.acts_returned(irene)
    assert row["reason"] == "Falta la certificación."
    propose(award, irene)
    assert not queue.acts_returned(irene)


def test_proposal_before_the_last_day_is_refused_at_its_field(client, award, irene):
    client.force_login(irene)
    page = client.post(reverse("default_new", args=[award.pk]), typed(decided_on="15/10/1995"))
    assert page.status_code == 422
    assert page.context["form"].errors.keys() == {"decided_on"}
    assert "No consta ningún pago." in page.content.decode()


def test_home_counts_what_is_overdue_and_what_goes_back(
    client, awards, irene, ana, aura, time_machine
):
    time_machine.move_to(AFTER, tick=False)
    pay(awards[0], irene, "60.60")
    undone = propose(awards[0], irene)
    award_default_decide(default_id=undone.pk, user=ana, outcome=ReviewState.APPROVED)
    rows = money_waiting(irene)
    assert [row["label"] for row in rows] == [
        "1 adjudicación con dinero por devolver",
        "1 adjudicación vencida sin pagar",
    ]
    assert rows[0]["detail"] == "$60,60"
    assert rows[0]["url"] in shown(client, irene, "home")
    assert not money_waiting(aura)
