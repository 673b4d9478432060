"""What the text of a decree that we hold does not answer, in the words of the rules themselves."""

from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from functools import partial

from buyers.enums import BuyerClass, BuyerKind, kind_of
from offerings.rules.adjudication import adjudication_terms
from offerings.rules.classes import class_admitted
from offerings.rules.documents import ChecklistFacts, checklist
from offerings.rules.holdings import HoldingFacts, holding
from offerings.rules.limits import LimitFacts, purchase_limit
from offerings.rules.payments import payment_last_day
from offerings.rules.ruling import NotCovered
from offerings.rules.terms import Terms
from offerings.rules.window import WindowFacts, offer_window
from offerings.rules.withdrawals import WithdrawalFacts, withdrawal
from office.workdays import next_working_day

ANY_DAY = date(2000, 1, 3)
ONE = Decimal(1)


def gaps(terms: Terms) -> list[NotCovered]:
    """Where each rule stops with these terms, each message once."""
    found: dict[str, NotCovered] = {}
    for ask in _questions(terms):
        try:
            ask()
        except NotCovered as gap:
            found.setdefault(gap.message, gap)
    return list(found.values())


def _questions(terms: Terms) -> Iterator[Callable[[], object]]:
    """What the rules of stage 1 will be asked, of a person and of each class of organisation."""
    listed = [code for group in terms.classes.groups for code in group.codes]
    organisations = [code for code in listed if kind_of(code) == BuyerKind.ORGANISATION]
    yield lambda: purchase_limit(_person(), terms)
    yield lambda: checklist(_person_papers(), terms)
    for code in organisations:
        yield partial(purchase_limit, _organisation(code), terms)
        yield partial(checklist, _organisation_papers(code), terms)
    if BuyerClass.SOLIDARITY_ORGANISATION not in listed:
        yield lambda: class_admitted(BuyerClass.SOLIDARITY_ORGANISATION, terms)
    yield lambda: holding(HoldingFacts(0, 1, False), terms)
    yield lambda: offer_window(WindowFacts(ANY_DAY, next_working_day), terms)
    yield lambda: withdrawal(WithdrawalFacts(ANY_DAY, ANY_DAY), terms)
    yield lambda: adjudication_terms(terms)
    yield lambda: payment_last_day(ANY_DAY, terms)


def _person() -> LimitFacts:
    return LimitFacts(
        kind=BuyerKind.NATURAL,
        buyer_class=BuyerClass.WORKER,
        files_tax_return=True,
        executive=True,
        gross_equity=ONE,
        net_equity=ONE,
        annual_income=ONE,
        annual_remuneration=ONE,
    )


def _person_papers() -> ChecklistFacts:
    return ChecklistFacts(
        kind=BuyerKind.NATURAL,
        buyer_class=BuyerClass.WORKER,
        files_tax_return=True,
        executive=True,
        stage_opened=ANY_DAY,
    )


def _organisation(code: BuyerClass) -> LimitFacts:
    return LimitFacts(
        kind=BuyerKind.ORGANISATION,
        buyer_class=code,
        no_statutory_limit=True,
        gross_equity=ONE,
        members=100,
    )


def _organisation_papers(code: BuyerClass) -> ChecklistFacts:
    return ChecklistFacts(
        kind=BuyerKind.ORGANISATION,
        buyer_class=code,
        files_tax_return=True,
        stage_opened=ANY_DAY,
    )
