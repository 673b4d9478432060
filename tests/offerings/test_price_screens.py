"""Screens of the index, its files, the auction and the trades."""

from datetime import date
from decimal import Decimal

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from offerings.models import CpiImport, CpiIndex, ReferenceTrade
from offerings.selectors.cpi import cpi_by_month
from offerings.selectors.trades import auction_day
from offerings.services.programmes import programme_open
from tests.offerings.cpi_files import (
    annex_rows,
    book_of,
    csv_of,
    loaded,
    long_rows,
    opened,
    values,
)
from tests.offerings.price_rows import HELD, SOURCE, make_index, make_session, make_trade
from tests.offerings.programme_1995 import SLUG, confirmed_of

KEY = "5b0f5a4e-1995-4118-8c2d-0d3a4b1c6e01"


@pytest.fixture
def inside(client, irene):
    client.force_login(irene)
    return client


@pytest.fixture
def programme(irene, ana):
    found = programme_open(slug=SLUG, user=irene)
    confirmed_of(found, irene, ana)
    return found


def text_of(response) -> str:
    return response.content.decode()


def upload(client, data, base="12/2018", name="anexo.xlsx"):
    file = SimpleUploadedFile(name, data)
    given = {"file": file, "base_month": base, "source": SOURCE}
    return client.post(reverse("cpi_import_new"), given)


def test_table_has_a_year_in_each_row_and_says_what_is_missing(inside, irene):
    loaded(irene)
    make_index(irene, date(1996, 2, 1), "23.25")
    text = text_of(inside.get(reverse("cpi")))
    assert "Base diciembre de 2018 = 100" in text
    assert "Faltan en medio: 01/1996" in text
    assert text.index(">1996<") < text.index(">1995<")
    assert ">18,59</a>" in text


def test_empty_table_says_what_will_be_there(inside):
    assert "Aquí estará el IPC mes a mes" in text_of(inside.get(reverse("cpi")))


def test_file_goes_from_its_upload_to_the_table(inside):
    answer = upload(inside, book_of(annex_rows()))
    source = CpiImport.objects.get()
    page = reverse("cpi_import", args=[source.pk])
    assert answer.headers["location"] == page
    text = text_of(inside.get(page))
    assert "Se cargarán 36 meses" in text
    assert "hoja «Sheet»" in text
    assert not CpiIndex.objects.exists()
    inside.post(reverse("cpi_import_confirm", args=[source.pk]))
    inside.post(reverse("cpi_import_confirm", args=[source.pk]))
    assert len(cpi_by_month()) == 36
    assert text_of(inside.get(page)).count(">Registrado</span>") == 36
    again = upload(inside, book_of([*annex_rows(), ["Nota"]]))
    assert "0 nuevos" in text_of(inside.get(again.headers["location"]))
    assert CpiIndex.objects.count() == 36


def test_same_file_again_is_refused_with_a_link_to_the_first(inside, irene):
    data = csv_of(long_rows())
    source = loaded(irene, data)
    answer = upload(inside, data, name="serie.csv")
    assert answer.status_code == 422
    assert "0 nuevos" in text_of(answer)
    assert reverse("cpi_import", args=[source.pk]) in text_of(answer)


def test_file_with_problems_shows_them_and_nothing_to_confirm(inside):
    answer = upload(inside, book_of(annex_rows(title="Variación mensual")))
    text = text_of(inside.get(answer.headers["location"]))
    assert "El archivo no se puede cargar" in text
    assert "son variaciones" in text
    assert "decision-form" not in text


def test_page_of_a_file_shows_both_values_where_they_differ(inside, irene):
    loaded(irene)
    given = values() | {date(1995, 5, 1): "20,53"}
    source = opened(irene, csv_of(long_rows(given)))
    text = text_of(inside.get(reverse("cpi_import", args=[source.pk])))
    assert "1 mes difiere de lo cargado" in text
    assert "Está cargado 20,52." in text
    refused = inside.post(reverse("cpi_import_confirm", args=[source.pk]))
    assert refused.status_code == 422
    assert "0 nuevos" in text_of(refused)


def test_index_is_reviewed_and_then_entered_once(inside):
    given = {
        "month": "01/1995",
        "value": "18,59",
        "base": "12/2018",
        "source": SOURCE,
        "submission_key": KEY,
    }
    review = inside.post(reverse("cpi_new"), given | {"paso": "revisar"})
    assert "Revise y confirme" in text_of(review)
    assert not CpiIndex.objects.exists()
    for _ in range(2):
        inside.post(reverse("cpi_new"), given | {"paso": "confirmar"})
    assert cpi_by_month() == {(1995, 1): Decimal("18.59")}


def test_index_that_is_refused_keeps_what_was_typed(inside, irene):
    make_index(irene)
    given = {
        "month": "02/1995",
        "value": "2,27",
        "base": "12/2018",
        "source": "Fuente que se escribió",
        "submission_key": KEY,
    }
    answer = inside.post(reverse("cpi_new"), given | {"paso": "revisar"})
    assert answer.status_code == 422
    assert "salto" in text_of(answer)
    assert "Fuente que se escribió" in text_of(answer)


@pytest.mark.parametrize("typed", ["13/1995", "1995-01", "enero", "01/1800"])
def test_month_that_is_none_is_refused_with_how_to_write_it(inside, typed):
    answer = inside.post(reverse("cpi_new"), {"month": typed})
    assert answer.status_code == 422
    assert "mm/aaaa" in text_of(answer)


def test_page_of_an_index_shows_what_stood_there_before(inside, irene):
    index = make_index(irene)
    given = {
        "value": "18,60",
        "source": SOURCE,
        "reason": "Se leyó mal",
        "submission_key": KEY,
        "paso": "confirmar",
    }
    inside.post(reverse("cpi_correct", args=[index.pk]), given)
    after = CpiIndex.objects.get(state="in_force")
    text = text_of(inside.get(reverse("cpi_index", args=[after.pk])))
    assert "IPC de 01/1995: 18,60" in text
    assert "Se leyó mal" in text
    assert "Corregida" in text


def test_withdrawal_of_an_index_is_reviewed_and_done(inside, irene):
    index = make_index(irene)
    address = reverse("cpi_withdraw", args=[index.pk])
    assert "queda sin IPC" in text_of(inside.post(address, {"reason": "Era otro mes"}))
    inside.post(address, {"reason": "Era otro mes", "paso": "confirmar"})
    assert cpi_by_month() == {}


def test_lists_are_narrowed_and_exported(inside, irene):
    loaded(irene)
    listed = text_of(inside.get(reverse("cpi_months"), {"anio": "1994"}))
    assert "12 índices" in listed
    file = inside.get(reverse("cpi_months_export", args=["csv"]), {"anio": "1995"})
    text = file.getvalue().decode("utf-8-sig")
    assert "01/1995;18,59;diciembre de 2018 = 100" in text
    assert "IP-0" in text_of(inside.get(reverse("cpi_imports"), {"estado": "loaded"}))


def test_auditor_and_administrator_see_the_index_each_with_what_it_may_do(client, aura, adela):
    make_index(aura)
    client.force_login(aura)
    assert reverse("cpi_new") not in text_of(client.get(reverse("cpi")))
    client.force_login(adela)
    text = text_of(client.get(reverse("cpi")))
    assert reverse("cpi_new") in text
    assert reverse("trades") not in text


def test_auction_and_trade_are_reviewed_and_recorded(inside, programme):
    given = {"held_on": "20/11/1995", "source": "Acta", "submission_key": KEY}
    address = reverse("auction_session_new", args=[SLUG])
    assert "Revise y confirme" in text_of(inside.post(address, given | {"paso": "revisar"}))
    inside.post(address, given | {"paso": "confirmar"})
    assert auction_day(programme) == HELD
    typed = {
        "traded_on": "20/11/1995",
        "in_auction": "yes",
        "price": "80,00",
        "shares": "30.000.000",
        "venue": "Bolsa de Muestra",
        "source": "Boletín",
        "submission_key": KEY,
    }
    address = reverse("trade_new", args=[SLUG])
    review = text_of(inside.post(address, typed | {"paso": "revisar"}))
    assert "treinta millones" in review
    inside.post(address, typed | {"paso": "confirmar"})
    assert ReferenceTrade.objects.get().price == Decimal("80.00")


def test_programmes_page_says_which_trades_count_and_works_the_threshold_out(
    inside, programme, irene
):
    session = make_session(programme, irene)
    make_trade(programme, irene, session=session)
    make_trade(programme, irene, "92.00", 4_000_000, traded_on=date(1996, 8, 27))
    text = text_of(inside.get(reverse("trades_programme", args=[SLUG])))
    assert "16.829.718" in text
    assert "0,3 % de 5.609.906.000" in text.replace("\u00a0", " ")
    assert "le faltan 12.829.718 acciones" in text
    assert text.count(">Cuenta</span>") == 1
    assert "$80,00" in text


def test_trade_is_corrected_and_withdrawn_by_its_screens(inside, programme, irene):
    made = make_trade(programme, irene, traded_on=date(1996, 3, 12))
    address = reverse("trade_correct", args=[SLUG, made.pk])
    assert "12/03/1996" in text_of(inside.get(address))
    typed = {
        "traded_on": "12/03/1996",
        "in_auction": "no",
        "price": "81,00",
        "shares": "30.000.000",
        "venue": "Bolsa de Muestra",
        "source": "Boletín",
        "reason": "Se leyó mal",
        "submission_key": KEY,
        "paso": "confirmar",
    }
    inside.post(address, typed)
    after = ReferenceTrade.objects.get(state="in_force")
    assert after.price == Decimal("81.00")
    typed = {"reason": "Se anuló", "paso": "confirmar"}
    inside.post(reverse("trade_withdraw", args=[SLUG, after.pk]), typed)
    text = text_of(inside.get(reverse("trades_programme", args=[SLUG])))
    assert "Corregidas y retiradas" in text
    assert "Se anuló" in text


def test_trade_of_another_programme_is_not_found(inside, programme, irene):
    made = make_trade(programme, irene)
    for name in ("trade_correct", "trade_withdraw"):
        assert inside.get(reverse(name, args=["otro-programa", made.pk])).status_code == 404


def test_lists_take_as_many_queries_for_many_rows_as_for_few(
    inside, programme, irene, django_assert_max_num_queries
):
    loaded(irene)
    for number in range(20):
        make_trade(programme, irene, traded_on=HELD, buyer_reference=f"Comprador {number}")
    names = [reverse(name) for name in ("cpi", "cpi_months", "cpi_imports", "trades")]
    for address in [*names, reverse("trades_programme", args=[SLUG])]:
        with django_assert_max_num_queries(25):
            inside.get(address)
