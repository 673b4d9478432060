"""Acts that take two people: nobody decides alone, not through the services, not past them."""

from datetime import date

import pytest
from django.utils import timezone

from offerings.enums import DefaultMeasure
from offerings.models import Adjudication, AdjudicationAnnulment, AwardDefault, FundRules
from offerings.services.adjudications import (
    adjudication_decide,
    adjudication_open,
    adjudication_run,
)
from offerings.services.annulments import (
    adjudication_annulment_decide,
    adjudication_annulment_prepare,
)
from offerings.services.defaults import award_default_decide, award_default_prepare
from offerings.services.fund_rules import fund_rules_review, fund_rules_submit
from offerings.services.programmes import programme_open
from office.annulments import certificate_annulment_decide, certificate_annulment_prepare
from office.models import CertificateAnnulment, Decision
from office.refusals import Refused
from office.review import DECIDED, ReviewState, TwoPersonAct
from tests.conftest import make_user
from tests.guards import change, refused_by
from tests.offerings.paid import SESSION, make_awards
from tests.offerings.programme_1995 import SLUG, draft_of
from tests.offerings.rows import make_acceptance, make_stage, places
from tests.office.certificate_rows import make_certificate
from tests.pledges.two_person import PLEDGE_KINDS
from tests.two_person import Kind


def pending_rules(preparer, _other) -> FundRules:
    """Typed by one, sent to review by the preparer."""
    typist = make_user("escribiente", "analista", "Elsa", "Escribiente Prueba")
    rules = draft_of(programme_open(slug=SLUG, user=typist), typist)
    return fund_rules_submit(rules=rules, user=preparer)


def pending_adjudication(preparer, other) -> Adjudication:
    stage = make_stage(preparer, other, closed=True)
    make_acceptance(stage, 1, 100)
    run = adjudication_open(
        stage_id=stage.pk, exchange=places()["exchange"], session_on=SESSION, user=preparer
    )
    adjudication_run(adjudication_id=run.pk, report=lambda *told: None)
    run.refresh_from_db()
    return run


def one_award(preparer, other):
    """Of an adjudication that `preparer` prepared and `other` approved; nothing paid."""
    stage = make_stage(preparer, other, closed=True)
    return make_awards([make_acceptance(stage, 1, 100)], preparer, other)[0]


def pending_adjudication_annulment(preparer, other) -> AdjudicationAnnulment:
    return adjudication_annulment_prepare(
        adjudication_id=one_award(preparer, other).adjudication_id,
        ordered_by="Bolsa de Prueba",
        act="Acta 9",
        act_on=date(1995, 10, 20),
        cause="La sesión no tuvo quórum.",
        user=preparer,
    )


def pending_default(preparer, other) -> AwardDefault:
    return award_default_prepare(
        award_id=one_award(preparer, other).pk,
        measure=DefaultMeasure.UNDO,
        decided_on=date(1995, 11, 1),
        cause="No pagó.",
        user=preparer,
    )


def pending_certificate_annulment(preparer, _other) -> CertificateAnnulment:
    certificate = make_certificate(preparer)
    return certificate_annulment_prepare(
        certificate_id=certificate.pk,
        annulled_on=certificate.legal_date,
        cause="El nombre está mal.",
        user=preparer,
    )


KINDS = {
    FundRules: Kind(
        pending_rules,
        lambda act, **given: fund_rules_review(rules=act, **given),
        "fundrules_reviewed_by_another",
        "fundrules_decided_has_reviewer",
        "fundrules_refused_has_reason",
        "fundrules_decided_is_final",
        "fundrules_reviewer",
        "fundrules_preparer_fixed",
        {"terms": "{}", "terms_sha256": "0" * 64},
    ),
    Adjudication: Kind(
        pending_adjudication,
        lambda act, **given: adjudication_decide(adjudication_id=act.pk, **given),
        "adjudication_reviewed_by_another",
        "adjudication_decided_has_reviewer",
        "adjudication_refused_has_reason",
        "adjudication_decided_is_final",
        "adjudication_reviewer",
        "adjudication_result_fixed",
        {},
    ),
    AdjudicationAnnulment: Kind(
        pending_adjudication_annulment,
        lambda act, **given: adjudication_annulment_decide(annulment_id=act.pk, **given),
        "adjudicationannulment_reviewed_by_another",
        "adjudicationannulment_decided_has_reviewer",
        "adjudicationannulment_refused_has_reason",
        "adjudicationannulment_decided_is_final",
        "adjudicationannulment_reviewer",
        "adjudicationannulment_content_fixed",
        {},
    ),
    AwardDefault: Kind(
        pending_default,
        lambda act, **given: award_default_decide(default_id=act.pk, **given),
        "awarddefault_reviewed_by_another",
        "awarddefault_decided_has_reviewer",
        "awarddefault_refused_has_reason",
        "awarddefault_decided_is_final",
        "awarddefault_reviewer",
        "awarddefault_content_fixed",
        {},
    ),
    CertificateAnnulment: Kind(
        pending_certificate_annulment,
        lambda act, **given: certificate_annulment_decide(annulment_id=act.pk, **given),
        "certificateannulment_reviewed_by_another",
        "certificateannulment_decided_has_reviewer",
        "certificateannulment_refused_has_reason",
        "certificateannulment_decided_is_final",
        "certificateannulment_reviewer",
        "certificateannulment_content_fixed",
        {},
    ),
    **PLEDGE_KINDS,
}
OUTCOMES = [pytest.param(outcome, id=outcome.value) for outcome in DECIDED]
# Whoever is not a supervisor, by the name of its fixture.
OTHERS = ["irene", "aura", "adela", "bruno", "root"]


@pytest.fixture(params=KINDS, ids=lambda model: model.__name__)
def kind(request) -> Kind:
    return KINDS[request.param]


@pytest.fixture
def act(kind, tomas, ana) -> TwoPersonAct:
    """Waits for review; Tomás, a supervisor, prepared it."""
    return kind.prepare(tomas, ana)


def decided(person, state=ReviewState.APPROVED, reason="") -> dict:
    return {
        "review_state": state.value,
        "reviewed_by_id": person.pk,
        "reviewed_at": timezone.now(),
        "review_reason": reason,
    }


def test_every_kind_of_act_that_takes_two_people_is_tried_here():
    assert set(TwoPersonAct.__subclasses__()) == set(KINDS)


def test_another_supervisor_approves(kind, act, ana):
    kind.decide(act, user=ana, outcome=ReviewState.APPROVED)
    act.refresh_from_db()
    assert (act.review_state, act.reviewed_by) == (ReviewState.APPROVED, ana)
    assert Decision.objects.filter(actor=ana).exists()


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_who_prepared_it_decides_nothing(kind, act, tomas, outcome):
    with pytest.raises(Refused, match="otro supervisor"):
        kind.decide(act, user=tomas, outcome=outcome, reason="Por prueba.")
    act.refresh_from_db()
    assert act.review_state == ReviewState.PENDING


@pytest.mark.parametrize("outcome", OUTCOMES)
@pytest.mark.parametrize("name", OTHERS)
def test_who_is_no_supervisor_decides_nothing(kind, act, name, outcome, request):
    person = request.getfixturevalue(name)
    with pytest.raises(Refused, match="Solo un supervisor"):
        kind.decide(act, user=person, outcome=outcome, reason="Por prueba.")
    act.refresh_from_db()
    assert act.review_state == ReviewState.PENDING


@pytest.mark.parametrize("outcome", [ReviewState.RETURNED, ReviewState.REJECTED])
@pytest.mark.parametrize("reason", ["", "   "])
def test_refusal_without_a_reason_is_not_taken(kind, act, ana, outcome, reason):
    with pytest.raises(Refused, match="Escriba el motivo"):
        kind.decide(act, user=ana, outcome=outcome, reason=reason)


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_what_was_decided_is_not_decided_again(kind, act, ana, outcome):
    kind.decide(act, user=ana, outcome=outcome, reason="Falta la hora de la sesión.")
    with pytest.raises(Refused, match="No espera revisión"):
        kind.decide(act, user=ana, outcome=ReviewState.APPROVED)


def test_supervisor_who_is_no_longer_active_decides_nothing(kind, act, ana):
    ana.is_active = False
    ana.save()
    with pytest.raises(Refused, match="Solo un supervisor"):
        kind.decide(act, user=ana, outcome=ReviewState.APPROVED)
    with refused_by("reviewer_is_supervisor"):
        change(act, **decided(ana))


# --- past the services ---


def test_database_refuses_who_prepared_it(kind, act, tomas):
    with refused_by(kind.by_another):
        change(act, **kind.approved | decided(tomas))


@pytest.mark.parametrize("name", OTHERS)
def test_database_refuses_who_is_no_supervisor(kind, act, name, request):
    with refused_by(kind.supervisor):
        change(act, **decided(request.getfixturevalue(name)))


def test_database_keeps_who_prepared_it_while_it_waits(kind, act, tomas, irene):
    with refused_by(kind.preparer):
        change(act, prepared_by_id=irene.pk)
    with refused_by(kind.preparer):
        change(act, review_state="draft")
    with refused_by(kind.preparer):
        change(act, **kind.approved | decided(tomas), prepared_by_id=irene.pk)


def test_database_refuses_an_approval_without_a_reviewer(kind, act):
    with refused_by(kind.has_reviewer):
        change(act, review_state="approved", **kind.approved)


@pytest.mark.parametrize(
    "columns",
    [
        {"review_state": "returned", "review_reason": "Por prueba."},
        {"review_state": "rejected", "review_reason": "Por prueba."},
    ],
)
def test_database_refuses_a_refusal_without_a_reviewer(kind, act, columns):
    with refused_by(kind.has_reviewer):
        change(act, **columns)


def test_database_refuses_a_reviewer_without_a_decision(kind, act, ana):
    with refused_by(kind.has_reviewer):
        change(act, reviewed_by_id=ana.pk)


@pytest.mark.parametrize("state", [ReviewState.RETURNED, ReviewState.REJECTED])
def test_database_refuses_a_refusal_without_its_reason(kind, act, ana, state):
    with refused_by(kind.has_reason):
        change(act, **decided(ana, state))


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_database_keeps_what_was_decided(kind, act, ana, tomas, outcome):
    kind.decide(act, user=ana, outcome=outcome, reason="Falta la hora de la sesión.")
    for columns in (
        {"review_state": "pending", "reviewed_by_id": None, "reviewed_at": None},
        {"reviewed_by_id": tomas.pk},
        {"prepared_by_id": ana.pk},
        {"review_reason": "Otro motivo."},
    ):
        with refused_by(kind.final):
            change(act, **columns)
