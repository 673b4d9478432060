"""What every app stands on: people, jobs, decisions, stored files, certificates."""

import pghistory
import pghistory.models
import pgtrigger
from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from office.enums import CertificateState, JobState
from office.review import ReviewerIsSupervisor, ReviewState, TwoPersonAct, decided_for_good
from office.roles import GRANTS, Capability, Role

PERSON = {"on_delete": models.PROTECT, "related_name": "+"}


def events_of_many() -> tuple[pghistory.RowEvent, ...]:
    """What to track in a table to which a file may add rows by the thousand: their events are
    written once a statement, not row by row.
    """
    return pghistory.InsertEvent(level=pgtrigger.Statement), pghistory.UpdateEvent()


@pghistory.track(exclude=["password", "last_login"])
class User(AbstractUser):
    """A person who logs in. What it may do comes from its groups alone, never from
    `is_superuser`.
    """

    class Meta:
        verbose_name = "usuario"
        verbose_name_plural = "usuarios"

    def __str__(self) -> str:
        return self.get_full_name() or self.username

    @property
    def roles(self) -> frozenset[Role]:
        """The roles of its groups, read once per request."""
        if not hasattr(self, "_roles"):
            known = {role.value for role in Role}
            names = self.groups.values_list("name", flat=True) if self.is_active else []
            self._roles = frozenset(Role(name) for name in names if name in known)
        return self._roles

    def may(self, capability: Capability | str) -> bool:
        """True if one of its roles grants `capability`."""
        return bool(GRANTS[Capability(capability)] & self.roles)


@pghistory.track(pghistory.InsertEvent(), pghistory.DeleteEvent(), model_name="UserRoleEvent")
class UserRole(User.groups.through):
    """That a person has a role; here so that giving and taking roles leaves its trace."""

    class Meta:
        proxy = True


class AuditContext(pghistory.models.Context):
    """Who acted, and where, for the rows of the history; here so that it is held as they are.

    pghistory writes it with an upsert, so what was not known may be added (a log-in learns who
    it is while it runs); what was said stays.
    """

    class Meta:
        proxy = True
        triggers = [
            pgtrigger.Protect(name="auditcontext_kept", operation=pgtrigger.Delete),
            pgtrigger.Trigger(
                name="auditcontext_said_once",
                when=pgtrigger.Before,
                operation=pgtrigger.Update,
                func="""
                    IF NEW.id <> OLD.id OR NEW.created_at <> OLD.created_at
                       OR NOT NEW.metadata @> jsonb_strip_nulls(OLD.metadata) THEN
                        RAISE EXCEPTION 'auditcontext_said_once: lo que consta no se cambia'
                            USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]


@pghistory.track()
class Job(models.Model):
    """Long work that somebody asked for: the task's name and arguments, to start it again."""

    kind = models.CharField("clase", max_length=40)
    title = models.CharField("proceso", max_length=200)
    context = models.CharField("sobre", max_length=200, blank=True)
    task = models.CharField(max_length=120)
    arguments = models.JSONField(default=dict, blank=True)
    steps = models.JSONField("pasos", default=list, blank=True)
    link = models.CharField("resultado", max_length=200, blank=True)
    state = models.CharField(
        "estado", max_length=12, choices=JobState.choices, default=JobState.QUEUED
    )
    message = models.TextField("mensaje", blank=True)
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, verbose_name="la pidió", **PERSON)
    requested_at = models.DateTimeField(db_default=Now())
    stop_asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, verbose_name="la mandó detener", **PERSON
    )
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = "proceso"
        verbose_name_plural = "procesos"
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.code

    @property
    def code(self) -> str:
        return f"PR-{self.pk:06d}"

    @property
    def is_active(self) -> bool:
        return self.state in {JobState.QUEUED, JobState.RUNNING}

    @property
    def can_restart(self) -> bool:
        return self.state in {JobState.FAILED, JobState.INTERRUPTED, JobState.STOPPED}


class JobProgress(models.Model):
    """How far a job is. Written through the alias `progress`, outside the work's own
    transaction; not tracked: it changes many times a second and proves nothing.
    """

    job = models.OneToOneField(Job, on_delete=models.CASCADE, related_name="progress")
    step = models.PositiveIntegerField(default=0)
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(default=0)
    unit = models.CharField(max_length=40, blank=True)
    # By number: since when, and how far it came (since, done, total, unit).
    steps = models.JSONField(default=dict, blank=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = "avance"
        verbose_name_plural = "avances"

    def __str__(self) -> str:
        return f"{self.step}: {self.done} / {self.total}"


class Decision(models.Model):
    """An act with its who, what, when and why. Written once: neither changed nor deleted."""

    act = models.CharField("acto", max_length=60)
    sentence = models.TextField("qué")
    article = models.CharField("artículo", max_length=120, blank=True)
    reason = models.TextField("motivo", blank=True)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, verbose_name="quién", **PERSON)
    legal_at = models.DateTimeField("fecha legal")
    recorded_at = models.DateTimeField("registrado", db_default=Now())
    subject_kind = models.CharField(max_length=60)
    subject_id = models.BigIntegerField()
    data = models.JSONField("datos", default=dict, blank=True)

    class Meta:
        verbose_name = "decisión"
        verbose_name_plural = "decisiones"
        ordering = ["pk"]
        indexes = [models.Index(fields=["subject_kind", "subject_id"], name="decision_subject")]
        triggers = [
            pgtrigger.Protect(name="decision_append_only", operation=pgtrigger.Update),
            pgtrigger.Protect(name="decision_kept", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return self.sentence


@pghistory.track()
class StoredFile(models.Model):
    """A private file, kept under its own SHA-256; served only by its owner's view."""

    sha256 = models.CharField(max_length=64, db_index=True)
    size = models.PositiveBigIntegerField("tamaño")
    content_type = models.CharField("tipo", max_length=100)
    original_name = models.CharField("nombre", max_length=255)
    stored_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, **PERSON)
    stored_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = "archivo"
        verbose_name_plural = "archivos"
        triggers = [pgtrigger.Protect(name="stored_file_fixed", operation=pgtrigger.Update)]

    def __str__(self) -> str:
        return self.original_name

    @property
    def path(self) -> str:
        return f"{self.sha256[:2]}/{self.sha256}"


@pghistory.track()
class Series(models.Model):
    """The last number given in a series by kind and legal year; numbers are never used twice."""

    kind = models.CharField("clase", max_length=8)
    year = models.PositiveIntegerField("año")
    last_number = models.PositiveBigIntegerField("último número", default=0)

    class Meta:
        verbose_name = "serie"
        verbose_name_plural = "series"
        constraints = [
            models.UniqueConstraint(fields=["kind", "year"], name="series_one_per_kind_and_year")
        ]
        triggers = [
            pgtrigger.Protect(
                name="series_never_back",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(new__last_number__lt=pgtrigger.F("old__last_number")),
            ),
            pgtrigger.Protect(name="series_kept", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"{self.kind}-{self.year}"


@pghistory.track()
class Certificate(models.Model):
    """What the Fund certifies: a number, a code and the facts, frozen; its PDF, drawn after."""

    series = models.ForeignKey(Series, on_delete=models.PROTECT, verbose_name="serie")
    number = models.PositiveBigIntegerField("número")
    code = models.CharField("código de verificación", max_length=12, unique=True)
    title = models.CharField("título", max_length=80)
    template = models.CharField(max_length=100)
    facts = models.JSONField("hechos")
    legal_date = models.DateField("fecha de expedición")
    state = models.CharField(
        "estado",
        max_length=10,
        choices=CertificateState.choices,
        default=CertificateState.PENDING,
    )
    file = models.OneToOneField(StoredFile, null=True, verbose_name="PDF", **PERSON)
    replaces = models.OneToOneField(
        "self",
        null=True,
        blank=True,
        verbose_name="reemplaza a",
        on_delete=models.PROTECT,
        related_name="replaced_by",
    )
    annulled_at = models.DateTimeField("anulado", null=True, blank=True)
    # The legal date of the act that annulled it; annulled_at is when that was recorded.
    annulled_on = models.DateField("fecha de la anulación", null=True, blank=True)
    annulled_why = models.CharField("por qué se anuló", max_length=300, blank=True)
    issued_by = models.ForeignKey(settings.AUTH_USER_MODEL, verbose_name="expidió", **PERSON)
    issued_at = models.DateTimeField("registrado", db_default=Now())

    class Meta:
        verbose_name = "certificado"
        verbose_name_plural = "certificados"
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["series", "number"], name="certificate_number_once"),
            models.CheckConstraint(
                condition=Q(state=CertificateState.PENDING, file=None)
                | Q(state=CertificateState.ISSUED, file__isnull=False)
                | Q(state=CertificateState.ANNULLED),
                name="certificate_issued_has_its_file",
            ),
            models.CheckConstraint(
                condition=Q(
                    state=CertificateState.ANNULLED,
                    annulled_at__isnull=False,
                    annulled_on__isnull=False,
                )
                & ~Q(annulled_why="")
                | ~Q(state=CertificateState.ANNULLED)
                & Q(annulled_at=None, annulled_on=None, annulled_why=""),
                name="certificate_annulled_says_why",
            ),
            models.CheckConstraint(
                condition=Q(annulled_on=None) | Q(annulled_on__gte=F("legal_date")),
                name="certificate_annulled_after_issue",
                violation_error_message="No se anula antes de expedirse.",
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(
                name="certificate_facts_frozen",
                fields=[
                    "series", "number", "code", "title", "template", "facts", "legal_date",
                    "replaces", "issued_by", "issued_at",
                ],
            ),
            pgtrigger.Protect(
                name="certificate_file_stored_once",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__file__isnull=False)
                & pgtrigger.Q(old__file__df=pgtrigger.F("new__file")),
            ),
            pgtrigger.Protect(
                name="certificate_annulled_for_good",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__state=CertificateState.ANNULLED),
            ),
            pgtrigger.Protect(name="certificate_kept", operation=pgtrigger.Delete),
        ]  # fmt: skip

    def __str__(self) -> str:
        return self.label

    @property
    def state_label(self) -> str:
        """How it stands, as its tag says it: "un certificado anulado", "un acta anulada"."""
        masculine = self.title.startswith("Certificado")
        annulled = self.state == CertificateState.ANNULLED
        return "Anulado" if annulled and masculine else self.get_state_display()

    @property
    def label(self) -> str:
        return f"{self.series.kind}-{self.series.year}-{self.number:06d}"


@pghistory.track()
class CertificateAnnulment(TwoPersonAct):
    """That a certificate is withdrawn: prepared by one person, approved by another. Its number,
    facts and PDF stay; what it proved may be certified anew, under another number.
    """

    certificate = models.ForeignKey(
        Certificate, on_delete=models.PROTECT, related_name="annulments"
    )
    # Empty in the history of those asked for before it was asked; never in the act itself.
    annulled_on = models.DateField("fecha de la anulación", null=True)
    cause = models.TextField("por qué se anula")

    class Meta(TwoPersonAct.Meta):
        abstract = False
        verbose_name = "anulación de certificado"
        verbose_name_plural = "anulaciones de certificados"
        ordering = ["pk"]
        constraints = [
            *TwoPersonAct.Meta.constraints,
            models.UniqueConstraint(
                fields=["certificate"],
                condition=Q(review_state__in=(ReviewState.PENDING, ReviewState.APPROVED)),
                name="certificateannulment_one_under_way",
                violation_error_message="Su anulación ya espera revisión, o ya está aprobada.",
            ),
            models.CheckConstraint(
                condition=~Q(cause=""),
                name="certificateannulment_has_cause",
                violation_error_message="Escriba por qué se anula.",
            ),
            models.CheckConstraint(
                condition=Q(annulled_on__isnull=False),
                name="certificateannulment_has_date",
                violation_error_message="Escriba la fecha de la anulación.",
            ),
        ]
        triggers = [
            ReviewerIsSupervisor(name="certificateannulment_reviewer"),
            *decided_for_good("certificateannulment", "certificate", "annulled_on", "cause"),
        ]

    def __str__(self) -> str:
        return f"Anulación de {self.certificate}"


@pghistory.track()
class SavedView(models.Model):
    """A list's filter that somebody keeps under a name of its own."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, **PERSON)
    page = models.CharField("lista", max_length=60, help_text="El nombre de su dirección.")
    label = models.CharField("nombre", max_length=60)
    query = models.CharField("filtro", max_length=1000, blank=True)

    class Meta:
        verbose_name = "vista guardada"
        verbose_name_plural = "vistas guardadas"
        ordering = ["label", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "page", "label"],
                name="savedview_label_once",
                violation_error_message="Ya tiene una vista con ese nombre: escriba otro.",
            )
        ]

    def __str__(self) -> str:
        return self.label
