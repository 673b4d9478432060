"""The adjudication of a closed stage, through the database."""

import random
from datetime import date, datetime, timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from offerings.enums import AcceptanceState, AwardReason, Standing
from offerings.models import Adjudication, Award
from offerings.selectors.adjudications import adjudication_checks
from offerings.selectors.awards import award_explanation
from offerings.services.adjudications import (
    AlreadyUnderWay,
    adjudication_decide,
    adjudication_open,
    adjudication_run,
)
from office.decisions import decisions_on
from office.refusals import Refused
from office.review import ReviewState
from tests.conftest import BOGOTA
from tests.offerings.rows import make_acceptance, make_acceptances

SESSION = date(1995, 9, 15)


def silent(*told):
    """A report that nobody reads."""


@pytest.fixture
def opened(closed_stage, exchange, mateo):
    """Gives the draft for the stage as it stands when called."""
    return lambda: adjudication_open(
        stage_id=closed_stage.pk, exchange=exchange, session_on=SESSION, user=mateo
    )


@pytest.fixture
def run(opened):
    """Opens and runs; gives the adjudication, pending."""

    def run_now():
        adjudication = opened()
        assert adjudication_run(adjudication_id=adjudication.pk, report=silent)
        adjudication.refresh_from_db()
        return adjudication

    return run_now


def offered(supply):
    return pytest.mark.parametrize("supply", [supply])


def awarded(adjudication):
    lines = adjudication.awards.order_by("acceptance__received_at", "acceptance__serial")
    return list(lines.values_list("awarded", flat=True))


def test_six_buyers_share_what_is_offered_when_they_ask_for_more(closed_stage, run):
    make_acceptances(closed_stage, [98, 92, 98, 123, 102, 92])
    adjudication = run()
    assert awarded(adjudication) == [81, 76, 81, 102, 84, 76]
    assert adjudication.review_state == ReviewState.PENDING
    assert (adjudication.supply, adjudication.demand, adjudication.unsold) == (500, 605, 0)
    assert all(check.holds for check in adjudication_checks(adjudication))


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_each_buyer_gets_the_same_when_the_rows_are_stored_shuffled(closed_stage, run, seed):
    wanted = {1: (98, 81), 2: (92, 76), 3: (98, 81), 4: (123, 102), 5: (102, 84), 6: (92, 76)}
    serials = list(wanted)
    random.Random(seed).shuffle(serials)
    for serial in serials:
        make_acceptance(closed_stage, serial, wanted[serial][0])
    adjudication = run()
    got = dict(adjudication.awards.values_list("acceptance__serial", "awarded"))
    assert got == {serial: shares for serial, (_, shares) in wanted.items()}


@offered(3)
def test_the_legal_time_and_not_the_number_is_the_order_of_receipt(closed_stage, run):
    late = closed_stage.opened_at + timedelta(days=3)
    make_acceptance(closed_stage, 1, 2, received_at=late)
    make_acceptance(closed_stage, 2, 2)  # entered late, received before
    adjudication = run()
    got = dict(adjudication.awards.values_list("acceptance__serial", "awarded"))
    assert got == {1: 1, 2: 2}


@offered(5_234_634_742)
def test_products_beyond_64_bits_stay_exact(closed_stage, run):
    make_acceptances(closed_stage, [3_000_000_000, 2_500_000_000, 1_999_999_999])
    adjudication = run()
    assert awarded(adjudication) == [2_093_853_897, 1_744_878_248, 1_395_902_597]
    assert adjudication.awarded == 5_234_634_742


@offered(2**63 - 1)
def test_sums_and_remainders_beyond_64_bits_are_kept(closed_stage, run):
    most = 2**63 - 1
    make_acceptances(closed_stage, [most, most, most])
    adjudication = run()
    assert adjudication.demand == 3 * most
    assert sum(awarded(adjudication)) == most
    assert all(check.holds for check in adjudication_checks(adjudication))
    assert award_explanation(adjudication.awards.first())["steps"][-1].value == most // 3 + 1


@offered(100)
def test_each_gets_what_it_asked_and_the_rest_stays_when_supply_is_enough(closed_stage, run):
    make_acceptances(closed_stage, [10, 20])
    adjudication = run()
    assert awarded(adjudication) == [10, 20]
    assert adjudication.unsold == 70
    assert not adjudication.is_pro_rata
    assert set(adjudication.awards.values_list("reason", flat=True)) == {AwardReason.IN_FULL}


@pytest.mark.parametrize(("supply", "shares"), [(10, [4, 4, 2]), (11, [5, 5, 1])])
def test_left_over_shares_go_to_the_largest_remainders(closed_stage, run, supply, shares):
    make_acceptances(closed_stage, [6, 6, 2])
    assert awarded(run()) == shares


@offered(4)
def test_a_tie_names_the_acceptances_and_what_decided(closed_stage, run):
    make_acceptances(closed_stage, [3, 3, 3])
    adjudication = run()
    assert awarded(adjudication) == [2, 1, 1]
    assert adjudication.ties[0]["references"] == ["A-000001", "A-000002", "A-000003"]
    assert adjudication.ties[0]["shares"] == 1
    assert adjudication.summary["readings"] == ["Un resto igual favorece a la recibida antes."]


@offered(100)
def test_who_does_not_admit_the_reduction_gets_nothing_and_the_rest_share(closed_stage, run):
    make_acceptance(closed_stage, 1, 80, minimum=80)
    make_acceptance(closed_stage, 2, 60)
    make_acceptance(closed_stage, 3, 60, minimum=30)
    adjudication = run()
    assert awarded(adjudication) == [0, 50, 50]
    assert adjudication.demand_kept == 120
    refused = adjudication.awards.get(acceptance__serial=1)
    assert refused.reason == AwardReason.REFUSES_REDUCTION
    assert all(check.holds for check in adjudication_checks(adjudication))


@offered(100)
def test_a_least_above_what_the_limit_left_is_lowered_to_it(closed_stage, run):
    make_acceptance(
        closed_stage, 1, 80, minimum=80, admitted=40, limit_shares=40, standing=Standing.CUT
    )
    line = run().awards.get()
    assert (line.least, line.awarded) == (40, 40)


def test_what_does_not_enter_has_its_line_with_nothing_and_its_cause(closed_stage, run):
    make_acceptance(closed_stage, 1, 10)
    outside = [
        ({"standing": Standing.INCOMPLETE, "admitted": 0}, AwardReason.INCOMPLETE),
        ({"standing": Standing.NOTHING_LEFT, "admitted": 0}, AwardReason.NOTHING_LEFT),
        ({"standing": Standing.OVER_LIMIT, "admitted": 0}, AwardReason.OVER_LIMIT),
        ({"standing": Standing.NOT_COUNTED, "admitted": 0}, AwardReason.NOT_COUNTED),
        ({"state": AcceptanceState.WITHDRAWN}, AwardReason.WITHDRAWN),
        ({"state": AcceptanceState.REJECTED}, AwardReason.REJECTED),
    ]
    for serial, (fields, _) in enumerate(outside, start=2):
        make_acceptance(closed_stage, serial, 900, **fields)
    adjudication = run()
    lines = adjudication.awards.filter(acceptance__serial__gt=1).order_by("acceptance__serial")
    assert [line.reason for line in lines] == [reason for _, reason in outside]
    assert not any(line.awarded or line.admitted for line in lines)
    assert awarded(adjudication)[0] == 10
    assert all(award_explanation(line)["steps"][1].detail for line in lines)


def test_what_was_missing_bears_the_article_that_asks_for_it(closed_stage, run):
    missing = [
        {
            "code": "superintendency_authorisation",
            "label": "Autorización de la Superintendencia Bancaria",
            "cite": "art. 16",
            "why": "No la trae.",
        }
    ]
    make_acceptance(
        closed_stage, 1, 900, admitted=0, standing=Standing.INCOMPLETE, missing=missing
    )
    panel = award_explanation(run().awards.get())
    assert panel["steps"][1].detail == (
        "incompleta; falta: Autorización de la Superintendencia Bancaria (art. 16)"
    )
    assert panel["cite"] == "Decreto 1118 de 1995, arts. 16 y 9-1."


def test_a_stage_without_acceptances_is_left_whole_for_stage_2(closed_stage, run):
    adjudication = run()
    assert (adjudication.lines, adjudication.unsold) == (0, 500)
    assert all(check.holds for check in adjudication_checks(adjudication))


def test_the_queries_do_not_grow_with_the_acceptances(closed_stage, opened, ana):
    make_acceptance(closed_stage, 1, 5)
    few, adjudication = queries_of_a_run(opened())
    adjudication_decide(
        adjudication_id=adjudication.pk, user=ana, outcome=ReviewState.REJECTED, reason="Prueba"
    )
    for serial in range(2, 60):
        make_acceptance(closed_stage, serial, 5)
    many, _ = queries_of_a_run(opened())
    assert many == few


def queries_of_a_run(adjudication):
    with CaptureQueriesContext(connection) as queries:
        adjudication_run(adjudication_id=adjudication.pk, report=silent)
    return len(queries), adjudication


def test_the_run_tells_how_far_it_is(closed_stage, opened):
    make_acceptances(closed_stage, [5, 6])
    told = []
    adjudication_run(adjudication_id=opened().pk, report=lambda *words: told.append(words))
    assert told[0] == (1, 2, 2, "aceptaciones")
    assert told[-1] == (3, 2, 2, "líneas")


def test_the_task_delivered_twice_gives_one_result(closed_stage, run):
    make_acceptances(closed_stage, [98, 92])
    adjudication = run()
    before = list(Award.objects.values())
    assert adjudication_run(adjudication_id=adjudication.pk, report=silent) is False
    assert list(Award.objects.values()) == before


# Opening


def test_an_open_stage_is_refused(open_stage, exchange, mateo):
    with pytest.raises(Refused, match="solo se adjudica una etapa cerrada"):
        adjudication_open(
            stage_id=open_stage.pk, exchange=exchange, session_on=SESSION, user=mateo
        )
    assert not Adjudication.objects.exists()


def test_the_auction_stage_is_refused(closed_stage, opened):
    closed_stage.number = 2
    closed_stage.save()
    with pytest.raises(Refused, match="martillo"):
        opened()


@pytest.mark.parametrize(
    ("session_on", "message"),
    [
        (date(1995, 9, 13), "anterior al cierre de la etapa, el 14/09/1995"),
        (date(1995, 12, 30), "terminó el 29/12/1995"),
    ],
)
def test_a_session_outside_the_programme_is_refused(
    closed_stage, exchange, mateo, session_on, message
):
    with pytest.raises(Refused, match=message) as refusal:
        adjudication_open(
            stage_id=closed_stage.pk, exchange=exchange, session_on=session_on, user=mateo
        )
    assert refusal.value.field == "session_on"


@pytest.mark.parametrize("session_on", [date(1995, 9, 14), date(1995, 12, 29)])
def test_the_first_and_the_last_day_for_the_session_are_taken(
    closed_stage, exchange, mateo, session_on
):
    adjudication = adjudication_open(
        stage_id=closed_stage.pk, exchange=exchange, session_on=session_on, user=mateo
    )
    assert adjudication.session_on == session_on


def test_a_session_in_the_future_is_refused(closed_stage, opened):
    with (
        time_machine.travel(datetime(1995, 9, 14, 18, 0, tzinfo=BOGOTA), tick=False),
        pytest.raises(Refused, match="está en el futuro"),
    ):
        opened()


def test_an_exchange_that_is_no_longer_active_is_refused(opened, exchange):
    exchange.is_active = False
    with pytest.raises(Refused, match="ya no está activa"):
        opened()


@pytest.mark.parametrize("person", ["aura", "bruno", "adela", "root"])
def test_who_may_not_prepare_is_refused(request, closed_stage, exchange, person):
    user = request.getfixturevalue(person)
    with pytest.raises(Refused, match="Solo un analista o un supervisor"):
        adjudication_open(
            stage_id=closed_stage.pk, exchange=exchange, session_on=SESSION, user=user
        )


@pytest.mark.parametrize("outcome", [None, ReviewState.APPROVED])
def test_a_second_one_is_refused_with_the_first_at_hand(run, opened, ana, outcome):
    first = run()
    if outcome:
        adjudication_decide(adjudication_id=first.pk, user=ana, outcome=outcome)
    with pytest.raises(AlreadyUnderWay, match=first.code) as refusal:
        opened()
    assert refusal.value.adjudication == first


def test_the_act_keeps_who_when_and_under_which_article(run, mateo):
    adjudication = run()
    acts = decisions_on([adjudication])
    assert [act.act for act in acts] == ["adjudication_open", "adjudication_run"]
    assert acts[0].actor == mateo
    assert acts[0].legal_at == datetime(1995, 9, 15, 0, 0, tzinfo=BOGOTA)
    assert acts[0].article
    assert acts[1].data["input_sha256"] == adjudication.input_sha256


# Deciding


def test_another_supervisor_approves_and_it_is_fixed(closed_stage, run, ana):
    make_acceptances(closed_stage, [98, 92])
    adjudication = run()
    adjudication_decide(adjudication_id=adjudication.pk, user=ana, outcome=ReviewState.APPROVED)
    adjudication.refresh_from_db()
    assert adjudication.review_state == ReviewState.APPROVED
    assert adjudication.reviewed_by == ana
    act = decisions_on([adjudication]).last()
    assert act.legal_at == datetime(1995, 9, 15, 0, 0, tzinfo=BOGOTA)
    with pytest.raises(Refused, match="No espera revisión"):
        adjudication_decide(
            adjudication_id=adjudication.pk,
            user=ana,
            outcome=ReviewState.REJECTED,
            reason="Ya no",
        )


@offered(10)
@pytest.mark.parametrize("outcome", [ReviewState.RETURNED, ReviewState.REJECTED])
def test_one_that_is_not_approved_is_run_again_as_a_new_version(closed_stage, run, ana, outcome):
    make_acceptances(closed_stage, [6, 6, 2])
    first = run()
    adjudication_decide(
        adjudication_id=first.pk, user=ana, outcome=outcome, reason="Falta el acta de la bolsa"
    )
    second = run()
    assert (first.version, second.version) == (1, 2)
    assert awarded(second) == [4, 4, 2]
    assert second.awarded == 10
    assert awarded(first) == [4, 4, 2]


@pytest.mark.parametrize("outcome", [ReviewState.RETURNED, ReviewState.REJECTED])
def test_not_approving_needs_a_reason(run, ana, outcome):
    adjudication = run()
    with pytest.raises(Refused, match="Escriba el motivo"):
        adjudication_decide(adjudication_id=adjudication.pk, user=ana, outcome=outcome, reason=" ")


def test_a_supervisor_cannot_approve_what_it_prepared(closed_stage, exchange, tomas):
    adjudication = adjudication_open(
        stage_id=closed_stage.pk, exchange=exchange, session_on=SESSION, user=tomas
    )
    adjudication_run(adjudication_id=adjudication.pk, report=silent)
    with pytest.raises(Refused, match="debe revisarlo otro supervisor"):
        adjudication_decide(
            adjudication_id=adjudication.pk, user=tomas, outcome=ReviewState.APPROVED
        )


@pytest.mark.parametrize("person", ["irene", "aura", "bruno", "adela", "root"])
def test_who_is_not_a_supervisor_cannot_approve(request, run, person):
    adjudication = run()
    user = request.getfixturevalue(person)
    with pytest.raises(Refused, match="Solo un supervisor"):
        adjudication_decide(
            adjudication_id=adjudication.pk, user=user, outcome=ReviewState.APPROVED
        )
    adjudication.refresh_from_db()
    assert adjudication.review_state == ReviewState.PENDING


def test_a_draft_cannot_be_approved_before_it_is_run(opened, ana):
    with pytest.raises(Refused, match="No espera revisión"):
        adjudication_decide(adjudication_id=opened().pk, user=ana, outcome=ReviewState.APPROVED)
