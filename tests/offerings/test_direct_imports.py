"""Files of acceptances that leave broker and exchange out, where the decree does."""

import pytest

from offerings.decrees.fund_values import FundValue as Given
from offerings.models import Acceptance
from tests.offerings import programme_fes
from tests.offerings.import_files import csv_of, faults, loaded, reviewed, row
from tests.offerings.programme_1995 import open_stage_of
from tests.offerings.programme_fes import ACT, class_proof_on_file, fes_stage_of
from tests.offerings.rows import make_buyer

FES_ROW = {
    "declara_renta": "",
    "anio_gravable": "",
    "patrimonio_bruto": "",
    "ultimo_anio_declarado": "",
    "referencia_documento": "",
    "referencia_clase": "",
    "comisionista": "",
    "bolsa": "",
    "certificado_el": "",
    "otras_declaraciones": "no_transfer",
    "papeles": "Caja 9",
    "recibida": "15/11/2004 10:42",
}


@pytest.fixture
def stage(irene, ana):
    return fes_stage_of(irene, ana)


def messages_of(source):
    return [one["message"] for line in source.lines.all() for one in line.messages]


def test_a_file_may_leave_both_blank_where_the_decree_asks_for_neither(stage, irene):
    source = loaded(stage, irene, csv_of(row(**FES_ROW)))

    acceptance = Acceptance.objects.get(source_import=source)
    assert (acceptance.broker, acceptance.exchange) == (None, None)
    assert acceptance.papers_reference == "Caja 9"
    again = reviewed(stage, irene, csv_of(row(**FES_ROW | {"papeles": "Caja 10"})))
    assert [line.outcome for line in again.lines.all()] == ["already"]


def test_a_row_invokes_the_papers_on_file_of_a_buyer_that_is_known(stage, irene):
    buyer = make_buyer(irene, 1)
    class_proof_on_file(buyer, irene)
    cells = FES_ROW | {"numero_documento": buyer.identity_number, "nombre": buyer.name}

    source = loaded(stage, irene, csv_of(row(**cells)))

    assert Acceptance.objects.get(source_import=source).standing == "complete"


def test_a_row_through_a_broker_invokes_the_papers_on_file_too(stage, irene, broker, exchange):
    buyer = make_buyer(irene, 1)
    class_proof_on_file(buyer, irene)
    cells = FES_ROW | {"numero_documento": buyer.identity_number, "nombre": buyer.name}
    through = {"comisionista": broker.nit, "bolsa": exchange.name, "certificado_el": "15/11/2004"}

    source = loaded(stage, irene, csv_of(row(**cells | through)))

    assert Acceptance.objects.get(source_import=source).standing == "complete"


def test_a_row_with_references_must_say_which_exchange_keeps_them(stage, irene):
    source = reviewed(stage, irene, csv_of(row(**FES_ROW | {"referencia_clase": "CL-1"})))

    assert any("Diga qué bolsa conserva" in message for message in messages_of(source))


def test_a_row_with_references_and_no_broker_says_that_only_files_count(stage, irene, exchange):
    cells = FES_ROW | {"referencia_clase": "CL-1", "bolsa": exchange.name}

    source = reviewed(stage, irene, csv_of(row(**cells)))

    (told,) = messages_of(source)
    assert "Quedará incompleta" in told
    assert "Sin comisionista solo cuentan los documentos cuyo archivo tiene el Fondo" in told


def test_a_row_valid_for_too_few_days_is_a_fault_of_that_column(irene, ana, monkeypatch):
    values = programme_fes.given_fes() | {"minimum_validity_days": Given(30, ACT)}
    monkeypatch.setattr(programme_fes, "given_fes", lambda: values)
    stage = fes_stage_of(irene, ana)
    source = reviewed(stage, irene, csv_of(row(**FES_ROW | {"vigencia_dias": "10"})))
    assert "vale 10 días y el Fondo pide al menos 30" in faults(source)[2, "vigencia_dias"]


def test_a_row_without_references_is_told_nothing_of_them(stage, irene):
    (told,) = messages_of(reviewed(stage, irene, csv_of(row(**FES_ROW))))
    assert "Quedará incompleta" in told
    assert "Sin comisionista" not in told


def test_in_1995_a_row_that_leaves_them_blank_is_a_fault_with_its_article(irene, ana, exchange):
    stage = open_stage_of(irene, ana)

    source = reviewed(stage, irene, csv_of(row(comisionista="", bolsa="")))

    told = messages_of(source)
    assert sum("Falta este dato (art. 14)" in message for message in told) == 2
