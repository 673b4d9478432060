"""The allotment certificate: what it states, and when it can be issued."""

from datetime import date
from typing import Any

from buyers.enums import DeclarationKind
from offerings.certificates.issuing import AwardPaper, paper_check, paper_issue
from offerings.certificates.statement import (
    acceptance_facts,
    adjudicator_name,
    award_facts,
    heading_facts,
    holder_facts,
    public_facts,
    record_label,
    signatories,
)
from offerings.decrees.reader import terms_from_data
from offerings.enums import AwardReason
from offerings.models import Acceptance, Award
from offerings.rules.months import LockUpFacts, lock_up_end
from offerings.rules.ruling import unique
from offerings.rules.terms import PledgeRank, Terms
from offerings.selectors.awards import readings_used
from offerings.selectors.certificates import ALLOTMENT
from offerings.selectors.payments import payments_total
from offerings.services.payments import check_holds
from office.dates import write_date
from office.models import Certificate, User
from office.numbers import write_amount
from office.refusals import Refused

RANKS = {PledgeRank.FIRST: 1, PledgeRank.SECOND: 2}


def certificate_allotment_issue(*, award_id: int, user: User, legal_date: date) -> Certificate:
    """Certify a wholly paid award, once: asked again, the answer is the same certificate; after
    its annulment, another that takes its place. Raises Refused.
    """
    return paper_issue(paper=PAPER, award_id=award_id, user=user, legal_date=legal_date)


def allotment_check(*, award: Award, user: User, legal_date: date) -> None:
    """Refuse an award that cannot be certified with that date of issue."""
    paper_check(paper=PAPER, award=award, user=user, legal_date=legal_date)


def _check(award: Award, legal_date: date) -> None:
    check_holds(award)
    balance = award.total - payments_total(award)
    if balance:
        raise Refused(
            f"Faltan por pagar {write_amount(balance)}: el certificado se expide cuando esté "
            "pagada en su totalidad."
        )
    paid_on = award.payments.latest("paid_on").paid_on
    if legal_date < paid_on:
        raise Refused(
            f"No puede ser anterior al último pago, del {write_date(paid_on)}.", "legal_date"
        )


def allotment_facts(award: Award) -> dict[str, Any]:
    """All that the certificate states, as JSON with raw values (see its template for the keys)."""
    terms = terms_from_data(award.adjudication.terms)
    acceptance = award.acceptance
    stage = acceptance.stage
    first = stage.number == 1
    return heading_facts(terms) | {
        "stage": stage.number,
        "holder": holder_facts(acceptance),
        "acceptance": acceptance_facts(acceptance),
        "limit": _limit(acceptance, terms),
        "award": award_facts(award, terms),
        "adjudication": {
            "number": award.adjudication.code,
            "record": record_label(award),
            "session_on": award.adjudication.session_on.isoformat(),
            "exchange": adjudicator_name(award),
            "cites": _adjudication_cites(award, terms),
        },
        "payment": _payment(award),
        "lock_up": _lock_up(award, terms) if first else None,
        "pledge": _pledge(terms) if first else None,
        "cover": _cover(terms),
        "readings": readings_used(award),
        "signatories": signatories(award, terms),
        "public": public_facts(award, terms),
    }


def _limit(acceptance: Acceptance, terms: Terms) -> dict[str, Any]:
    """The quantity after the limit, with the clauses of the article on limits that led to it."""
    limits = terms.limits
    kind = acceptance.participation.buyer.kind
    scopes = [scope.cite for scope in limits.scopes if scope.kind == kind]
    known = {limb.cite for limb in limits.limbs} | {limits.over_limit.cite}
    cites = [cite for cite in acceptance.ruling.get("cites", ()) if cite in known]
    limit: dict[str, Any] = {"admitted": acceptance.admitted, "cites": cites or scopes[:1]}
    if acceptance.limit_shares is None and scopes:
        limit["article"] = scopes[0].removeprefix("art. ")
    return limit


def _adjudication_cites(award: Award, terms: Terms) -> list[str]:
    rule = terms.adjudication
    if rule is None:
        return []
    by_reason = {
        AwardReason.IN_FULL: rule.in_full_cite,
        AwardReason.PRO_RATA: rule.pro_rata_cite,
    }
    return [by_reason.get(AwardReason(award.reason), rule.consent_cite)]


def _payment(award: Award) -> dict[str, Any]:
    payments = list(award.payments.order_by("paid_on", "pk"))
    return {
        "paid_on": payments[-1].paid_on.isoformat(),
        "receipts": [payment.receipt for payment in payments],
    }


def _lock_up(award: Award, terms: Terms) -> dict[str, Any]:
    end = lock_up_end(LockUpFacts(purchased=award.adjudication.session_on), terms)
    return {
        "months": terms.lock_up.months,
        "last_day": end.value.isoformat(),
        "cites": [terms.lock_up.cite],
    }


def _pledge(terms: Terms) -> dict[str, Any] | None:
    rank = RANKS.get(terms.pledge_rank.value) if terms.pledge_rank else None
    return {"rank": rank} if rank else None


def _cover(terms: Terms) -> dict[str, Any] | None:
    cites = unique(
        declared.cite
        for declared in terms.documents.declarations
        if declared.kind == DeclarationKind.CONTINGENCY_COVER
    )
    return {"cites": list(cites)} if cites else None


PAPER = AwardPaper(
    kind=ALLOTMENT,
    title="Certificado de adjudicación",
    template="certificates/allotment.html",
    pointer="certificate",
    check=_check,
    facts=lambda award, legal_date: allotment_facts(award),
)
