"""Workbooks: how each kind of cell is understood, and what is never opened."""

import io
import zipfile
from datetime import date, datetime

import pytest
from django.urls import reverse

from buyers.models import Buyer
from offerings.enums import ImportState
from offerings.models import Acceptance
from office.workbooks import MAX_UNPACKED
from tests.conftest import BOGOTA
from tests.offerings.import_files import (
    HEADER,
    csv_of,
    faults,
    loaded,
    many,
    outcomes,
    reviewed,
    row,
    xlsx_of,
)
from tests.offerings.programme_1995 import open_stage_of

pytestmark = pytest.mark.usefixtures("broker", "exchange")
NAME = "aceptaciones.xlsx"


@pytest.fixture
def stage(ana, irene):
    return open_stage_of(irene, ana)


def test_numbers_and_dates_of_a_workbook_are_read_as_they_stand_there(stage, irene):
    cells = {
        "numero_documento": 51000123,
        "anio_gravable": 1994,
        "patrimonio_bruto": 20000000.5,
        "cantidad": 1500.0,
        "certificado_el": date(1995, 8, 15),
        "recibida": datetime(1995, 8, 15, 10, 42),  # noqa: DTZ001
        "no_inhabilitado": True,
    }
    source = loaded(stage, irene, xlsx_of(row(**cells), before=["Notas"]), NAME)
    assert (faults(source), source.state) == ({}, ImportState.LOADED)
    assert source.read_as == f"libro de Excel, hoja «Aceptaciones», {len(HEADER)} columnas"
    one = Acceptance.objects.get()
    assert (one.requested, one.attested_on) == (1500, date(1995, 8, 15))
    assert one.received_at == datetime(1995, 8, 15, 10, 42, tzinfo=BOGOTA)
    buyer = Buyer.objects.get()
    assert buyer.identity_number == "51000123"
    assert str(buyer.documents.get(kind="tax_return").gross_equity) == "20000000.50"


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("numero_documento", 12345678901234567890, "perdió cifras"),
        ("cantidad", 9_223_372_036_854_775_807, "perdió cifras"),
        ("patrimonio_bruto", 60.1234, "a lo sumo 2 decimales"),
        ("cantidad", 1.5, "número entero"),
        ("recibida", date(1995, 8, 15), "dd/mm/aaaa hh:mm"),
        ("recibida", 42725, "dd/mm/aaaa hh:mm"),
        ("certificado_el", 12.5, "no es una fecha"),
    ],
)
def test_a_number_that_lost_digits_or_is_of_another_kind_is_a_row_error(
    stage, irene, column, value, said
):
    source = reviewed(stage, irene, xlsx_of(*many(1), row(**{column: value})), NAME)
    assert outcomes(source) == {"ready": 1, "error": 1}
    assert said in faults(source)[3, column]


def test_a_serial_is_the_day_that_the_spreadsheet_means(stage, irene):
    loaded(stage, irene, xlsx_of(row(certificado_el=42725)), NAME)
    assert Acceptance.objects.get().attested_on == date(2016, 12, 21)


def test_the_review_shows_what_was_understood_and_what_was_typed_beside_it(stage, irene, client):
    typed = {
        "numero_documento": "1.02030405E+9",
        "patrimonio_bruto": 20000150.5,
        "recibida": 34926.5,
        "cantidad": 1500,
    }
    source = reviewed(stage, irene, xlsx_of(row(**typed)), NAME)
    cells = source.lines.get().cells
    assert cells["numero_documento"] == "1.020.304.050"
    assert cells["patrimonio_bruto"] == "20.000.150,50"
    assert cells["recibida"] == "15/08/1995 12:00"
    assert cells["cantidad"] == "1.500"
    assert cells["typed"] == {
        "numero_documento": "1.02030405E+9",
        "patrimonio_bruto": "20000150,5",
        "recibida": "34926,5",
    }
    client.force_login(irene)
    page = client.get(reverse("import", args=[source.pk])).content.decode()
    assert "15/08/1995 12:00" in page
    assert "En el archivo: 34926,5" in page
    assert "En el archivo: 1500" not in page


def test_the_review_shows_a_cell_that_cannot_be_read_as_it_was_typed(stage, irene):
    source = reviewed(stage, irene, csv_of(row(cantidad="mil", numero_documento="007123456")))
    cells = source.lines.get().cells
    assert (cells["cantidad"], cells["numero_documento"]) == ("mil", "7.123.456")
    assert cells["typed"] == {"numero_documento": "007123456"}


def test_a_text_identity_keeps_its_zeros(stage, irene):
    cells = {"tipo_documento": "C.E.", "numero_documento": "007123456"}
    loaded(stage, irene, xlsx_of(row(**cells)), NAME)
    assert Buyer.objects.get().identity_number == "007123456"


def test_the_same_rows_in_a_workbook_are_registered_already(stage, irene):
    loaded(stage, irene, csv_of(*many(3)))
    assert outcomes(reviewed(stage, irene, xlsx_of(*many(3)), NAME)) == {"already": 3}


def with_part(data, name, content):
    """The workbook with a part put in place of its own."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(target, "w", 8) as new:
        for part in old.namelist():
            if part != name:
                new.writestr(part, old.read(part))
        new.writestr(name, content)
    return target.getvalue()


def sheet_part(inside):
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    return f'<worksheet xmlns="{main}"><sheetData>{inside}</sheetData></worksheet>'


BOOK = xlsx_of(row())
SHEET = "xl/worksheets/sheet1.xml"
FAR = '<row r="1"><c r="A1"><v>1</v></c></row><row r="9"><c r="XFD9"><v>1</v></c></row>'
DEEP = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c><v>1</v></c></row>'


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (with_part(BOOK, SHEET, b" " * (MAX_UNPACKED + 1)), "demasiado grande al abrirlo"),
        (with_part(BOOK, SHEET, sheet_part(FAR)), "demasiado grande al abrirlo"),
        (with_part(BOOK, SHEET, sheet_part(DEEP)), "demasiado grande al abrirlo"),
        (with_part(BOOK, SHEET, "<!DOCTYPE x [<!ENTITY a 'b'>]>"), "está dañado"),
        (with_part(BOOK, SHEET, "<worksheet"), "no se puede abrir"),
        (with_part(BOOK, SHEET, sheet_part("")), "está vacío"),
        (with_part(BOOK, "xl/vbaProject.bin", b"x"), "tiene macros"),
        (BOOK[: len(BOOK) // 2], "está dañado"),
        (b"PK\x03\x04 de prueba", "está dañado"),
        (b"\xd0\xcf\x11\xe0" + b"x" * 100, "un libro de Excel antiguo"),
        (xlsx_of(), "solo tiene títulos"),
        (xlsx_of(row(), header=HEADER[:-1]), "Falta la columna «recibida»"),
    ],
)
def test_a_workbook_that_cannot_be_taken_is_refused_whole(stage, irene, data, said):
    source = reviewed(stage, irene, data, NAME)
    assert source.state == ImportState.REFUSED
    assert said in faults(source)[0, ""]
    assert not Buyer.objects.exists()


def test_another_archive_is_no_workbook(stage, irene):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("nota.txt", "prueba")
    source = reviewed(stage, irene, target.getvalue(), NAME)
    assert "no es un libro de Excel" in faults(source)[0, ""]
