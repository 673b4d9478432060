"""What certificates state of an award, each part as JSON with raw values.

Read from the award, from the terms that its adjudication keeps, and from what was stored with the
acceptance: nothing is calculated again but the end of a term. Who signs for the Fund may change
meanwhile, so that comes from the rules in force.
"""

from typing import Any

from buyers.enums import BuyerClass
from buyers.models import Buyer
from offerings.models import Acceptance, Award
from offerings.rules.terms import Terms
from offerings.selectors.programmes import programme_terms
from office.dates import bogota_day
from office.models import Certificate, CertificateState
from office.numbers import write_quantity

FUND = "Fondo de Garantías de Instituciones Financieras"
# In what capacity whoever approved signs: by the office, since nobody's post is on record.
APPROVER = "Por el Fondo, supervisión de enajenaciones"


def heading_facts(terms: Terms) -> dict[str, Any]:
    """Whose paper it is, and of which programme."""
    return {
        "fund": FUND,
        "programme": programme_title(terms),
        "decree": terms.decree.value,
        "issuer": {"name": terms.issuer.value, "of": _of_issuer(terms.issuer.value)},
        "seller": _seller(terms),
    }


def programme_title(terms: Terms) -> str:
    """As it stands on the paper: "Programa de enajenación de las acciones de …"."""
    title = terms.title.value
    return f"Programa de enajenación de las {title[:1].lower()}{title[1:]}"


def _of_issuer(name: str) -> str:
    """The issuer with its preposition: del Banco Popular, de Fiduciaria FES S. A."""
    return f"del {name}" if name.startswith(("Banco", "Fondo")) else f"de {name}"


def _seller(terms: Terms) -> dict[str, Any]:
    """Who sells, and whether the Fund does so in another's name ("por conducto del Fondo")."""
    full = terms.seller.value if terms.seller else ""
    name = full.split(" – ")[0].split(",")[0]
    return {"name": name, "represented": bool(name) and not name.lower().startswith("el fondo")}


def holder_facts(acceptance: Acceptance) -> dict[str, Any]:
    """Whom it is for: an organisation under its legal name, its representative beside it."""
    participation = acceptance.participation
    known = identity_facts(participation.buyer)
    return known | {"class": BuyerClass(participation.buyer_class).label.lower()}


def identity_facts(buyer: Buyer) -> dict[str, Any]:
    """The same of a buyer alone, whatever its class in a programme."""
    holder: dict[str, Any] = {
        "name": buyer.name,
        "kind": buyer.kind,
        "identity": {
            "type": buyer.identity_type,
            "number": buyer.identity_number,
            "check_digit": buyer.check_digit,
        },
    }
    if not buyer.is_natural and buyer.representative_name:
        holder["representative"] = _representative(buyer)
    return holder


def _representative(buyer: Buyer) -> dict[str, Any]:
    known: dict[str, Any] = {"name": buyer.representative_name}
    if buyer.representative_identity_number:
        known["identity"] = {
            "type": buyer.representative_identity_type,
            "number": buyer.representative_identity_number,
        }
    return known


def acceptance_facts(acceptance: Acceptance) -> dict[str, Any]:
    """What was presented; one that came straight to the Fund has neither broker nor exchange."""
    return {
        "number": acceptance.code,
        "received_on": bogota_day(acceptance.received_at).isoformat(),
        "requested": acceptance.requested,
        "broker": acceptance.broker.name if acceptance.broker else "",
        "exchange": acceptance.exchange.name if acceptance.exchange else "",
    }


def adjudicator_name(award: Award) -> str:
    """The exchange that adjudicated, or "" where the Fund did."""
    exchange = award.adjudication.exchange
    return exchange.name if exchange else ""


def record_label(award: Award) -> str:
    """The number of the act of its adjudication, or "" while none is in force."""
    found = Certificate.objects.filter(record__adjudication=award.adjudication_id)
    act = found.exclude(state=CertificateState.ANNULLED).select_related("series").first()
    return act.label if act else ""


def award_facts(award: Award, terms: Terms) -> dict[str, Any]:
    """How many shares, at what price, for how much."""
    return {
        "quantity": award.awarded,
        "price": str(award.acceptance.stage.price),
        "total": str(award.total),
        "price_cites": [terms.price.cite] if terms.price else [],
    }


def signatories(award: Award, terms: Terms) -> list[dict[str, str]]:
    """Who signs for the Fund, by the rules in force now, and who approved the adjudication."""
    signatories = []
    in_force = programme_terms(award.acceptance.stage.programme)
    name = in_force.signatory_name or terms.signatory_name
    post = in_force.signatory_title or terms.signatory_title
    if name and post:
        signatories.append({"name": name.value, "post": post.value})
    reviewer = award.adjudication.reviewed_by
    if reviewer:
        signatories.append({"name": str(reviewer), "post": APPROVER})
    return signatories


def public_facts(award: Award, terms: Terms) -> list[dict[str, str]]:
    """The least that proves it on the verification page: no name, no identity."""
    return [
        {"label": "Programa", "value": f"{programme_title(terms)}, {terms.decree.value}"},
        {"label": "Acciones adjudicadas", "value": write_quantity(award.awarded)},
    ]
