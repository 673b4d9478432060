"""What an early exit costs: the readings confirmed, the Fund's decision, the quote."""

import pghistory
import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from offerings.models import Programme
from office.review import ReviewerIsSupervisor, ReviewState, TwoPersonAct, decided_for_good
from pledges.enums import QuoteState
from pledges.models.pledges import changes
from pledges.models.requests import AMOUNT, PERSON, UNDER_WAY, ReleaseRequest


@pghistory.track()
class PenaltyReadings(TwoPersonAct):
    """The readings of a programme's penalty that the Fund confirms before its first quote: by
    name, the value adopted. The last approved is in force."""

    programme = models.ForeignKey(
        Programme, on_delete=models.PROTECT, related_name="penalty_readings"
    )
    version = models.PositiveSmallIntegerField("versión")
    readings = models.JSONField("lecturas", default=dict, blank=True)
    act = models.CharField("acto del Fondo", max_length=200)
    act_on = models.DateField("fecha del acto")

    class Meta(TwoPersonAct.Meta):
        abstract = False
        verbose_name = "lecturas de la sanción"
        verbose_name_plural = "lecturas de la sanción"
        ordering = ["programme", "version"]
        constraints = [
            *TwoPersonAct.Meta.constraints,
            models.UniqueConstraint(
                fields=["programme", "version"], name="penaltyreadings_version_once"
            ),
            models.UniqueConstraint(
                fields=["programme"],
                condition=Q(review_state=ReviewState.PENDING),
                name="penaltyreadings_one_under_way",
                violation_error_message="Ya hay unas lecturas que esperan revisión.",
            ),
        ]
        triggers = [
            ReviewerIsSupervisor(name="penaltyreadings_reviewer"),
            *decided_for_good(
                "penaltyreadings", "programme", "version", "readings", "act", "act_on"
            ),
        ]

    def __str__(self) -> str:
        return f"Lecturas de la sanción, {self.programme}, versión {self.version}"


@pghistory.track()
class FundDecision(TwoPersonAct):
    """What the Fund decides that an early exit costs, where the decree's text has no rule."""

    request = models.ForeignKey(ReleaseRequest, on_delete=models.PROTECT, related_name="decisions")
    amount = models.DecimalField("valor", **AMOUNT)
    act = models.CharField("acto del Fondo", max_length=200)
    act_on = models.DateField("fecha del acto")
    reason = models.TextField("razones")

    class Meta(TwoPersonAct.Meta):
        abstract = False
        verbose_name = "decisión del Fondo"
        verbose_name_plural = "decisiones del Fondo"
        ordering = ["pk"]
        constraints = [
            *TwoPersonAct.Meta.constraints,
            models.UniqueConstraint(
                fields=["request"],
                condition=Q(review_state__in=UNDER_WAY),
                name="funddecision_one_under_way",
                violation_error_message="La decisión ya espera revisión, o ya está aprobada.",
            ),
            models.CheckConstraint(
                condition=Q(amount__gte=0), name="funddecision_amount_not_negative"
            ),
            models.CheckConstraint(
                condition=~Q(reason=""),
                name="funddecision_has_reason",
                violation_error_message="Escriba las razones de la decisión.",
            ),
        ]
        triggers = [
            ReviewerIsSupervisor(name="funddecision_reviewer"),
            *decided_for_good("funddecision", "request", "amount", "act", "act_on", "reason"),
        ]

    def __str__(self) -> str:
        return f"Decisión sobre {self.request}"


@pghistory.track()
class Quote(models.Model):
    """A liquidación: what an early exit costs, with the steps, the readings and the data that it
    was worked out from. Never changed: it is accepted, or another takes its place."""

    request = models.ForeignKey(ReleaseRequest, on_delete=models.PROTECT, related_name="quotes")
    state = models.CharField(
        "estado", max_length=8, choices=QuoteState.choices, default=QuoteState.PROPOSED
    )
    amount = models.DecimalField("valor", **AMOUNT)
    basis = models.CharField("fundamento", max_length=20)
    month = models.PositiveSmallIntegerField("mes que corre")
    valid_until = models.DateField("vigente hasta")
    facts = models.JSONField("datos usados")
    steps = models.JSONField("pasos")
    readings = models.JSONField("lecturas", default=list, blank=True)
    conclusion = models.TextField("conclusión", blank=True)
    outcome = models.JSONField("lo que se certifica")
    terms = models.JSONField("condiciones")
    terms_sha256 = models.CharField(max_length=64)
    confirmed = models.ForeignKey(PenaltyReadings, null=True, blank=True, **PERSON)
    decision = models.ForeignKey(FundDecision, null=True, blank=True, **PERSON)
    prepared_by = models.ForeignKey(settings.AUTH_USER_MODEL, **PERSON)
    prepared_at = models.DateTimeField(db_default=Now())
    accepted_on = models.DateField("aceptada", null=True, blank=True)
    accepted_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, **PERSON)

    class Meta:
        verbose_name = "liquidación"
        verbose_name_plural = "liquidaciones"
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["request"],
                condition=Q(state=QuoteState.ACCEPTED),
                name="quote_one_accepted",
                violation_error_message="La solicitud ya tiene su liquidación fijada.",
            ),
            models.UniqueConstraint(
                fields=["request"],
                condition=Q(state=QuoteState.PROPOSED),
                name="quote_one_proposed",
                violation_error_message="Ya hay una liquidación propuesta.",
            ),
            models.CheckConstraint(condition=Q(amount__gte=0), name="quote_amount_not_negative"),
            models.CheckConstraint(
                condition=Q(state=QuoteState.PROPOSED, accepted_on=None, accepted_by=None)
                | Q(
                    state=QuoteState.ACCEPTED,
                    accepted_on__isnull=False,
                    accepted_by__isnull=False,
                )
                | Q(state=QuoteState.REPLACED),
                name="quote_accepted_says_when",
            ),
            models.CheckConstraint(
                condition=Q(accepted_on=None) | Q(accepted_on__lte=F("valid_until")),
                name="quote_accepted_while_valid",
                violation_error_message="La liquidación ya no está vigente: haga otra.",
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(
                name="quote_frozen", exclude=["state", "accepted_on", "accepted_by"]
            ),
            pgtrigger.Protect(
                name="quote_accepted_for_good",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__accepted_on__isnull=False)
                & (
                    changes("accepted_on", "accepted_by")
                    | pgtrigger.Q(new__state=QuoteState.PROPOSED)
                ),
            ),
            pgtrigger.FSM(
                name="quote_moves",
                field="state",
                transitions=[
                    (QuoteState.PROPOSED, QuoteState.ACCEPTED),
                    (QuoteState.PROPOSED, QuoteState.REPLACED),
                    (QuoteState.ACCEPTED, QuoteState.REPLACED),
                ],
            ),
            pgtrigger.Protect(name="quote_kept", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return self.code

    @property
    def code(self) -> str:
        return f"LQ-{self.pk:06d}"
