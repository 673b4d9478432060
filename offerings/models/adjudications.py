"""An adjudication and its lines: written once, reviewed by another person, never changed."""

from datetime import date

import pghistory
import pgtrigger
from django.db import models
from django.db.models import F, Q

from buyers.models import Exchange, brokers_of
from offerings.enums import AnnexKind, AwardReason
from offerings.models.acceptances import Acceptance
from offerings.models.programmes import Stage
from office.models import Certificate, Job, StoredFile, User
from office.review import (
    DECIDED,
    ReviewerIsSupervisor,
    ReviewState,
    TwoPersonAct,
    decided_for_good,
)
from office.roles import Capability
from office.text import exchange_words

PERSON = {"on_delete": models.PROTECT, "related_name": "+"}
# Sums of quantities may pass 64 bits where no limit holds the organisations.
TOTAL = {"max_digits": 30, "decimal_places": 0, "null": True, "blank": True}
ANNULLED = "Anulada"
# What the run writes once, and nothing changes afterwards.
RESULT = (
    "stage", "version", "exchange", "session_on", "job", "prepared_by", "supply", "demand",
    "demand_kept", "awarded", "unsold", "left_over_shares", "lines", "is_pro_rata", "ties",
    "summary", "terms", "terms_sha256", "input_sha256",
)  # fmt: skip


def _result_changes() -> pgtrigger.Q:
    """That an update touches the result, or makes a draft of it again."""
    changes = pgtrigger.Q(new__review_state=ReviewState.DRAFT)
    for name in RESULT:
        changes |= pgtrigger.Q(**{f"old__{name}__df": pgtrigger.F(f"new__{name}")})
    return changes


class AdjudicationQuerySet(models.QuerySet):
    def in_force(self) -> "AdjudicationQuerySet":
        """Approved and not annulled."""
        return self.filter(review_state=ReviewState.APPROVED, annulled_at=None)


@pghistory.track()
class Adjudication(TwoPersonAct):
    """One version of a stage's adjudication. A draft waits for its run; the run writes totals
    and lines and leaves it pending; a supervisor who is another decides."""

    stage = models.ForeignKey(Stage, on_delete=models.PROTECT, related_name="adjudications")
    version = models.PositiveSmallIntegerField("versión")
    exchange = models.ForeignKey(
        Exchange,
        null=True,
        blank=True,
        verbose_name="bolsa",
        help_text="En blanco: adjudica el Fondo, donde el decreto no pide bolsa.",
        **PERSON,
    )
    session_on = models.DateField("fecha de la sesión")
    job = models.OneToOneField(Job, null=True, blank=True, **PERSON)
    supply = models.DecimalField("oferta", **TOTAL)
    demand = models.DecimalField("demanda admitida", **TOTAL)
    demand_kept = models.DecimalField("demanda que entra al prorrateo", **TOTAL)
    awarded = models.DecimalField("adjudicado", **TOTAL)
    unsold = models.DecimalField("queda para la etapa 2", **TOTAL)
    left_over_shares = models.BigIntegerField("acciones por residuo", null=True, blank=True)
    lines = models.PositiveIntegerField("líneas", null=True, blank=True)
    is_pro_rata = models.BooleanField("a prorrata", null=True, blank=True)
    ties = models.JSONField("empates", default=list, blank=True)
    summary = models.JSONField("resumen", default=dict, blank=True)
    terms = models.JSONField("condiciones", null=True, blank=True)
    terms_sha256 = models.CharField(max_length=64, blank=True)
    input_sha256 = models.CharField(max_length=64, blank=True)
    annulled_at = models.DateTimeField("anulada", null=True, blank=True)

    objects = AdjudicationQuerySet.as_manager()

    class Meta(TwoPersonAct.Meta):
        abstract = False
        verbose_name = "adjudicación"
        verbose_name_plural = "adjudicaciones"
        ordering = ["-pk"]
        constraints = [
            *TwoPersonAct.Meta.constraints,
            models.UniqueConstraint(fields=["stage", "version"], name="adjudication_version_once"),
            models.UniqueConstraint(
                fields=["stage"],
                condition=Q(
                    review_state__in=(
                        ReviewState.DRAFT, ReviewState.PENDING, ReviewState.APPROVED,
                    ),
                    annulled_at=None,
                ),
                name="adjudication_one_per_stage",
                violation_error_message="Esta etapa ya tiene una adjudicación en curso, en "
                "revisión o aprobada.",
            ),
            models.CheckConstraint(
                condition=Q(review_state=ReviewState.DRAFT)
                | Q(supply__isnull=False, awarded__isnull=False, terms__isnull=False),
                name="adjudication_pending_has_result",
            ),
            models.CheckConstraint(
                condition=Q(awarded=None) | Q(awarded=F("supply") - F("unsold")),
                name="adjudication_awarded_plus_unsold_is_supply",
            ),
            models.CheckConstraint(
                condition=Q(annulled_at=None) | Q(review_state=ReviewState.APPROVED),
                name="adjudication_annulled_was_approved",
            ),
            # What the terms are silent on is no `false`: a missing key does not let it pass.
            models.CheckConstraint(
                condition=Q(terms__isnull=True)
                | Q(exchange__isnull=False)
                | Q(terms__contains={"through_broker": {"value": False}}),
                name="adjudication_exchange_where_asked_for",
                violation_error_message="El decreto pide bolsa: elija la que adjudica.",
            ),
        ]  # fmt: skip
        triggers = [
            ReviewerIsSupervisor(name="adjudication_reviewer"),
            pgtrigger.Trigger(
                name="adjudication_decided_is_final",
                when=pgtrigger.Before,
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__review_state__in=DECIDED),
                func="""
                    IF to_jsonb(NEW) - 'annulled_at' <> to_jsonb(OLD) - 'annulled_at'
                       OR OLD.annulled_at IS NOT NULL
                       OR NOT EXISTS (
                           SELECT 1 FROM offerings_adjudicationannulment
                           WHERE adjudication_id = OLD.id AND review_state = 'approved'
                       ) THEN
                        RAISE EXCEPTION 'adjudication_decided_is_final: solo se anula, por un acto'
                            USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
            pgtrigger.Protect(
                name="adjudication_result_fixed",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__review_state=ReviewState.PENDING) & _result_changes(),
            ),
            pgtrigger.Protect(name="adjudication_kept", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return self.code

    @property
    def code(self) -> str:
        return f"AD-{self.pk:06d}"

    @property
    def held_by(self) -> str:
        """Whose session it was, to follow "la sesión"."""
        return f"de {exchange_words(self.exchange.name)}" if self.exchange else "del Fondo"

    @property
    def state_label(self) -> str:
        """How it stands, as its tag says it."""
        return self.get_review_state_display() if self.annulled_at is None else ANNULLED

    @property
    def annulled_on(self) -> date | None:
        """The legal date of the act that annulled it; annulled_at is when that was recorded."""
        if self.annulled_at is None:
            return None
        return self.annulments.get(review_state=ReviewState.APPROVED).act_on

    @property
    def is_in_force(self) -> bool:
        """Approved and not annulled."""
        return self.review_state == ReviewState.APPROVED and self.annulled_at is None

    @property
    def is_deserted(self) -> bool:
        """That it was run and nobody gets anything."""
        return self.awarded == 0


@pghistory.track()
class AdjudicationAnnulment(TwoPersonAct):
    """That an approved adjudication is annulled as a whole, by an act of the exchange or of a
    court; the result stays, with nothing due for it."""

    adjudication = models.ForeignKey(
        Adjudication, on_delete=models.PROTECT, related_name="annulments"
    )
    ordered_by = models.CharField("quién la ordena", max_length=200)
    act = models.CharField("acto que la ordena", max_length=200)
    act_on = models.DateField("fecha del acto")
    cause = models.TextField("por qué")

    class Meta(TwoPersonAct.Meta):
        abstract = False
        verbose_name = "anulación de adjudicación"
        verbose_name_plural = "anulaciones de adjudicaciones"
        ordering = ["pk"]
        constraints = [
            *TwoPersonAct.Meta.constraints,
            models.UniqueConstraint(
                fields=["adjudication"],
                condition=Q(review_state__in=(ReviewState.PENDING, ReviewState.APPROVED)),
                name="adjudicationannulment_one_under_way",
                violation_error_message="Su anulación ya espera revisión, o ya está aprobada.",
            ),
        ]
        triggers = [
            ReviewerIsSupervisor(name="adjudicationannulment_reviewer"),
            *decided_for_good(
                "adjudicationannulment", "adjudication", "ordered_by", "act", "act_on", "cause"
            ),
        ]

    def __str__(self) -> str:
        return f"Anulación de {self.adjudication}"


@pghistory.track()
class AdjudicationRecord(models.Model):
    """The act of adjudication on paper: its certificate, and the annex with every line."""

    adjudication = models.OneToOneField(
        Adjudication, on_delete=models.PROTECT, related_name="record"
    )
    certificate = models.OneToOneField(
        Certificate, verbose_name="acta", on_delete=models.PROTECT, related_name="record"
    )

    class Meta:
        verbose_name = "acta de adjudicación"
        verbose_name_plural = "actas de adjudicación"
        triggers = [pgtrigger.Protect(name="adjudicationrecord_kept", operation=pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"Acta de {self.adjudication}"


@pghistory.track()
class AnnexFile(models.Model):
    """A part of an act's annex, drawn once. Lines: in order of receipt, from 1."""

    record = models.ForeignKey(
        AdjudicationRecord, on_delete=models.PROTECT, related_name="annexes"
    )
    kind = models.CharField("formato", max_length=4, choices=AnnexKind.choices)
    number = models.PositiveIntegerField("parte")
    first_line = models.PositiveIntegerField("desde la línea")
    last_line = models.PositiveIntegerField("hasta la línea")
    file = models.OneToOneField(StoredFile, verbose_name="archivo", **PERSON)

    class Meta:
        verbose_name = "anexo"
        verbose_name_plural = "anexos"
        ordering = ["record", "kind", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["record", "kind", "number"], name="annexfile_part_once"
            ),
            models.CheckConstraint(
                condition=Q(first_line__gte=1, last_line__gte=F("first_line")),
                name="annexfile_lines_in_order",
            ),
        ]
        triggers = [
            pgtrigger.Protect(name="annexfile_kept", operation=pgtrigger.Update | pgtrigger.Delete)
        ]

    def __str__(self) -> str:
        return f"{self.record}, {self.get_kind_display()} {self.number}"


class AwardQuerySet(models.QuerySet):
    def visible_to(self, user: User) -> "AwardQuerySet":
        """All of them for staff; for a broker, its own in what was approved, annulled later or
        not."""
        if user.may(Capability.READ):
            return self
        if not user.may(Capability.OWN):
            return self.none()
        return self.filter(
            acceptance__broker__in=brokers_of(user),
            adjudication__review_state=ReviewState.APPROVED,
        )


# Its rows come by the thousand and leave no event of their making, so a change keeps the row as it
# was: what it became is in the next event, or in the row itself.
@pghistory.track(pghistory.UpdateEvent(row=pghistory.Old), pghistory.DeleteEvent())
class Award(models.Model):
    """One line of an adjudication, with the figures that explain it."""

    adjudication = models.ForeignKey(Adjudication, on_delete=models.PROTECT, related_name="awards")
    acceptance = models.ForeignKey(Acceptance, on_delete=models.PROTECT, related_name="awards")
    requested = models.BigIntegerField("solicitado")
    admitted = models.BigIntegerField("tras el límite")
    least = models.BigIntegerField("mínimo", default=0)
    quotient = models.BigIntegerField("cociente", null=True)
    remainder = models.DecimalField("resto", **TOTAL)
    got_left_over = models.BooleanField("por residuo", default=False)
    awarded = models.BigIntegerField("adjudicado", default=0)
    reason = models.CharField("resultado", max_length=20, choices=AwardReason.choices)
    certificate = models.OneToOneField(
        Certificate, null=True, blank=True, on_delete=models.PROTECT, related_name="award"
    )
    notice = models.OneToOneField(
        Certificate,
        null=True,
        blank=True,
        verbose_name="constancia",
        on_delete=models.PROTECT,
        related_name="noticed_award",
    )

    objects = AwardQuerySet.as_manager()

    class Meta:
        verbose_name = "línea de adjudicación"
        verbose_name_plural = "líneas de adjudicación"
        constraints = [
            models.UniqueConstraint(
                fields=["adjudication", "acceptance"], name="award_acceptance_once"
            ),
            models.CheckConstraint(
                condition=Q(awarded__gte=0, awarded__lte=F("admitted")),
                name="award_never_above_admitted",
                violation_error_message="Nadie recibe más de lo que pidió.",
            ),
            models.CheckConstraint(
                condition=Q(admitted__gte=0, admitted__lte=F("requested")),
                name="award_admitted_within_requested",
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(name="award_figures_fixed", exclude=["certificate", "notice"]),
            pgtrigger.Protect(name="award_kept", operation=pgtrigger.Delete),
            pgtrigger.Trigger(
                name="award_only_while_running",
                when=pgtrigger.Before,
                operation=pgtrigger.Insert,
                func="""
                    IF NOT EXISTS (
                        SELECT 1 FROM offerings_adjudication
                        WHERE id = NEW.adjudication_id AND review_state = 'draft'
                    ) THEN
                        RAISE EXCEPTION 'award_only_while_running: la adjudicación ya está hecha'
                            USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.adjudication}: {self.acceptance}"

    @property
    def total(self):
        """What is due for it, in pesos."""
        return self.awarded * self.acceptance.stage.price
