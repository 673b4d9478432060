"""What was paid for an early exit, what is left, what goes back."""

from datetime import date
from decimal import Decimal

from django.db.models import (
    DecimalField,
    ExpressionWrapper,
    F,
    OuterRef,
    QuerySet,
    Subquery,
    Sum,
    Value,
)
from django.db.models.functions import Coalesce, Lower

from offerings.models import Payment
from offerings.selectors.payments import payment_alike
from pledges.enums import QuoteState, RequestState
from pledges.models import PenaltyPayment, PenaltyRefund, Quote, ReleaseRequest

MONEY = DecimalField(max_digits=30, decimal_places=2)
NOTHING = Decimal("0.00")


def quote_settled(request: ReleaseRequest) -> Quote | None:
    """The quote that was accepted for a request."""
    return request.quotes.filter(state=QuoteState.ACCEPTED).first()


def penalty_paid(request: ReleaseRequest) -> Decimal:
    """What was received for a request, in pesos."""
    return request.payments.aggregate(total=Sum("amount"))["total"] or NOTHING


def penalty_returned(request: ReleaseRequest) -> Decimal:
    """What was given back of it, in pesos."""
    return request.refunds.aggregate(total=Sum("amount"))["total"] or NOTHING


def penalty_to_return(request: ReleaseRequest) -> Decimal:
    """What is to be given back still: all that was paid for a request that was closed."""
    if request.state != RequestState.CLOSED:
        return NOTHING
    return penalty_paid(request) - penalty_returned(request)


def requests_to_refund() -> QuerySet[ReleaseRequest]:
    """Closed requests of which money is to be given back, each with `to_return`, in pesos."""
    left = ExpressionWrapper(_sum_of(PenaltyPayment) - _sum_of(PenaltyRefund), output_field=MONEY)
    closed = ReleaseRequest.objects.filter(state=RequestState.CLOSED)
    return closed.annotate(to_return=left).filter(to_return__gt=0)


def _sum_of(model: type[PenaltyPayment] | type[PenaltyRefund]) -> Coalesce:
    rows = model.objects.filter(request=OuterRef("pk")).order_by().values("request")
    total = rows.annotate(total=Sum("amount")).values("total")
    return Coalesce(Subquery(total), NOTHING, output_field=MONEY)


def with_paid(requests: QuerySet[ReleaseRequest]) -> QuerySet[ReleaseRequest]:
    """Requests with `owed` by their settled quote, `paid` and `balance`, in pesos; no quote, no
    `owed`."""
    settled = Quote.objects.filter(request=OuterRef("pk"), state=QuoteState.ACCEPTED)
    return requests.annotate(
        owed=Subquery(settled.values("amount")[:1]), paid=_sum_of(PenaltyPayment)
    ).annotate(balance=ExpressionWrapper(F("owed") - F("paid"), output_field=MONEY))


def receipt_alike(reference: str, paid_on: date, amount: Decimal) -> str:
    """The receipt of the same reference (upper or lower case alike), day and amount, of a penalty
    or of an award; "" where there is none."""
    same = PenaltyPayment.objects.annotate(folded=Lower("reference"))
    twin: PenaltyPayment | Payment | None = same.filter(
        folded=Lower(Value(reference)), paid_on=paid_on, amount=amount
    ).first()
    twin = twin or payment_alike(reference, paid_on, amount)
    return twin.receipt if twin else ""
