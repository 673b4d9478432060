"""Files that cannot be taken: what each is told, and that nothing is left of it."""

from datetime import datetime

import pytest

from buyers.models import Buyer
from offerings.enums import ImportState
from offerings.models import Acceptance, Participation
from offerings.services.imports import import_open
from office.refusals import Refused
from tests.conftest import BOGOTA
from tests.offerings.import_files import HEADER, csv_of, faults, loaded, many, row
from tests.offerings.programme_1995 import open_stage_of

pytestmark = pytest.mark.usefixtures("broker", "exchange")


@pytest.fixture
def stage(ana, irene):
    return open_stage_of(irene, ana)


@pytest.fixture
def refused(stage, irene):
    """Loads a file that must be refused, and gives its faults."""

    def load(data):
        source = loaded(stage, irene, data)
        held = {ImportState.REFUSED, ImportState.COLUMNS, ImportState.REVIEWED}
        assert source.state in held
        assert not any(model.objects.exists() for model in (Buyer, Participation, Acceptance))
        return faults(source)

    return load


@pytest.mark.parametrize(
    ("cells", "column", "said"),
    [
        ({"cantidad": "9.223.372.036.854.775.808"}, "cantidad", "es demasiado grande"),
        ({"cantidad": "1" * 40}, "cantidad", "es demasiado grande"),
        ({"cantidad": "1e3"}, "cantidad", "no se puede leer"),
        ({"cantidad": "１５００"}, "cantidad", "no se puede leer"),
        ({"cantidad": "0"}, "cantidad", "debe ser mayor que cero"),
        ({"cantidad": "-5"}, "cantidad", "no puede ser negativa"),
        ({"cantidad": ""}, "cantidad", "Falta este dato"),
        ({"cantidad": "16.829718"}, "cantidad", "Escriba 16.829.718 o 16829718"),
        ({"minimo": "1.501"}, "minimo", "es mayor que la cantidad solicitada"),
        ({"patrimonio_bruto": "1,234.50"}, "patrimonio_bruto", "Escriba 1.234,50"),
        ({"patrimonio_bruto": "1" * 25}, "patrimonio_bruto", "es demasiado grande"),
        ({"anio_gravable": "94"}, "anio_gravable", "cuatro cifras"),
        ({"anio_gravable": "2099"}, "anio_gravable", "El año debe estar entre"),
        ({"vigencia_dias": "99999"}, "vigencia_dias", "es demasiado grande"),
        ({"numero_documento": "1.02030405E+10"}, "numero_documento", "perdió cifras"),
        ({"numero_documento": "12"}, "numero_documento", "3 a 10 cifras"),
        ({"tipo_documento": "T.I."}, "tipo_documento", "Use C.C., C.E., Pasaporte o NIT"),
        ({"nombre": "Rosa \u202eadatnevnI"}, "nombre", "U+202E"),
        ({"nombre": "12345"}, "nombre", "Escriba el nombre"),
        ({"nombre": "W" * 201}, "nombre", "Tiene 201 caracteres"),
        ({"clase": "Gerente"}, "clase", "«Trabajador activo»"),
        ({"directivo": "quizá"}, "directivo", "Escriba «sí» o «no»"),
        ({"declara_renta": ""}, "declara_renta", "Diga «sí» o «no»"),
        ({"referencia_documento": ""}, "referencia_documento", "Falta la referencia"),
        ({"otras_declaraciones": "todas"}, "otras_declaraciones", "no es una declaración"),
        ({"otras_declaraciones": "sí"}, "otras_declaraciones", "de estas: no_transferir, sin_"),
        ({"representante": "Alguien Ficticio"}, "representante", "Solo las organizaciones"),
        ({"recibida": "31/02/1995 10:00"}, "recibida", "febrero de 1995 tiene 28 días"),
        ({"recibida": "1995-08-15 10:00"}, "recibida", "como dd/mm/aaaa"),
        ({"recibida": "15/08/1995"}, "recibida", "dd/mm/aaaa hh:mm"),
        ({"recibida": "13/07/1995 10:00"}, "recibida", "se abrió el 14/07/1995"),
        ({"recibida": "15/09/1995 10:00"}, "recibida", "El plazo terminó el 14/09/1995"),
        ({"recibida": "15/08/2099 10:00"}, "recibida", "está en el futuro"),
        ({"certificado_el": "30/02/1995"}, "certificado_el", "tiene 28 días"),
        ({"comisionista": "800.197.268-5"}, "comisionista", "debe ser 4"),
        ({"comisionista": "860.530.751-7"}, "comisionista", "No consta"),
        ({"bolsa": "Bolsa Perdida"}, "bolsa", "Bolsa de Prueba"),
    ],
)
def test_a_cell_that_cannot_be_read_is_told_with_its_row_and_column(refused, cells, column, said):
    found = refused(csv_of(*many(1), row(**cells)))
    assert set(found) == {(3, column)}
    assert said in found[3, column]


@pytest.mark.parametrize("place", ["broker", "exchange"])
def test_a_place_that_is_no_longer_active_is_refused(refused, request, place):
    kept = request.getfixturevalue(place)
    kept.is_active = False
    kept.save()
    column = {"broker": "comisionista", "exchange": "bolsa"}[place]
    assert "ya no está activa" in refused(csv_of(row()))[2, column]


def test_an_organisation_without_its_representative_is_refused(refused):
    cells = {
        "tipo_documento": "NIT",
        "numero_documento": "860.530.751-7",
        "clase": "Cooperativa",
        "declara_renta": "",
        "anio_gravable": "",
        "patrimonio_bruto": "",
    }
    assert set(refused(csv_of(row(**cells)))) == {(2, "representante")}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (csv_of(), "solo tiene títulos"),
        (b"\r\n;;;\r\n", "está vacío"),
        (b"%PDF-1.7 de prueba", "sino un PDF"),
        (b"PK\x03\x04 de prueba", "El libro de Excel está dañado"),
        (b"\x89PNG\r\n\x1a\n de prueba", "sino una imagen"),
        (b"<!DOCTYPE html><p>aceptaciones</p>", "sino una página web"),
        (csv_of(row(nombre="Rosa\x00Inventada")), "carácter de control (U+0000)"),
        (csv_of(row(), encoding="utf-16"), "sino un texto en UTF-16"),
        (csv_of(row(), header=HEADER[:-1]), "Falta la columna «recibida»"),
        (csv_of(row(), header=HEADER[2:]), "«tipo_documento», «numero_documento»"),
        (csv_of(row(), header=(*HEADER, "Cantidad")), "La columna «cantidad» está repetida"),
        (csv_of(row()) + b'x;"y', "comillas"),
        (csv_of(row()) + b";" * 40 + b"x", "celdas y el encabezado"),
    ],
)
def test_a_file_that_is_no_table_of_acceptances_is_refused_whole(refused, data, said):
    found = refused(data)
    assert set(found) == {(0, "")}
    assert said in found[0, ""]


def test_an_empty_file_is_not_even_kept(stage, irene):
    with pytest.raises(Refused, match="está vacío"):
        import_open(stage=stage, data=b"", name="vacio.csv", user=irene)
    assert not stage.imports.exists()


def test_a_file_too_large_is_not_even_kept(stage, irene):
    with pytest.raises(Refused, match="pesa más de 20 MB"):
        import_open(stage=stage, data=b"x" * (20 * 2**20 + 1), name="a.csv", user=irene)


@pytest.mark.parametrize("separator", [";", ",", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_a_file_is_read_right_in_each_encoding_and_separator(stage, irene, separator, encoding):
    data = csv_of(row(nombre="Íñigo Ñáñez Güiza"), separator=separator, encoding=encoding)
    source = loaded(stage, irene, data)
    assert faults(source) == {}
    assert Buyer.objects.get().name == "Íñigo Ñáñez Güiza"
    words = {";": "punto y coma", ",": "coma", "\t": "tabulación"}
    assert f"separado por {words[separator]}, {len(HEADER)} columnas" in source.read_as


@pytest.mark.parametrize(
    "written", ["1.02030405E+9", "1020304050.0", "1.020.304.050", " 1020304050 "]
)
def test_an_identity_that_a_spreadsheet_changed_is_read_where_it_is_exact(stage, irene, written):
    assert faults(loaded(stage, irene, csv_of(row(numero_documento=written)))) == {}
    assert Buyer.objects.get().identity_number == "1020304050"


def test_the_zeros_of_a_foreigners_card_are_kept(stage, irene):
    cells = {"tipo_documento": "C.E.", "numero_documento": "007123456"}
    loaded(stage, irene, csv_of(row(**cells)))
    assert Buyer.objects.get().identity_number == "007123456"


def test_a_serial_day_of_a_spreadsheet_and_the_third_of_april_are_days(stage, irene):
    rows = [row(certificado_el="34926", cantidad="10"), row(certificado_el="14/08/1995")]
    loaded(stage, irene, csv_of(*rows))
    first, second = Acceptance.objects.order_by("serial")
    assert (first.attested_on.isoformat(), second.attested_on.isoformat()) == (
        "1995-08-15",
        "1995-08-14",
    )


def test_a_serial_moment_of_a_spreadsheet_is_the_hour_of_receipt(stage, irene):
    loaded(stage, irene, csv_of(row(recibida="34926,4458333333")))
    received = Acceptance.objects.get().received_at
    assert received == datetime(1995, 8, 15, 10, 42, tzinfo=BOGOTA)


def test_the_largest_share_count_is_loaded_to_the_last_digit(stage, irene):
    most = "9.223.372.036.854.775.807"
    loaded(stage, irene, csv_of(row(cantidad=most, minimo="60")))
    one = Acceptance.objects.get()
    assert (one.requested, one.admitted) == (9_223_372_036_854_775_807, 990_099)


def test_what_is_stored_of_a_bad_cell_is_cut_and_can_be_seen(refused, stage):
    refused(csv_of(row(nombre="\u202e" + "A" * 300)))
    line = stage.imports.get().lines.get()
    assert line.cells["nombre"] == "�" + "A" * 39 + "…"
    assert line.messages[0]["value"] == line.cells["nombre"]
