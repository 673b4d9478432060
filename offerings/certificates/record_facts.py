"""What the act of adjudication states, as JSON with raw values (see its template for the keys).

Read from the figures, the lines and the terms that the run stored; nothing is allotted again.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

from offerings.certificates.statement import APPROVER, heading_facts
from offerings.decrees.reader import terms_from_data
from offerings.enums import AwardReason
from offerings.models import Acceptance, Adjudication, AdjudicationAnnulment, FundRules
from offerings.rules.adjudication import adjudication_terms
from offerings.rules.ruling import unique
from offerings.rules.terms import AdjudicationTerms, Terms
from offerings.selectors.adjudications import (
    FACTOR_PLACES,
    Outcome,
    Share,
    lines_causes,
    lines_outcomes,
    run_factor,
    shares_by_broker,
    shares_by_class,
    shares_by_exchange,
    shares_total,
    write_cut,
)
from office.dates import bogota_day, write_datetime
from office.numbers import write_decimal, write_percent, write_quantity
from office.review import ReviewState
from office.text import exchange_words

PLACES = 2
NONE_VALID, NONE_KEPT = "none_valid", "none_kept"


def record_facts(run: Adjudication) -> dict[str, Any]:
    """All that the act states of a run that has its result."""
    terms = terms_from_data(run.terms)
    outcomes, received, cut = lines_outcomes(run)
    classes = shares_by_class(run)
    return heading_facts(terms) | {
        "stage": run.stage.number,
        "session": {
            "run": run.code,
            "version": run.version,
            "exchange": run.exchange.name if run.exchange else "",
            "on": run.session_on.isoformat(),
        },
        "basis": _basis(run, terms),
        "offer": _offer(run, terms),
        "outcomes": [_outcome(outcome) for outcome in outcomes],
        "received": _outcome(received) | {"admitted": received.admitted},
        "causes": lines_causes(run, terms),
        "cut": {
            "lines": cut.lines,
            "shares": cut.taken_off,
            "cite": terms.limits.over_limit.cite,
        },
        "demand": _demand(run, outcomes),
        "rule": _rule(run, terms),
        "ties": [_tie(run, tie) for tie in run.ties],
        "classes": [_share(share) for share in classes],
        "brokers": [_share(share) for share in shares_by_broker(run)],
        "exchanges": [_share(share) for share in shares_by_exchange(run)],
        "shares_total": _share(shares_total(classes)),
        "result": _result(run),
        "annex": {
            "lines": run.lines,
            "result_sha256": run.summary["result_sha256"],
            "input_sha256": run.input_sha256,
            "terms_sha256": run.terms_sha256,
        },
        "readings": list(run.summary.get("readings", ())),
        "signatories": _signatories(run, terms),
        "public": _public(run, terms),
    }


def _basis(run: Adjudication, terms: Terms) -> dict[str, Any]:
    rule = adjudication_terms(terms)
    rules = run.stage.rules
    notices = run.stage.programme.notices.order_by("published_on", "pk")
    cites = unique([rule.valid_cite, rule.in_full_cite, rule.consent_cite, rule.pro_rata_cite])
    return {
        # A part of an article that is cited whole goes without saying.
        "cites": [one for one in cites if not any(one.startswith(f"{c},") for c in cites)],
        "rules": {"version": rules.version, "acts": _acts(rules)} if rules else None,
        "completes": _completes(rule),
        "after": _annulled_before(run),
        "notices": [
            {
                "on": notice.published_on.isoformat(),
                "medium": notice.medium,
                "reference": notice.reference,
            }
            for notice in notices
        ],
    }


def _annulled_before(run: Adjudication) -> list[dict[str, Any]]:
    """The annulled versions of the stage that this one comes after, by what act, and their acts
    of adjudication: without them nobody sees from the paper why the stage was allotted again."""
    annulments = (
        AdjudicationAnnulment.objects.filter(
            adjudication__stage=run.stage_id,
            adjudication__version__lt=run.version,
            adjudication__annulled_at__isnull=False,
            review_state=ReviewState.APPROVED,
        )
        .select_related("adjudication__record__certificate__series")
        .order_by("adjudication__version")
    )
    return [_annulled(annulment) for annulment in annulments]


def _annulled(annulment: AdjudicationAnnulment) -> dict[str, Any]:
    before = annulment.adjudication
    record = getattr(before, "record", None)
    return {
        "run": before.code,
        "version": before.version,
        "act": annulment.act.strip().removesuffix("."),
        "on": annulment.act_on.isoformat(),
        "ordered_by": annulment.ordered_by.strip().removesuffix("."),
        "record": str(record.certificate) if record else "",
    }


def _acts(rules: FundRules) -> list[str]:
    """The acts of the Fund that its values come from, each once, as they were cited."""
    sources = rules.values.order_by("pk").values_list("source", flat=True)
    return list(unique(source.strip().removesuffix(".") for source in sources))


def _completes(rule: AdjudicationTerms) -> str:
    """The clause by which the adjudication makes the sale, where the decree has one."""
    completes = rule.completes_contract
    return completes.cite if completes and completes.value else ""


def _offer(run: Adjudication, terms: Terms) -> dict[str, Any]:
    stage, supply = run.stage, int(run.supply)
    return {
        "shares": supply,
        "price": str(stage.price),
        "total": str(supply * stage.price),
        "price_cites": [terms.price.cite] if terms.price else [],
        "opened_on": bogota_day(stage.opened_at).isoformat(),
        "closed_on": bogota_day(stage.closed_at).isoformat(),
    }


def _outcome(outcome: Outcome) -> dict[str, Any]:
    return {
        "label": outcome.label,
        "lines": outcome.lines,
        "requested": outcome.requested,
        "admitted": outcome.admitted if outcome.enters else None,
        "awarded": outcome.awarded,
    }


def _demand(run: Adjudication, outcomes: Sequence[Outcome]) -> dict[str, Any]:
    out = int(run.demand) - int(run.demand_kept)
    entered = sum(outcome.lines for outcome in outcomes if outcome.enters)
    threshold = Fraction(run.summary.get("threshold") or 0)
    return {
        "shares": int(run.demand),
        "lines": entered,
        "supply": int(run.supply),
        "percent": write_percent(Fraction(int(run.demand) * 100, int(run.supply)), PLACES),
        "kept": int(run.demand_kept),
        "left_out": {"lines": _left_out(run), "shares": out},
        "threshold": write_percent(threshold * 100, PLACES) if threshold else None,
    }


def _left_out(run: Adjudication) -> int:
    """How many the consent rule left out, those that came in again for what was left too."""
    reasons = (AwardReason.REFUSES_REDUCTION, AwardReason.READMITTED)
    return run.awards.filter(reason__in=reasons).count()


def _rule(run: Adjudication, terms: Terms) -> dict[str, Any]:
    rule = adjudication_terms(terms)
    least = run.summary.get("least_winning")
    return {
        "pro_rata": run.is_pro_rata,
        "factor": write_cut(run_factor(run), FACTOR_PLACES),
        "left_over": run.left_over_shares,
        "least_winning": None if least is None else int(least),
        "valid_cite": rule.valid_cite,
        "in_full_cite": rule.in_full_cite,
        "consent_cite": rule.consent_cite,
        "pro_rata_cite": rule.pro_rata_cite,
    }


def _tie(run: Adjudication, tie: dict[str, Any]) -> dict[str, Any]:
    """Who had the same remainder, who of them got a share, and between whom it was decided."""
    codes, shares = tie["references"], tie["shares"]
    won, lost = codes[:shares], codes[shares:]
    return {
        "remainder": int(tie["remainder"]),
        "shares": shares,
        "count": len(codes),
        "won": _ranges(won),
        "lost": _ranges(lost),
        "last_won": _receipt(run, won[-1]),
        "first_lost": _receipt(run, lost[0]),
    }


def _receipt(run: Adjudication, code: str) -> dict[str, str]:
    acceptance: Acceptance = run.stage.acceptances.get(serial=_serial(code))
    return {"number": code, "received": write_datetime(acceptance.received_at)}


def _serial(code: str) -> int:
    return int(code.rpartition("-")[2])


def _ranges(codes: Sequence[str]) -> list[str]:
    """Each code, those that follow one another as "A-000003 a A-000009"."""
    serials = sorted(map(_serial, codes))
    runs = groupby(enumerate(serials), lambda pair: pair[1] - pair[0])
    spans = [[serial for _, serial in group] for _, group in runs]
    return [_span(span[0], span[-1]) for span in spans]


def _span(first: int, last: int) -> str:
    if first == last:
        return f"A-{first:06d}"
    joint = "y" if last == first + 1 else "a"
    return f"A-{first:06d} {joint} A-{last:06d}"


def _share(share: Share) -> dict[str, Any]:
    return {
        "label": share.label,
        "acceptances": share.acceptances,
        "admitted": share.admitted,
        "awarded": share.awarded,
        "percent": write_decimal(share.of_supply, PLACES),
    }


def _result(run: Adjudication) -> dict[str, Any]:
    deserted = ""
    if run.is_deserted:
        deserted = NONE_KEPT if run.demand else NONE_VALID
    awarded = int(run.awarded)
    return {
        "awarded": awarded,
        "total": str(awarded * run.stage.price),
        "unsold": int(run.unsold),
        "winners": run.awards.filter(awarded__gt=0).count(),
        "deserted": deserted,
    }


def _signatories(run: Adjudication, terms: Terms) -> list[list[dict[str, str]]]:
    """In pairs: for the Fund and for the exchange, if one adjudicated, who approved and who
    prepared."""
    fund = {"name": "", "post": "Representante legal del Fondo"}
    if terms.signatory_name and terms.signatory_title:
        fund = {"name": terms.signatory_name.value, "post": terms.signatory_title.value}
    who = str(run.reviewed_by) if run.reviewed_by else ""
    approved = {"name": who, "post": f"{APPROVER}: aprobó la adjudicación"}
    prepared = {"name": str(run.prepared_by), "post": "Por el Fondo: preparó la adjudicación"}
    if run.exchange is None:
        return [[fund, approved], [prepared]]
    exchange = {"name": "", "post": f"Representante legal de {exchange_words(run.exchange.name)}"}
    return [[fund, exchange], [approved, prepared]]


def _public(run: Adjudication, terms: Terms) -> list[dict[str, str]]:
    """The least that proves it on the verification page."""
    heading = heading_facts(terms)
    return [
        {"label": "Programa", "value": f"{heading['programme']}, {heading['decree']}"},
        {"label": "Adjudicación", "value": f"{run.code}, etapa {run.stage.number}"},
        {"label": "Acciones adjudicadas", "value": write_quantity(int(run.awarded))},
    ]
