"""The reglamento del Fondo: one person prepares it, a supervisor who is another confirms it."""

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from offerings.decrees.codec import DecreeError
from offerings.decrees.fund_values import CHANGEABLE, CORRECTABLE, fund_value_as_data
from offerings.decrees.fund_values import FundValue as Given
from offerings.decrees.reader import terms_as_data, terms_of, terms_sha256
from offerings.enums import StageState
from offerings.models import FundRules, FundValue, Programme
from offerings.rules.terms import Terms
from offerings.rules.wording import write_list
from offerings.selectors.fund_rules import (
    check_given,
    fund_rules_block,
    fund_values_given,
    given_faults,
    label_of,
    missing_keys,
    rules_prepared_at,
)
from offerings.selectors.programmes import fund_rules_in_force, fund_rules_under_way
from offerings.services.changes import Change
from offerings.services.price_changes import open_stage_of, price_change, price_evaluated
from office.dates import write_datetime
from office.decisions import decision_record
from office.models import User
from office.refusals import Refused, check_not_future
from office.review import ReviewState, review_decide
from office.roles import Capability

SENTENCES = {
    ReviewState.APPROVED: "Aprobó",
    ReviewState.RETURNED: "Devolvió",
    ReviewState.REJECTED: "Rechazó",
}


@transaction.atomic
def fund_rules_start(*, programme: Programme, user: User) -> FundRules:
    """Begin a new version, with the values of the last one approved or sent back; where one is
    under way, give that one."""
    _check_may_prepare(user)
    programme = Programme.objects.select_for_update().get(pk=programme.pk)
    under_way = fund_rules_under_way(programme)
    if under_way:
        return under_way
    last = programme.fund_rules.order_by("-version").first()
    rules = FundRules(
        programme=programme, version=last.version + 1 if last else 1, prepared_by=user
    )
    rules.full_clean()
    rules.save()
    base = programme.fund_rules.filter(
        review_state__in=(ReviewState.APPROVED, ReviewState.RETURNED)
    ).last()
    for row in base.values.all() if base else ():
        FundValue.objects.create(
            rules=rules,
            key=row.key,
            value=row.value,
            source=row.source,
            entered_by_id=row.entered_by_id,
        )
    return rules


@transaction.atomic
def fund_rules_save(*, rules: FundRules, user: User, values: Mapping[str, Given]) -> FundRules:
    """Keep what was typed so far in a draft: these values and no others, each with its source.

    `values` go by key of FUND_KEYS or by name of a reading. A value that stays as it was keeps
    who entered it.
    """
    _check_may_prepare(user)
    rules = _locked(rules)
    _check_draft(rules)
    for key, given in values.items():
        check_given(rules.programme.slug, key, given)
    _check_together(rules.programme.slug, values)
    before = {row.key: row for row in rules.values.all()}
    for key, given in values.items():
        _value_keep(rules, user, before.pop(key, None) or FundValue(rules=rules, key=key), given)
    for row in before.values():
        row.delete()
    return rules


@transaction.atomic
def fund_rules_submit(
    *, rules: FundRules, user: User, legal_at: datetime | None = None
) -> FundRules:
    """Send a complete draft to review; sent already, give it as it is. `legal_at`: the legal
    moment of having prepared it, now by default."""
    _check_may_prepare(user)
    if legal_at is not None:
        check_not_future(legal_at, "legal_on")
    rules = _locked(rules)
    if rules.review_state == ReviewState.PENDING:
        return rules
    _check_draft(rules)
    given = fund_values_given(rules)
    _check_may_change(rules.programme, given)
    missing = missing_keys(rules.programme.slug, given)
    if missing:
        names = ", ".join(f"«{label_of(key)}»" for key in missing)
        raise Refused(f"Faltan datos obligatorios: {names}.", missing[0])
    _merged(rules, given)
    rules.review_state = ReviewState.PENDING
    rules.prepared_by = user
    rules.prepared_at = timezone.now()
    rules.full_clean()
    rules.save()
    decision_record(
        act="fund_rules_submit",
        sentence=f"Envió a revisión la versión {rules.version} del reglamento del Fondo.",
        actor=user,
        subject=rules,
        article=terms_of(rules.programme.slug).decree.value,
        legal_at=legal_at,
        data={"values": {row.key: [row.value, row.source] for row in rules.values.all()}},
    )
    return rules


@transaction.atomic
def fund_rules_review(
    *,
    rules: FundRules,
    user: User,
    outcome: ReviewState,
    reason: str = "",
    legal_at: datetime | None = None,
) -> FundRules:
    """Approve, send back or reject a version; approved, it keeps the terms that it leads to, and
    where it corrects the price of an open stage, its acceptances are worked out anew.

    `legal_at`: the act's legal moment, now by default; never before it was prepared.
    """
    rules = _locked(rules)
    fields = {}
    blocked = fund_rules_block(rules, user)
    if blocked:
        raise Refused(blocked)
    if legal_at is not None:
        _check_when(rules, legal_at)
    if outcome == ReviewState.APPROVED:
        given = fund_values_given(rules)
        _check_may_change(rules.programme, given)
        terms = _merged(rules, given)
        fields = {"terms": terms_as_data(terms), "terms_sha256": terms_sha256(terms)}
    review_decide(act=rules, user=user, outcome=outcome, reason=reason, **fields)
    if outcome == ReviewState.APPROVED:
        price_change(rules=rules, terms=terms, user=user)
    decision_record(
        act="fund_rules_review",
        sentence=f"{SENTENCES[outcome]} la versión {rules.version} del reglamento del Fondo.",
        actor=user,
        subject=rules,
        article=terms_of(rules.programme.slug).decree.value,
        reason=rules.review_reason,
        legal_at=legal_at,
        data={"outcome": outcome, "terms_sha256": rules.terms_sha256},
    )
    return rules


def price_changes_of(rules: FundRules) -> list[Change]:
    """The acceptances that approving the version would change, by its price; nothing is saved."""
    stage = open_stage_of(rules.programme)
    given = fund_values_given(rules)
    if stage is None or rules.review_state != ReviewState.PENDING:
        return []
    terms = _merged(rules, given)
    if terms.price is None or terms.price.value == stage.price:
        return []
    return price_evaluated(stage, terms, "").changes


def _check_when(rules: FundRules, legal_at: datetime) -> None:
    check_not_future(legal_at, "legal_on")
    prepared = rules_prepared_at(rules)
    # A form tells no seconds: what was prepared in the same minute was prepared before.
    if legal_at < prepared.replace(second=0, microsecond=0):
        raise Refused(
            f"La versión se preparó el {write_datetime(prepared)}: el acto que la decide no puede "
            "ser anterior.",
            "legal_on",
        )


def _locked(rules: FundRules) -> FundRules:
    """The version under a lock, its programme first: every act here takes them in this order."""
    Programme.objects.select_for_update().get(pk=rules.programme_id)
    return (
        FundRules.objects.select_for_update(of=("self",))
        .select_related("programme")
        .get(pk=rules.pk)
    )


def _value_keep(rules: FundRules, user: User, row: FundValue, given: Given) -> None:
    data, source = fund_value_as_data(given.value), given.source.strip()
    if row.pk and (row.value, row.source) == (data, source):
        return
    row.value, row.source, row.entered_by = data, source, user
    row.full_clean()
    row.save()


def _check_together(slug: str, given: Mapping[str, Given]) -> None:
    for fault in given_faults(slug, given):
        raise fault


def _merged(rules: FundRules, given: Mapping[str, Given]) -> Terms:
    _check_together(rules.programme.slug, given)
    try:
        return terms_of(rules.programme.slug, given)
    except DecreeError as error:
        raise Refused(str(error)) from error


def _check_may_prepare(user: User) -> None:
    if not user.may(Capability.PREPARE):
        raise Refused("Solo un analista o un supervisor puede preparar el reglamento.")


def _check_draft(rules: FundRules) -> None:
    if rules.review_state != ReviewState.DRAFT:
        raise Refused(
            f"La versión {rules.version} está «{rules.get_review_state_display()}»: ya no se "
            "edita. Empiece una versión nueva."
        )


def _check_may_change(programme: Programme, given: Mapping[str, Given]) -> None:
    """Once the stage has opened, only what no acceptance was presented under may change."""
    in_force = fund_rules_in_force(programme)
    opened = programme.stages.exclude(state=StageState.PLANNED).exists()
    if in_force is None or not opened:
        return
    before = fund_values_given(in_force)
    is_open = programme.stages.filter(state=StageState.OPEN).exists()
    may_change = (*CORRECTABLE, *CHANGEABLE) if is_open else CHANGEABLE
    for key in (*given, *before):
        if key in may_change or given.get(key) == before.get(key):
            continue
        names = write_list(tuple(f"«{label_of(name)}»" for name in may_change))
        raise Refused(
            f"{label_of(key)}: la etapa ya se abrió con el reglamento aprobado, y sus condiciones "
            f"no cambian mientras dura el programa. Solo cambian {names}.",
            key,
        )
