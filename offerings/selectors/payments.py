"""Awards with what is due for them, what was paid and what is left."""

from datetime import date
from decimal import Decimal

from django.db.models import (
    DecimalField,
    Exists,
    ExpressionWrapper,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
)
from django.db.models.functions import Coalesce

from offerings.models import Award, Payment
from office.review import ReviewState
from office.text import fold

# A bigint times numeric(24,2) fits.
MONEY = DecimalField(max_digits=44, decimal_places=2)
NOTHING_PAID = Decimal("0.00")

UNPAID, PARTLY, PAID = "sin-pago", "parciales", "pagadas"
VIEWS = {
    UNPAID: Q(paid=0),
    PARTLY: Q(paid__gt=0, paid__lt=F("due")),
    PAID: Q(paid=F("due")),
}


def awards_due() -> QuerySet[Award]:
    """Approved awards of at least one share, each with `due`, `paid` and `balance` in pesos."""
    paid = (
        Payment.objects.filter(award=OuterRef("pk"))
        .order_by()
        .values("award")
        .annotate(total=Sum("amount"))
        .values("total")
    )
    return (
        Award.objects.filter(adjudication__review_state=ReviewState.APPROVED, awarded__gt=0)
        .annotate(
            due=ExpressionWrapper(
                F("awarded") * F("acceptance__stage__price"), output_field=MONEY
            ),
            paid=Coalesce(Subquery(paid), NOTHING_PAID, output_field=MONEY),
        )
        .annotate(balance=ExpressionWrapper(F("due") - F("paid"), output_field=MONEY))
        .select_related(
            "adjudication__exchange",
            "adjudication__reviewed_by",
            "acceptance__stage__programme",
            "acceptance__participation__buyer",
            "acceptance__broker",
            "acceptance__exchange",
            "certificate__series",
        )
        .order_by("adjudication", "acceptance__serial")
    )


def awards_found(
    awards: QuerySet[Award], *, programme: str = "", text: str = ""
) -> QuerySet[Award]:
    """Of `awards`, those of a programme whose buyer, identity or acceptance answers to `text`."""
    if programme:
        awards = awards.filter(acceptance__stage__programme__slug=programme)
    wanted = fold(text)
    if not wanted:
        return awards
    number = "".join(sign for sign in wanted if sign.isdigit())
    found = Q(acceptance__participation__buyer__name_folded__contains=wanted)
    if number:
        found |= Q(acceptance__participation__buyer__identity_number=number)
    if number and len(number) < 10:
        found |= Q(acceptance__serial=int(number))
    return awards.filter(found)


def awards_to_certify(programme_id: int, *, paid_by: date) -> QuerySet[Award]:
    """A programme's awards without a certificate that were wholly paid by a day, that included."""
    later = Payment.objects.filter(award=OuterRef("pk"), paid_on__gt=paid_by)
    return awards_due().filter(
        VIEWS[PAID],
        ~Exists(later),
        acceptance__stage__programme=programme_id,
        certificate=None,
    )


def totals(awards: QuerySet[Award]) -> dict[str, Decimal]:
    """What is due, paid and left for all of `awards`, in pesos."""
    sums = awards.order_by().aggregate(due_total=Sum("due"), paid_total=Sum("paid"))
    due, paid = (total or NOTHING_PAID for total in sums.values())
    return {"due": due, "paid": paid, "balance": due - paid}


def payments_total(award: Award) -> Decimal:
    """What was paid for an award, in pesos."""
    total = award.payments.aggregate(total=Sum("amount"))["total"]
    return NOTHING_PAID if total is None else total
