"""A pledge: shares of stage 1 that the Fund holds as security from payment to release."""

import uuid
from functools import reduce
from operator import or_

import pghistory
import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from buyers.models import Buyer, brokers_of
from offerings.models import Award
from office.models import User, events_of_many
from office.roles import Capability
from pledges.enums import PledgeState, Rank

PERSON = {"on_delete": models.PROTECT, "related_name": "+"}
MOVES = [
    (PledgeState.IN_FORCE, PledgeState.MATURED),
    (PledgeState.IN_FORCE, PledgeState.RELEASED),
    (PledgeState.IN_FORCE, PledgeState.PASSED_ON),
    (PledgeState.IN_FORCE, PledgeState.ANNULLED),
    (PledgeState.MATURED, PledgeState.RELEASED),
    (PledgeState.MATURED, PledgeState.PASSED_ON),
    (PledgeState.MATURED, PledgeState.ANNULLED),
    # Its release was annulled.
    (PledgeState.RELEASED, PledgeState.IN_FORCE),
    (PledgeState.RELEASED, PledgeState.MATURED),
    # The adjudication was annulled, with what heirs had of it.
    (PledgeState.PASSED_ON, PledgeState.ANNULLED),
]
# The running sums, and what each is the sum of.
COUNTS = ("released", "in_process", "attached", "passed_on")
GONE = F("released") + F("passed_on")


def changes(*columns: str) -> pgtrigger.Q:
    """That an update changes one of the columns."""
    changed = [pgtrigger.Q(**{f"old__{one}__df": pgtrigger.F(f"new__{one}")}) for one in columns]
    return reduce(or_, changed)


class CountsHold(pgtrigger.Trigger):
    """At the end of a transaction, a pledge's running sums are those of its rows."""

    when = pgtrigger.After
    timing = pgtrigger.Deferred
    operation = pgtrigger.Insert | pgtrigger.Update

    def __init__(self, *, pledge: str, **settings_of_trigger) -> None:
        func = f"""
            PERFORM 1 FROM pledges_pledge pledge
            WHERE pledge.id = {pledge} AND NOT (
                pledge.released = (
                    SELECT COALESCE(SUM(shares), 0) FROM pledges_releaseline
                    WHERE pledge_id = pledge.id AND state = 'done'
                ) AND pledge.in_process = (
                    SELECT COALESCE(SUM(shares), 0) FROM pledges_releaserequest
                    WHERE pledge_id = pledge.id AND state IN ('open', 'settled', 'paid')
                ) + (
                    SELECT COALESCE(SUM(line.shares), 0) FROM pledges_releaseline line
                    JOIN pledges_release act ON act.id = line.release_id
                    WHERE line.pledge_id = pledge.id AND line.state = 'planned'
                      AND act.request_id IS NULL
                ) AND pledge.attached = (
                    SELECT COALESCE(SUM(shares), 0) FROM pledges_attachment
                    WHERE pledge_id = pledge.id AND lifted_on IS NULL
                ) AND pledge.passed_on = (
                    SELECT COALESCE(SUM(shares), 0) FROM pledges_pledge
                    WHERE inherited_from_id = pledge.id
                )
            );
            IF FOUND THEN
                RAISE EXCEPTION 'pledge_counts_hold: las sumas de la prenda no cuadran'
                    USING ERRCODE = 'check_violation';
            END IF;
            RETURN NULL;
        """  # noqa: S608 - `pledge` is ours
        super().__init__(func=func, **settings_of_trigger)


class PledgeQuerySet(models.QuerySet):
    def visible_to(self, user: User) -> "PledgeQuerySet":
        """All of them for staff; for a broker, those of its own acceptances."""
        if user.may(Capability.READ):
            return self
        if not user.may(Capability.OWN):
            return self.none()
        return self.filter(award__acceptance__broker__in=brokers_of(user))

    def standing(self) -> "PledgeQuerySet":
        """Those of which shares are still pledged."""
        return self.filter(state__in=(PledgeState.IN_FORCE, PledgeState.MATURED))


@pghistory.track(*events_of_many())
class Pledge(models.Model):
    """An award's shares, pledged to the Fund from its payment on, or an heir's part of them.

    Each share carries its own charge: `released` left it, `passed_on` went to heirs (each with a
    pledge of its own), `in_process` is asked for or about to be released, `attached` is under an
    authority's measure. All are shares; the database holds them to their rows.
    """

    award = models.ForeignKey(Award, on_delete=models.PROTECT, related_name="pledges")
    holder = models.ForeignKey(Buyer, on_delete=models.PROTECT, related_name="pledges")
    shares = models.BigIntegerField("acciones")
    price = models.DecimalField("precio de compra", max_digits=24, decimal_places=2)
    purchased_on = models.DateField("fecha de compra")
    opened_on = models.DateField("constituida")
    last_day = models.DateField("último día")
    rank = models.CharField("grado", max_length=6, choices=Rank.choices)
    lender = models.CharField("acreedor del crédito de compra", max_length=200, blank=True)
    kept_by = models.CharField("registro o depósito", max_length=200, blank=True)
    entry_reference = models.CharField("anotación", max_length=120, blank=True)
    entered_on = models.DateField("anotada", null=True, blank=True)
    inherited_from = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="heirs"
    )
    state = models.CharField(
        "estado", max_length=9, choices=PledgeState.choices, default=PledgeState.IN_FORCE
    )
    released = models.BigIntegerField("liberadas", default=0)
    in_process = models.BigIntegerField("en trámite", default=0)
    attached = models.BigIntegerField("embargadas", default=0)
    passed_on = models.BigIntegerField("transmitidas", default=0)
    submission_key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    opened_by = models.ForeignKey(settings.AUTH_USER_MODEL, **PERSON)
    recorded_at = models.DateTimeField(db_default=Now())

    objects = PledgeQuerySet.as_manager()

    class Meta:
        verbose_name = "prenda"
        verbose_name_plural = "prendas"
        ordering = ["-pk"]
        indexes = [models.Index(fields=["last_day", "state"], name="pledge_by_maturity")]
        constraints = [
            models.UniqueConstraint(
                fields=["award"],
                condition=Q(inherited_from=None),
                name="pledge_one_per_award",
                violation_error_message="Esta adjudicación ya tiene su prenda.",
            ),
            models.CheckConstraint(condition=Q(shares__gt=0), name="pledge_shares_positive"),
            models.CheckConstraint(condition=Q(price__gt=0), name="pledge_price_positive"),
            models.CheckConstraint(
                condition=Q(released__gte=0, in_process__gte=0, attached__gte=0, passed_on__gte=0),
                name="pledge_counts_not_negative",
            ),
            models.CheckConstraint(
                condition=Q(shares__gte=GONE + F("in_process")),
                name="pledge_never_asked_twice",
                violation_error_message="Esas acciones ya están pedidas o liberadas.",
            ),
            models.CheckConstraint(
                condition=Q(shares__gte=GONE + F("attached")),
                name="pledge_attached_never_released",
                violation_error_message="Las acciones embargadas no se levantan ni se transmiten.",
            ),
            models.CheckConstraint(
                condition=~Q(rank=Rank.SECOND) | ~Q(lender=""),
                name="pledge_second_names_lender",
                violation_error_message="En segundo grado, escriba quién tiene el primero.",
            ),
            models.CheckConstraint(
                condition=Q(opened_on__gte=F("purchased_on"), last_day__gt=F("purchased_on")),
                name="pledge_days_in_order",
            ),
            models.CheckConstraint(
                condition=Q(entered_on=None, entry_reference="")
                | Q(entered_on__isnull=False) & ~Q(entry_reference="") & ~Q(kept_by=""),
                name="pledge_entry_whole",
                violation_error_message="La anotación necesita dónde, cuál y cuándo.",
            ),
            models.CheckConstraint(
                condition=Q(state=PledgeState.RELEASED, shares=GONE, released__gt=0)
                | Q(state=PledgeState.PASSED_ON, shares=F("passed_on"))
                | Q(
                    state__in=(PledgeState.IN_FORCE, PledgeState.MATURED),
                    shares__gt=GONE,
                )
                | Q(state=PledgeState.ANNULLED, released=0, in_process=0, attached=0),
                name="pledge_state_agrees_with_shares",
            ),
            models.CheckConstraint(
                condition=Q(inherited_from=None) | ~Q(inherited_from=F("pk")),
                name="pledge_not_its_own_heir",
            ),
        ]
        triggers = [
            pgtrigger.FSM(name="pledge_moves", field="state", transitions=MOVES),
            pgtrigger.ReadOnly(
                name="pledge_terms_fixed",
                fields=[
                    "award", "shares", "price", "purchased_on", "opened_on", "last_day",
                    "inherited_from", "opened_by", "recorded_at",
                ],
            ),
            pgtrigger.Protect(
                name="pledge_starts_whole",
                operation=pgtrigger.Insert,
                condition=pgtrigger.Q(new__released__gt=0)
                | pgtrigger.Q(new__in_process__gt=0)
                | pgtrigger.Q(new__attached__gt=0)
                | pgtrigger.Q(new__passed_on__gt=0)
                | ~pgtrigger.Q(new__state=PledgeState.IN_FORCE),
            ),
            CountsHold(
                name="pledge_counts_hold",
                pledge="NEW.id",
                operation=pgtrigger.UpdateOf(*COUNTS),
                condition=changes(*COUNTS),
            ),
            CountsHold(
                name="pledge_heirs_counted",
                pledge="NEW.inherited_from_id",
                operation=pgtrigger.Insert,
                condition=pgtrigger.Q(new__inherited_from__isnull=False),
            ),
            pgtrigger.Protect(name="pledge_kept", operation=pgtrigger.Delete),
        ]  # fmt: skip

    def __str__(self) -> str:
        return self.code

    @property
    def code(self) -> str:
        return f"PD-{self.pk:06d}"

    @property
    def pledged(self) -> int:
        """Shares still pledged."""
        if self.state == PledgeState.ANNULLED:
            return 0
        return self.shares - self.released - self.passed_on

    @property
    def free(self) -> int:
        """Shares of it that may be asked for: neither asked for already nor attached."""
        return self.pledged and max(0, self.pledged - self.in_process - self.attached)
