"""Two people for an act: one prepares it, a supervisor who is another reviews it.

Held three times: by the service (role and person, under a lock), by check constraints (never
the same person; a reason where it is not approved) and by a trigger that asks the database
itself whether the reviewer is an active supervisor.
"""

from typing import TYPE_CHECKING, Any

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import timezone

from office.refusals import Refused
from office.roles import Capability, Role

if TYPE_CHECKING:
    from office.models import User


class ReviewState(models.TextChoices):
    """Where a two-person act stands."""

    DRAFT = "draft", "Borrador"
    PENDING = "pending", "Espera revisión"
    APPROVED = "approved", "Aprobada"
    RETURNED = "returned", "Devuelta"
    REJECTED = "rejected", "Rechazada"


DECIDED = (ReviewState.APPROVED, ReviewState.RETURNED, ReviewState.REJECTED)


class ReviewerIsSupervisor(pgtrigger.Trigger):
    """Refuses a reviewer who is not an active member of the supervisors' group."""

    name = "reviewer_is_supervisor"
    when = pgtrigger.Before
    operation = pgtrigger.Insert | pgtrigger.Update
    condition = pgtrigger.Q(new__reviewed_by__isnull=False)
    func = f"""
        IF NOT EXISTS (
            SELECT 1 FROM office_user person
            JOIN office_user_groups link ON link.user_id = person.id
            JOIN auth_group role ON role.id = link.group_id
            WHERE person.id = NEW.reviewed_by_id AND person.is_active
              AND role.name = '{Role.SUPERVISOR.value}'
        ) AND (TG_OP = 'INSERT' OR NEW.reviewed_by_id IS DISTINCT FROM OLD.reviewed_by_id) THEN
            RAISE EXCEPTION 'reviewer_is_supervisor: quien revisa debe ser supervisor'
                USING ERRCODE = 'check_violation';
        END IF;
        RETURN NEW;
    """  # noqa: S608 - the role's name is ours


class TwoPersonAct(models.Model):
    """An act that one person prepares and another approves, sends back or rejects."""

    review_state = models.CharField(
        "estado", max_length=10, choices=ReviewState.choices, default=ReviewState.DRAFT
    )
    prepared_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name="lo preparó",
        on_delete=models.PROTECT,
        related_name="+",
    )
    prepared_at = models.DateTimeField("preparado", db_default=Now())
    reviewed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name="lo revisó",
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
    )
    reviewed_at = models.DateTimeField("revisado", null=True, blank=True)
    review_reason = models.TextField("motivo", blank=True)

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=Q(reviewed_by=None) | ~Q(reviewed_by=F("prepared_by")),
                name="%(class)s_reviewed_by_another",
                violation_error_message="Quien lo preparó no puede revisarlo: "
                "pida que lo haga otro supervisor.",
            ),
            models.CheckConstraint(
                condition=Q(
                    review_state__in=DECIDED, reviewed_by__isnull=False, reviewed_at__isnull=False
                )
                | Q(
                    review_state__in=(ReviewState.DRAFT, ReviewState.PENDING),
                    reviewed_by=None,
                    reviewed_at=None,
                ),
                name="%(class)s_decided_has_reviewer",
                violation_error_message="Una decisión necesita quién la revisó y cuándo.",
            ),
            models.CheckConstraint(
                condition=~Q(review_state__in=(ReviewState.RETURNED, ReviewState.REJECTED))
                | ~Q(review_reason=""),
                name="%(class)s_refused_has_reason",
                violation_error_message="Escriba el motivo.",
            ),
        ]


def decided_for_good(name: str, *content: str) -> list[pgtrigger.Trigger]:
    """The triggers that hold a two-person act of model `name`: decided, it never changes; what
    it says (`content`, its columns) is fixed once it waits for its review; it is kept.
    """
    says_otherwise = pgtrigger.Q(new__review_state=ReviewState.DRAFT)
    for column in (*content, "prepared_by", "prepared_at"):
        says_otherwise |= pgtrigger.Q(**{f"old__{column}__df": pgtrigger.F(f"new__{column}")})
    return [
        pgtrigger.Protect(
            name=f"{name}_decided_is_final",
            operation=pgtrigger.Update,
            condition=pgtrigger.Q(old__review_state__in=DECIDED),
        ),
        pgtrigger.Protect(
            name=f"{name}_content_fixed",
            operation=pgtrigger.Update,
            condition=pgtrigger.Q(old__review_state=ReviewState.PENDING) & says_otherwise,
        ),
        pgtrigger.Protect(name=f"{name}_kept", operation=pgtrigger.Delete),
    ]


def review_block(act: TwoPersonAct, user: "User") -> str:
    """Why `user` may not review `act` now, in Spanish; empty if it may."""
    if not user.may(Capability.APPROVE):
        return "Solo un supervisor puede revisar este acto."
    if act.prepared_by_id == user.pk:
        return "Usted lo preparó: debe revisarlo otro supervisor."
    if act.review_state != ReviewState.PENDING:
        return f"No espera revisión: está «{act.get_review_state_display()}»."
    return ""


def review_decide(
    *, act: TwoPersonAct, user: "User", outcome: ReviewState, reason: str = "", **fields: Any
) -> TwoPersonAct:
    """Record the review of `act`, which the caller has locked inside its transaction.

    `outcome` is one of DECIDED; `reason` is needed unless approved; `fields` are further columns
    that change with the decision. Raises Refused with a Spanish sentence.
    """
    blocked = review_block(act, user)
    if blocked:
        raise Refused(blocked)
    if outcome not in DECIDED:
        raise Refused("La revisión aprueba, devuelve o rechaza.")
    if outcome != ReviewState.APPROVED and not reason.strip():
        raise Refused("Escriba el motivo: quien lo preparó debe saber qué corregir.")
    act.review_state = outcome
    act.reviewed_by = user
    act.reviewed_at = timezone.now()
    act.review_reason = reason.strip()
    for name, value in fields.items():
        setattr(act, name, value)
    act.full_clean()
    act.save()
    return act
