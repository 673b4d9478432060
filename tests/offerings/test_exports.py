"""Every list as a file: its filter kept, its figures figures, its foot, its record."""

import io

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from openpyxl import load_workbook

from offerings.models import Acceptance
from office.models import Decision
from tests.answers import table_of, text_of
from tests.offerings.rows import make_acceptance, make_many_acceptances, make_stage

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage(irene, ana):
    return make_stage(irene, ana)


@pytest.fixture
def desk(client, irene):
    client.force_login(irene)
    return client


def export(client, kind, **asked):
    return client.get(reverse("acceptances_export", args=[kind]), asked)


def book_of(answer):
    return load_workbook(io.BytesIO(answer.getvalue()))


def test_a_workbook_has_the_list_and_says_by_what_by_whom_and_when(desk, stage):
    make_acceptance(stage, 1, 1_234)
    make_acceptance(stage, 2, 10, standing="incomplete", admitted=0)
    answer = export(desk, "xlsx", situacion="complete")

    assert answer["Content-Disposition"] == 'attachment; filename="aceptaciones.xlsx"'
    assert answer["Cache-Control"] == "private, no-store"
    rows, about = book_of(answer)
    assert rows.max_row == 2
    row = {head.value: cell for head, cell in zip(rows[1], rows[2], strict=True)}
    assert (row["Documento"].data_type, row["Documento"].value) == ("s", "51.000.001")
    assert (row["Solicitado (acciones)"].data_type, row["Solicitado (acciones)"].value) == (
        "n",
        1234,
    )
    assert row["Recibida"].is_date
    assert f"{row['Recibida'].value:%d/%m/%Y %H:%M}" == "14/07/1995 09:01"
    said = {line[0].value: line[1].value for line in about.iter_rows(min_row=2)}
    assert said["Filtro"] == "Situación: completa"
    assert said["Exportó"] == "Irene Ejemplo Ñáñez"
    assert said["Filas"] == 1
    assert "Fecha y hora de Bogotá" in said


def test_a_csv_has_the_same_and_its_foot_after_a_blank_line(desk, stage):
    make_acceptance(stage, 1, 1_234)
    answer = export(desk, "csv")
    lines = text_of(answer).splitlines()
    assert lines[1].startswith("A-000001;")
    assert lines[2] == ""
    assert lines[3:5] == ["Lista;Aceptaciones", "Filtro;ninguno"]
    assert lines[-1] == "Filas;1"


def test_the_order_of_the_list_is_that_of_the_file(desk, stage):
    for serial, shares in enumerate((20, 30, 10), start=1):
        make_acceptance(stage, serial, shares)
    rows = table_of(export(desk, "csv", orden="-solicitado"))
    assert [row[0][-1] for row in rows[1:]] == ["2", "1", "3"]


def test_who_took_how_much_by_what_filter_is_written_down(desk, stage, irene):
    make_acceptance(stage, 1, 10)
    export(desk, "csv", q="nanez").getvalue()
    act = Decision.objects.get(act="list_export")
    assert act.actor == irene
    assert act.sentence == "Exportó la lista «Aceptaciones»: 1 aceptación, CSV."
    assert act.data == {
        "list": "acceptances",
        "kind": "csv",
        "rows": 1,
        "filter": {"q": "nanez"},
    }


def test_a_kind_of_file_that_there_is_not_is_not_found(desk, stage):
    assert export(desk, "pdf").status_code == 404
    assert not Decision.objects.filter(act="list_export").exists()


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_a_file_of_thousands_of_rows_takes_the_queries_of_one_of_few(desk, stage, kind):
    def taken():
        with CaptureQueriesContext(connection) as captured:
            export(desk, kind).getvalue()
        return len(captured)

    make_acceptance(stage, 9_999, 10)
    taken()
    few = taken()
    make_many_acceptances(stage, 4_500, 10)
    assert Acceptance.objects.count() == 4_501
    assert taken() == few


def test_a_direct_acceptance_says_so_where_the_broker_would_stand(desk, stage):
    make_acceptance(stage, 1, 10, broker=None, exchange=None)
    assert ";Directa;" in text_of(export(desk, "csv"))
    assert ">Directa<" in text_of(desk.get(reverse("acceptances")))
