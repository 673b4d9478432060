"""The Fund's values put into the terms of a decree, each citing its source."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from buyers.enums import BuyerClass, BuyerKind, DocumentKind
from offerings.decrees.codec import DecreeError
from offerings.decrees.fund_checks import paid_too_late
from offerings.decrees.fund_values import READINGS, FundValue, check_fund_value
from offerings.rules.terms import (
    AdjudicationTerms,
    Ask,
    AuthorisationTerms,
    Base,
    Cited,
    ClassGroup,
    DocumentTerm,
    Limb,
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
    for key, value in values.items():
        if not value.source.strip():
            raise DecreeError(f"«{key}»: falta la fuente (el acto del Fondo).")
        if key in READINGS:
            terms = _with_reading(terms, key, value)
            continue
        if key not in asked:
            raise DecreeError(f"«{key}»: {terms.decree.value} no lo deja al Fondo.")
        check_fund_value(key, value.value)
        _check_choice(asked[key], value)
        terms = _APPLY[key](terms, value)
    return terms


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


def _pledge_rank(terms: Terms, value: FundValue) -> Terms:
    rank = PledgeRank(str(value.value))
    return replace(terms, pledge_rank=Cited(rank, value.source))


def _organisation_limit(terms: Terms, value: FundValue) -> Terms:
    scope = Scope(BuyerKind.ORGANISATION, value.source)
    limits = replace(terms.limits, scopes=(*terms.limits.scopes, scope))
    if value.value == Base.STATUTORY_LIMIT:
        limits = replace(limits, limbs=(*_limbs_without_statutory(terms), _statutory(value)))
        terms = _with_statutory_proof(terms, value)
    return replace(terms, limits=limits)


def _with_statutory_proof(terms: Terms, value: FundValue) -> Terms:
    """A limit that each entity has needs its proof, or the norm by which it has none."""
    required = terms.documents.required
    if any(DocumentKind.STATUTORY_LIMIT_PROOF in term.kinds for term in required):
        return terms
    proof = DocumentTerm(
        (DocumentKind.STATUTORY_LIMIT_PROOF, DocumentKind.NO_STATUTORY_LIMIT),
        "Prueba del límite legal de la entidad, o la norma por la que no tiene",
        value.source,
        kind=BuyerKind.ORGANISATION,
        figures=(Base.STATUTORY_LIMIT,),
    )
    return replace(terms, documents=replace(terms.documents, required=(*required, proof)))


def _limbs_without_statutory(terms: Terms) -> tuple[Limb, ...]:
    """One statutory limb for every organisation is enough: the Fund's covers the decree's."""
    return tuple(limb for limb in terms.limits.limbs if limb.base != Base.STATUTORY_LIMIT)


def _statutory(value: FundValue) -> Limb:
    return Limb(
        base=Base.STATUTORY_LIMIT,
        label="Límite legal de la entidad",
        cite=value.source,
        kind=BuyerKind.ORGANISATION,
        multiple=Decimal(1),
    )


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
            "signatory_name",
            "signatory_title",
        )
    },
    "stage_months": _stage_months,
    "authorisation_percent": _authorisation,
    "adjudication_rule": _adjudication,
    "payment_term_days": _payment,
    "pledge_rank": _pledge_rank,
    "organisation_limit": _organisation_limit,
    "organisation_documents": _organisation_documents,
    "extra_documents": _extra_documents,
    "extra_classes": _extra_classes,
}
