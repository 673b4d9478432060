"""Requests of an early exit: filed by the holder or found out by the Fund, and completed."""

from dataclasses import dataclass, field, replace
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db import transaction

from offerings.rules.terms import Terms
from office.dates import bogota_day, write_date, write_datetime
from office.decisions import decision_record
from office.files import file_store
from office.models import User
from office.numbers import write_amount, write_shares
from office.refusals import Refused, check_day_not_future, check_not_future
from office.roles import Capability
from pledges.enums import RequestKind, RequestState, TransferKind
from pledges.models import Pledge, ReleaseRequest
from pledges.selectors.penalty_terms import pledge_terms
from pledges.services.holding import SharesHeld, check_free, quotes_replaced, request_locked
from pledges.services.pledges import pledge_locked

SALE = ("title", "sold_on", "sale_price", "sale_proof")


@dataclass(frozen=True)
class SaleEntry:
    """What is stated of a transfer, and in what it is proved. sale_price: pesos a share."""

    title: str = ""
    sold_on: date | None = None
    sale_price: Decimal | None = None
    sale_proof: str = ""

    @property
    def is_stated(self) -> bool:
        """Whether a transfer is stated at all."""
        return bool(self.title or self.sold_on)


@dataclass(frozen=True)
class RequestEntry:
    """A request as it is filed; a breach, with how the Fund found it out."""

    shares: int
    filing_number: str
    filed_at: datetime
    kind: RequestKind = RequestKind.ASKED
    evidence: str = ""
    sale: SaleEntry = field(default_factory=SaleEntry)


@transaction.atomic
def release_request_file(
    *, pledge_id: int, user: User, entry: RequestEntry, submission_key: UUID
) -> ReleaseRequest:
    """Take in a request, which holds its shares from then on; the same submission again gives the
    first one's request. Raises Refused, or SharesHeld with what holds the shares.
    """
    check_may(user, "registra solicitudes")
    pledge = pledge_locked(pledge_id)
    known = pledge.requests.filter(submission_key=submission_key).first()
    if known:
        return known
    terms = pledge_terms(pledge)
    _check_pledge(pledge)
    _check_filed(pledge, entry, terms)
    check_free(pledge, entry.shares)
    request = ReleaseRequest(
        pledge=pledge,
        kind=entry.kind,
        shares=entry.shares,
        filing_number=entry.filing_number.strip(),
        filed_at=entry.filed_at,
        evidence=entry.evidence.strip(),
        submission_key=submission_key,
        recorded_by=user,
        **_sale_columns(entry.sale),
    )
    request.full_clean()
    request.save()
    pledge.in_process += request.shares
    pledge.save(update_fields=["in_process"])
    request_recorded(
        request, user, "release_request_file", _filed_words(request), request.filed_at, terms
    )
    return request


@transaction.atomic
def release_request_state_sale(
    *,
    request_id: int,
    user: User,
    sale: SaleEntry,
    file: dict[str, Any] | None = None,
) -> ReleaseRequest:
    """State a request's transfer, or state it better, while its penalty is not settled. `file`:
    what proves it, as uploads are read. What was proposed before is worked out again."""
    check_may(user, "completa solicitudes")
    request = request_locked(request_id)
    if request.state != RequestState.OPEN:
        raise Refused(
            f"{request.code} está «{request.get_state_display()}»: los datos de la enajenación ya "
            "no cambian."
        )
    _check_sale(request.pledge, request, sale)
    for name, value in _sale_columns(sale).items():
        setattr(request, name, value)
    if file is not None:
        request.sale_file = file_store(**file, user=user)
    request.full_clean()
    request.save(update_fields=[*SALE, "sale_file"])
    quotes_replaced(request)
    terms = pledge_terms(request.pledge)
    said = f"Completó los datos de la enajenación: {_sale_words(request)}."
    request_recorded(request, user, "release_request_state_sale", said, None, terms)
    return request


def check_may(user: User, does: str) -> None:
    """Refuse whoever does not prepare what is done about requests."""
    if not user.may(Capability.PREPARE):
        raise Refused(f"Solo un analista o un supervisor {does}.")


def _check_pledge(pledge: Pledge) -> None:
    if not pledge.pledged:
        raise Refused(
            f"{pledge.code} está «{pledge.get_state_display()}»: no le quedan acciones en prenda "
            "que pedir."
        )


def _check_filed(pledge: Pledge, entry: RequestEntry, terms: Terms) -> None:
    check_not_future(entry.filed_at, "filed_at")
    if entry.shares < 1:
        raise Refused("Pida una acción o más.", "shares")
    twin = pledge.requests.filter(filing_number__iexact=entry.filing_number.strip()).first()
    if twin:
        raise SharesHeld(
            f"Ese radicado ya está registrado para esta prenda: es {twin.code}.",
            (twin,),
            field="filing_number",
        )
    if bogota_day(entry.filed_at) < pledge.purchased_on:
        raise Refused(
            f"No puede ser anterior a la compra, del {write_date(pledge.purchased_on)}.",
            "filed_at",
        )
    request = ReleaseRequest(pledge=pledge, kind=entry.kind, filed_at=entry.filed_at)
    _check_sale(pledge, request, entry.sale)
    _check_in_term(pledge, entry, terms)


def _check_in_term(pledge: Pledge, entry: RequestEntry, terms: Terms) -> None:
    """Refuse what was asked for after the term, where nothing within it is fined.

    A sale within the term is a breach that costs what it costs also when it comes out later.
    """
    if bogota_day(entry.filed_at) <= pledge.last_day or entry.kind == RequestKind.BREACH:
        return
    sold = entry.sale.sold_on
    if sold is None or sold > pledge.last_day:
        raise Refused(
            f"{pledge.code} ya cumplió su término, el {write_date(pledge.last_day)}: se levanta "
            "sin sanción.",
            "filed_at",
        )
    if terms.penalty is None or terms.penalty.semesters is None:
        raise Refused(
            "La solicitud es posterior al término, pero la enajenación es anterior: regístrela "
            "como incumplimiento.",
            "sold_on",
        )


def _check_sale(pledge: Pledge, request: ReleaseRequest, sale: SaleEntry) -> None:
    if sale.title == TransferKind.INHERITANCE:
        raise Refused(
            "La sucesión no es salida anticipada: la prenda sigue a las acciones. Regístrela en "
            "la prenda, como transmisión.",
            "title",
        )
    if request.kind == RequestKind.BREACH:
        _check_breach(sale)
    if sale.sold_on is None:
        return
    check_day_not_future(sale.sold_on, "sold_on")
    if not sale.sale_proof.strip():
        raise Refused("Escriba en qué consta la enajenación.", "sale_proof")
    _check_sold_before(request, sale.sold_on)
    _check_sold_in_term(pledge, sale.sold_on)


def _check_sold_before(request: ReleaseRequest, sold_on: date) -> None:
    """Refuse a sale after the request that states it, or after the day on which it was found."""
    filed_on = bogota_day(request.filed_at)
    if sold_on <= filed_on:
        return
    if request.kind == RequestKind.BREACH:
        message = f"Es posterior al día en que se comprobó, el {write_date(filed_on)}."
    else:
        message = (
            f"Es posterior a la solicitud, del {write_date(filed_on)}: lo que se enajenó después "
            "de pedir su salida no se prueba en ella."
        )
    raise Refused(message, "sold_on")


def _check_sold_in_term(pledge: Pledge, sold_on: date) -> None:
    if sold_on < pledge.purchased_on:
        raise Refused(
            f"No puede ser anterior a la compra, del {write_date(pledge.purchased_on)}.", "sold_on"
        )
    if sold_on > pledge.last_day:
        raise Refused(
            f"Es posterior al término, que cumplió el {write_date(pledge.last_day)}: no es una "
            "salida anticipada.",
            "sold_on",
        )


def _check_breach(sale: SaleEntry) -> None:
    if not sale.title:
        raise Refused("Elija por qué título se enajenaron.", "title")
    if sale.sold_on is None:
        raise Refused(
            "Escriba cuándo se enajenaron: sin solicitud, la sanción es la de ese día.", "sold_on"
        )


def _sale_columns(sale: SaleEntry) -> dict[str, Any]:
    cleaned = replace(sale, sale_proof=sale.sale_proof.strip())
    return {name: getattr(cleaned, name) for name in SALE}


def _filed_words(request: ReleaseRequest) -> str:
    shares = write_shares(request.shares)
    if request.kind == RequestKind.BREACH:
        return (
            f"Registró el incumplimiento {request.code} sobre {shares} de {request.pledge.code}: "
            f"{_sale_words(request)}."
        )
    return (
        f"Radicó la solicitud {request.code} ({request.filing_number}), presentada el "
        f"{write_datetime(request.filed_at)}: salen {shares} de {request.pledge.code}."
    )


def _sale_words(request: ReleaseRequest) -> str:
    title = request.get_title_display().lower() if request.title else "enajenación"
    day = f", del {write_date(request.sold_on)}" if request.sold_on else ""
    price = f", a {write_amount(request.sale_price)} por acción" if request.sale_price else ""
    return f"{title}{day}{price}"


def request_recorded(
    request: ReleaseRequest,
    user: User,
    act: str,
    sentence: str,
    legal_at: datetime | None,
    terms: Terms,
    reason: str = "",
) -> None:
    """Write an act on a request down, under the clause of its programme's term."""
    decision_record(
        act=act,
        sentence=sentence,
        article=terms.lock_up.cite,
        reason=reason.strip(),
        actor=user,
        subject=request,
        legal_at=legal_at,
    )
