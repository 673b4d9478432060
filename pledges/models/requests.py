"""An early exit: the request, what it costs, the Fund's decision where no rule says, payment."""

import uuid

import pghistory
import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower, Now

from offerings.enums import PaymentMeans
from office.models import StoredFile
from office.review import ReviewerIsSupervisor, ReviewState, TwoPersonAct, decided_for_good
from pledges.enums import RequestKind, RequestState, TransferKind
from pledges.models.pledges import CountsHold, Pledge, changes

PERSON = {"on_delete": models.PROTECT, "related_name": "+"}
AMOUNT = {"max_digits": 24, "decimal_places": 2}
UNDER_WAY = (ReviewState.PENDING, ReviewState.APPROVED)
ON_FOOT = (RequestState.OPEN, RequestState.SETTLED, RequestState.PAID)
MOVES = [
    (RequestState.OPEN, RequestState.SETTLED),
    (RequestState.OPEN, RequestState.WITHDRAWN),
    (RequestState.OPEN, RequestState.CLOSED),
    # The quote that was accepted lapsed unpaid.
    (RequestState.SETTLED, RequestState.OPEN),
    (RequestState.SETTLED, RequestState.PAID),
    (RequestState.SETTLED, RequestState.WITHDRAWN),
    (RequestState.SETTLED, RequestState.CLOSED),
    (RequestState.PAID, RequestState.RELEASED),
    (RequestState.PAID, RequestState.CLOSED),
    # Its release was annulled.
    (RequestState.RELEASED, RequestState.PAID),
]


@pghistory.track()
class ReleaseRequest(models.Model):
    """A solicitud de despignoración: shares to leave the pledge within its term, or a transfer
    within it that the Fund found out. On foot, it holds its shares against any other."""

    pledge = models.ForeignKey(Pledge, on_delete=models.PROTECT, related_name="requests")
    kind = models.CharField("origen", max_length=6, choices=RequestKind.choices)
    shares = models.BigIntegerField("acciones")
    filing_number = models.CharField("radicado", max_length=80)
    filed_at = models.DateTimeField("presentada")
    title = models.CharField("título", max_length=17, choices=TransferKind.choices, blank=True)
    sold_on = models.DateField("fecha de la enajenación", null=True, blank=True)
    sale_price = models.DecimalField("precio por acción", null=True, blank=True, **AMOUNT)
    sale_proof = models.CharField("en qué consta", max_length=300, blank=True)
    sale_file = models.ForeignKey(StoredFile, null=True, blank=True, **PERSON)
    evidence = models.TextField("cómo se comprobó", blank=True)
    state = models.CharField(
        "estado", max_length=9, choices=RequestState.choices, default=RequestState.OPEN
    )
    ended_why = models.CharField("por qué terminó", max_length=300, blank=True)
    submission_key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, **PERSON)
    recorded_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = "solicitud de despignoración"
        verbose_name_plural = "solicitudes de despignoración"
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(shares__gt=0),
                name="releaserequest_shares_positive",
                violation_error_message="Pida una acción o más.",
            ),
            models.UniqueConstraint(
                fields=["pledge", "filing_number"],
                name="releaserequest_filed_once",
                violation_error_message="Ese radicado ya está registrado para esta prenda.",
            ),
            models.CheckConstraint(
                # Agreed on before the sale is made, it has no day yet; but a paper that says so.
                condition=Q(sale_price=None) | Q(sale_price__gt=0) & ~Q(sale_proof=""),
                name="releaserequest_price_proved",
                violation_error_message="Escriba en qué consta el precio de la enajenación.",
            ),
            models.CheckConstraint(
                condition=Q(sold_on=None) | ~Q(sale_proof=""),
                name="releaserequest_sale_proved",
                violation_error_message="Escriba en qué consta la enajenación.",
            ),
            models.CheckConstraint(
                condition=Q(kind=RequestKind.ASKED) | ~Q(evidence=""),
                name="releaserequest_breach_proved",
                violation_error_message="Escriba cómo se comprobó el incumplimiento.",
            ),
            models.CheckConstraint(
                condition=~Q(title=TransferKind.INHERITANCE),
                name="releaserequest_never_inheritance",
                violation_error_message="La sucesión no es salida anticipada: la prenda sigue a "
                "las acciones.",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=(RequestState.WITHDRAWN, RequestState.CLOSED))
                | ~Q(ended_why=""),
                name="releaserequest_ended_says_why",
            ),
        ]
        triggers = [
            pgtrigger.FSM(name="releaserequest_moves", field="state", transitions=MOVES),
            pgtrigger.ReadOnly(
                name="releaserequest_says_fixed",
                exclude=["state", "ended_why", "title", "sold_on", "sale_price", "sale_proof",
                         "sale_file"],
            ),
            # What the quote was worked out from does not change once it is accepted.
            pgtrigger.Protect(
                name="releaserequest_sale_settled",
                operation=pgtrigger.Update,
                condition=~pgtrigger.Q(old__state=RequestState.OPEN)
                & changes("title", "sold_on", "sale_price", "sale_proof", "sale_file"),
            ),
            CountsHold(name="releaserequest_counted", pledge="NEW.pledge_id"),
            pgtrigger.Protect(name="releaserequest_kept", operation=pgtrigger.Delete),
        ]  # fmt: skip

    def __str__(self) -> str:
        return self.code

    @property
    def code(self) -> str:
        return f"SD-{self.pk:06d}"

    @property
    def is_on_foot(self) -> bool:
        """Whether it holds its shares."""
        return self.state in ON_FOOT


@pghistory.track()
class RequestClosing(TwoPersonAct):
    """That a request is closed without a release where one person may not: money was paid for
    it, or a transfer is said in it, whose penalty nobody waives; so it says what was wrong."""

    request = models.ForeignKey(ReleaseRequest, on_delete=models.PROTECT, related_name="closings")
    cause = models.TextField("por qué se cierra")

    class Meta(TwoPersonAct.Meta):
        abstract = False
        verbose_name = "cierre de solicitud"
        verbose_name_plural = "cierres de solicitudes"
        ordering = ["pk"]
        constraints = [
            *TwoPersonAct.Meta.constraints,
            models.UniqueConstraint(
                fields=["request"],
                condition=Q(review_state__in=UNDER_WAY),
                name="requestclosing_one_under_way",
                violation_error_message="Su cierre ya espera revisión, o ya está aprobado.",
            ),
        ]
        triggers = [
            ReviewerIsSupervisor(name="requestclosing_reviewer"),
            *decided_for_good("requestclosing", "request", "cause"),
        ]

    def __str__(self) -> str:
        return f"Cierre de {self.request}"


class Money(models.Model):
    """Money that came in or went out for an early exit, by the means that the programmes admit."""

    means = models.CharField("medio", max_length=8, choices=PaymentMeans.choices)
    reference = models.CharField("referencia", max_length=80)
    paid_on = models.DateField("fecha")
    amount = models.DecimalField("valor", **AMOUNT)
    submission_key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, **PERSON)
    recorded_at = models.DateTimeField(db_default=Now())

    class Meta:
        abstract = True
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(amount__gt=0),
                name="%(class)s_amount_positive",
                violation_error_message="El valor debe ser mayor que cero.",
            )
        ]


@pghistory.track()
class PenaltyPayment(Money):
    """Money received for a penalty; its receipt's number comes from the series PG of its year."""

    request = models.ForeignKey(ReleaseRequest, on_delete=models.PROTECT, related_name="payments")
    receipt = models.CharField("recibo", max_length=20, unique=True)

    class Meta(Money.Meta):
        abstract = False
        verbose_name = "pago de sanción"
        verbose_name_plural = "pagos de sanciones"
        constraints = [
            *Money.Meta.constraints,
            models.UniqueConstraint(
                Lower("reference"),
                "paid_on",
                "amount",
                name="penaltypayment_not_twice",
                violation_error_message="Ya hay un pago con esa referencia, fecha y valor.",
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="penaltypayment_kept", operation=pgtrigger.Update | pgtrigger.Delete
            )
        ]

    def __str__(self) -> str:
        return self.receipt


@pghistory.track()
class PenaltyRefund(Money):
    """Money given back for a request that was closed after it was paid."""

    request = models.ForeignKey(ReleaseRequest, on_delete=models.PROTECT, related_name="refunds")

    class Meta(Money.Meta):
        abstract = False
        verbose_name = "devolución de sanción"
        verbose_name_plural = "devoluciones de sanciones"
        triggers = [
            pgtrigger.Protect(
                name="penaltyrefund_kept", operation=pgtrigger.Update | pgtrigger.Delete
            )
        ]

    def __str__(self) -> str:
        return f"Devolución de {self.request}"
