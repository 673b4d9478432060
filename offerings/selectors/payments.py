"""Awards with what is due for them, what was paid and what is left."""

from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal

from django.db.models import (
    BooleanField,
    Case,
    DecimalField,
    Exists,
    ExpressionWrapper,
    F,
    Model,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce, Lower

from offerings.enums import DefaultMeasure
from offerings.models import Adjudication, Award, AwardDefault, Payment, Refund
from offerings.selectors.certificates import Scope
from office.review import ReviewState
from office.text import fold

# A bigint times numeric(24,2) fits.
MONEY = DecimalField(max_digits=44, decimal_places=2)
NOTHING_PAID = Decimal("0.00")

APPLIED = F("amount") - F("excess")  # what of a payment counts for its award
PRICE = ExpressionWrapper(F("awarded") * F("acceptance__stage__price"), output_field=MONEY)
SHOWN = (
    "adjudication__exchange",
    "adjudication__reviewed_by",
    "acceptance__stage__programme",
    "acceptance__participation__buyer",
    "acceptance__broker",
    "acceptance__exchange",
    "certificate__series",
    "notice__series",
)

UNPAID, PARTLY, PAID, OVERDUE = "sin-pago", "parciales", "pagadas", "vencidas"
OWING = Q(paid__lt=F("due"))
VIEWS = {
    UNPAID: Q(paid=0),
    PARTLY: Q(paid__gt=0, paid__lt=F("due")),
    PAID: Q(paid=F("due")),
}


def awards_due() -> QuerySet[Award]:
    """Approved awards of at least one share, each with `due`, `paid` and `balance` in pesos, and
    `is_claimed`."""
    return _shown(
        Award.objects.filter(_holds(), awarded__gt=0)
        .annotate(due=PRICE, paid=sum_of(Payment, APPLIED))
        .annotate(balance=ExpressionWrapper(F("due") - F("paid"), output_field=MONEY))
    )


def awards_charged() -> QuerySet[Award]:
    """Every award for which something was ever due, also where it was annulled or left without
    effect: then nothing is due and nothing counts as paid.

    As `awards_due` has them, and with `holds`, and `received`, `returned` and `to_return`.
    """
    return _shown(
        _with_returns(
            Award.objects.filter(
                adjudication__review_state=ReviewState.APPROVED, awarded__gt=0
            ).annotate(
                holds=Case(When(_holds(), then=True), default=False, output_field=BooleanField()),
                due=Case(When(_holds(), then=PRICE), default=NOTHING_PAID, output_field=MONEY),
            )
        ).annotate(
            paid=F("kept"),
            balance=ExpressionWrapper(F("due") - F("kept"), output_field=MONEY),
        )
    )


def awards_to_refund() -> QuerySet[Award]:
    """Awards of which money is to be given back, each with `received`, `kept` (what it is due
    and holds), `returned` and `to_return`, in pesos, and `holds`."""
    paid_for = Award.objects.filter(Exists(Payment.objects.filter(award=OuterRef("pk"))))
    holds = Case(When(_holds(), then=True), default=False, output_field=BooleanField())
    return _shown(_with_returns(paid_for.annotate(holds=holds)).filter(to_return__gt=0))


def _with_returns(awards: QuerySet[Award]) -> QuerySet[Award]:
    kept = Case(
        When(_holds(), then=sum_of(Payment, APPLIED)),
        default=NOTHING_PAID,
        output_field=MONEY,
    )
    left = F("received") - F("kept") - F("returned")
    return awards.annotate(
        received=sum_of(Payment, F("amount")),
        kept=kept,
        returned=sum_of(Refund, F("amount")),
    ).annotate(to_return=ExpressionWrapper(left, output_field=MONEY))


def _holds() -> Q:
    """Whether an award is of an adjudication in force and was not left without effect."""
    return Q(adjudication__in=Adjudication.objects.in_force()) & ~Exists(undone_by())


def _shown(awards: QuerySet[Award]) -> QuerySet[Award]:
    return (
        awards.annotate(is_claimed=Exists(_approved(DefaultMeasure.CLAIM)))
        .select_related(*SHOWN)
        .order_by("adjudication", "acceptance__serial")
    )


def undone_by() -> QuerySet[AwardDefault]:
    """The approved act that left an outer query's award without effect."""
    return _approved(DefaultMeasure.UNDO)


def _approved(measure: DefaultMeasure) -> QuerySet[AwardDefault]:
    return AwardDefault.objects.filter(
        award=OuterRef("pk"), measure=measure, review_state=ReviewState.APPROVED
    )


def defaults_pending(awards: Iterable[Award]) -> dict[int, int]:
    """By award, the act about its payment that waits for its review."""
    pending = AwardDefault.objects.filter(award__in=list(awards), review_state=ReviewState.PENDING)
    return dict(pending.values_list("award", "pk"))


def with_measures(awards: QuerySet[Award]) -> QuerySet[Award]:
    """The awards with what was decided about their payment: `is_undone`, `is_claimed`."""
    return awards.annotate(
        is_undone=Exists(undone_by()), is_claimed=Exists(_approved(DefaultMeasure.CLAIM))
    )


def is_undone(award: Award) -> bool:
    """Whether an approved act left it without effect."""
    acts = award.defaults.filter(measure=DefaultMeasure.UNDO, review_state=ReviewState.APPROVED)
    return acts.exists()


def sum_of(model: type[Model], amount: Combinable, *, until: date | None = None) -> Coalesce:
    """The sum of `amount` over an outer award's rows of `model`, in pesos; `until`: of those paid
    by the end of that day."""
    rows = model.objects.filter(award=OuterRef("pk")).order_by().values("award")
    if until is not None:
        rows = rows.filter(paid_on__lte=until)
    total = rows.annotate(total=Sum(amount)).values("total")
    return Coalesce(Subquery(total), NOTHING_PAID, output_field=MONEY)


def awards_answering(awards: QuerySet[Award], text: str) -> QuerySet[Award]:
    """Of `awards`, those whose buyer, identity or acceptance answers to `text`."""
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


def payment_alike(reference: str, paid_on: date, amount: Decimal) -> Payment | None:
    """The payment of the same reference (upper or lower case alike), day and amount."""
    same = Payment.objects.select_related("award__acceptance", "award__adjudication")
    same = same.annotate(folded=Lower("reference"))
    return same.filter(folded=Lower(Value(reference)), paid_on=paid_on, amount=amount).first()


def refund_alike(reference: str, paid_on: date, amount: Decimal) -> Refund | None:
    """The refund of the same reference (upper or lower case alike), day and amount."""
    same = Refund.objects.select_related("award__acceptance", "award__adjudication")
    same = same.annotate(folded=Lower("reference"))
    return same.filter(folded=Lower(Value(reference)), paid_on=paid_on, amount=amount).first()


def awards_to_certify(scope: Scope, *, by: date) -> QuerySet[Award]:
    """A scope's awards without a certificate that were wholly paid by a day, that included; one
    annulled by then leaves its award without."""
    later = Payment.objects.filter(award=OuterRef("pk"), paid_on__gt=by)
    lacking = Q(certificate=None) | Q(certificate__annulled_on__lte=by)
    return scope.awards(awards_due()).filter(VIEWS[PAID], ~Exists(later)).filter(lacking)


def awards_to_notify(scope: Scope, *, by: date) -> QuerySet[Award]:
    """A scope's awards without a notice whose session was held by a day, that included; one
    annulled by then leaves its award without."""
    lacking = Q(notice=None) | Q(notice__annulled_on__lte=by)
    return scope.awards(awards_due()).filter(lacking, adjudication__session_on__lte=by)


def totals(awards: QuerySet[Award]) -> dict[str, Decimal]:
    """What is due, paid and left for all of `awards`, in pesos."""
    sums = awards.order_by().aggregate(due_total=Sum("due"), paid_total=Sum("paid"))
    due, paid = (total or NOTHING_PAID for total in sums.values())
    return {"due": due, "paid": paid, "balance": due - paid}


def returns_total(awards: QuerySet[Award]) -> Decimal:
    """What is to be given back for all of `awards_to_refund`, in pesos."""
    return awards.order_by().aggregate(total=Sum("to_return"))["total"] or NOTHING_PAID


def payments_total(
    award: Award, *, until: date | None = None, known_at: datetime | None = None
) -> Decimal:
    """What was paid for an award and counts for it, in pesos; `until`: by the end of that day;
    `known_at`: of what had been recorded at that moment."""
    payments = award.payments.all()
    if until is not None:
        payments = payments.filter(paid_on__lte=until)
    if known_at is not None:
        payments = payments.filter(recorded_at__lte=known_at)
    total = payments.aggregate(total=Sum(APPLIED))["total"]
    return NOTHING_PAID if total is None else total


def left_to_return(award: Award) -> Decimal:
    """What is still to be given back of an award, in pesos."""
    found = awards_to_refund().filter(pk=award.pk).values_list("to_return", flat=True)
    return found.first() or NOTHING_PAID
