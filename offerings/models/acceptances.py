"""A buyer's part in a programme and its purchase acceptances."""

import uuid

import pghistory
import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from buyers.enums import BuyerClass, IdentityType
from buyers.models import Broker, Buyer, Document, Exchange, brokers_of
from offerings.enums import AcceptanceState, Standing
from offerings.models.imports import AcceptanceImport
from offerings.models.programmes import Programme, Stage
from office.identities import write_identity
from office.models import User, events_of_many
from office.roles import Capability

PERSON = {"on_delete": models.PROTECT, "related_name": "+"}


class ParticipationQuerySet(models.QuerySet):
    def visible_to(self, user: User) -> "ParticipationQuerySet":
        """All of them for staff; for a broker, those of which it presented an acceptance."""
        if user.may(Capability.READ):
            return self
        if not user.may(Capability.OWN):
            return self.none()
        own = Acceptance.objects.filter(broker__in=brokers_of(user))
        return self.filter(pk__in=own.values("participation"))


@pghistory.track(*events_of_many())
class Participation(models.Model):
    """A buyer's part in one programme: its one class there, and what it already holds."""

    programme = models.ForeignKey(
        Programme, on_delete=models.PROTECT, related_name="participations"
    )
    buyer = models.ForeignKey(Buyer, on_delete=models.PROTECT, related_name="participations")
    buyer_class = models.CharField("clase", max_length=30, choices=BuyerClass.choices())
    is_executive = models.BooleanField("cargo de nivel directivo", default=False)
    files_tax_return = models.BooleanField("obligado a declarar renta", null=True, blank=True)
    last_year_filed = models.PositiveSmallIntegerField(
        "último año gravable declarado", null=True, blank=True
    )
    present_holding = models.BigIntegerField("acciones que ya tiene", default=0)
    held_through_others = models.BigIntegerField("acciones por interpuesta persona", default=0)
    documents = models.ManyToManyField(
        Document, through="ParticipationDocument", related_name="participations"
    )

    objects = ParticipationQuerySet.as_manager()

    class Meta:
        verbose_name = "participación"
        verbose_name_plural = "participaciones"
        constraints = [
            models.UniqueConstraint(
                fields=["programme", "buyer"],
                name="participation_once",
                violation_error_message="El comprador ya tiene su parte en este programa.",
            ),
            models.CheckConstraint(
                condition=Q(present_holding__gte=0, held_through_others__gte=0),
                name="participation_holdings_not_negative",
            ),
        ]
        triggers = [pgtrigger.Protect(name="participation_kept", operation=pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"{self.buyer} · {self.programme}"


@pghistory.track(*events_of_many())
class ParticipationDocument(models.Model):
    """That a buyer's document is invoked in this programme."""

    participation = models.ForeignKey(Participation, on_delete=models.PROTECT)
    document = models.ForeignKey(Document, on_delete=models.PROTECT)

    class Meta:
        verbose_name = "documento del programa"
        verbose_name_plural = "documentos del programa"
        constraints = [
            models.UniqueConstraint(
                fields=["participation", "document"], name="participationdocument_once"
            )
        ]

    def __str__(self) -> str:
        return str(self.document)


@pghistory.track()
class ClassFinding(models.Model):
    """That a buyer claimed a class that it does not have; it answers for the damage (1995
    art. 20). What it was awarded stays as it is. Lifted where the finding was a mistake."""

    participation = models.ForeignKey(
        Participation, on_delete=models.PROTECT, related_name="class_findings"
    )
    found_at = models.DateTimeField("comprobada")
    evidence = models.TextField("en qué consta")
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, **PERSON)
    recorded_at = models.DateTimeField(db_default=Now())
    lifted_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, **PERSON)
    lifted_at = models.DateTimeField("levantada", null=True, blank=True)

    class Meta:
        verbose_name = "clase falsa"
        verbose_name_plural = "clases falsas"
        constraints = [
            models.UniqueConstraint(
                fields=["participation"],
                condition=Q(lifted_at=None),
                name="classfinding_one_in_force",
                violation_error_message="Ya consta que la clase es falsa.",
            ),
            models.CheckConstraint(
                condition=Q(lifted_by=None, lifted_at=None)
                | Q(
                    lifted_by__isnull=False,
                    lifted_at__isnull=False,
                    lifted_at__gte=F("recorded_at"),
                ),
                name="classfinding_lifted_whole",
            ),
        ]
        triggers = [pgtrigger.Protect(name="classfinding_kept", operation=pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"Clase falsa: {self.participation}"


# What was presented, and what was made of it, changes only while the stage is open.
FROZEN = """
    IF (SELECT state FROM offerings_stage WHERE id = OLD.stage_id) <> 'open' THEN
        RAISE EXCEPTION 'acceptance_frozen: the stage of this acceptance is not open';
    END IF;
    RETURN NEW;
"""


class AcceptanceQuerySet(models.QuerySet):
    def visible_to(self, user: User) -> "AcceptanceQuerySet":
        """All of them for staff; for a broker, those that it presented."""
        if user.may(Capability.READ):
            return self
        if not user.may(Capability.OWN):
            return self.none()
        return self.filter(broker__in=brokers_of(user))

    def in_order_of_receipt(self) -> "AcceptanceQuerySet":
        """The legal date and time, then the serial number given at registration."""
        return self.order_by("received_at", "serial")


# Its rows come by the thousand and leave no event of their making, so a change keeps the row as it
# was: what it became is in the next event, or in the row itself.
@pghistory.track(pghistory.UpdateEvent(row=pghistory.Old), pghistory.DeleteEvent())
class Acceptance(models.Model):
    """A purchase acceptance, with what its documents and the limit made of it.

    The evaluation (standing, admitted, missing, ruling) is stored as it was worked out and
    under which terms; it is worked out again while the stage is open, and never after.
    """

    stage = models.ForeignKey(Stage, on_delete=models.PROTECT, related_name="acceptances")
    participation = models.ForeignKey(
        Participation, on_delete=models.PROTECT, related_name="acceptances"
    )
    serial = models.PositiveIntegerField("número")
    state = models.CharField(
        "estado",
        max_length=10,
        choices=AcceptanceState.choices,
        default=AcceptanceState.PRESENTED,
    )
    requested = models.BigIntegerField("cantidad solicitada")
    minimum = models.BigIntegerField("mínimo admisible", null=True, blank=True)
    received_at = models.DateTimeField("recibida")
    broker = models.ForeignKey(
        Broker,
        null=True,
        blank=True,
        verbose_name="comisionista",
        help_text="Vacío, llegó directamente al Fondo, donde el decreto lo permite.",
        **PERSON,
    )
    exchange = models.ForeignKey(
        Exchange,
        null=True,
        blank=True,
        verbose_name="bolsa",
        help_text="Conserva los papeles; vacía, los conserva el Fondo.",
        **PERSON,
    )
    papers_reference = models.CharField(
        "dónde reposan los papeles",
        max_length=80,
        blank=True,
        help_text="Carpeta o caja, con las palabras de quien los conserva.",
    )
    attested_on = models.DateField("certificación del comisionista", null=True, blank=True)
    declarations = models.JSONField("declaraciones", default=list, blank=True)
    valid_days = models.PositiveSmallIntegerField("vigencia en días", null=True, blank=True)
    beneficial_owner = models.CharField("beneficiario real", max_length=200, blank=True)
    beneficial_owner_identity_type = models.CharField(
        "tipo de documento del beneficiario real",
        max_length=3,
        blank=True,
        choices=IdentityType.choices(),
    )
    beneficial_owner_identity_number = models.CharField(
        "número del beneficiario real", max_length=20, blank=True
    )
    conditions_accepted_at = models.DateTimeField("condiciones aceptadas")
    submission_key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    source_import = models.ForeignKey(AcceptanceImport, null=True, blank=True, **PERSON)
    source_row = models.PositiveIntegerField("fila del archivo", null=True, blank=True)
    registered_by = models.ForeignKey(settings.AUTH_USER_MODEL, **PERSON)
    registered_at = models.DateTimeField(db_default=Now())

    standing = models.CharField(
        "situación", max_length=14, choices=Standing.choices, default=Standing.INCOMPLETE
    )
    admitted = models.BigIntegerField("cantidad tras el límite", default=0)
    limit_shares = models.BigIntegerField("límite de compra", null=True, blank=True)
    missing = models.JSONField("lo que falta", default=list, blank=True)
    ruling = models.JSONField("por qué", default=dict, blank=True)
    terms_sha256 = models.CharField(max_length=64, blank=True)
    evaluated_at = models.DateTimeField(null=True, blank=True)

    objects = AcceptanceQuerySet.as_manager()

    class Meta:
        verbose_name = "aceptación"
        verbose_name_plural = "aceptaciones"
        ordering = ["-received_at", "-serial"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "serial"], name="acceptance_serial_once"),
            models.CheckConstraint(
                condition=Q(requested__gt=0),
                name="acceptance_requested_positive",
                violation_error_message="La cantidad solicitada debe ser mayor que cero.",
            ),
            models.CheckConstraint(
                condition=Q(minimum=None) | Q(minimum__gte=0, minimum__lte=F("requested")),
                name="acceptance_minimum_within_requested",
                violation_error_message="El mínimo no puede ser mayor que la cantidad solicitada.",
            ),
            models.CheckConstraint(
                condition=Q(admitted__gte=0, admitted__lte=F("requested")),
                name="acceptance_admitted_within_requested",
            ),
            models.CheckConstraint(
                condition=Q(limit_shares=None) | Q(admitted__lte=F("limit_shares")),
                name="acceptance_admitted_within_limit",
            ),
        ]
        indexes = [
            models.Index(fields=["stage", "received_at", "serial"], name="acceptance_receipt"),
            # The list, newest first, of 100,000 as of 100.
            models.Index(fields=["-received_at", "-serial"], name="acceptance_newest"),
            models.Index(fields=["serial"], name="acceptance_serial"),
        ]
        triggers = [
            pgtrigger.Protect(name="acceptance_kept", operation=pgtrigger.Delete),
            pgtrigger.Trigger(
                name="acceptance_frozen",
                when=pgtrigger.Before,
                operation=pgtrigger.Update,
                # All but the part: two records of one buyer may be made one later.
                condition=pgtrigger.AnyChange(exclude=["participation"]),
                func=FROZEN,
            ),
        ]

    def __str__(self) -> str:
        return self.code

    @property
    def code(self) -> str:
        return f"A-{self.serial:06d}"

    @property
    def beneficial_owner_identity(self) -> str:
        if not self.beneficial_owner_identity_number:
            return ""
        return write_identity(
            self.beneficial_owner_identity_type, self.beneficial_owner_identity_number
        )

    @property
    def situation(self) -> str:
        """How it stands while it is presented; else what was done with it."""
        if self.state == AcceptanceState.PRESENTED:
            return self.get_standing_display()
        return self.get_state_display()

    @property
    def total(self):
        """What it costs at most: the admitted shares at the stage's price, in pesos."""
        return self.admitted * self.stage.price


class AcceptanceDraftQuerySet(models.QuerySet):
    def visible_to(self, user: User) -> "AcceptanceDraftQuerySet":
        """Each person's own: a draft is nobody else's business."""
        return self.filter(owner=user)


@pghistory.track(exclude=["content"])
class AcceptanceDraft(models.Model):
    """An acceptance half typed. `content`: the form's fields as they were typed, by name, each a
    list; nothing of it is checked, and it has no legal effect."""

    stage = models.ForeignKey(Stage, on_delete=models.PROTECT, related_name="drafts")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, **PERSON)
    title = models.CharField("de quién", max_length=200, blank=True)
    content = models.JSONField("lo escrito", default=dict, blank=True)
    submission_key = models.UUIDField(unique=True, editable=False)
    saved_at = models.DateTimeField("guardado", auto_now=True)

    objects = AcceptanceDraftQuerySet.as_manager()

    class Meta:
        verbose_name = "borrador de aceptación"
        verbose_name_plural = "borradores de aceptaciones"
        ordering = ["-saved_at", "-pk"]

    def __str__(self) -> str:
        return self.title or f"Borrador {self.pk}"
