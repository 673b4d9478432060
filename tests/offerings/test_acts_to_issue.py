"""Home asks whoever prepares for the act of an adjudication that was approved and has none."""

import pytest
from django.urls import reverse

from config import queue
from office.annulments import certificate_annulment_decide, certificate_annulment_prepare
from office.review import ReviewState
from tests.offerings.paid import make_awards
from tests.offerings.rows import make_acceptance, make_stage
from tests.offerings.test_payment_screens import annul


@pytest.fixture
def award(closed_stage, irene, ana):
    return make_awards([make_acceptance(closed_stage, 1, 100)], irene, ana)[0]


def labels(person):
    return [row["label"] for row in queue.acts_to_issue(person)]


def test_an_approved_adjudication_waits_for_its_act(client, award, irene, ana, aura):
    run = award.adjudication
    for person in (irene, ana):
        assert labels(person) == [f"Acta de {run.code}"]
    assert not queue.acts_to_issue(aura)
    client.force_login(irene)
    page = client.get(reverse("home")).content.decode()
    assert "Actas por expedir" in page
    assert reverse("adjudication_record_new", args=[run.pk]) in page


def test_an_act_that_was_issued_waits_no_more_until_it_is_annulled(
    closed_stage, record, irene, mateo, ana
):
    make_acceptance(closed_stage, 1, 98)
    assert not queue.acts_to_issue(irene)
    issued = record()
    assert not queue.acts_to_issue(irene)
    asked = certificate_annulment_prepare(
        certificate_id=issued.certificate_id,
        annulled_on=issued.certificate.legal_date,
        user=mateo,
        cause="Firmó quien no debía",
    )
    certificate_annulment_decide(annulment_id=asked.pk, user=ana, outcome=ReviewState.APPROVED)
    assert labels(irene) == [f"Acta de {issued.adjudication.code}"]


@pytest.mark.parametrize("state", ["pending", "approved"])
def test_a_run_that_is_not_in_force_waits_for_no_act(irene, ana, state):
    stage = make_stage(irene, ana, closed=True)
    (award,) = make_awards([make_acceptance(stage, 1, 100)], irene, ana, state=state)
    if state == "approved":
        annul(award, irene, ana)
    assert not queue.acts_to_issue(irene)
