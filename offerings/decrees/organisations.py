"""What the Fund says of the limit of organisations, where the text that we hold is silent."""

from dataclasses import replace
from decimal import Decimal

from buyers.enums import BuyerClass, BuyerKind, DocumentKind, kind_of
from offerings.decrees.fund_values import FundValue
from offerings.rules.terms import Base, DocumentTerm, Limb, Scope, Terms

STATUTORY_PROOF = DocumentTerm(
    (DocumentKind.STATUTORY_LIMIT_PROOF, DocumentKind.NO_STATUTORY_LIMIT),
    "Prueba del límite legal de la entidad, o la norma por la que no tiene",
    cite="",
    kind=BuyerKind.ORGANISATION,
    figures=(Base.STATUTORY_LIMIT,),
)
EQUITY_PROOF = DocumentTerm(
    (DocumentKind.TAX_RETURN, DocumentKind.CERTIFIED_STATEMENTS),
    "Declaración de renta de la entidad, o estados financieros certificados",
    cite="",
    kind=BuyerKind.ORGANISATION,
    figures=(Base.GROSS_EQUITY,),
)


def organisation_limit(terms: Terms, value: FundValue) -> Terms:
    """The limit of the organisations that the decree leaves out; those that it names keep its own,
    with its clause.
    """
    named = _named(terms)
    scope = Scope(BuyerKind.ORGANISATION, value.source, _others(named))
    limbs = tuple(_only(limb, named) for limb in terms.limits.limbs)
    limits = replace(terms.limits, scopes=(*terms.limits.scopes, scope), limbs=limbs)
    terms = replace(terms, limits=limits)
    if value.value != Base.STATUTORY_LIMIT:
        return terms
    limb = _limb(terms, value, Base.STATUTORY_LIMIT, "Límite legal de la entidad")
    return _proved(_limited(terms, replace(limb, multiple=Decimal(1))), STATUTORY_PROOF, value)


def organisation_equity_multiple(terms: Terms, value: FundValue) -> Terms:
    """Besides that limit, so many times what the organisation's own equity is."""
    multiple = Decimal(str(value.value))
    limb = _limb(terms, value, Base.GROSS_EQUITY, f"{multiple} × el patrimonio de la entidad")
    return _proved(_limited(terms, replace(limb, multiple=multiple)), EQUITY_PROOF, value)


def organisation_share_cap(terms: Terms, value: FundValue) -> Terms:
    """Besides that limit, so many shares at most."""
    limb = _limb(terms, value, Base.SHARE_CAP, "Tope de acciones por organización")
    return _limited(terms, replace(limb, shares=int(str(value.value))))


def _named(terms: Terms) -> tuple[BuyerClass, ...]:
    """The classes of organisation for which the decree itself has a limit."""
    organisations = [
        scope for scope in terms.limits.scopes if scope.kind == BuyerKind.ORGANISATION
    ]
    return tuple(code for scope in organisations for code in scope.classes)


def _others(named: tuple[BuyerClass, ...]) -> tuple[BuyerClass, ...]:
    """The other organisations; () = all of them, where the decree names none."""
    if not named:
        return ()
    return tuple(
        code
        for code in BuyerClass
        if kind_of(code) == BuyerKind.ORGANISATION and code not in named
    )


def _only(limb: Limb, named: tuple[BuyerClass, ...]) -> Limb:
    if limb.kind != BuyerKind.ORGANISATION or limb.classes:
        return limb
    return replace(limb, classes=named)


def _limb(terms: Terms, value: FundValue, base: Base, label: str) -> Limb:
    """A limit of the organisations that the Fund has just spoken of."""
    return Limb(
        base=base,
        label=label,
        cite=value.source,
        kind=BuyerKind.ORGANISATION,
        classes=terms.limits.scopes[-1].classes,
    )


def _limited(terms: Terms, limb: Limb) -> Terms:
    return replace(terms, limits=replace(terms.limits, limbs=(*terms.limits.limbs, limb)))


def _proved(terms: Terms, proof: DocumentTerm, value: FundValue) -> Terms:
    """With the document that states the figure of a limit, where none is asked for that does:
    without it the limit could never be worked out.
    """
    required = terms.documents.required
    if any(
        term.kind == BuyerKind.ORGANISATION and set(proof.figures) <= set(term.figures)
        for term in required
    ):
        return terms
    added = (*required, replace(proof, cite=value.source))
    return replace(terms, documents=replace(terms.documents, required=added))
