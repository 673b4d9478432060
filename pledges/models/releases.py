"""A release: the act that frees shares, its lines, its annulment; and transfers to others."""

import uuid

import pghistory
import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from buyers.models import Buyer
from offerings.models import Programme
from office.models import Certificate, Job, events_of_many
from office.review import ReviewerIsSupervisor, ReviewState, TwoPersonAct, decided_for_good
from pledges.enums import Ground, LineState, TransferKind
from pledges.models.pledges import CountsHold, Pledge
from pledges.models.requests import ReleaseRequest

PERSON = {"on_delete": models.PROTECT, "related_name": "+"}


@pghistory.track()
class Release(TwoPersonAct):
    """A levantamiento: of one request's shares, or of a programme's at the end of their term.

    One person prepares it with its lines, a supervisor who is another approves; then the lines
    are carried out, by a job where they are many."""

    programme = models.ForeignKey(Programme, on_delete=models.PROTECT, related_name="releases")
    ground = models.CharField("causa", max_length=5, choices=Ground.choices)
    request = models.ForeignKey(
        ReleaseRequest, null=True, blank=True, on_delete=models.PROTECT, related_name="releases"
    )
    released_on = models.DateField("fecha del levantamiento")
    lines_planned = models.PositiveIntegerField("prendas")
    shares_planned = models.DecimalField("acciones", max_digits=30, decimal_places=0)
    job = models.OneToOneField(Job, null=True, blank=True, **PERSON)
    done_at = models.DateTimeField("terminado", null=True, blank=True)

    class Meta(TwoPersonAct.Meta):
        abstract = False
        verbose_name = "levantamiento"
        verbose_name_plural = "levantamientos"
        ordering = ["-pk"]
        constraints = [
            *TwoPersonAct.Meta.constraints,
            models.CheckConstraint(
                condition=Q(ground=Ground.EARLY, request__isnull=False, lines_planned=1)
                | Q(ground=Ground.TERM, request=None),
                name="release_ground_agrees_with_request",
            ),
            models.UniqueConstraint(
                fields=["request"],
                condition=Q(review_state=ReviewState.PENDING),
                name="release_one_under_way",
                violation_error_message="El levantamiento de esta solicitud ya espera revisión.",
            ),
            models.CheckConstraint(
                condition=Q(done_at=None) | Q(review_state=ReviewState.APPROVED),
                name="release_done_was_approved",
            ),
        ]
        triggers = [
            ReviewerIsSupervisor(name="release_reviewer"),
            *[
                trigger
                for trigger in decided_for_good(
                    "release",
                    "programme",
                    "ground",
                    "request",
                    "released_on",
                    "lines_planned",
                    "shares_planned",
                )
                if trigger.name != "release_decided_is_final"
            ],
            # Approved, it is carried out by a job, and ends; the rest stays.
            pgtrigger.Trigger(
                name="release_decided_is_final",
                when=pgtrigger.Before,
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(
                    old__review_state__in=(
                        ReviewState.APPROVED, ReviewState.RETURNED, ReviewState.REJECTED,
                    )
                ),
                func="""
                    IF to_jsonb(NEW) - 'done_at' - 'job_id' <> to_jsonb(OLD) - 'done_at' - 'job_id'
                       OR (OLD.done_at IS NOT NULL AND NEW.done_at IS DISTINCT FROM OLD.done_at)
                       OR OLD.review_state <> 'approved' THEN
                        RAISE EXCEPTION 'release_decided_is_final: el levantamiento ya se decidió'
                            USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return self.code

    @property
    def code(self) -> str:
        return f"LV-{self.pk:06d}"


@pghistory.track(*events_of_many())
class ReleaseLine(models.Model):
    """Shares of one pledge in a release. Done, it says how many are still pledged after it."""

    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="lines")
    pledge = models.ForeignKey(Pledge, on_delete=models.PROTECT, related_name="release_lines")
    shares = models.BigIntegerField("acciones")
    state = models.CharField(
        "estado", max_length=8, choices=LineState.choices, default=LineState.PLANNED
    )
    skipped_why = models.CharField("por qué no", max_length=300, blank=True)
    still_pledged = models.BigIntegerField("siguen en prenda", null=True, blank=True)
    done_at = models.DateTimeField("levantada", null=True, blank=True)
    certificate = models.OneToOneField(
        Certificate,
        null=True,
        blank=True,
        verbose_name="certificado",
        on_delete=models.PROTECT,
        related_name="release_line",
    )

    class Meta:
        verbose_name = "línea de levantamiento"
        verbose_name_plural = "líneas de levantamiento"
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["release", "pledge"], name="releaseline_pledge_once"),
            models.CheckConstraint(condition=Q(shares__gt=0), name="releaseline_shares_positive"),
            models.CheckConstraint(
                condition=Q(
                    state__in=(LineState.DONE, LineState.ANNULLED),
                    done_at__isnull=False,
                    still_pledged__isnull=False,
                    still_pledged__gte=0,
                )
                | Q(
                    state__in=(LineState.PLANNED, LineState.SKIPPED, LineState.DROPPED),
                    done_at=None,
                    still_pledged=None,
                    certificate=None,
                ),
                name="releaseline_done_says_what_is_left",
            ),
            models.CheckConstraint(
                condition=~Q(state=LineState.SKIPPED) | ~Q(skipped_why=""),
                name="releaseline_skipped_says_why",
            ),
        ]
        triggers = [
            pgtrigger.FSM(
                name="releaseline_moves",
                field="state",
                transitions=[
                    (LineState.PLANNED, LineState.DONE),
                    (LineState.PLANNED, LineState.SKIPPED),
                    (LineState.PLANNED, LineState.DROPPED),
                    (LineState.DONE, LineState.ANNULLED),
                ],
            ),
            pgtrigger.ReadOnly(
                name="releaseline_shares_fixed", fields=["release", "pledge", "shares"]
            ),
            pgtrigger.Trigger(
                name="releaseline_done_by_approved_act",
                when=pgtrigger.Before,
                operation=pgtrigger.Insert | pgtrigger.Update,
                condition=pgtrigger.Q(new__state=LineState.DONE),
                func="""
                    IF NOT EXISTS (
                        SELECT 1 FROM pledges_release
                        WHERE id = NEW.release_id AND review_state = 'approved'
                    ) THEN
                        RAISE EXCEPTION
                            'releaseline_done_by_approved_act: nadie aprobó el levantamiento'
                            USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
            CountsHold(
                name="releaseline_counted",
                pledge="NEW.pledge_id",
                operation=pgtrigger.Insert | pgtrigger.UpdateOf("state"),
            ),
            pgtrigger.Protect(name="releaseline_kept", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"{self.release}: {self.pledge}"


@pghistory.track()
class ReleaseAnnulment(TwoPersonAct):
    """That a pledge's release is annulled: its certificate with it; the pledge stands again."""

    line = models.ForeignKey(ReleaseLine, on_delete=models.PROTECT, related_name="annulments")
    annulled_on = models.DateField("fecha del acto")
    cause = models.TextField("por qué se anula")

    class Meta(TwoPersonAct.Meta):
        abstract = False
        verbose_name = "anulación de levantamiento"
        verbose_name_plural = "anulaciones de levantamientos"
        ordering = ["pk"]
        constraints = [
            *TwoPersonAct.Meta.constraints,
            models.UniqueConstraint(
                fields=["line"],
                condition=Q(review_state__in=(ReviewState.PENDING, ReviewState.APPROVED)),
                name="releaseannulment_one_under_way",
                violation_error_message="Su anulación ya espera revisión, o ya está aprobada.",
            ),
        ]
        triggers = [
            ReviewerIsSupervisor(name="releaseannulment_reviewer"),
            *decided_for_good("releaseannulment", "line", "annulled_on", "cause"),
        ]

    def __str__(self) -> str:
        return f"Anulación de {self.line}"


@pghistory.track()
class Transfer(models.Model):
    """That shares passed to another: with their penalty settled, or by inheritance, where the
    pledge follows them as the heir's own."""

    pledge = models.ForeignKey(Pledge, on_delete=models.PROTECT, related_name="transfers")
    kind = models.CharField("título", max_length=17, choices=TransferKind.choices)
    transferred_on = models.DateField("fecha")
    shares = models.BigIntegerField("acciones")
    price = models.DecimalField(
        "precio por acción", max_digits=24, decimal_places=2, null=True, blank=True
    )
    to_buyer = models.ForeignKey(Buyer, null=True, blank=True, **PERSON)
    to_name = models.CharField("a favor de", max_length=200)
    proof = models.CharField("en qué consta", max_length=300)
    request = models.ForeignKey(
        ReleaseRequest, null=True, blank=True, on_delete=models.PROTECT, related_name="transfers"
    )
    heir_pledge = models.OneToOneField(
        Pledge,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="inheritance",
    )
    submission_key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, **PERSON)
    recorded_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = "transferencia"
        verbose_name_plural = "transferencias"
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(shares__gt=0), name="transfer_shares_positive"),
            models.CheckConstraint(
                condition=Q(
                    kind=TransferKind.INHERITANCE,
                    request=None,
                    heir_pledge__isnull=False,
                    to_buyer__isnull=False,
                )
                | ~Q(kind=TransferKind.INHERITANCE) & Q(request__isnull=False, heir_pledge=None),
                name="transfer_has_its_penalty",
                violation_error_message="Dentro del término, una transferencia necesita su "
                "solicitud con la sanción liquidada; la sucesión, la prenda del heredero.",
            ),
        ]
        triggers = [
            # No one waives: the penalty stands, settled, before the transfer is on record.
            pgtrigger.Trigger(
                name="transfer_after_its_quote",
                when=pgtrigger.Before,
                operation=pgtrigger.Insert,
                condition=pgtrigger.Q(new__request__isnull=False),
                func="""
                    IF NOT EXISTS (
                        SELECT 1 FROM pledges_releaserequest request
                        JOIN pledges_quote quote ON quote.request_id = request.id
                        WHERE request.id = NEW.request_id AND request.pledge_id = NEW.pledge_id
                          AND quote.state = 'accepted'
                          AND request.shares >= NEW.shares + (
                              SELECT COALESCE(SUM(shares), 0) FROM pledges_transfer
                              WHERE request_id = request.id
                          )
                    ) THEN
                        RAISE EXCEPTION
                            'transfer_after_its_quote: la sanción no está liquidada'
                            USING ERRCODE = 'check_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
            pgtrigger.Protect(name="transfer_kept", operation=pgtrigger.Update | pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} de {self.pledge}"


@pghistory.track()
class DailyRun(models.Model):
    """That the daily task looked, for a day, at what its term has freed: once a day."""

    day = models.DateField("día", unique=True)
    matured = models.PositiveIntegerField("cumplidas", default=0)
    ran_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = "revisión diaria"
        verbose_name_plural = "revisiones diarias"
        ordering = ["-day"]

    def __str__(self) -> str:
        return str(self.day)
