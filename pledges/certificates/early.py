"""What a certificate states of an early exit: the request, the quote as it was settled, and what
was paid. All is read from what they keep; nothing is worked out again."""

from typing import Any

from offerings.rules.ruling import unique
from office.dates import bogota_day
from pledges.models import Quote, ReleaseRequest


def request_facts_stated(request: ReleaseRequest) -> dict[str, Any]:
    """The request, or the breach that the Fund found, and the sale that it tells of."""
    return {
        "number": request.code,
        "kind": request.kind,
        "filed_on": bogota_day(request.filed_at).isoformat(),
        "filing_number": request.filing_number,
        "sold_on": request.sold_on.isoformat() if request.sold_on else None,
        "sale_price": None if request.sale_price is None else str(request.sale_price),
    }


def receipts_facts(request: ReleaseRequest) -> dict[str, Any] | None:
    """The receipts of what was paid, and the day of the last; None where nothing was due."""
    payments = list(request.payments.order_by("paid_on", "pk"))
    if not payments:
        return None
    return {
        "receipts": [payment.receipt for payment in payments],
        "paid_on": payments[-1].paid_on.isoformat(),
    }


def early_facts(quote: Quote) -> dict[str, Any]:
    """The settled quote: its amount, what it rests on, the data and the readings that led to it.

    What a regime does not know is None or empty. `quote.outcome` is the rule's answer as data
    (ReleasePenalty.as_data); where the Fund decided, it bears what is known of the request alone.
    """
    found = quote.outcome or {}
    return {
        "number": quote.code,
        "accepted_on": quote.accepted_on.isoformat() if quote.accepted_on else None,
        "amount": str(quote.amount),
        "basis": quote.basis,
        "month": quote.month,
        "semester": found.get("semester"),
        "reference": found.get("reference"),
        "cpi": found.get("cpi") or [],
        "reduction": found.get("reduction_percent"),
        "paid_percent": found.get("paid_percent"),
        "remaining": _step(quote, "Meses que faltan"),
        "reduction_of": _reduction_of(quote),
        "decision": _decision(quote),
        "cites": list(unique(step["cite"] for step in quote.steps if step.get("cite"))),
        "readings": [reading["sentence"] for reading in quote.readings],
        "conclusion": quote.conclusion,
    }


def _step(quote: Quote, label: str) -> str | None:
    """How a step of the settled quote reads."""
    return next((step["shown"] for step in quote.steps if step["label"] == label), None)


def _reduction_of(quote: Quote) -> str | None:
    """The months of the reduction and how they add up: "5 × 8,3 %"."""
    details = [step["detail"] for step in quote.steps if step["label"].startswith("Reducción")]
    return details[0].partition(" = ")[0] if details else None


def _decision(quote: Quote) -> dict[str, str] | None:
    decided = quote.decision
    if decided is None:
        return None
    return {"act": decided.act, "act_on": decided.act_on.isoformat(), "reason": decided.reason}
