"""One row of the list for the share register or the depository."""

from offerings.models import Adjudication, Award
from offerings.rules.months import LockUpFacts, lock_up_end
from offerings.rules.terms import PledgeRank, Terms
from office.models import CertificateState
from office.spreadsheets import Value

FIRST_STAGE = 1  # what is bought in the auction bears no term and no pledge
RANKS = {
    PledgeRank.FIRST: "Primer grado",
    PledgeRank.SECOND: "Segundo grado",
    PledgeRank.FIRST_OR_SECOND: "Primer grado, o segundo tras el crédito de compra",
}
REGISTER_COLUMNS = [
    "Titular", "Tipo de documento", "Documento", "Representante", "Acciones", "Precio", "Valor",
    "Fecha de compra", "Pagada el", "Prenda a favor del Fondo", "Término hasta", "Aceptación",
    "Certificado",
]  # fmt: skip


def register_row(award: Award, run: Adjudication, terms: Terms) -> list[Value]:
    """A holder with what it bought. The term and the pledge, where the terms have them."""
    acceptance = award.acceptance
    buyer = acceptance.participation.buyer
    first = acceptance.stage.number == FIRST_STAGE
    rank = RANKS.get(terms.pledge_rank.value, "") if terms.pledge_rank else ""
    return [
        buyer.name,
        buyer.identity_type,
        "-".join(filter(None, (buyer.identity_number, buyer.check_digit))),
        "" if buyer.is_natural else buyer.representative_name,
        award.awarded,
        acceptance.stage.price,
        award.total,
        run.session_on,
        award.paid_on,
        rank if first else "",
        lock_up_end(LockUpFacts(purchased=run.session_on), terms).value if first else None,
        acceptance.code,
        _certificate(award),
    ]


def _certificate(award: Award) -> str:
    certificate = award.certificate
    if certificate is None or certificate.state == CertificateState.ANNULLED:
        return "por expedir"
    return certificate.label
