"""Files of the index as the offices that publish it lay them out, for tests. The values are the
statistics office's for 1993 to 1995, base December 2018 = 100."""

import csv
import io
from datetime import date
from decimal import Decimal

from openpyxl import Workbook

from offerings.models import CpiImport
from offerings.services.cpi import cpi_import_confirm, cpi_import_open
from office.dates import MONTHS
from tests.offerings.price_rows import BASE, SOURCE

YEARS = {
    1993: "12,54 12,94 13,19 13,44 13,66 13,87 14,04 14,22 14,38 14,53 14,72 14,89",
    1994: "15,36 15,92 16,27 16,66 16,92 17,07 17,23 17,40 17,59 17,78 17,98 18,25",
    1995: "18,59 19,24 19,75 20,19 20,52 20,77 20,93 21,07 21,24 21,43 21,60 21,80",
}


def values(years=YEARS) -> dict[date, str]:
    """What is written of each month."""
    return {
        date(year, month, 1): text
        for year, line in years.items()
        for month, text in enumerate(line.split(), start=1)
    }


def as_number(text: str):
    """A cell's number as a spreadsheet keeps it: a float."""
    return float(text.replace(",", ".")) if text else None


def annex_rows(years=YEARS, *, title="Índices - Serie de empalme", base="Diciembre de 2018"):
    """The annex's table: titles on top, notes at the foot, blanks for months to come."""
    names = sorted(years)
    rows = [
        ["DANE. Índice de Precios al Consumidor (IPC)"],
        [title],
        [f"{names[0]} - {names[-1]}"],
        [],
        [f"Base {base} = 100,00"] if base else [],
        ["Mes", *names],
    ]
    for place, month in enumerate(MONTHS):
        lines = [years[year].split() for year in names]
        cells = [line[place] if place < len(line) else "" for line in lines]
        rows.append([month.capitalize(), *map(as_number, cells)])
    rows.append(["Fuente: DANE - IPC"])
    rows.append(["Actualizado el", "08/02/1996"])
    return rows


def long_rows(given=None, *, heading="Índice de Precios al Consumidor (IPC)"):
    """The bank's table: titles, then the last day of each month and its value."""
    given = given or values()
    rows = [
        ["Banco de la República - Series estadísticas"],
        ["Base: diciembre de 2018 = 100"],
        ["Fecha (dd/mm/aaaa)", heading],
    ]
    return rows + [[f"28/{month.month:02d}/{month.year}", text] for month, text in given.items()]


def parts_rows(given=None):
    given = given or values()
    rows = [["year", "month", "index"]]
    return rows + [[m.year, m.month, text.replace(",", ".")] for m, text in given.items()]


def book_of(rows, *, before=()) -> bytes:
    """A workbook; `before`: the rows of a sheet that stands first."""
    book = Workbook()
    sheet = book.active
    for line in before:
        sheet.append(line)
    if before:
        sheet = book.create_sheet("IPC")
    for line in rows:
        sheet.append(line)
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def csv_of(rows, separator=";", codec="utf-8-sig") -> bytes:
    target = io.StringIO()
    csv.writer(target, delimiter=separator).writerows(rows)
    return target.getvalue().encode(codec)


def opened(user, data, *, base=BASE, name="ipc.csv") -> CpiImport:
    return cpi_import_open(data=data, name=name, base_month=base, source=SOURCE, user=user)


def loaded(user, data=None, *, base=BASE) -> CpiImport:
    """A file that was read and confirmed; the three years without one."""
    source = opened(user, data or csv_of(long_rows()), base=base)
    assert not source.problems, source.problems
    return cpi_import_confirm(import_id=source.pk, user=user)


def exact(given=None) -> dict[tuple[int, int], Decimal]:
    """The index by (year, month), as the selector gives it."""
    given = given or values()
    return {
        (month.year, month.month): Decimal(text.replace(",", ".")) for month, text in given.items()
    }
