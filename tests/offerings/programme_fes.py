"""The first stage of Fiduciaria FES, 2004, whose decree asks for no broker. What its fragment
lacks is made up."""

from datetime import date, datetime
from decimal import Decimal

from buyers.enums import DeclarationKind, DocumentKind
from buyers.services import document_add
from offerings.decrees.fund_values import FundValue as Given
from offerings.models import Stage
from offerings.services.programmes import programme_open
from offerings.services.stages import stage_open
from tests.buyers.files import pdf_bytes, upload
from tests.conftest import BOGOTA
from tests.offerings.programme_1995 import confirmed_of, notice_of

FES = "fiduciaria-fes-2004"
ACT = "Resolución ficticia 7 de 2004 del Fondo"
FES_OPENED = datetime(2004, 11, 2, 9, 0, tzinfo=BOGOTA)
FES_RECEIVED = datetime(2004, 11, 15, 10, 42, tzinfo=BOGOTA)
FES_CLOSED = datetime(2005, 1, 3, 17, 0, tzinfo=BOGOTA)
DECLARED = (DeclarationKind.NO_TRANSFER, DeclarationKind.NOT_DISQUALIFIED)


def given_fes() -> dict[str, Given]:
    """All that must be known and the fragment does not say."""
    values = {
        "price": Decimal("1000.00"),
        "published": date(2004, 10, 22),
        "outstanding": 2_933_654,
        "stage_months": 2,
        "adjudication_rule": "pro_rata",
        "authorisation_percent": Decimal(10),
        "credit_line": False,
        "payment_term_days": 30,
        "payment_guarantee": False,
        "withdrawal_allowed": True,
        "signatory_name": "Clara Supuesta Muestra",
        "signatory_title": "Directora (E)",
        "readmit_left_out": "no",
    }
    return {key: Given(value, ACT) for key, value in values.items()}


def fes_stage_of(preparer, reviewer) -> Stage:
    """Stage 1, open from 02/11/2004, 9:00 a. m."""
    programme = programme_open(slug=FES, user=preparer)
    confirmed_of(programme, preparer, reviewer, given_fes())
    notice_of(programme, preparer, date(2004, 10, 28))
    stage = programme.stages.get(number=1)
    return stage_open(stage=stage, user=reviewer, opened_at=FES_OPENED)


def class_proof_on_file(buyer, user):
    """The proof of its class, with its file."""
    file = upload(pdf_bytes(), "constancia.pdf")
    return document_add(user=user, buyer=buyer, kind=DocumentKind.CLASS_PROOF, file=file)
