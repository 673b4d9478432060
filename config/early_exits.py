"""What waits with the early exits: acts of two people, requests without a quote, quotes to settle,
money to give back."""

from collections.abc import Callable
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.urls import reverse

from office.models import User
from office.numbers import write_amount, write_count, write_shares
from office.review import ReviewState, TwoPersonAct
from office.roles import Capability
from pledges.models import FundDecision, PenaltyReadings, RequestClosing
from pledges.selectors import requests as selectors
from pledges.selectors.penalty_payments import requests_to_refund


def early_acts(states: tuple[ReviewState, ...]) -> list[TwoPersonAct]:
    """Readings, closings and decisions in one of `states`, of which there is none later."""
    return [
        *_latest(PenaltyReadings, "programme", states).select_related("programme"),
        *_latest(RequestClosing, "request", states).select_related("request__pledge__holder"),
        *_latest(FundDecision, "request", states).select_related("request__pledge__holder"),
    ]


def _latest(
    model: type[TwoPersonAct], owner: str, states: tuple[ReviewState, ...]
) -> QuerySet[Any]:
    later = model.objects.filter(**{owner: OuterRef(owner)}, pk__gt=OuterRef("pk"))
    found = model.objects.filter(~Exists(later), review_state__in=states)
    return found.select_related("prepared_by", "reviewed_by")


def _describe_readings(act: PenaltyReadings) -> dict[str, Any]:
    pending = act.review_state == ReviewState.PENDING
    return {
        "label": f"Lecturas de la sanción, versión {act.version}",
        "url": reverse("penalty_readings_review", args=[act.pk])
        if pending
        else reverse("penalty_readings", args=[act.programme.slug]),
        "detail": act.act,
        "about": str(act.programme),
    }


def _describe_closing(act: RequestClosing) -> dict[str, Any]:
    return _on_request(act, "release_request_closing_review", f"Cierre de {act.request.code}")


def _describe_decision(act: FundDecision) -> dict[str, Any]:
    label = f"Decisión del Fondo sobre {act.request.code}"
    found = _on_request(act, "fund_decision_review", label)
    return found | {"detail": f"{write_amount(act.amount)}; {found['detail']}"}


def _on_request(act: RequestClosing | FundDecision, review: str, label: str) -> dict[str, Any]:
    pending = act.review_state == ReviewState.PENDING
    return {
        "label": label,
        "url": reverse(review, args=[act.pk])
        if pending
        else reverse("release_request", args=[act.request_id]),
        "detail": write_shares(act.request.shares),
        "about": act.request.pledge.holder.name,
    }


DESCRIBED: dict[type[TwoPersonAct], Callable[[Any], dict[str, Any]]] = {
    PenaltyReadings: _describe_readings,
    RequestClosing: _describe_closing,
    FundDecision: _describe_decision,
}


def exits_waiting(user: User) -> list[dict[str, str]]:
    """What waits with the requests for whoever prepares."""
    if not user.may(Capability.PREPARE):
        return []
    found = selectors.requests_shown(user)
    counted = [
        (
            found.filter(selectors.VIEWS[selectors.OPEN]).count(),
            ("solicitud de despignoración sin liquidar",
             "solicitudes de despignoración sin liquidar"),
            selectors.OPEN,
            "La sanción se liquida con la fecha en que se pidió",
        ),
        (
            found.filter(selectors.VIEWS[selectors.TO_ACCEPT]).count(),
            ("liquidación propuesta por fijar", "liquidaciones propuestas por fijar"),
            selectors.TO_ACCEPT,
            "Fijada, la cifra no cambia",
        ),
        (
            requests_to_refund().count(),
            ("solicitud cerrada con dinero por devolver",
             "solicitudes cerradas con dinero por devolver"),
            selectors.RETURN,
            "Lo pagado se devuelve",
        ),
    ]  # fmt: skip
    return [
        {
            "label": write_count(count, *words),
            "url": f"{reverse('release_requests')}?vista={view}",
            "detail": detail,
        }
        for count, words, view, detail in counted
        if count
    ]
