"""The lines of an adjudication, filtered and explained from their stored figures."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from django.db.models import F, Q, QuerySet

from buyers.enums import BuyerClass
from offerings.decrees.reader import terms_from_data
from offerings.enums import AwardReason
from offerings.models import Adjudication, Award
from offerings.rules import adjudication as rule
from offerings.rules.awards import award_steps
from offerings.rules.receipt import Receipt
from offerings.rules.ruling import SHARES, Step, unique
from offerings.rules.terms import Terms
from offerings.rules.wording import write_list
from office.dates import write_datetime
from office.models import User
from office.numbers import write_shares
from office.text import fold
from office.words import amount_phrase, quantity_phrase

CUT = "cut"
RULE_REASONS = {
    AwardReason.IN_FULL: rule.AwardReason.IN_FULL,
    AwardReason.PRO_RATA: rule.AwardReason.PRO_RATA,
    AwardReason.RATIO_GIVES_NOTHING: rule.AwardReason.PRO_RATA,
    AwardReason.REFUSES_REDUCTION: rule.AwardReason.NO_REDUCTION,
    AwardReason.READMITTED: rule.AwardReason.READMITTED,
}
OUTSIDE_SENTENCES = {
    AwardReason.NOTHING_LEFT: "el límite no le dejó acciones",
    AwardReason.OVER_LIMIT: "pasa del límite: se rechaza",
    AwardReason.INCOMPLETE: "incompleta",
    AwardReason.NOT_COUNTED: "no cuenta",
    AwardReason.REJECTED: "rechazada",
    AwardReason.WITHDRAWN: "retirada por quien la presentó",
}
# Results that stand out in a long list; the ordinary ones are plain words.
TAGGED = {
    AwardReason.REFUSES_REDUCTION, AwardReason.INCOMPLETE, AwardReason.OVER_LIMIT,
    AwardReason.REJECTED,
}  # fmt: skip


def awards_listed(adjudication: Adjudication, user: User) -> QuerySet[Award]:
    """The lines that `user` may see, in order of receipt, with what a list shows."""
    return (
        adjudication.awards.visible_to(user)
        .select_related("acceptance__stage", "acceptance__participation__buyer")
        .order_by("acceptance__received_at", "acceptance__serial")
    )


def awards_with_result(awards: QuerySet[Award], result: str) -> QuerySet[Award]:
    """Those of `awards` with one of `result_choices`."""
    if result == CUT:
        return awards.filter(admitted__gt=0, admitted__lt=F("requested"))
    return awards.filter(reason=result)


def awards_matching(awards: QuerySet[Award], text: str) -> QuerySet[Award]:
    """Those of `awards` whose buyer, identity or acceptance answers to `text`."""
    return awards.filter(_answers_to(text)) if fold(text) else awards


def _answers_to(text: str) -> Q:
    folded = fold(text)
    digits = "".join(sign for sign in folded if sign.isdecimal())
    found = Q(acceptance__participation__buyer__name_folded__contains=folded)
    if digits:
        found |= Q(acceptance__participation__buyer__identity_number=digits)
    if digits and len(digits) < 10:
        found |= Q(acceptance__serial=int(digits))
    return found


def result_choices() -> list[tuple[str, str]]:
    """The results by which lines can be filtered."""
    return [*AwardReason.choices, (CUT, "Recortada al límite")]


def class_choices() -> list[tuple[str, str]]:
    return BuyerClass.choices()


def result_words(award: Award) -> str:
    """What became of a line, in words for a list."""
    is_cut = 0 < award.admitted < award.requested
    if is_cut and award.reason == AwardReason.PRO_RATA:
        return "Recortada y prorrateada"
    if is_cut and award.reason == AwardReason.IN_FULL:
        return "Recortada al límite"
    if award.reason == AwardReason.IN_FULL:
        return "Completa"
    return award.get_reason_display()


def is_tagged(award: Award) -> bool:
    """Whether its result stands out in a long list."""
    return award.reason in TAGGED


def run_figures(adjudication: Adjudication) -> rule.RunFigures:
    """The figures of a run as its rows keep them."""
    summary = adjudication.summary
    threshold, least = summary["threshold"], summary["least_winning"]
    return rule.RunFigures(
        supply=int(adjudication.supply),
        demand=int(adjudication.demand),
        kept_demand=int(adjudication.demand_kept),
        pro_rata=adjudication.is_pro_rata,
        threshold=None if threshold is None else Fraction(threshold),
        left_over=adjudication.left_over_shares,
        least_winning=None if least is None else int(least),
        awarded=int(adjudication.awarded),
    )


def award_explanation(award: Award, *, foreign: bool = False) -> dict[str, Any]:
    """The Why panel of a line, written from stored figures under the stored terms. `foreign`:
    its limit stands on what others than whoever looks presented, and is not explained.

    Nothing is worked out again: the limit's steps are the acceptance's, the rest is the row's.
    """
    terms = terms_from_data(award.adjudication.terms)
    steps = _steps(award, terms, foreign=foreign)
    return {
        "title": f"Por qué {write_shares(award.awarded)}",
        "steps": steps,
        "words": _in_words(award),
        "readings": readings_used(award),
        "cite": f"{terms.decree.value}, {_cites(award, steps)}.",
    }


def _in_words(award: Award) -> str:
    if not award.awarded:
        return "Ninguna acción."
    shares, pesos = quantity_phrase(award.awarded), amount_phrase(award.total)
    return f"{shares[0].upper()}{shares[1:]}, por {pesos}."


def _steps(award: Award, terms: Terms, *, foreign: bool) -> tuple[Step, ...]:
    asked = Step("Solicitó", _received(award), award.requested, SHARES)
    if award.reason not in RULE_REASONS:
        return (asked, _outside_step(award, terms), Step("Adjudicado", "", 0, SHARES))
    first, admitted, *rest = award_steps(_line(award), run_figures(award.adjudication), terms)
    assert first.value == asked.value
    return (asked, admitted if foreign else _limit_step(award, admitted), *rest)


def _received(award: Award) -> str:
    return f"aceptación del {write_datetime(award.acceptance.received_at)}"


def _limit_step(award: Award, admitted: Step) -> Step:
    """The limit in one line; a quantity that the limit did not touch cites nothing."""
    if award.acceptance.limit_shares is None:
        return replace(admitted, detail="el artículo no le fija límite", cite="")
    cite = admitted.cite if award.admitted < award.requested else ""
    return replace(admitted, detail=_limit_detail(award.acceptance.ruling), cite=cite)


def _limit_detail(ruling: Mapping[str, Any]) -> str:
    """How the limit came about: the products and quotients stored with the acceptance."""
    details = [step["detail"] for step in ruling.get("steps", ())]
    worked = [detail for detail in details if "×" in detail or "÷" in detail]
    return f"{'; '.join(worked)}, en acciones enteras" if worked else ""


def outside_words(award: Award) -> str:
    """Why a line did not enter, with what its papers lacked; "" for one that did."""
    missing = [_missing_words(item) for item in award.acceptance.missing]
    if award.reason == AwardReason.INCOMPLETE and missing:
        return f"incompleta; falta: {write_list(tuple(missing))}"
    return OUTSIDE_SENTENCES.get(AwardReason(award.reason), "")


def _outside_step(award: Award, terms: Terms) -> Step:
    detail = outside_words(award)
    cite = terms.limits.over_limit.cite
    if award.reason not in {AwardReason.NOTHING_LEFT, AwardReason.OVER_LIMIT}:
        cite = rule.adjudication_terms(terms).valid_cite
    return Step("No entra", detail, 0, SHARES, cite)


def _missing_words(item: Mapping[str, str]) -> str:
    """What was missing, with the article that asks for it."""
    label = item["label"].removesuffix(".")
    return f"{label} ({item['cite']})" if item["cite"] else label


def _line(award: Award) -> rule.AwardLine:
    acceptance = award.acceptance
    return rule.AwardLine(
        reference=acceptance.code,
        receipt=Receipt(acceptance.received_at, acceptance.serial),
        asked=award.requested,
        admitted=award.admitted,
        least=award.least,
        quotient=award.quotient or 0,
        remainder=int(award.remainder or 0),
        got_left_over=award.got_left_over,
        awarded=award.awarded,
        reason=RULE_REASONS[AwardReason(award.reason)],
    )


def readings_used(award: Award) -> list[str]:
    """The readings used for its limit and for the whole run, as they were stored with them."""
    of_limit = award.acceptance.ruling.get("readings", ())
    return list(unique([*of_limit, *award.adjudication.summary.get("readings", ())]))


def _cites(award: Award, steps: tuple[Step, ...]) -> str:
    """ "arts. 6-1, 6-3 y 9-3", or as they stand where one is not a plain article."""
    before = award.acceptance.ruling.get("cites", ()) if award.admitted else ()
    if award.reason == AwardReason.INCOMPLETE:
        before = [item["cite"] for item in award.acceptance.missing]
    cites = unique(cite for cite in [*before, *(step.cite for step in steps)] if cite)
    if len(cites) > 1 and all(cite.startswith("art. ") for cite in cites):
        return f"arts. {write_list(tuple(cite.removeprefix('art. ') for cite in cites))}"
    return write_list(cites)
