"""Payments of what was awarded."""

import uuid

import pghistory
import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower, Now

from offerings.enums import DefaultMeasure, PaymentMeans
from offerings.models.adjudications import Award
from office.review import ReviewerIsSupervisor, ReviewState, TwoPersonAct, decided_for_good

PERSON = {"on_delete": models.PROTECT, "related_name": "+"}


@pghistory.track()
class Payment(models.Model):
    """Money received for an award, in cash or by cheque (1995 art. 13). Its receipt's number
    comes from the series PG of its legal year."""

    award = models.ForeignKey(Award, on_delete=models.PROTECT, related_name="payments")
    receipt = models.CharField("recibo", max_length=20, unique=True)
    means = models.CharField("medio", max_length=8, choices=PaymentMeans.choices)
    reference = models.CharField("referencia", max_length=80)
    paid_on = models.DateField("fecha de pago")
    amount = models.DecimalField("valor", max_digits=24, decimal_places=2)
    excess = models.DecimalField(
        "sobrante",
        max_digits=24,
        decimal_places=2,
        default=0,
        help_text="Lo que pasó de lo que se debía al recibirlo; se devuelve.",
    )
    submission_key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, **PERSON)
    recorded_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = "pago"
        verbose_name_plural = "pagos"
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(amount__gt=0),
                name="payment_amount_positive",
                violation_error_message="El valor pagado debe ser mayor que cero.",
            ),
            models.CheckConstraint(
                condition=Q(excess__gte=0, excess__lte=F("amount")),
                name="payment_excess_within_amount",
            ),
            models.UniqueConstraint(
                Lower("reference"),
                "paid_on",
                "amount",
                name="payment_not_twice",
                violation_error_message="Ya hay un pago con esa referencia, fecha y valor.",
            ),
        ]
        triggers = [
            pgtrigger.Protect(name="payment_fixed", operation=pgtrigger.Update),
            pgtrigger.Protect(name="payment_kept", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return self.receipt


@pghistory.track()
class Refund(models.Model):
    """Money given back for an award: what was paid over, or for what is annulled or undone."""

    award = models.ForeignKey(Award, on_delete=models.PROTECT, related_name="refunds")
    means = models.CharField("medio", max_length=8, choices=PaymentMeans.choices)
    reference = models.CharField("referencia", max_length=80)
    paid_on = models.DateField("fecha de la devolución")
    amount = models.DecimalField("valor", max_digits=24, decimal_places=2)
    submission_key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, **PERSON)
    recorded_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = "devolución"
        verbose_name_plural = "devoluciones"
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(amount__gt=0),
                name="refund_amount_positive",
                violation_error_message="El valor devuelto debe ser mayor que cero.",
            ),
            models.UniqueConstraint(
                Lower("reference"),
                "paid_on",
                "amount",
                name="refund_not_twice",
                violation_error_message="Ya hay una devolución con esa referencia, fecha y valor.",
            ),
        ]
        triggers = [
            pgtrigger.Protect(name="refund_fixed", operation=pgtrigger.Update),
            pgtrigger.Protect(name="refund_kept", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"Devolución de {self.award}"


@pghistory.track()
class AwardDefault(TwoPersonAct):
    """What the Fund does, by an approved act, about an award that was not paid in time."""

    award = models.ForeignKey(Award, on_delete=models.PROTECT, related_name="defaults")
    measure = models.CharField("medida", max_length=5, choices=DefaultMeasure.choices)
    decided_on = models.DateField("fecha del acto")
    cause = models.TextField("por qué")

    class Meta(TwoPersonAct.Meta):
        abstract = False
        verbose_name = "incumplimiento del pago"
        verbose_name_plural = "incumplimientos del pago"
        ordering = ["pk"]
        constraints = [
            *TwoPersonAct.Meta.constraints,
            models.UniqueConstraint(
                fields=["award", "measure"],
                condition=Q(review_state__in=(ReviewState.PENDING, ReviewState.APPROVED)),
                name="awarddefault_one_under_way",
                violation_error_message="Esa medida ya espera revisión, o ya está aprobada.",
            ),
        ]
        triggers = [
            ReviewerIsSupervisor(name="awarddefault_reviewer"),
            *decided_for_good("awarddefault", "award", "measure", "decided_on", "cause"),
        ]

    def __str__(self) -> str:
        return f"{self.get_measure_display()}: {self.award}"
