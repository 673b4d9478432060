"""One row of the list for the share register or the depository."""

from offerings.models import Adjudication, Award
from offerings.rules.months import LockUpFacts, lock_up_end
from offerings.rules.terms import PledgeRank, Terms
from offerings.selectors.workbook_facts import holder_cells
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
REGISTER_SUMS = ("Acciones", "Valor")


def register_row(award: Award, run: Adjudication, terms: Terms) -> list[Value]:
    """A holder with what it bought. The term and the pledge, where the terms have them."""
    acceptance = award.acceptance
    buyer = acceptance.participation.buyer
    kind, number, name = holder_cells(award)
    first = acceptance.stage.number == FIRST_STAGE
    rank = RANKS.get(terms.pledge_rank.value, "") if terms.pledge_rank else ""
    return [
        name,
        kind,
        number,
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
