"""Files of the index: what is understood of each layout, and what is no series of one base."""

from datetime import date
from decimal import Decimal

import pytest

from offerings.enums import CpiLayout, CpiOutcome, ImportState
from offerings.models import CpiBase, CpiImport, CpiIndex
from offerings.selectors.cpi import base_in_force, cpi_by_month, months_missing
from offerings.services.cpi import (
    CpiFileAlreadyUploaded,
    IndexEntry,
    cpi_correct,
    cpi_import_confirm,
    cpi_import_discard,
    cpi_record,
)
from office.models import Decision
from office.refusals import Refused
from tests.offerings.cpi_files import (
    YEARS,
    annex_rows,
    book_of,
    csv_of,
    exact,
    loaded,
    long_rows,
    opened,
    parts_rows,
    values,
)
from tests.offerings.price_rows import BASE, SOURCE

OLD_BASE = date(2008, 12, 1)


def outcomes(source: CpiImport) -> dict[str, int]:
    found = [one["outcome"] for one in source.months]
    return {str(kind): found.count(kind) for kind in CpiOutcome}


def problem(user, data, **fields) -> str:
    source = opened(user, data, **fields)
    assert source.state == ImportState.REFUSED
    assert not source.months
    return " ".join(source.problems)


# --- what is understood ---


def test_annex_is_understood_with_its_titles_its_notes_and_its_blanks(irene):
    years = YEARS | {1995: "18,59 19,24"}
    source = opened(irene, book_of(annex_rows(years)), name="anexo.xlsx")
    assert (source.state, source.layout) == (ImportState.REVIEWED, CpiLayout.ANNEX)
    assert source.base_month == BASE
    assert [source.months[0]["month"], source.months[-1]["month"]] == ["1993-01-01", "1995-02-01"]
    assert outcomes(source) == {"new": 26, "already": 0, "differs": 0}
    assert not CpiIndex.objects.exists()
    cpi_import_confirm(import_id=source.pk, user=irene)
    assert cpi_by_month() == exact(values(years))
    assert str(base_in_force()) == "diciembre de 2018 = 100"


def test_annex_names_the_cell_of_each_month(irene):
    source = opened(irene, book_of(annex_rows()))
    assert {one["month"]: one["at"] for one in source.months}["1994-03-01"] == "C9"


def test_annex_on_a_further_sheet_is_found(irene):
    data = book_of(annex_rows(), before=[["Contenido"], ["Índices"], ["Variaciones"]])
    assert outcomes(opened(irene, data))["new"] == 36


@pytest.mark.parametrize("codec", ["utf-8-sig", "cp1252"])
@pytest.mark.parametrize("separator", [";", "\t"])
def test_banks_long_form_is_understood_with_decimal_commas(irene, separator, codec):
    source = loaded(irene, csv_of(long_rows(), separator, codec))
    assert source.layout == CpiLayout.SERIES
    assert cpi_by_month() == exact()


@pytest.mark.parametrize(
    "write",
    [
        lambda m: f"31/{m.month:02d}/{m.year}",
        lambda m: f"{m.year}-{m.month:02d}",
        lambda m: f"{m.year}{m.month:02d}",
        lambda m: f"{m.year}-{m.month:02d}-01",
        lambda m: f"{m.month:02d}/{m.year}",
        lambda m: f"{['ene', 'feb', 'mar', 'abr', 'may', 'jun'][m.month - 1]}-{m.year}",
    ],
)
def test_month_is_understood_however_it_is_written(irene, write):
    given = {month: text for month, text in values().items() if month.month <= 6}
    rows = [["Fecha", "Índice"], *([write(month), text] for month, text in given.items())]
    loaded(irene, csv_of(rows))
    assert cpi_by_month() == exact(given)


def test_index_is_told_from_the_variations_beside_it(irene):
    rows = [["Año(aaaa)-Mes(mm)", "Inflación anual %", "Índice", "Inflación mensual %"]]
    rows += [[f"{m.year}{m.month:02d}", "20,1", text, "1,5"] for m, text in values().items()]
    loaded(irene, csv_of(rows))
    assert cpi_by_month() == exact()


def test_date_and_index_in_a_workbook_are_understood(irene):
    rows = [[title] for title in ("Serie histórica", "Base diciembre 2018=100")]
    rows += [["Fecha", "IPC"]]
    rows += [[month, float(text.replace(",", "."))] for month, text in values().items()]
    loaded(irene, book_of(rows))
    assert cpi_by_month() == exact()


def test_year_month_and_index_are_understood_with_decimal_dots(irene):
    source = loaded(irene, csv_of(parts_rows(), ","))
    assert source.layout == CpiLayout.PARTS
    assert cpi_by_month() == exact()


def test_number_of_a_workbook_keeps_the_digits_that_were_written_and_no_other(irene):
    source = opened(irene, book_of(annex_rows({1993: "12,54 12,94 13,123456789"})))
    assert [one["value"] for one in source.months] == ["12.540000", "12.940000", "13.123457"]
    assert [one["rounded"] for one in source.months] == [False, False, True]


def test_thousands_are_grouped_by_dots_where_decimals_have_a_comma(irene):
    given = {date(2018, 11, 1): "99,80", date(2018, 12, 1): "100,00"}
    later = {date(2060, 1, 1): "1.234,56"}
    assert "2060" in problem(irene, csv_of(long_rows(given | later)))


# --- what is refused ---


def test_monthly_rates_are_refused(irene):
    rates = {1993: "3,24 3,25 1,87 1,94 1,60 1,54 1,23 1,26 1,13 1,06 1,29 1,13"}
    assert "variaciones" in problem(irene, book_of(annex_rows(rates)))


def test_rates_that_fall_under_zero_are_refused(irene):
    given = dict(zip(values(), ["0,32", "-0,04", "0,10", "0,20"], strict=False))
    assert "mayor que cero" in problem(irene, csv_of(long_rows(given)))


def test_yearly_rates_that_fall_are_refused(irene):
    given = {
        month: f"{25 - place / 4:.2f}".replace(".", ",") for place, month in enumerate(values())
    }
    assert "en doce meses bajan" in problem(irene, csv_of(long_rows(given)))


@pytest.mark.parametrize(
    "title", ["Variación mensual", "Variaciones porcentuales", "Inflación", "Tasa de crecimiento"]
)
def test_title_that_says_rates_is_refused_whatever_the_figures(irene, title):
    assert "El título dice" in problem(irene, book_of(annex_rows(title=title)))


def test_heading_of_the_column_that_says_rates_is_refused(irene):
    data = csv_of(long_rows(heading="Variación mensual del IPC"))
    assert "El título dice" in problem(irene, data)


def test_percentages_are_refused(irene):
    given = {month: f"{text} %" for month, text in values().items()}
    assert "porcentaje" in problem(irene, csv_of(long_rows(given)))


def test_base_of_the_title_must_be_the_one_that_was_chosen(irene):
    data = book_of(annex_rows(base="Diciembre de 2008"))
    assert "diciembre de 2008 = 100" in problem(irene, data)
    assert not CpiBase.objects.exists()


def test_titles_that_name_two_bases_are_refused(irene):
    data = book_of(annex_rows(title="Índices, base 2008 empalmada"))
    assert "varias bases" in problem(irene, data)


def test_two_bases_joined_without_a_link_are_refused(irene):
    given = values()
    later = {m: f"{float(t.replace(',', '.')) * 1.55:.2f}" for m, t in given.items()}
    joined = {m: later[m].replace(".", ",") if m.year > 1993 else t for m, t in given.items()}
    told = problem(irene, csv_of(long_rows(joined)))
    assert "mezcla de bases" in told
    assert "12/1993" in told
    assert "01/1994" in told


def test_month_of_the_base_must_be_100(irene):
    given = {date(2018, 11, 1): "64,20", date(2018, 12, 1): "64,32"}
    assert "otra base" in problem(irene, csv_of(long_rows(given)))


def test_series_of_another_base_is_refused_where_it_meets_what_is_loaded(irene):
    loaded(irene)
    other = {
        m: f"{float(t.replace(',', '.')) * 1.55:.2f}".replace(".", ",")
        for m, t in values().items()
    }
    assert "difieren 36" in problem(irene, csv_of(long_rows(other)))


def test_series_must_go_on_from_what_is_loaded(irene):
    loaded(irene)
    told = problem(
        irene, csv_of(long_rows({date(1996, 1, 1): "34,10", date(1996, 2, 1): "34,60"}))
    )
    assert "21,80 en 12/1995 y 34,10 en 01/1996" in told


@pytest.mark.parametrize("cell", ["doce", "1.85.9", "18,5,9", "1e3"])
def test_cell_that_is_no_number_is_named(irene, cell):
    rows = [*long_rows(), ["31/01/1996", cell]]
    told = problem(irene, csv_of(rows))
    assert "fila 40" in told
    assert "01/1996" in told


def test_numbers_that_could_be_read_two_ways_are_refused(irene):
    rows = [["Fecha", "Índice"], ["1995-01", "18.590"], ["1995-02", "19.240"]]
    assert "de dos maneras" in problem(irene, csv_of(rows))


def test_month_that_stands_twice_with_two_values_is_refused(irene):
    rows = [*long_rows(), ["31/12/1995", "21,90"]]
    assert "dos veces" in problem(irene, csv_of(rows))


def test_row_without_a_month_in_the_middle_is_named(irene):
    rows = [*long_rows(), ["31/13/1995", "21,90"], ["31/01/1996", "22,30"]]
    assert "La fila 40" in problem(irene, csv_of(rows))


def test_annex_with_a_month_misspelt_is_refused(irene):
    rows = annex_rows()
    rows[12][0] = "Jullio"
    assert "doce filas" in problem(irene, book_of(rows))


def test_month_that_has_not_ended_is_refused(irene):
    given = values() | {date(2090, 1, 1): "100,50"}
    assert "01/2090 no ha terminado" in problem(irene, csv_of(long_rows(given)))


@pytest.mark.parametrize("data", [b"%PDF-1.7", b"nombre;nit\nRosa;1\n", b"PK\x03\x04roto"])
def test_file_that_is_no_series_is_kept_with_why(irene, data):
    assert problem(irene, data)


def test_empty_file_and_one_too_large_are_refused(irene):
    for data in (b"", b"x" * (5 * 1024 * 1024 + 1)):
        with pytest.raises(Refused):
            opened(irene, data)


# --- what is loaded ---


def test_same_file_again_brings_nothing_new(irene, mateo):
    data = csv_of(long_rows())
    first = opened(irene, data)
    with pytest.raises(CpiFileAlreadyUploaded, match="espera"):
        opened(mateo, data)
    cpi_import_confirm(import_id=first.pk, user=irene)
    with pytest.raises(CpiFileAlreadyUploaded, match="0 nuevos"):
        opened(mateo, data)
    other = opened(mateo, csv_of(parts_rows(), ","))
    assert outcomes(other) == {"new": 0, "already": 36, "differs": 0}
    with pytest.raises(Refused, match="0 nuevos"):
        cpi_import_confirm(import_id=other.pk, user=mateo)


def test_confirmed_twice_a_file_is_loaded_once(irene):
    source = loaded(irene)
    assert cpi_import_confirm(import_id=source.pk, user=irene).loaded == 36
    assert Decision.objects.filter(act="cpi_import_confirm").count() == 1


def test_value_that_differs_from_what_is_loaded_says_both_and_is_left_out(irene):
    loaded(irene)
    given = values() | {date(1995, 5, 1): "20,53", date(1996, 1, 1): "22,35"}
    source = opened(irene, csv_of(long_rows(given)))
    differing = next(one for one in source.months if one["outcome"] == CpiOutcome.DIFFERS)
    assert (differing["value"], differing["known"]) == ("20.530000", "20.520000")
    assert cpi_import_confirm(import_id=source.pk, user=irene).loaded == 1
    assert cpi_by_month()[1995, 5] == Decimal("20.52")
    assert cpi_by_month()[1996, 1] == Decimal("22.35")


def test_file_is_read_again_where_what_is_loaded_changed_meanwhile(irene, ana):
    source = opened(irene, csv_of(long_rows({date(1995, 1, 1): "18,59"})))
    entry = IndexEntry(date(1995, 1, 1), Decimal("18.60"), BASE, SOURCE)
    cpi_record(user=ana, entry=entry, submission_key="5b0f5a4e-1995-4118-8c2d-0d3a4b1c6e70")
    with pytest.raises(Refused, match="cambió"):
        cpi_import_confirm(import_id=source.pk, user=irene)
    assert cpi_import_discard(import_id=source.pk, user=irene).state == ImportState.DISCARDED


def test_later_index_never_changes_an_earlier_row(irene):
    loaded(irene)
    before = list(CpiIndex.objects.order_by("pk").values())
    loaded(irene, csv_of(long_rows({date(1996, 1, 1): "22,35"})))
    index = CpiIndex.objects.get(month=date(1996, 1, 1))
    cpi_correct(
        index_id=index.pk,
        user=irene,
        value=Decimal("22.36"),
        source=SOURCE,
        reason="Se leyó mal",
        submission_key="5b0f5a4e-1995-4118-8c2d-0d3a4b1c6e71",
    )
    assert list(CpiIndex.objects.order_by("pk").values())[:36] == before


def test_series_of_another_base_takes_the_place_whole_or_not_at_all(irene):
    loaded(irene)
    given = {
        m: f"{float(t.replace(',', '.')) * 1.55:.2f}".replace(".", ",")
        for m, t in values().items()
    }
    part = {month: text for month, text in given.items() if month.year > 1993}
    rows = [["Fecha", "Índice"]]
    some = [[f"{m.year}-{m.month:02d}", text] for m, text in part.items()]
    told = problem(irene, csv_of(rows + some), base=OLD_BASE)
    assert "le faltan 12 meses" in told
    assert "Dos bases no se mezclan" in told
    whole = [[f"{m.year}-{m.month:02d}", text] for m, text in given.items()]
    source = opened(irene, csv_of(rows + whole), base=OLD_BASE)
    assert source.changes_base
    cpi_import_confirm(import_id=source.pk, user=irene)
    assert cpi_by_month() == exact(given)
    assert base_in_force().month == OLD_BASE
    back = opened(irene, csv_of(long_rows()))
    assert back.changes_base
    assert outcomes(back) == {"new": 0, "already": 36, "differs": 0}
    cpi_import_confirm(import_id=back.pk, user=irene)
    assert cpi_by_month() == exact()


def test_whoever_only_reads_loads_nothing(aura, bruno, irene):
    for person in (aura, bruno):
        with pytest.raises(Refused):
            opened(person, csv_of(long_rows()))
    source = opened(irene, csv_of(long_rows()))
    for person in (aura, bruno):
        with pytest.raises(Refused):
            cpi_import_confirm(import_id=source.pk, user=person)
        with pytest.raises(Refused):
            cpi_import_discard(import_id=source.pk, user=person)


def test_administrator_loads_the_index(adela):
    assert loaded(adela).loaded == 36


def test_months_missing_are_those_between_the_first_and_the_last():
    known = [date(1994, 11, 1), date(1995, 2, 1)]
    assert months_missing(known) == [date(1994, 12, 1), date(1995, 1, 1)]
    assert months_missing([]) == []
