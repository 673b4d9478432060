"""The Fund's values put into the terms of a decree, each citing its source."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from buyers.enums import BuyerClass, BuyerKind, DocumentKind
from offerings.decrees.codec import DecreeError
from offerings.decrees.fund_checks import paid_too_late
from offerings.decrees.fund_values import FUND_KEYS, NEEDS, READINGS, FundValue, check_fund_value
from offerings.decrees.organisations import (
    organisation_equity_multiple,
    organisation_limit,
    organisation_share_cap,
)
from offerings.rules.terms import (
    AdjudicationTerms,
    Ask,
    AuthorisationTerms,
    Cited,
    ClassGroup,
    DocumentTerm,
    PaymentTerms,
    PledgeRank,
    Reading,
    Scope,
    Terms,
)


def merge(terms: Terms, values: Mapping[str, FundValue]) -> Terms:
    """Terms with the Fund's values put in, each citing its source.

    Raises DecreeError for a key that this decree does not leave to the Fund, a value without
    its source, a value that is not possible, a reading that the text does not admit.
    """
    asked = {ask.key: ask for ask in terms.asks}
    for key in sorted(values, key=_place):
        value = values[key]
        if not value.source.strip():
            raise DecreeError(f"«{key}»: falta la fuente (el acto del Fondo).")
        if key in READINGS:
            terms = _with_reading(terms, key, value)
            continue
        if key not in asked:
            raise DecreeError(f"«{key}»: {terms.decree.value} no lo deja al Fondo.")
        check_fund_value(key, value.value)
        _check_choice(asked[key], value)
        if NEEDS.get(key, key) not in values:
            raise DecreeError(f"«{key}»: falta «{NEEDS[key]}».")
        terms = _APPLY[key](terms, value)
    return terms


def _place(key: str) -> int:
    """Values in the order of FUND_KEYS, so that one that adds to another comes after it; the
    readings last.
    """
    return list(FUND_KEYS).index(key) if key in FUND_KEYS else len(FUND_KEYS)


def _check_choice(ask: Ask, value: FundValue) -> None:
    if ask.choices and value.value not in ask.choices:
        raise DecreeError(f"«{ask.key}»: el decreto no admite «{value.value}» ({ask.cite}).")


def readings_of(terms: Terms) -> dict[str, Reading]:
    """The programme's readings by name."""
    found: dict[str, Reading] = {"over_limit": terms.limits.over_limit}
    if terms.limits.executive_limit:
        found["executive_limit"] = terms.limits.executive_limit
    if terms.adjudication:
        found["readmit_left_out"] = terms.adjudication.readmit_left_out
    return found


def _with_reading(terms: Terms, name: str, value: FundValue) -> Terms:
    reading = readings_of(terms).get(name)
    if reading is None or value.value not in reading.alternatives:
        raise DecreeError(f"«{name}»: {terms.decree.value} no admite la lectura «{value.value}».")
    chosen = replace(reading, value=str(value.value), cite=f"{reading.cite}; {value.source}")
    if name == "readmit_left_out" and terms.adjudication:
        return replace(terms, adjudication=replace(terms.adjudication, readmit_left_out=chosen))
    if name == "executive_limit":
        return replace(terms, limits=replace(terms.limits, executive_limit=chosen))
    return replace(terms, limits=replace(terms.limits, over_limit=chosen))


def _plain(name: str) -> Callable[[Terms, FundValue], Terms]:
    """Put the value in the field of that name, cited."""

    def apply(terms: Terms, value: FundValue) -> Terms:
        cited: dict[str, Any] = {name: Cited(value.value, value.source)}
        return replace(terms, **cited)

    return apply


def _stage_months(terms: Terms, value: FundValue) -> Terms:
    months: Any = Cited(value.value, value.source)
    return replace(terms, stage=replace(terms.stage, months=months))


def _credit_line(terms: Terms, value: FundValue) -> Terms:
    asked = Cited(bool(value.value), value.source)
    return replace(terms, stage=replace(terms.stage, credit_line=asked))


def _authorisation(terms: Terms, value: FundValue) -> Terms:
    return replace(
        terms, authorisation=AuthorisationTerms(Decimal(str(value.value)), value.source)
    )


def _adjudication(terms: Terms, value: FundValue) -> Terms:
    cite = value.source
    readmit = Reading("no", READINGS["readmit_left_out"], cite)
    return replace(terms, adjudication=AdjudicationTerms(cite, cite, cite, cite, readmit))


def _payment(terms: Terms, value: FundValue) -> Terms:
    days = int(str(value.value))
    for _, fault in paid_too_late(terms, {"payment_term_days": value}):
        raise DecreeError(fault)
    guarantee = bool(terms.payment and terms.payment.guarantee)
    return replace(terms, payment=PaymentTerms(days, guarantee, value.source))


def _payment_guarantee(terms: Terms, value: FundValue) -> Terms:
    payment: Any = terms.payment
    cite = f"{payment.cite}; {value.source}" if value.source != payment.cite else payment.cite
    return replace(terms, payment=replace(payment, guarantee=bool(value.value), cite=cite))


def _pledge_rank(terms: Terms, value: FundValue) -> Terms:
    rank = PledgeRank(str(value.value))
    return replace(terms, pledge_rank=Cited(rank, value.source))


def _organisation_documents(terms: Terms, value: FundValue) -> Terms:
    scope = Scope(BuyerKind.ORGANISATION, value.source)
    added = _documents(value, BuyerKind.ORGANISATION)
    documents = terms.documents
    return replace(
        terms,
        documents=replace(
            documents,
            scopes=(*documents.scopes, scope),
            required=(*documents.required, *added),
        ),
    )


def _extra_documents(terms: Terms, value: FundValue) -> Terms:
    required = (*terms.documents.required, *_documents(value, None))
    return replace(terms, documents=replace(terms.documents, required=required))


def _documents(value: FundValue, kind: BuyerKind | None) -> tuple[DocumentTerm, ...]:
    labels = value.value if isinstance(value.value, tuple) else ()
    return tuple(
        DocumentTerm((DocumentKind.OTHER,), label, value.source, kind=kind) for label in labels
    )


def _extra_classes(terms: Terms, value: FundValue) -> Terms:
    codes = value.value if isinstance(value.value, tuple) else ()
    group = ClassGroup(tuple(BuyerClass(code) for code in codes), value.source)
    return replace(terms, classes=replace(terms.classes, groups=(*terms.classes.groups, group)))


_APPLY: dict[str, Callable[[Terms, FundValue], Terms]] = {
    **{
        name: _plain(name)
        for name in (
            "published",
            "seller",
            "shares",
            "price",
            "outstanding",
            "withdrawal_allowed",
            "minimum_validity_days",
            "pledge_terms",
            "signatory_name",
            "signatory_title",
        )
    },
    "stage_months": _stage_months,
    "credit_line": _credit_line,
    "authorisation_percent": _authorisation,
    "adjudication_rule": _adjudication,
    "payment_term_days": _payment,
    "payment_guarantee": _payment_guarantee,
    "pledge_rank": _pledge_rank,
    "organisation_limit": organisation_limit,
    "organisation_equity_multiple": organisation_equity_multiple,
    "organisation_share_cap": organisation_share_cap,
    "organisation_documents": _organisation_documents,
    "extra_documents": _extra_documents,
    "extra_classes": _extra_classes,
}
