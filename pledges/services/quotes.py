"""Quotes of an early exit: worked out, proposed, accepted; what was accepted never moves."""

from dataclasses import dataclass
from datetime import date, time, timedelta
from typing import Any

from django.db import transaction

from offerings.decrees.reader import terms_as_data, terms_sha256
from offerings.rules.months import last_day, running_month
from offerings.rules.penalty import Basis, ReleasePenalty, waiting
from offerings.rules.ruling import PESOS, Ruling, Step
from office.dates import bogota_day, bogota_moment, write_date
from office.decisions import decision_record
from office.models import User
from office.numbers import write_amount
from office.refusals import Refused, check_day_not_future
from office.review import ReviewState
from office.roles import Capability
from office.words import amount_phrase
from pledges.enums import QuoteState, RequestState
from pledges.models import FundDecision, Quote, ReleaseRequest
from pledges.selectors.penalty_facts import assessed_on, facts_as_data
from pledges.services.holding import quotes_replaced, request_locked
from pledges.services.penalties import (
    DECISION,
    READINGS,
    PenaltyBlocked,
    PenaltyCase,
    penalty_ruled,
    readings_used,
    request_case,
)


@dataclass(frozen=True)
class WorkedOut:
    """A penalty as a quote will keep it; `decision`, where the Fund set the amount."""

    case: PenaltyCase
    ruling: Ruling[ReleasePenalty]
    decision: FundDecision | None = None


@transaction.atomic
def quote_prepare(*, request_id: int, user: User, valid_until: date) -> Quote:
    """Work a request's penalty out and propose it, in place of what was proposed before.

    Kept with it: the facts and terms that it used, every step, the readings, what a certificate
    will state. Raises Refused, or PenaltyBlocked with what is lacking.
    """
    if not user.may(Capability.PREPARE):
        raise Refused("Solo un analista o un supervisor liquida.")
    request = request_locked(request_id)
    if request.state != RequestState.OPEN:
        raise Refused(f"{request.code} está «{request.get_state_display()}»: no se liquida.")
    asked = assessed_on(request)
    if valid_until < asked:
        raise Refused(f"No puede vencer antes del {write_date(asked)}.", "valid_until")
    worked = penalty_worked_out(request)
    quotes_replaced(request)
    quote = Quote(
        request=request, valid_until=valid_until, prepared_by=user, **_kept(request, worked)
    )
    quote.full_clean()
    quote.save()
    _record(
        quote,
        "prepare",
        f"Propuso la liquidación {quote.code} de {request.code}: {write_amount(quote.amount)}, "
        f"vigente hasta el {write_date(valid_until)}.",
        user,
    )
    return quote


@transaction.atomic
def quote_accept(*, quote_id: int, user: User, accepted_on: date) -> Quote:
    """Settle a quote that the holder accepted: its figure is frozen, and is owed; one of nothing
    is paid at once. Settled already by the same person with the same day, give it as it is."""
    if not user.may(Capability.PREPARE):
        raise Refused("Solo un analista o un supervisor fija la liquidación.")
    request = request_locked(Quote.objects.values_list("request_id", flat=True).get(pk=quote_id))
    quote = Quote.objects.select_for_update(of=["self"]).get(pk=quote_id)
    quote.request = request
    if quote.state == QuoteState.ACCEPTED:
        if (quote.accepted_by_id, quote.accepted_on) == (user.pk, accepted_on):
            return quote
        raise Refused(
            f"{quote.code} ya la fijó {quote.accepted_by}, con fecha del "
            f"{write_date(quote.accepted_on)}: así queda."
        )
    _check_acceptable(quote, accepted_on)
    quote.state, quote.accepted_on, quote.accepted_by = QuoteState.ACCEPTED, accepted_on, user
    quote.full_clean()
    quote.save(update_fields=["state", "accepted_on", "accepted_by"])
    request.state = RequestState.SETTLED
    request.save(update_fields=["state"])
    if not quote.amount:
        request.state = RequestState.PAID
        request.save(update_fields=["state"])
    owed = f"se deben {amount_phrase(quote.amount)}" if quote.amount else "no se debe nada"
    _record(
        quote,
        "accept",
        f"Fijó la liquidación {quote.code} de {request.code}: {owed}.",
        user,
        accepted_on,
    )
    return quote


def penalty_worked_out(request: ReleaseRequest) -> WorkedOut:
    """A request's penalty by its rule, or by the Fund's approved decision where no rule answers.

    Raises PenaltyBlocked.
    """
    case = request_case(request)
    try:
        _check_confirmed(case)
        return WorkedOut(case, penalty_ruled(case))
    except PenaltyBlocked as blocked:
        if blocked.lacks != DECISION:
            raise
        decision = request.decisions.filter(review_state=ReviewState.APPROVED).first()
        if decision is None:
            raise
        return WorkedOut(case, _decided(case, decision), decision)


def valid_until_proposed(request: ReleaseRequest, today: date) -> date:
    """The last day of the month that runs at the request; the end of the present month where a
    request is worked late."""
    pledge, asked = request.pledge, assessed_on(request)
    end = last_day(pledge.purchased_on, running_month(pledge.purchased_on, asked))
    if end >= today:
        return end
    return (today.replace(day=1) + timedelta(days=32)).replace(day=1) - timedelta(days=1)


def _check_confirmed(case: PenaltyCase) -> None:
    if case.unconfirmed:
        raise PenaltyBlocked(
            "El Fondo no ha confirmado cómo lee los puntos que el decreto deja abiertos: se "
            "confirman antes de la primera liquidación del programa.",
            READINGS,
        )


def _decided(case: PenaltyCase, decision: FundDecision) -> Ruling[ReleasePenalty]:
    """The amount that the Fund decided, in the shape of a ruling."""
    facts, months = case.facts, case.terms.lock_up.months
    month = running_month(facts.purchased, facts.asked)
    act = f"{decision.act}, {write_date(decision.act_on)}"
    steps = (
        Step("Mes en que se pide", "el decreto no trae una regla para esta salida", month, "mes",
             case.terms.lock_up.cite, written=f"mes {month}", note=f"de {months}"),
        Step("Decisión del Fondo", decision.reason, act),
        Step("Total por pagar", "lo decidido por el Fondo", decision.amount, PESOS),
    )  # fmt: skip
    value = ReleasePenalty(
        decision.amount, Basis.DECISION, month, last_day(facts.purchased, months)
    )
    return Ruling(value, steps, (), f"El Fondo decidió: {write_amount(decision.amount)}.")


def _kept(request: ReleaseRequest, worked: WorkedOut) -> dict[str, Any]:
    """The columns of a quote that hold what it was worked out from."""
    case, found = worked.case, worked.ruling.value
    return {
        "amount": found.amount,
        "basis": str(found.basis),
        "month": found.month,
        "facts": facts_as_data(case.facts, found),
        "steps": worked.ruling.steps_as_data(),
        "readings": readings_used(case, worked.ruling),
        "conclusion": worked.ruling.conclusion,
        "outcome": found.as_data()
        | {
            "shares": request.shares,
            "asked_on": case.facts.asked.isoformat(),
            "filing_number": request.filing_number,
            "term_months": case.terms.lock_up.months,
            "decision": _decision_data(worked.decision),
            "waits": waits_as_data(case, worked.ruling),
        },
        "terms": terms_as_data(case.terms),
        "terms_sha256": terms_sha256(case.terms),
        "confirmed": case.confirmed,
        "decision": worked.decision,
    }


def waits_as_data(case: PenaltyCase, ruling: Ruling[ReleasePenalty]) -> list[dict[str, Any]]:
    """What share would be paid by asking later, as JSON can hold it."""
    return [
        {
            "until": wait.until.isoformat(),
            "month": wait.month,
            "percent": str(wait.percent),
            "of": wait.of,
        }
        for wait in waiting(ruling.value, case.facts, case.terms)
    ]


def _decision_data(decision: FundDecision | None) -> dict[str, str] | None:
    if decision is None:
        return None
    return {
        "act": decision.act,
        "act_on": decision.act_on.isoformat(),
        "reason": decision.reason,
    }


def _check_acceptable(quote: Quote, accepted_on: date) -> None:
    if quote.state != QuoteState.PROPOSED:
        raise Refused(f"{quote.code} está «{quote.get_state_display()}»: no se fija.")
    if quote.request.state != RequestState.OPEN:
        raise Refused(
            f"{quote.request.code} está «{quote.request.get_state_display()}»: no se fija."
        )
    check_day_not_future(accepted_on, "accepted_on")
    filed_on = bogota_day(quote.request.filed_at)
    if accepted_on < filed_on:
        raise Refused(
            f"No puede ser anterior a la solicitud, del {write_date(filed_on)}.", "accepted_on"
        )
    if accepted_on > quote.valid_until:
        raise Refused(
            f"{quote.code} venció el {write_date(quote.valid_until)}: prepare otra.",
            "accepted_on",
        )


def _record(
    quote: Quote, act: str, sentence: str, user: User, legal_on: date | None = None
) -> None:
    decision_record(
        act=f"quote_{act}",
        sentence=sentence,
        article=_article(quote),
        actor=user,
        subject=quote.request,
        legal_at=bogota_moment(legal_on, time()) if legal_on else None,
        data={"quote": quote.pk, "amount": str(quote.amount), "terms": quote.terms_sha256},
    )


def _article(quote: Quote) -> str:
    """The clauses that the quote's steps rest on, each once."""
    cites = dict.fromkeys(step["cite"] for step in quote.steps if step["cite"])
    return "; ".join(cites)
