"""The acts on what is pledged that take two people (see tests/test_two_person_acts.py)."""

from decimal import Decimal

from office.models import User
from office.review import TwoPersonAct
from pledges.models import FundDecision, PenaltyReadings, Release, ReleaseAnnulment, RequestClosing
from pledges.services.fund_decisions import fund_decision_decide, fund_decision_prepare
from pledges.services.penalty_readings import penalty_readings_decide
from pledges.services.release_annulments import release_annulment_decide
from pledges.services.releases import release_decide, release_prepare
from pledges.services.request_closings import request_closing_decide, request_closing_prepare
from tests.offerings.rows import make_stage
from tests.pledges.early import ASKED_ON, ask, pending_readings, undecided_request
from tests.pledges.release_rows import (
    RELEASED_ON,
    ask_annulment,
    make_paid_request,
    release_early,
)
from tests.pledges.rows import make_pledge
from tests.two_person import Kind


def waiting_readings(preparer, other) -> PenaltyReadings:
    return pending_readings(make_stage(preparer, other).programme, preparer)


def pending_closing(preparer, other) -> RequestClosing:
    request = ask(make_pledge(preparer, other), preparer)
    return request_closing_prepare(request_id=request.pk, user=preparer, cause="Era de otro.")


def pending_decision(preparer, other) -> FundDecision:
    return fund_decision_prepare(
        request_id=undecided_request(preparer, other).pk,
        user=preparer,
        amount=Decimal(5),
        act="Acta 50",
        act_on=ASKED_ON,
        reason="Equidad.",
    )


def pending_release(preparer, other) -> Release:
    request = make_paid_request(make_pledge(preparer, other, 10), preparer, 4)
    return release_prepare(request_id=request.pk, released_on=RELEASED_ON, user=preparer)


def pending_release_annulment(preparer, other) -> ReleaseAnnulment:
    request = make_paid_request(make_pledge(preparer, other, 10), preparer, 4)
    # Read anew: what `other` may do is asked of it for the first time by the test.
    released = release_early(request, preparer, User.objects.get(pk=other.pk))
    return ask_annulment(released.lines.get(), preparer)


PLEDGE_KINDS: dict[type[TwoPersonAct], Kind] = {
    PenaltyReadings: Kind(
        waiting_readings,
        lambda act, **given: penalty_readings_decide(readings_id=act.pk, **given),
        "penaltyreadings_reviewed_by_another",
        "penaltyreadings_decided_has_reviewer",
        "penaltyreadings_refused_has_reason",
        "penaltyreadings_decided_is_final",
        "penaltyreadings_reviewer",
        "penaltyreadings_content_fixed",
        {},
    ),
    RequestClosing: Kind(
        pending_closing,
        lambda act, **given: request_closing_decide(closing_id=act.pk, **given),
        "requestclosing_reviewed_by_another",
        "requestclosing_decided_has_reviewer",
        "requestclosing_refused_has_reason",
        "requestclosing_decided_is_final",
        "requestclosing_reviewer",
        "requestclosing_content_fixed",
        {},
    ),
    FundDecision: Kind(
        pending_decision,
        lambda act, **given: fund_decision_decide(decision_id=act.pk, **given),
        "funddecision_reviewed_by_another",
        "funddecision_decided_has_reviewer",
        "funddecision_refused_has_reason",
        "funddecision_decided_is_final",
        "funddecision_reviewer",
        "funddecision_content_fixed",
        {},
    ),
    Release: Kind(
        pending_release,
        lambda act, **given: release_decide(release_id=act.pk, **given),
        "release_reviewed_by_another",
        "release_decided_has_reviewer",
        "release_refused_has_reason",
        "release_decided_is_final",
        "release_reviewer",
        "release_content_fixed",
        {},
    ),
    ReleaseAnnulment: Kind(
        pending_release_annulment,
        lambda act, **given: release_annulment_decide(annulment_id=act.pk, **given),
        "releaseannulment_reviewed_by_another",
        "releaseannulment_decided_has_reviewer",
        "releaseannulment_refused_has_reason",
        "releaseannulment_decided_is_final",
        "releaseannulment_reviewer",
        "releaseannulment_content_fixed",
        {},
    ),
}
