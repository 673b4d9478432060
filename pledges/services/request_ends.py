"""What ends a request without its release by one person's act, or opens it again."""

from datetime import date, time

from django.db import transaction
from django.utils import timezone

from office.dates import bogota_day, bogota_moment, write_date
from office.models import User
from office.refusals import Refused, check_day_not_future
from pledges.enums import QuoteState, RequestKind, RequestState
from pledges.models import Quote, ReleaseRequest
from pledges.selectors.penalty_payments import penalty_paid
from pledges.selectors.penalty_terms import pledge_terms
from pledges.services.holding import quotes_replaced, request_locked, shares_free_again
from pledges.services.requests import check_may, request_recorded


@transaction.atomic
def release_request_withdraw(
    *, request_id: int, user: User, withdrawn_on: date, reason: str
) -> ReleaseRequest:
    """The holder gives its request up: nothing was sold, nothing paid. Its shares stay pledged."""
    check_may(user, "registra desistimientos")
    request = request_locked(request_id)
    if request.state not in (RequestState.OPEN, RequestState.SETTLED):
        raise Refused(f"{request.code} está «{request.get_state_display()}»: no se desiste.")
    blocked = withdrawal_block(request)
    if blocked:
        raise Refused(blocked)
    _check_act_day(request, withdrawn_on, "withdrawn_on")
    if not reason.strip():
        raise Refused("Escriba en qué consta que desiste.", "reason")
    quotes_replaced(request)
    shares_free_again(request, RequestState.WITHDRAWN, reason.strip())
    said = f"El titular desistió de {request.code}: sus acciones siguen en prenda."
    moment = bogota_moment(withdrawn_on, time())
    request_recorded(
        request,
        user,
        "release_request_withdraw",
        said,
        moment,
        pledge_terms(request.pledge),
        reason,
    )
    return request


@transaction.atomic
def release_request_reopen(*, request_id: int, user: User, reason: str) -> ReleaseRequest:
    """Open a request again of which the settled quote lapsed unpaid: it is quoted anew."""
    check_may(user, "reabre solicitudes")
    request = request_locked(request_id)
    quote = Quote.objects.filter(request=request, state=QuoteState.ACCEPTED).first()
    if request.state != RequestState.SETTLED or quote is None:
        raise Refused(f"{request.code} está «{request.get_state_display()}»: no se reabre.")
    if penalty_paid(request):
        raise Refused(
            "Ya se pagó una parte: la cifra fijada no cambia. Se recibe el saldo, o se cierra la "
            "solicitud."
        )
    if quote.valid_until >= bogota_day(timezone.now()):
        raise Refused(
            f"{quote.code} está vigente hasta el {write_date(quote.valid_until)}: se paga, o se "
            "espera a que venza."
        )
    if not reason.strip():
        raise Refused("Escriba por qué se reabre.", "reason")
    quote.state = QuoteState.REPLACED
    quote.save(update_fields=["state"])
    request.state = RequestState.OPEN
    request.save(update_fields=["state"])
    said = (
        f"Reabrió {request.code}: {quote.code} venció el {write_date(quote.valid_until)} sin pago."
    )
    request_recorded(
        request, user, "release_request_reopen", said, None, pledge_terms(request.pledge), reason
    )
    return request


def withdrawal_block(request: ReleaseRequest) -> str:
    """Why one person may not end a request; it then takes two. "" where it may."""
    if request.kind == RequestKind.BREACH or request.sold_on or request.title:
        return (
            "En ella consta una enajenación: su sanción no se perdona. Si es un error, pida su "
            "cierre, que aprueba otra persona."
        )
    if penalty_paid(request):
        return "Ya se recibió dinero por ella: pida su cierre, que aprueba otra persona."
    return ""


def _check_act_day(request: ReleaseRequest, day: date, name: str) -> None:
    check_day_not_future(day, name)
    filed_on = bogota_day(request.filed_at)
    if day < filed_on:
        raise Refused(f"No puede ser anterior a la solicitud, del {write_date(filed_on)}.", name)
