"""The notice of award (constancia): what is due, until when, and with which reference."""

from datetime import date
from typing import Any

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
from offerings.models import Award
from offerings.rules.payment_reference import payment_reference
from offerings.rules.terms import Terms
from offerings.selectors.certificates import NOTICE
from offerings.selectors.payments import payments_total
from offerings.services.payments import check_holds, payment_term
from office.dates import write_date
from office.models import Certificate, User
from office.refusals import Refused


def award_notice_issue(*, award_id: int, user: User, legal_date: date) -> Certificate:
    """Tell an award's holder what it owes, once: asked again, the answer is the same notice;
    after its annulment, another that takes its place. Raises Refused.
    """
    return paper_issue(paper=PAPER, award_id=award_id, user=user, legal_date=legal_date)


def award_notice_check(*, award: Award, user: User, legal_date: date) -> None:
    """Refuse an award of which no notice can be issued with that date."""
    paper_check(paper=PAPER, award=award, user=user, legal_date=legal_date)


def _check(award: Award, legal_date: date) -> None:
    check_holds(award)
    session = award.adjudication.session_on
    if legal_date < session:
        raise Refused(
            f"No puede ser anterior a la sesión de adjudicación, del {write_date(session)}.",
            "legal_date",
        )


def notice_facts(award: Award, legal_date: date) -> dict[str, Any]:
    """All that the notice states, as JSON with raw values (see its template for the keys).

    Paid is what had been paid by the day of its issue: a later payment is not in it.
    """
    terms = terms_from_data(award.adjudication.terms)
    return heading_facts(terms) | {
        "stage": award.acceptance.stage.number,
        "holder": holder_facts(award.acceptance),
        "acceptance": acceptance_facts(award.acceptance),
        "award": award_facts(award, terms),
        "adjudication": {
            "number": award.adjudication.code,
            "record": record_label(award),
            "session_on": award.adjudication.session_on.isoformat(),
            "exchange": adjudicator_name(award),
        },
        "paid": str(payments_total(award, until=legal_date)),
        "payment": _payment(award, terms),
        "credit": _credit(terms),
        "signatories": signatories(award, terms),
        "public": public_facts(award, terms),
    }


def _payment(award: Award, terms: Terms) -> dict[str, Any]:
    """How it is paid; without a last day where neither the decree nor the Fund sets one."""
    known: dict[str, Any] = {"reference": payment_reference(award.pk)}
    term = payment_term(award.adjudication)
    if term is None or terms.payment is None:
        return known
    return known | {
        "last_day": term.value.isoformat(),
        "days": terms.payment.days,
        "guarantee": terms.payment.guarantee,
        "cites": [terms.payment.cite],
    }


def _credit(terms: Terms) -> dict[str, Any] | None:
    """The clause of the credit line for these purchases, where the decree has one."""
    line = terms.stage.credit_line
    return {"cites": [line.cite]} if line and line.value else None


def _article(award: Award) -> str:
    payment = terms_from_data(award.adjudication.terms).payment
    return payment.cite if payment else ""


PAPER = AwardPaper(
    kind=NOTICE,
    title="Constancia de adjudicación",
    template="certificates/notice.html",
    pointer="notice",
    check=_check,
    facts=notice_facts,
    article=_article,
)
