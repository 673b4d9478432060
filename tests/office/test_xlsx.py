"""Workbooks written row by row: what stands in them, and that they grow on disk alone."""

import io
import tracemalloc
from datetime import date, datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from openpyxl import load_workbook

from office.exports import table_into
from office.workbooks import read_xlsx
from office.xlsx import Table, keeps_digits, xlsx_into

BOGOTA = ZoneInfo("America/Bogota")


def workbook(*tables, **options):
    target = io.BytesIO()
    xlsx_into(target, tables, **options)
    return load_workbook(target)


def cell(value):
    return workbook(Table("Prueba", ["a"], [[value]])).active["A2"]


@pytest.mark.parametrize("text", ["=1+1", "+57 300", "-2", "@x", "\t=1", "'=1", " =1"])
def test_text_that_would_run_is_text_with_its_mark(text):
    found = cell(text)
    assert (found.data_type, found.value, found.quotePrefix) == ("s", text, True)


@pytest.mark.parametrize(
    ("value", "shown", "pattern"),
    [
        (Decimal("-150.50"), -150.5, "#,##0.00"),
        (5_234_634_742, 5_234_634_742, "#,##0"),
        (0, 0, "#,##0"),
        (date(1995, 9, 15), datetime(1995, 9, 15), "dd/mm/yyyy"),  # noqa: DTZ001
        (
            datetime(1995, 9, 15, 10, 42, tzinfo=BOGOTA),
            datetime(1995, 9, 15, 10, 42),  # noqa: DTZ001
            "dd/mm/yyyy\\ hh:mm",
        ),
    ],
)
def test_numbers_and_dates_are_numbers_and_dates_in_our_form(value, shown, pattern):
    found = cell(value)
    assert (found.value, found.number_format) == (shown, pattern)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (9_223_372_036_854_775_807, "9223372036854775807"),
        (Decimal("12345678901234567.89"), "12345678901234567,89"),
        (-(10**15), "-1000000000000000"),
        (True, "Sí"),
        (date(1899, 12, 31), "1899-12-31"),
    ],
)
def test_what_a_spreadsheet_would_round_is_text_whole(value, text):
    assert (cell(value).data_type, cell(value).value) == ("s", text)


def test_a_number_keeps_its_digits_up_to_fifteen():
    assert keeps_digits(10**15 - 1)
    assert not keeps_digits(10**15)
    assert keeps_digits(Decimal("9999999999999.99"))
    assert not keeps_digits(Decimal("99999999999999.999"))


def test_an_empty_cell_stays_empty_and_asks_for_no_format():
    found = cell(None)
    assert (found.value, found.number_format) == (None, "General")


def test_markup_and_signs_that_xml_refuses_are_text():
    assert cell("<b>&\x00\x1f]]>").value == "<b>&��]]>"
    assert cell('"Ñáñez"  Güiza ').value == '"Ñáñez"  Güiza '


def test_a_full_sheet_goes_on_in_another_with_its_headings():
    rows = ([n] for n in range(5))
    book = workbook(Table("Acta: [1]", ["n"], rows), Table("Acta", ["x"], []), max_rows=3)
    assert [[row[0].value for row in sheet] for sheet in book] == [
        ["n", 0, 1],
        ["n", 2, 3],
        ["n", 4],
        ["x"],
    ]
    assert len(set(book.sheetnames)) == 4


def test_the_heading_stays_in_sight_and_its_columns_have_their_width():
    sheet = workbook(Table("Prueba", ["Un título bastante largo"], [])).active
    assert sheet.freeze_panes == "A2"
    assert sheet.column_dimensions["A"].width > 20


@pytest.mark.parametrize(
    ("value", "room"),
    [
        (date(1995, 9, 15), 10),
        (datetime(1995, 9, 15, 10, 42, tzinfo=BOGOTA), 16),
        (5_234_634_742, 13),
        (Decimal("317218865365.20"), 18),
        (Decimal("-9999999999999.99"), 21),
        ("Corredores de Prueba S. A.", 26),
    ],
)
def test_a_column_has_room_for_what_stands_in_it_so_that_nothing_opens_as_hashes(value, room):
    rows = ([one] for one in (None, 1, value, 2))
    sheet = workbook(Table("Prueba", ["n"], rows)).active
    assert room < sheet.column_dimensions["A"].width <= 42


def test_a_long_text_does_not_push_the_other_columns_out_of_sight():
    sheet = workbook(Table("Prueba", ["n"], [["x" * 500]])).active
    assert sheet.column_dimensions["A"].width == 42


def test_more_columns_than_letters_are_named_on():
    book = workbook(Table("Prueba", [str(n) for n in range(30)], [list(range(30))]))
    assert [book.active["Z2"].value, book.active["AA2"].value, book.active["AD2"].value] == [
        25,
        26,
        29,
    ]


def test_what_is_written_is_read_again_by_the_reader_of_workbooks():
    target = io.BytesIO()
    xlsx_into(target, [Table("Prueba", ["numero", "nombre"], [["007123456", "Ñáñez"]])])
    sheet = read_xlsx(target.getvalue(), max_bytes=10**6)
    assert [dict(row.cells) for row in sheet.rows] == [{"numero": "007123456", "nombre": "Ñáñez"}]


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_memory_does_not_grow_with_the_rows(kind, tmp_path):
    def peak(count):
        rows = ([n, f"Persona Ficticia {n}", Decimal("60.60")] for n in range(count))
        table = Table("Prueba", ["n", "nombre", "precio"], rows)
        tracemalloc.start()
        with (tmp_path / kind).open("wb+") as target:
            table_into(target, kind, table, [("Filas", count)])
        highest = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return highest

    peak(10)
    assert peak(20_000) < peak(2_000) + 200_000
