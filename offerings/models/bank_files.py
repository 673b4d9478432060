"""A bank's file of payments: matched by reference and reviewed first, then recorded."""

import pghistory
from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from offerings.enums import BankRowOutcome, ImportState, PaymentMeans
from offerings.models.adjudications import Award
from offerings.models.imports import WAITING
from offerings.models.payments import Payment
from offerings.models.programmes import Programme
from office.models import Job, StoredFile

PERSON = {"on_delete": models.PROTECT, "related_name": "+"}


@pghistory.track(exclude=["headings"])
class BankFile(models.Model):
    """What a bank says that it received, from the file's upload to its report.

    `headings`, `mapping`, `problems`: as in AcceptanceImport. `means`: of every row, where the
    file has no column for it.
    """

    programme = models.ForeignKey(Programme, on_delete=models.PROTECT, related_name="bank_files")
    file = models.ForeignKey(StoredFile, verbose_name="archivo", **PERSON)
    sha256 = models.CharField(max_length=64)
    state = models.CharField(
        "estado", max_length=10, choices=ImportState.choices, default=ImportState.UPLOADED
    )
    means = models.CharField("medio", max_length=8, choices=PaymentMeans.choices, blank=True)
    rows = models.PositiveIntegerField("filas", default=0)
    loaded = models.PositiveIntegerField("registradas", default=0)
    read_as = models.CharField("leído como", max_length=300, blank=True)
    headings = models.JSONField("títulos", default=list, blank=True)
    mapping = models.JSONField("columnas", default=dict, blank=True)
    problems = models.JSONField("problemas", default=list, blank=True)
    job = models.OneToOneField(Job, null=True, **PERSON)
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, **PERSON)
    uploaded_at = models.DateTimeField(db_default=Now())
    confirmed_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, **PERSON)

    class Meta:
        verbose_name = "archivo del banco"
        verbose_name_plural = "archivos del banco"
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["programme", "sha256"],
                condition=Q(state__in=WAITING),
                name="bankfile_file_once",
                violation_error_message="Este archivo ya está en revisión.",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=[ImportState.CONFIRMED, ImportState.LOADED])
                | Q(confirmed_by__isnull=False),
                name="bankfile_confirmed",
            ),
        ]

    def __str__(self) -> str:
        return self.code

    @property
    def code(self) -> str:
        return f"BA-{self.pk:06d}"


class BankFileRow(models.Model):
    """What came of a row: the award that its reference names, and then the payment recorded.

    `cells`, `messages`: as in ImportRow.
    """

    source = models.ForeignKey(BankFile, on_delete=models.CASCADE, related_name="lines")
    number = models.PositiveIntegerField("fila")
    outcome = models.CharField("resultado", max_length=10, choices=BankRowOutcome.choices)
    award = models.ForeignKey(Award, null=True, on_delete=models.PROTECT, related_name="+")
    payment = models.OneToOneField(Payment, null=True, on_delete=models.PROTECT, related_name="+")
    reference = models.CharField("referencia", max_length=80, blank=True)
    means = models.CharField("medio", max_length=8, blank=True)
    paid_on = models.DateField("fecha de pago", null=True)
    amount = models.DecimalField("valor", max_digits=24, decimal_places=2, null=True)
    excess = models.DecimalField(
        "sobrante",
        max_digits=24,
        decimal_places=2,
        default=0,
        help_text="Lo que, según la revisión, pasa de lo que se debe; más no se recibe.",
    )
    cells = models.JSONField("celdas", default=dict)
    messages = models.JSONField("mensajes", default=list, blank=True)

    class Meta:
        verbose_name = "fila de un archivo del banco"
        verbose_name_plural = "filas de archivos del banco"
        ordering = ["source", "number"]
        constraints = [
            models.UniqueConstraint(fields=["source", "number"], name="bankfilerow_once"),
        ]

    def __str__(self) -> str:
        return f"{self.source_id}: {self.number}"
