"""What the receipt of an acceptance states, from what is stored; nothing is worked out for it."""

from typing import Any

from buyers.enums import DeclarationKind
from offerings.enums import AcceptanceState
from offerings.models import Acceptance
from offerings.rules.terms import NoticeCode, Terms
from offerings.selectors.programmes import stage_terms
from office.identities import write_identity_long

BINDING = (NoticeCode.ACCEPTANCE_BINDS, NoticeCode.FALSE_CLASS)


def receipt_facts(acceptance: Acceptance) -> dict[str, Any]:
    """The parts of the receipt that are not columns of the acceptance.

    standing: its Spanish word. missing: labels with their articles. conditions: see
    `conditions_of`.
    """
    terms = stage_terms(acceptance.stage)
    presented = acceptance.state == AcceptanceState.PRESENTED
    buyer = acceptance.participation.buyer
    return {
        "decree": terms.decree.value,
        "identity": write_identity_long(
            buyer.identity_type, buyer.identity_number, buyer.check_digit
        ),
        "standing": acceptance.get_standing_display()
        if presented
        else acceptance.get_state_display(),
        "missing": [_cited(gap["label"], gap["cite"]) for gap in acceptance.missing],
        "cites": list(acceptance.ruling.get("cites", ())) if acceptance.admitted else [],
        "conditions": conditions_of(acceptance),
    }


def conditions_of(acceptance: Acceptance) -> list[str]:
    """What it declares in writing, what the decree infers from presenting it, and what presenting
    it binds to, each with its article: the same on its review and on its receipt."""
    terms = stage_terms(acceptance.stage)
    notices = [notice for notice in terms.notices if notice.code in BINDING]
    return [
        *_declared(acceptance, terms),
        *(_cited(notice.text, notice.cite) for notice in notices),
    ]


def _declared(acceptance: Acceptance, terms: Terms) -> list[str]:
    asked = {term.kind: term for term in terms.documents.declarations}
    written = [DeclarationKind(kind) for kind in acceptance.declarations]
    said = [
        _cited(f"Declara: {_lower_first(kind.label)}", asked[kind].cite if kind in asked else "")
        for kind in written
    ]
    inferred = [
        _cited(f"Se entiende al presentarla: {_lower_first(term.kind.label)}", term.cite)
        for term in asked.values()
        if not term.express and term.kind not in written
    ]
    return [*said, *inferred]


def _cited(text: str, cite: str) -> str:
    """A sentence with its article before the stop, as `Declara: … (art. 6).`"""
    bare = text.removesuffix(".")
    return f"{bare} ({cite})." if cite else f"{bare}."


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]
