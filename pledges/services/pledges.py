"""Opening a pledge when its award is wholly paid, and its entry in the share register."""

from dataclasses import dataclass
from datetime import date, time
from uuid import UUID, uuid4

from django.db import transaction

from offerings.decrees.reader import terms_from_data
from offerings.models import Award
from offerings.rules.months import LockUpFacts, lock_up_end
from offerings.rules.terms import Cited, PledgeRank, Terms
from offerings.selectors.payments import NOTHING_PAID, is_undone, payments_total
from offerings.services.payments import award_locked
from office.dates import bogota_moment, write_date
from office.decisions import decision_draft, decision_record
from office.models import Decision, User
from office.numbers import write_amount, write_quantity
from office.refusals import Refused, check_day_not_future
from office.roles import Capability
from pledges.enums import Rank
from pledges.models import Pledge
from pledges.selectors.movements import last_movement
from pledges.selectors.opening import FIRST_STAGE, paid_since, ranks_admitted


@dataclass(frozen=True)
class PledgeEntry:
    """What is said when a pledge is opened. lender: of the purchase loan, needed where the Fund's
    pledge comes second, after its own."""

    rank: Rank
    lender: str = ""


@transaction.atomic
def pledge_open(
    *, award_id: int, user: User, entry: PledgeEntry, submission_key: UUID | None = None
) -> Pledge:
    """Pledge an award's shares from the day of its last payment on; done before, give that pledge.

    Its last day is that of the programme's term from the purchase date, which is the session's
    (Código Civil, art. 67). Raises Refused.
    """
    if not user.may(Capability.PREPARE):
        raise Refused("Solo un analista o un supervisor constituye prendas.")
    award = award_locked(award_id)
    known = Pledge.objects.filter(award=award, inherited_from=None).first()
    if known:
        return known
    terms = opening_check(award)
    check_rank(terms, entry)
    # Two records of its buyer may have become one while the award was waited for.
    award.acceptance.participation.refresh_from_db(fields=["buyer"])
    pledge = pledge_drafted(
        award=award,
        entry=entry,
        terms=terms,
        since=Award.objects.filter(pk=award.pk).values_list(paid_since(), flat=True).get(),
        user=user,
        submission_key=submission_key or uuid4(),
    )
    pledge.full_clean()
    pledge.save()
    opening_draft(pledge, terms, user).save()
    return pledge


def opening_check(award: Award) -> Terms:
    """Refuse an award of which no pledge can be opened; otherwise its programme's terms."""
    terms = terms_from_data(award.adjudication.terms)
    if award.acceptance.stage.number != FIRST_STAGE:
        raise Refused("Las acciones de la etapa 2 no tienen término ni prenda.")
    pledged_check(terms)
    if not award.adjudication.is_in_force or not award.awarded or is_undone(award):
        raise Refused("La adjudicación no está vigente: no hay acciones que pignorar.")
    left = award.total - payments_total(award)
    if left > NOTHING_PAID:
        raise Refused(f"La prenda nace con el pago total: faltan {write_amount(left)} por pagar.")
    return terms


def pledge_drafted(
    *,
    award: Award,
    entry: PledgeEntry,
    terms: Terms,
    since: date,
    user: User,
    submission_key: UUID,
) -> Pledge:
    """The pledge of an award that is wholly paid since a day, as it will be opened."""
    run = award.adjudication
    return Pledge(
        award=award,
        holder=award.acceptance.participation.buyer,
        shares=award.awarded,
        price=award.acceptance.stage.price,
        purchased_on=run.session_on,
        opened_on=since,
        last_day=lock_up_end(LockUpFacts(purchased=run.session_on), terms).value,
        rank=entry.rank,
        lender=entry.lender.strip(),
        submission_key=submission_key,
        opened_by=user,
    )


def opening_draft(pledge: Pledge, terms: Terms, user: User) -> Decision:
    """That a pledge was opened, as it will be written down."""
    return decision_draft(
        act="pledge_open",
        sentence=f"Constituyó la prenda {pledge.code}: {write_quantity(pledge.shares)} acciones, "
        f"en {pledge.get_rank_display().lower()}, hasta el {write_date(pledge.last_day)}.",
        article=pledge_article(terms),
        actor=user,
        subject=pledge,
        legal_at=bogota_moment(pledge.opened_on, time()),
    )


@transaction.atomic
def pledge_enter(
    *, pledge_id: int, user: User, kept_by: str, reference: str, entered_on: date
) -> Pledge:
    """Record a pledge's entry in the share register or depository; again, it is corrected.

    Raises Refused.
    """
    if not user.may(Capability.PREPARE):
        raise Refused("Solo un analista o un supervisor registra la anotación.")
    pledge = pledge_locked(pledge_id)
    if not pledge.pledged:
        raise Refused(f"{pledge.code} está «{pledge.get_state_display()}»: no se anota.")
    check_day_not_future(entered_on, "entered_on")
    if entered_on < pledge.opened_on:
        raise Refused(
            f"La anotación no puede ser anterior a la prenda, del {write_date(pledge.opened_on)}.",
            "entered_on",
        )
    before = pledge.entry_reference
    pledge.kept_by, pledge.entry_reference = kept_by.strip(), reference.strip()
    pledge.entered_on = entered_on
    pledge.full_clean()
    pledge.save(update_fields=["kept_by", "entry_reference", "entered_on"])
    instead = f", en lugar de {before}" if before else ""
    decision_record(
        act="pledge_enter",
        sentence=f"Registró la anotación de {pledge.code} en {pledge.kept_by}: "
        f"{pledge.entry_reference}{instead}.",
        actor=user,
        subject=pledge,
        legal_at=bogota_moment(entered_on, time()),
    )
    return pledge


def pledge_locked(pledge_id: int) -> Pledge:
    """The pledge, its row held until the caller's transaction ends: whatever changes its sums
    holds it first, so two acts on the same shares take turns."""
    return Pledge.objects.select_for_update(of=["self"]).get(pk=pledge_id)


def check_in_order(pledge: Pledge, day: date, field: str) -> None:
    """Refuse a movement of a day before one that is on record: what papers say is still pledged
    is then what was pledged on their day."""
    latest = last_movement(pledge)
    if latest and day < latest[0]:
        raise Refused(
            f"En {pledge.code} consta {latest[1]} del {write_date(latest[0])}: los movimientos se "
            "registran en el orden de sus fechas; escriba esa o una posterior, o anule antes el "
            "que consta.",
            field,
        )


def check_rank(terms: Terms, entry: PledgeEntry) -> None:
    """Refuse a rank that the programme does not admit, or a second one that names no lender."""
    rank = pledged_check(terms)
    if entry.rank not in ranks_admitted(terms):
        raise Refused(f"El programa no admite la prenda en ese grado ({rank.cite}).", "rank")
    if entry.rank == Rank.SECOND and not entry.lender.strip():
        raise Refused(
            "En segundo grado, escriba quién tiene el primero: el acreedor del crédito de compra.",
            "lender",
        )


def pledged_check(terms: Terms) -> Cited[PledgeRank]:
    rank = terms.pledge_rank
    if rank is None:
        raise Refused("El reglamento del Fondo no dice si hay prenda ni en qué grado: complételo.")
    if rank.value == PledgeRank.NONE:
        raise Refused(f"En este programa las acciones no se pignoran ({rank.cite}).")
    return rank


def pledge_article(terms: Terms) -> str:
    """The clause that the pledge rests on."""
    return terms.pledge_rank.cite if terms.pledge_rank else ""
