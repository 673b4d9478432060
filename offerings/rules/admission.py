"""Several acceptances of one buyer in one stage, under one limit."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from offerings.rules.limits import PurchaseLimit
from offerings.rules.receipt import Receipt
from offerings.rules.ruling import SHARES, FactError, Ruling, Step, unique
from offerings.rules.terms import Terms
from offerings.rules.wording import write_list, write_quantity

REJECT = "reject"


class AdmissionReason(StrEnum):
    """Why an acceptance stands at the quantity at which it stands."""

    IN_FULL = "in_full"
    CUT = "cut"
    NOTHING_LEFT = "nothing_left"
    REJECTED = "rejected"
    NOT_COUNTED = "not_counted"


REASON_SENTENCES = {
    AdmissionReason.IN_FULL: "Cabe entera en el límite.",
    AdmissionReason.CUT: (
        "Se entiende presentada por la cantidad máxima; no es una reducción que pida su "
        "consentimiento."
    ),
    AdmissionReason.NOTHING_LEFT: "Otras suyas ya agotaron el límite: no entra.",
    AdmissionReason.REJECTED: "Pasa el límite y se rechaza; no cuenta para las demás.",
    AdmissionReason.NOT_COUNTED: "No cuenta para el límite.",
}


@dataclass(frozen=True)
class Request:
    """One acceptance of the buyer. requested: shares.

    not_counted: Spanish word for why it does not count ("retirada", "incompleta"), or "".
    """

    reference: str
    receipt: Receipt
    requested: int
    not_counted: str = ""


@dataclass(frozen=True)
class Admission:
    """An acceptance after the limit. others: shares that earlier ones of the buyer took."""

    reference: str
    requested: int
    others: int
    admitted: int
    reason: AdmissionReason
    steps: tuple[Step, ...]

    @property
    def conclusion(self) -> str:
        """One Spanish sentence on what happened to it."""
        return REASON_SENTENCES[self.reason]


def admission(
    requests: Sequence[Request], limit: PurchaseLimit, terms: Terms
) -> Ruling[tuple[Admission, ...]]:
    """What each acceptance of one buyer counts for, in order of receipt.

    "Cualquier aceptación de compra de acciones por un monto superior a los previstos para cada
    caso en este artículo […] se entenderá presentada por la cantidad máxima antes indicada"
    (Decreto 1118 de 1995, art. 6-3). Where the decree has no such rule (`over_limit` = reject)
    the acceptance that passes the limit does not count, and a later one that fits stands.

    requests may come in any order; those with `not_counted` take nothing. Raises FactError on a
    quantity below 1.
    """
    ordered = sorted(requests, key=lambda request: request.receipt.order)
    skipped = tuple(request for request in ordered if request.not_counted)
    lines: list[Admission] = []
    taken = 0
    for request in ordered:
        line = _line(request, taken, skipped, limit, terms)
        taken += line.admitted
        lines.append(line)
    steps = tuple(Step(line.reference, line.conclusion, line.admitted, SHARES) for line in lines)
    return Ruling(tuple(lines), steps, _readings(terms, lines))


def _line(
    request: Request,
    taken: int,
    skipped: tuple[Request, ...],
    limit: PurchaseLimit,
    terms: Terms,
) -> Admission:
    if request.requested < 1:
        raise FactError("requested", "La cantidad solicitada debe ser de una acción o más.")
    admitted, reason = _decide(request, taken, limit, terms)
    cite = limit.cite if reason == AdmissionReason.IN_FULL else terms.limits.over_limit.cite
    steps = (
        Step("Otras suyas en esta etapa", _skipped_detail(skipped, request), taken, SHARES),
        Step(
            "Tras el límite",
            f"de {write_quantity(request.requested)} solicitadas",
            admitted,
            SHARES,
            cite,
        ),
    )
    return Admission(request.reference, request.requested, taken, admitted, reason, steps)


def _decide(
    request: Request, taken: int, limit: PurchaseLimit, terms: Terms
) -> tuple[int, AdmissionReason]:
    if request.not_counted:
        return 0, AdmissionReason.NOT_COUNTED
    left = request.requested if limit.shares is None else max(limit.shares - taken, 0)
    if request.requested <= left:
        return request.requested, AdmissionReason.IN_FULL
    if terms.limits.over_limit.value == REJECT:
        return 0, AdmissionReason.REJECTED
    return left, AdmissionReason.CUT if left else AdmissionReason.NOTHING_LEFT


def _skipped_detail(skipped: tuple[Request, ...], request: Request) -> str:
    others = tuple(
        f"{other.reference}, {other.not_counted}: no cuenta"
        for other in skipped
        if other.reference != request.reference
    )
    return write_list(others) or "aceptaciones recibidas antes"


def _readings(terms: Terms, lines: list[Admission]) -> tuple[str, ...]:
    passed = any(line.reason == AdmissionReason.REJECTED for line in lines)
    if not passed or terms.limits.over_limit.settled:
        return ()
    return unique(["El decreto no dice qué hacer con lo que pasa del límite: se rechaza."])
