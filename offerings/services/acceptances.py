"""Purchase acceptances: taken in while the stage is open, each under its buyer's one limit."""

import uuid
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db import transaction
from django.utils import timezone

from buyers.enums import DeclarationKind
from buyers.models import Broker, Buyer, Exchange, Presentation
from buyers.services import buyer_held, presenting_broker
from offerings.facts import receipt_facts
from offerings.models import Acceptance, Participation, Stage
from offerings.rules.intermediaries import intermediaries_required
from offerings.rules.ruling import NotCovered
from offerings.rules.terms import Terms
from offerings.rules.window import VALIDITY, receipt_obstacles
from offerings.selectors.programmes import repealed_on, stage_terms
from offerings.services.beneficial_owners import beneficial_owner_faults
from offerings.services.changes import Cause, Change
from offerings.services.drafts import draft_take
from offerings.services.evaluation import participation_evaluate
from offerings.services.participations import (
    PaperGiven,
    PartGiven,
    on_file_attach,
    papers_attach,
    participation_attach,
)
from offerings.services.stages import stage_check
from office.dates import bogota_day, write_date, write_datetime
from office.decisions import ALONE, decision_record
from office.identities import Identity
from office.models import User
from office.numbers import write_quantity, write_shares
from office.refusals import Refused, check_not_future


@dataclass(frozen=True)
class AcceptanceGiven:
    """An acceptance as the paper says it. Quantities in shares; `minimum` None = silence, that
    is, any reduction; `received_at` is its legal date and time; `broker`, `exchange` None = it
    came straight to the Fund, which keeps the papers; `papers_reference`: where they lie."""

    requested: int
    received_at: datetime
    broker: Broker | None
    exchange: Exchange | None
    minimum: int | None = None
    attested_on: date | None = None
    declarations: Collection[DeclarationKind] = ()
    valid_days: int | None = None
    beneficial_owner: str = ""
    beneficial_owner_identity: Identity | None = None
    papers_reference: str = ""


@transaction.atomic
def acceptance_register(
    *,
    stage: Stage,
    buyer: Buyer,
    part: PartGiven,
    papers: Sequence[PaperGiven],
    given: AcceptanceGiven,
    submission_key: uuid.UUID,
    user: User,
    draft_seen: str | None = None,
) -> Acceptance:
    """Take in an acceptance, with its number, and work out its buyer's acceptances anew.

    The same `submission_key` again gives the acceptance that it already made. A broker's person
    presents buyers that its broker brought, through that broker alone. The draft of that key is
    removed with it (`draft_seen`: see services.drafts). Raises Refused.
    """
    broker = presenting_broker(user, given.broker)
    if broker is not None and given.broker is None:
        raise Refused("Usted presenta por su sociedad comisionista: elíjala.", "broker")
    if not Buyer.objects.visible_to(user).filter(pk=buyer.pk).exists():
        raise Refused("Registre primero el comprador.", "buyer")
    # The buyer before the stage, as where its papers are replaced: two acts at once take turns.
    buyer_held(buyer.pk)
    stage = Stage.objects.select_for_update().select_related("programme").get(pk=stage.pk)
    again = Acceptance.objects.filter(submission_key=submission_key).first()
    if again:
        return again
    terms = stage_terms(stage)
    participation = participation_attach(
        programme=stage.programme, buyer=buyer, part=part, terms=terms, user=user, broker=broker
    )
    acceptance = acceptance_new(
        stage=stage, participation=participation, given=given, user=user, key=submission_key
    )
    acceptance_check(acceptance, stage)
    for fault in beneficial_owner_faults(
        buyer, given.beneficial_owner, given.beneficial_owner_identity
    ):
        raise fault
    papers_attach(participation=participation, papers=papers, user=user)
    on_file_attach(participation=participation, terms=terms, user=user)
    draft_take(submission_key=submission_key, seen=draft_seen, user=user)
    acceptance.full_clean(exclude=["serial"])
    acceptance.save()
    Stage.objects.filter(pk=stage.pk).update(last_serial=stage.last_serial)
    if given.broker is not None:
        Presentation.objects.get_or_create(buyer=buyer, broker=given.broker)
    changed = participation_evaluate(
        participation=participation,
        stage=stage,
        cause=Cause(user, f"al registrar {acceptance.code}", acceptance),
    )
    acceptance.refresh_from_db()
    _record(acceptance, changed, user)
    return acceptance


def acceptance_new(
    *,
    stage: Stage,
    participation: Participation,
    given: AcceptanceGiven,
    user: User,
    key: uuid.UUID,
) -> Acceptance:
    """A row not saved yet, with the next number of the stage, whose row the caller holds."""
    stage.last_serial += 1
    owner = given.beneficial_owner_identity
    return Acceptance(
        stage=stage,
        participation=participation,
        serial=stage.last_serial,
        requested=given.requested,
        minimum=given.minimum,
        received_at=given.received_at,
        broker=given.broker,
        exchange=given.exchange,
        attested_on=given.attested_on,
        declarations=sorted(kind.value for kind in given.declarations),
        valid_days=given.valid_days,
        beneficial_owner=given.beneficial_owner,
        beneficial_owner_identity_type=owner.type if owner else "",
        beneficial_owner_identity_number=owner.number if owner else "",
        papers_reference=given.papers_reference,
        conditions_accepted_at=given.received_at,
        submission_key=key,
        registered_by=user,
    )


def acceptance_check(acceptance: Acceptance, stage: Stage) -> None:
    """Refuse what the stage cannot take: closed, out of its window, impossible quantities."""
    stage_check(stage)
    repealed = repealed_on(stage.programme.slug)
    for fault in acceptance_faults(acceptance, stage, stage_terms(stage), repealed):
        raise fault


def acceptance_faults(
    acceptance: Acceptance, stage: Stage, terms: Terms, repealed: date | None
) -> Iterator[Refused]:
    """What keeps an acceptance out of an open stage; nothing is looked up, so that a file of
    many can ask for each. `repealed`: what `repealed_on` says of the programme."""
    received = acceptance.received_at
    yield from _future_faults(received)
    if received < stage.opened_at:
        yield Refused(
            f"La etapa se abrió el {write_datetime(stage.opened_at)}; el recibo es anterior.",
            "received_at",
        )
    yield from _window_faults(acceptance, stage, terms, repealed)
    if acceptance.minimum is not None and acceptance.minimum > acceptance.requested:
        yield Refused(
            f"{write_quantity(acceptance.minimum)} es mayor que la cantidad solicitada.", "minimum"
        )
    yield from _intermediary_faults(acceptance, terms)


def _intermediary_faults(acceptance: Acceptance, terms: Terms) -> Iterator[Refused]:
    ruling = intermediaries_required(terms)
    if ruling.value:
        cites = "".join(f" ({cite})" for cite in ruling.cites)
        if acceptance.broker_id is None:
            yield Refused(f"Falta el comisionista: responde ante el Fondo{cites}.", "broker")
        if acceptance.exchange_id is None:
            yield Refused(f"Falta la bolsa: conserva los papeles{cites}.", "exchange")
    attested = acceptance.attested_on
    if attested is None:
        return
    if attested > bogota_day(timezone.now()):
        yield Refused(f"{write_date(attested)} está en el futuro.", "attested_on")
    if acceptance.broker_id is None and not ruling.value:
        yield Refused(
            "La certificación es de un comisionista: elíjalo, o borre esta fecha.", "attested_on"
        )


def _future_faults(received: datetime) -> Iterator[Refused]:
    try:
        check_not_future(received, "received_at")
    except Refused as refusal:
        yield refusal


def _window_faults(
    acceptance: Acceptance, stage: Stage, terms: Terms, repealed: date | None
) -> Iterator[Refused]:
    facts = receipt_facts(acceptance, stage, repealed)
    try:
        obstacles = receipt_obstacles(facts, terms).steps
    except NotCovered as gap:
        yield Refused(gap.message)
    else:
        for step in obstacles:
            field = "valid_days" if step.label == VALIDITY else "received_at"
            yield Refused(step.detail, field)


def _record(acceptance: Acceptance, changed: Sequence[Change], user: User) -> None:
    left = "queda" if acceptance.admitted == 1 else "quedan"
    alone = (
        f"Registró {acceptance.code}: {write_shares(acceptance.requested)}; "
        f"{left} {write_quantity(acceptance.admitted)} tras el límite."
    )
    decision_record(
        act="acceptance_register",
        sentence=f"{alone}{also_changed(acceptance, changed)}",
        article=", ".join(acceptance.ruling.get("cites", [])[:2]),
        actor=user,
        subject=acceptance,
        legal_at=acceptance.received_at,
        data={
            "requested": acceptance.requested,
            "admitted": acceptance.admitted,
            ALONE: alone,
        },
    )


def also_changed(acceptance: Acceptance, changed: Sequence[Change]) -> str:
    """What an act changed besides its own acceptance, to close its sentence; empty for nothing."""
    others = [one.acceptance.code for one in changed if one.acceptance.pk != acceptance.pk]
    return f" Cambiaron también: {', '.join(others)}." if others else ""
