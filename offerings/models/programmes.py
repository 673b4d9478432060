"""A programme: its decree, what the Fund adds to it, its stages and what must precede them."""

import pghistory
import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from offerings.enums import StageState
from office.review import DECIDED, ReviewerIsSupervisor, ReviewState, TwoPersonAct

PERSON = {"on_delete": models.PROTECT, "related_name": "+"}

CHANGED_TERMS = (
    pgtrigger.Q(new__state=StageState.PLANNED)
    | pgtrigger.Q(old__supply__df=pgtrigger.F("new__supply"))
    | pgtrigger.Q(old__opened_at__df=pgtrigger.F("new__opened_at"))
    | pgtrigger.Q(old__last_moment__df=pgtrigger.F("new__last_moment"))
)
CHANGED_PRICE = pgtrigger.Q(old__rules__df=pgtrigger.F("new__rules")) | pgtrigger.Q(
    old__price__df=pgtrigger.F("new__price")
)


@pghistory.track()
class Programme(models.Model):
    """A programa de enajenación: a decree that is being carried out."""

    slug = models.SlugField("decreto", max_length=60, unique=True)
    name = models.CharField("programa", max_length=200)
    short_name = models.CharField("nombre corto", max_length=80)
    opened_by = models.ForeignKey(settings.AUTH_USER_MODEL, **PERSON)
    opened_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = "programa"
        verbose_name_plural = "programas"
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.short_name


@pghistory.track()
class FundRules(TwoPersonAct):
    """The reglamento del Fondo: missing figures and readings, each with its source, prepared by
    one person and confirmed by another. Confirmed, it keeps the terms it led to."""

    programme = models.ForeignKey(Programme, on_delete=models.PROTECT, related_name="fund_rules")
    version = models.PositiveSmallIntegerField("versión")
    terms = models.JSONField("condiciones", null=True, blank=True)
    terms_sha256 = models.CharField(max_length=64, blank=True)

    class Meta(TwoPersonAct.Meta):
        abstract = False
        verbose_name = "reglamento del Fondo"
        verbose_name_plural = "reglamentos del Fondo"
        ordering = ["programme", "version"]
        constraints = [
            *TwoPersonAct.Meta.constraints,
            models.UniqueConstraint(
                fields=["programme", "version"], name="fundrules_version_once"
            ),
            models.UniqueConstraint(
                fields=["programme"],
                condition=Q(review_state__in=(ReviewState.DRAFT, ReviewState.PENDING)),
                name="fundrules_one_under_way",
                violation_error_message="Ya hay un reglamento en preparación para este programa.",
            ),
            models.CheckConstraint(
                condition=~Q(review_state=ReviewState.APPROVED)
                | Q(terms__isnull=False) & ~Q(terms_sha256=""),
                name="fundrules_approved_has_terms",
            ),
        ]
        triggers = [
            ReviewerIsSupervisor(name="fundrules_reviewer"),
            pgtrigger.Protect(
                name="fundrules_decided_is_final",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__review_state__in=DECIDED),
            ),
            # Whoever sent it to review stays its preparer, and so never its reviewer.
            pgtrigger.Protect(
                name="fundrules_preparer_fixed",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__review_state=ReviewState.PENDING)
                & (
                    pgtrigger.Q(old__prepared_by__df=pgtrigger.F("new__prepared_by"))
                    | pgtrigger.Q(new__review_state=ReviewState.DRAFT)
                ),
            ),
            pgtrigger.Trigger(
                name="fundrules_reviewer_typed_none",
                when=pgtrigger.Before,
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(new__reviewed_by__isnull=False),
                func="""
                    IF EXISTS (
                        SELECT 1 FROM offerings_fundvalue
                        WHERE rules_id = NEW.id AND entered_by_id = NEW.reviewed_by_id
                    ) THEN
                        RAISE EXCEPTION
                            'fundrules_reviewer_typed_none: quien revisa ingresó algún dato'
                            USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
            pgtrigger.Protect(name="fundrules_kept", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"Reglamento del Fondo, {self.programme}, versión {self.version}"


@pghistory.track()
class FundValue(models.Model):
    """One value that the decree leaves to the Fund, or a reading that it confirms, with the act
    it comes from. The value is what `fund_value_as_data` gives for its key."""

    rules = models.ForeignKey(FundRules, on_delete=models.PROTECT, related_name="values")
    key = models.CharField("dato", max_length=60)
    value = models.JSONField("valor")
    source = models.CharField("fuente", max_length=300)
    entered_by = models.ForeignKey(settings.AUTH_USER_MODEL, **PERSON)
    entered_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = "dato del Fondo"
        verbose_name_plural = "datos del Fondo"
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["rules", "key"], name="fundvalue_once_per_key"),
            models.CheckConstraint(
                condition=~Q(source=""),
                name="fundvalue_has_source",
                violation_error_message="Escriba la fuente: el acto del Fondo que fija el dato.",
            ),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="fundvalue_only_in_draft",
                when=pgtrigger.Before,
                operation=pgtrigger.Insert | pgtrigger.Update | pgtrigger.Delete,
                func="""
                    IF EXISTS (
                        SELECT 1 FROM offerings_fundrules
                        WHERE id = COALESCE(NEW.rules_id, OLD.rules_id)
                          AND review_state <> 'draft'
                    ) THEN
                        RAISE EXCEPTION 'fundvalue_only_in_draft: el reglamento no es un borrador'
                            USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN COALESCE(NEW, OLD);
                """,
            )
        ]

    def __str__(self) -> str:
        return f"{self.key}: {self.value}"


@pghistory.track()
class Stage(models.Model):
    """A stage: what is offered, at what price, between the act that opens it and the one that
    closes it. Opened under a confirmed reglamento, whose terms it keeps to."""

    programme = models.ForeignKey(Programme, on_delete=models.PROTECT, related_name="stages")
    number = models.PositiveSmallIntegerField("etapa")
    state = models.CharField(
        "estado", max_length=8, choices=StageState.choices, default=StageState.PLANNED
    )
    rules = models.ForeignKey(
        FundRules, null=True, blank=True, verbose_name="reglamento", **PERSON
    )
    supply = models.BigIntegerField("acciones ofrecidas", null=True, blank=True)
    price = models.DecimalField(
        "precio fijo", max_digits=24, decimal_places=2, null=True, blank=True
    )
    opened_at = models.DateTimeField("abierta", null=True, blank=True)
    last_moment = models.DateTimeField("fin del plazo", null=True, blank=True)
    closed_at = models.DateTimeField("cerrada", null=True, blank=True)
    last_serial = models.PositiveIntegerField("último número", default=0)

    class Meta:
        verbose_name = "etapa"
        verbose_name_plural = "etapas"
        ordering = ["programme", "number"]
        constraints = [
            models.UniqueConstraint(fields=["programme", "number"], name="stage_number_once"),
            models.CheckConstraint(condition=Q(supply__gt=0), name="stage_supply_positive"),
            models.CheckConstraint(
                condition=Q(price__gt=0),
                name="stage_price_positive",
                violation_error_message="El precio falta o es cero: no se puede dividir por él.",
            ),
            models.CheckConstraint(
                condition=Q(state=StageState.PLANNED, opened_at=None, closed_at=None)
                | Q(
                    ~Q(state=StageState.PLANNED),
                    rules__isnull=False,
                    supply__isnull=False,
                    price__isnull=False,
                    opened_at__isnull=False,
                    last_moment__isnull=False,
                ),
                name="stage_opened_has_terms",
            ),
            models.CheckConstraint(
                condition=Q(state=StageState.CLOSED, closed_at__gte=F("opened_at"))
                | (~Q(state=StageState.CLOSED) & Q(closed_at=None)),
                name="stage_closed_after_opening",
                violation_error_message="El cierre no puede ser anterior a la apertura.",
            ),
        ]
        triggers = [
            pgtrigger.Protect(name="stage_kept", operation=pgtrigger.Delete),
            # An open stage keeps to its terms: an acceptance was presented under them.
            pgtrigger.Protect(
                name="stage_terms_fixed",
                operation=pgtrigger.Update,
                condition=~pgtrigger.Q(old__state=StageState.PLANNED) & CHANGED_TERMS,
            ),
            # Its price alone is corrected while it is open, by rules that two people approved.
            pgtrigger.Trigger(
                name="stage_price_by_rules",
                when=pgtrigger.Before,
                operation=pgtrigger.Update,
                condition=~pgtrigger.Q(old__state=StageState.PLANNED) & CHANGED_PRICE,
                func="""
                    IF OLD.state <> 'open' OR NEW.state <> 'open'
                       OR NEW.rules_id IS NOT DISTINCT FROM OLD.rules_id
                       OR NOT EXISTS (
                           SELECT 1 FROM offerings_fundrules
                           WHERE id = NEW.rules_id AND programme_id = NEW.programme_id
                             AND review_state = 'approved'
                       ) THEN
                        RAISE EXCEPTION 'stage_price_by_rules: el precio cambia solo en una etapa '
                            'abierta, por un reglamento aprobado'
                            USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
            pgtrigger.Protect(
                name="stage_closed_stays",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__state=StageState.CLOSED)
                & (
                    ~pgtrigger.Q(new__state=StageState.CLOSED)
                    | pgtrigger.Q(old__closed_at__df=pgtrigger.F("new__closed_at"))
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.programme}, etapa {self.number}"


@pghistory.track()
class PublicNotice(models.Model):
    """A notice that made the programme known: where and when (1995 arts. 15, 18)."""

    programme = models.ForeignKey(Programme, on_delete=models.PROTECT, related_name="notices")
    published_on = models.DateField("fecha de publicación")
    medium = models.CharField("medio", max_length=200)
    reference = models.CharField("referencia", max_length=200)
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, **PERSON)
    recorded_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = "aviso público"
        verbose_name_plural = "avisos públicos"
        ordering = ["published_on", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["programme", "published_on", "medium", "reference"],
                name="publicnotice_once",
                violation_error_message="Este aviso ya está registrado.",
            )
        ]

    def __str__(self) -> str:
        return f"{self.medium}, {self.published_on}"


@pghistory.track()
class CreditLine(models.Model):
    """A line of credit for stage-1 buyers, recorded by reference (1995 art. 7)."""

    programme = models.ForeignKey(Programme, on_delete=models.PROTECT, related_name="credit_lines")
    lender = models.CharField("entidad", max_length=200)
    opened_on = models.DateField("desde")
    reference = models.CharField("referencia", max_length=200)
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, **PERSON)
    recorded_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = "línea de crédito"
        verbose_name_plural = "líneas de crédito"
        ordering = ["opened_on", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["programme", "lender", "opened_on", "reference"],
                name="creditline_once",
                violation_error_message="Esta línea de crédito ya está registrada.",
            )
        ]

    def __str__(self) -> str:
        return self.lender
