"""What befalls a pledge: an authority's measures, the Fund as shareholder, lenders told."""

import uuid

import pghistory
import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from pledges.enums import Measure, RightsCause
from pledges.models.pledges import CountsHold, Pledge

PERSON = {"on_delete": models.PROTECT, "related_name": "+"}


@pghistory.track()
class Attachment(models.Model):
    """An embargo, secuestro or other measure on pledged shares: they are not released while it
    stands."""

    pledge = models.ForeignKey(Pledge, on_delete=models.PROTECT, related_name="attachments")
    measure = models.CharField("medida", max_length=9, choices=Measure.choices)
    authority = models.CharField("autoridad", max_length=200)
    number = models.CharField("oficio", max_length=80)
    ordered_on = models.DateField("fecha del oficio")
    received_at = models.DateTimeField("recibido")
    shares = models.BigIntegerField("acciones")
    detail = models.CharField("de qué trata", max_length=300, blank=True)
    submission_key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, **PERSON)
    recorded_at = models.DateTimeField(db_default=Now())
    lifted_on = models.DateField("levantada", null=True, blank=True)
    lifted_act = models.CharField("oficio que la levanta", max_length=120, blank=True)
    lifted_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, **PERSON)

    class Meta:
        verbose_name = "medida sobre acciones en prenda"
        verbose_name_plural = "medidas sobre acciones en prenda"
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(shares__gt=0), name="attachment_shares_positive"),
            models.UniqueConstraint(
                fields=["pledge", "authority", "number"],
                name="attachment_once",
                violation_error_message="Ese oficio de esa autoridad ya está registrado aquí.",
            ),
            models.CheckConstraint(
                condition=Q(lifted_on=None, lifted_act="", lifted_by=None)
                | Q(lifted_on__isnull=False, lifted_by__isnull=False) & ~Q(lifted_act=""),
                name="attachment_lifted_says_how",
                violation_error_message="Escriba el oficio que la levanta y su fecha.",
            ),
            models.CheckConstraint(
                condition=Q(lifted_on=None) | Q(lifted_on__gte=F("ordered_on")),
                name="attachment_lifted_after_order",
                violation_error_message="No se levanta antes de ordenarse.",
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(
                name="attachment_order_fixed",
                exclude=["lifted_on", "lifted_act", "lifted_by"],
            ),
            pgtrigger.Protect(
                name="attachment_lifted_for_good",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__lifted_on__isnull=False),
            ),
            CountsHold(name="attachment_counted", pledge="NEW.pledge_id"),
            pgtrigger.Protect(name="attachment_kept", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"{self.get_measure_display()}, oficio {self.number}"


@pghistory.track()
class ShareholderRights(models.Model):
    """That the Fund exercises the rights of the shareholder, from a day on (FES, numeral 5)."""

    pledge = models.ForeignKey(Pledge, on_delete=models.PROTECT, related_name="rights")
    cause = models.CharField("causa", max_length=10, choices=RightsCause.choices)
    attachment = models.ForeignKey(
        Attachment, null=True, blank=True, on_delete=models.PROTECT, related_name="rights"
    )
    detail = models.TextField("en qué consta")
    since = models.DateField("desde")
    until = models.DateField("hasta", null=True, blank=True)
    ended_why = models.CharField("por qué terminó", max_length=300, blank=True)
    ended_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, **PERSON)
    submission_key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, **PERSON)
    recorded_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = "ejercicio de derechos de accionista"
        verbose_name_plural = "ejercicios de derechos de accionista"
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["pledge"],
                condition=Q(until=None),
                name="shareholderrights_one_in_force",
                violation_error_message="El Fondo ya ejerce los derechos de esta prenda.",
            ),
            models.CheckConstraint(
                condition=Q(cause=RightsCause.ATTACHMENT, attachment__isnull=False)
                | Q(cause=RightsCause.DEFAULT, attachment=None),
                name="shareholderrights_cause_shown",
                violation_error_message="Diga qué medida preventiva es la causa.",
            ),
            models.CheckConstraint(
                condition=Q(until=None, ended_why="", ended_by=None)
                | Q(until__gte=F("since"), ended_by__isnull=False) & ~Q(ended_why=""),
                name="shareholderrights_ended_says_why",
                violation_error_message="Diga hasta cuándo, no antes del comienzo, y por qué.",
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(
                name="shareholderrights_start_fixed", exclude=["until", "ended_why", "ended_by"]
            ),
            pgtrigger.Protect(
                name="shareholderrights_ended_for_good",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__until__isnull=False),
            ),
            pgtrigger.Protect(name="shareholderrights_kept", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"Derechos de {self.pledge}"


@pghistory.track()
class LenderNotice(models.Model):
    """That the lender of the purchase was told of an early sale, which lets it call the loan
    (FES, numeral 6)."""

    request = models.ForeignKey(
        "pledges.ReleaseRequest", on_delete=models.PROTECT, related_name="lender_notices"
    )
    lender = models.CharField("entidad", max_length=200)
    notified_on = models.DateField("fecha del aviso")
    reference = models.CharField("comunicación", max_length=120)
    submission_key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, **PERSON)
    recorded_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = "aviso al acreedor"
        verbose_name_plural = "avisos al acreedor"
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["request", "lender", "reference"],
                name="lendernotice_once",
                violation_error_message="Ese aviso ya está registrado.",
            )
        ]
        triggers = [
            pgtrigger.Protect(
                name="lendernotice_kept", operation=pgtrigger.Update | pgtrigger.Delete
            )
        ]

    def __str__(self) -> str:
        return f"Aviso a {self.lender}"
