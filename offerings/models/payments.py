"""Payments of what was awarded."""

import uuid

import pghistory
import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from offerings.enums import PaymentMeans
from offerings.models.adjudications import Award

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
            models.UniqueConstraint(
                fields=["reference", "paid_on", "amount", "means"],
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
