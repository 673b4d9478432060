"""What a workbook that leaves the house says of itself: of which sale, session and result."""

from offerings.models import Adjudication, Award
from offerings.rules.payment_reference import payment_reference
from office.identities import write_number
from office.xlsx import Value

UNITS = "Cantidades en acciones; precio y valor en pesos"
Facts = list[tuple[str, Value]]


def run_about(run: Adjudication) -> Facts:
    """The programme, its stage, and the adjudication with its session, as a workbook says them."""
    stage = run.stage
    return [
        ("Programa", stage.programme.name),
        ("Etapa", stage.number),
        ("Adjudicación", run.code),
        ("Versión", run.version),
        ("Fecha de la sesión", run.session_on),
        ("La adjudicó", run.exchange.name if run.exchange else "El Fondo"),
        ("Unidades", UNITS),
    ]


def holder_cells(award: Award) -> list[Value]:
    """Who presented it: kind of identity, number as every list writes it, name."""
    buyer = award.acceptance.participation.buyer
    number = write_number(buyer.identity_type, buyer.identity_number, buyer.check_digit)
    return [buyer.identity_type, number, buyer.name]


def reference_cell(award: Award) -> str:
    """By which it is paid; nothing for a line that got no share."""
    return payment_reference(award.pk) if award.awarded else ""
