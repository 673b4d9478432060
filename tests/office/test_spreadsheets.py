"""Tables in files: what is written is read back, and what is no table is refused."""

import io
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook

from office.spreadsheets import (
    SpreadsheetError,
    read_csv,
    require_columns,
    write_csv,
    write_xlsx,
)

DANGEROUS = ['=HYPERLINK("http://a.example")', "+573001234567", "-2+3", "@x", "\tx", "\rx", " =1"]


@pytest.mark.parametrize("separator", [";", ",", "\t"])
@pytest.mark.parametrize(
    ("codec", "encoding"),
    [("utf-8-sig", "UTF-8 con BOM"), ("utf-8", "UTF-8"), ("cp1252", "Windows-1252")],
)
def test_file_is_understood_whatever_its_encoding_and_separator(codec, encoding, separator):
    text = f'Nombre{separator}Recibida el\r\n"Ñáñez{separator} Güiza"{separator}15/09/1995\r\n'
    sheet = read_csv(text.encode(codec))
    assert (sheet.encoding, sheet.separator) == (encoding, separator)
    assert sheet.columns == ("Nombre", "Recibida el")
    assert sheet.rows[0].cells == {
        "nombre": f"Ñáñez{separator} Güiza",
        "recibida_el": "15/09/1995",
    }


def test_rows_keep_the_numbers_that_a_spreadsheet_shows_when_some_are_blank():
    sheet = read_csv(b"\n a ;b;\n\n1;2\n;;\n3\n")
    assert [(row.number, dict(row.cells)) for row in sheet.rows] == [
        (4, {"a": "1", "b": "2"}),
        (6, {"a": "3", "b": ""}),
    ]


def test_separator_is_named_in_spanish_for_the_preview():
    assert read_csv(b"a;b\n1;2").separator_name == "punto y coma"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "está vacío"),
        (b"\xef\xbb\xbf", "está vacío"),
        (b" \r\n;;\r\n", "está vacío"),
        (b'""\n', "está vacío"),
        (b"a;b\n", "solo tiene títulos"),
        (b"%PDF-1.7\n%\xe2\xe3", "sino un PDF"),
        (b"PK\x03\x04\x14\x00", "sino un libro de Excel"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "Excel antiguo"),
        (b"\x89PNG\r\n\x1a\n", "sino una imagen"),
        (b"\xff\xd8\xff\xe0", "sino una imagen"),
        (b"<!DOCTYPE html><p>", "página web"),
        ("a;b\n1;2".encode("utf-16"), "UTF-16"),
        ("a;b\n1;2".encode("utf-16-le"), r"U\+0000"),
        (b"a;b\n1\x00;2\n", r"la línea 2 tiene un carácter de control \(U\+0000\)"),
        (b"a;b\n1\x07;2\n", r"U\+0007"),
        (b"a;b\n\x81\x8d;2\n", "no es texto en UTF-8 ni en Windows-1252"),
        (b"a;b\n1;2;3\n", "La fila 2 tiene 3 celdas y el encabezado 2"),
        (b"a;A\n1;2\n", "está repetida"),
        (b"a;;b\n1;2;3\n", "La columna 2 de la fila 1 no tiene título"),
        ("a\u202e;b\n1;2\n".encode(), r"La columna 1 de la fila 1: .*U\+202E"),
        (b'a;b\n"1;2\n', "La fila 2 no se puede leer"),
        (b'a;b\n1;"' + b"x" * 200_000 + b'"\n', "La fila 2 no se puede leer"),
    ],
)
def test_file_is_refused_with_its_reason_when_it_is_no_table(data, message):
    with pytest.raises(SpreadsheetError, match=message):
        read_csv(data)


def test_file_is_refused_when_it_is_too_large():
    with pytest.raises(SpreadsheetError, match="pesa más de 1 MB"):
        read_csv(b"a;b\n" + b"1;2\n" * 300_000, max_bytes=1024 * 1024)


def test_sheet_is_refused_naming_all_when_columns_are_missing():
    sheet = read_csv(b"Cantidad;Nombre\n1;2\n")
    require_columns(sheet, ["cantidad", "nombre"])
    with pytest.raises(SpreadsheetError, match="las columnas «clase», «recibida_el»"):
        require_columns(sheet, ["cantidad", "clase", "recibida_el"])


@pytest.mark.parametrize("text", DANGEROUS)
def test_text_is_quoted_in_csv_when_a_spreadsheet_would_run_it(text):
    written = write_csv(["nombre"], [[text]]).decode("utf-8-sig")
    assert written.split("\r\n", 1)[1].lstrip('"').startswith("'")


def test_numbers_and_dates_stay_themselves_in_csv():
    moment = datetime(1995, 9, 15, 15, 42, tzinfo=UTC)
    row = [Decimal("-150.50"), -3, 5_234_634_742, date(1995, 9, 15), moment, True, None]
    written = write_csv(list("abcdefg"), [row]).decode("utf-8-sig")
    line = "-150,50;-3;5234634742;15/09/1995;15/09/1995 10:42;Sí;"
    assert written.splitlines()[1] == line


TEXTS = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=40).map(
    lambda text: text.strip(" \u00a0")
)


@given(
    st.lists(st.tuples(TEXTS | st.sampled_from(DANGEROUS[:5]), TEXTS), min_size=1, max_size=5),
    st.sampled_from(";,\t"),
)
def test_text_reads_back_the_same_when_written_as_csv(rows, separator):
    rows = [row for row in rows if any(row)] or [("x", "y")]
    sheet = read_csv(write_csv(["uno", "dos"], rows, separator=separator))
    assert [tuple(row.cells.values()) for row in sheet.rows] == rows


def workbook(data: bytes):
    return load_workbook(io.BytesIO(data))


@pytest.mark.parametrize("text", [*DANGEROUS, "#N/A", "a\x00b"])
def test_text_is_text_in_a_workbook_whatever_it_begins_with(text):
    cell = workbook(write_xlsx(["nombre"], [[text]])).active["A2"]
    assert cell.data_type == "s"
    assert cell.value.replace("\n", "\r") == text.replace("\x00", "�")


def test_numbers_and_dates_stay_themselves_in_a_workbook():
    row = [Decimal("-150.50"), 5_234_634_742, date(1995, 9, 15), None, 10**18]
    cells = next(workbook(write_xlsx(list("abcde"), [row])).active.iter_rows(min_row=2))
    assert cells[0].value == pytest.approx(-150.5)
    assert [cell.data_type for cell in cells] == ["n", "n", "d", "n", "s"]
    assert cells[1].value == 5_234_634_742
    assert cells[2].value.date() == date(1995, 9, 15)
    assert cells[4].value == "1000000000000000000"


def test_moments_are_bogotas_in_a_workbook():
    moment = datetime(2005, 3, 11, 1, 30, tzinfo=UTC)
    cell = workbook(write_xlsx(["a"], [[moment]])).active["A2"]
    assert cell.value.isoformat() == "2005-03-10T20:30:00"


def test_workbook_goes_on_in_further_sheets_when_one_is_full():
    book = workbook(write_xlsx(["n"], ([n] for n in range(5)), "Acta: [1]", max_rows=3))
    assert [sheet.max_row for sheet in book] == [3, 3, 2]
    assert len(set(book.sheetnames)) == 3


def test_workbook_has_its_headings_when_there_are_no_rows():
    assert workbook(write_xlsx(["uno"], [])).active["A1"].value == "uno"
