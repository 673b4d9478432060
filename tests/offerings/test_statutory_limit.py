"""An organisation of FES (numeral 3): its statutory limit proved, or the norm that sets none."""

import re
from datetime import date, datetime
from decimal import Decimal
from uuid import uuid4

import pytest
from django.urls import reverse

from buyers.models import Document
from buyers.services import buyer_register, document_add
from offerings.decrees.fund_values import FundValue
from offerings.models import Acceptance, Stage
from offerings.services.stages import stage_open
from office.refusals import Refused
from tests.buyers.files import pdf_bytes, upload
from tests.conftest import BOGOTA
from tests.offerings.import_files import COOPERATIVE, csv_of, faults, loaded
from tests.offerings.programme_1995 import confirmed_of, notice_of
from tests.offerings.programme_1995 import programme_open as programme_opened

SLUG = "fiduciaria-fes-2004"
NEW = reverse("acceptance_new", args=[SLUG, 1])
ACT = "Resolución ficticia 9 de 2004 del Fondo"
NORM = "Ley ficticia 100 de 1988, art. 5"
OPENED = datetime(2004, 11, 2, 9, 0, tzinfo=BOGOTA)
SHARES = 2_202_689


def given_fes(**more):
    figures = {
        "price": Decimal("4800.10"),
        "published": date(2004, 10, 20),
        "outstanding": 2_933_654,
        "stage_months": 2,
        "adjudication_rule": "pro_rata",
        "authorisation_percent": Decimal(100),
        "credit_line": False,
        "payment_term_days": 30,
        "payment_guarantee": False,
        "withdrawal_allowed": False,
        "signatory_name": "Clara Supuesta Muestra",
        "signatory_title": "Directora (E)",
    }
    return {key: FundValue(value, ACT) for key, value in (figures | more).items()}


@pytest.fixture
def stage(irene, ana) -> Stage:
    programme = programme_opened(slug=SLUG, user=irene)
    confirmed_of(programme, irene, ana, given_fes(readmit_left_out="no"))
    notice_of(programme, irene, date(2004, 10, 25))
    return stage_open(stage=programme.stages.get(number=1), user=ana, opened_at=OPENED)


@pytest.fixture
def cooperative(irene):
    return buyer_register(
        user=irene,
        kind="organisation",
        identity_type="NIT",
        identity_number="860530751-7",
        name="Cooperativa Ficticia del Valle",
        representative_name="Óscar Prueba Ñungo",
        representative_identity_type="CC",
        representative_identity_number="79000118",
    )


@pytest.fixture
def typed(stage, cooperative, broker, exchange):
    return {
        "buyer": "860.530.751-7",
        "buyer_class": "cooperative",
        "paper0_reference": "CL-1",
        "paper2_kind": "no_statutory_limit",
        "paper2_norm": NORM,
        "paper2_reference": "LIM-1",
        "requested": f"{SHARES:,}".replace(",", "."),
        "received_on": "15/11/2004",
        "received_time": "10:42",
        "broker": str(broker.pk),
        "exchange": str(exchange.pk),
        "attested_on": "15/11/2004",
        "declares_no_transfer": "on",
        "declares_not_disqualified": "on",
        "submission_key": str(uuid4()),
    }


@pytest.fixture
def desk(client, irene):
    client.force_login(irene)
    return client


def test_an_organisation_with_the_norm_that_sets_it_no_limit_is_taken_whole(desk, typed):
    desk.post(NEW, typed | {"paso": "registrar"})
    acceptance = Acceptance.objects.get()
    assert (acceptance.standing, acceptance.admitted) == ("complete", SHARES)
    assert acceptance.limit_shares is None
    page = desk.get(reverse("buyer", args=[acceptance.participation.buyer_id]))
    assert NORM in page.content.decode()


def test_the_norm_is_known_when_the_same_organisation_presents_again(desk, typed, cooperative):
    desk.post(NEW, typed | {"paso": "registrar", "requested": "100"})
    again = typed | {"paso": "registrar", "submission_key": str(uuid4()), "requested": "200"}
    other = desk.post(NEW, again | {"paper2_norm": "Ley ficticia 7 de 1990"})
    assert "ya consta con norma" in other.content.decode()
    desk.post(NEW, again)
    assert Acceptance.objects.count() == 2
    assert Document.objects.filter(kind="no_statutory_limit").count() == 1


def test_the_norm_that_is_known_counts_though_nobody_types_it_again(desk, typed):
    desk.post(NEW, typed | {"paso": "registrar", "requested": "100"})
    untyped = {name: "" for name in typed if name.startswith("paper")}
    again = typed | untyped | {"submission_key": str(uuid4()), "requested": "200"}
    desk.post(NEW, again | {"paso": "registrar"})
    first, second = Acceptance.objects.order_by("pk")
    assert (second.standing, second.admitted) == ("complete", 200)
    assert second.participation == first.participation
    assert Document.objects.get(kind="no_statutory_limit").norm == NORM


def test_a_declaration_without_its_norm_is_refused_at_its_field(desk, typed):
    answer = desk.post(NEW, typed | {"paso": "revisar", "paper2_norm": ""})
    assert answer.status_code == 422
    summary = re.search(r'href="#id_paper2_norm">([^<]*)<', answer.content.decode())
    assert "Escriba la norma" in summary[1]


def test_a_norm_beside_a_proof_of_the_limit_is_refused(desk, typed):
    told = typed | {"paso": "revisar", "paper2_kind": "statutory_limit_proof"}
    answer = desk.post(NEW, told | {"paper2_statutory_limit": "480.010,00"})
    assert "déjela en blanco" in answer.content.decode()


def test_an_organisation_with_a_limit_is_cut_to_it(desk, typed):
    told = typed | {"paper2_kind": "statutory_limit_proof", "paper2_norm": ""}
    desk.post(NEW, told | {"paso": "registrar", "paper2_statutory_limit": "480.010,00"})
    assert Acceptance.objects.get().admitted == 100


@pytest.mark.parametrize(
    ("paper", "field"),
    [
        ({"kind": "no_statutory_limit"}, "norm"),
        ({"kind": "no_statutory_limit", "norm": " \u00a0 "}, "norm"),
        ({"kind": "class_proof", "norm": NORM}, "norm"),
        ({"kind": "no_statutory_limit", "norm": "N" * 201}, "norm"),
        (
            {
                "kind": "no_statutory_limit",
                "norm": NORM,
                "figures": {"statutory_limit": Decimal(1)},
            },
            "statutory_limit",
        ),
    ],
)
def test_a_norm_goes_with_the_declaration_and_with_nothing_else(irene, cooperative, paper, field):
    with pytest.raises(Refused) as caught:
        document_add(user=irene, buyer=cooperative, file=upload(pdf_bytes()), **paper)
    assert caught.value.field == field


def fes_row(**cells):
    said = {
        "recibida": "15/11/2004 10:42",
        "certificado_el": "15/11/2004",
        "otras_declaraciones": "no_transfer",
        "cantidad": "1.500",
    }
    return COOPERATIVE | said | cells


def test_a_row_brings_the_norm_in_its_own_column(stage, broker, exchange, irene):
    source = loaded(stage, irene, csv_of(fes_row(norma=NORM)))
    assert faults(source) == {}
    acceptance = Acceptance.objects.get()
    assert (acceptance.standing, acceptance.admitted) == ("complete", 1500)
    assert acceptance.participation.documents.get(kind="no_statutory_limit").norm == NORM


def test_a_row_with_a_limit_and_a_norm_says_two_things(stage, broker, exchange, irene):
    row = fes_row(norma=NORM, limite_legal="1.000.000,00")
    found = faults(loaded(stage, irene, csv_of(row)))
    assert "Deje uno de los dos" in found[2, "norma"]


def test_a_row_of_a_person_brings_no_norm(stage, broker, exchange, irene):
    row = fes_row(clase="worker", tipo_documento="CC", numero_documento="51000123", norma=NORM)
    row |= {"representante": "", "representante_tipo": "", "representante_documento": ""}
    assert (2, "norma") in faults(loaded(stage, irene, csv_of(row)))
