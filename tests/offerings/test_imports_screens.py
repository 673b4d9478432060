"""The pages of files of acceptances, and their jobs."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from buyers.models import Buyer
from offerings.enums import ImportMode, ImportState
from offerings.models import Acceptance, AcceptanceImport
from offerings.services.imports import (
    COLUMNS,
    LOAD_TASK,
    REVIEW_TASK,
)
from offerings.services.imports.reading import sheet_read
from office.models import Job
from office.spreadsheets import read_csv
from tests.offerings.import_files import (
    HEADER,
    confirmed,
    csv_of,
    loaded,
    many,
    reviewed,
    row,
    xlsx_of,
)
from tests.offerings.programme_1995 import open_stage_of

pytestmark = pytest.mark.usefixtures("broker", "exchange")


@pytest.fixture
def stage(ana, irene):
    return open_stage_of(irene, ana)


@pytest.fixture
def upload(client, stage, irene):
    """Sends a file as irene."""
    client.force_login(irene)

    def send(data, name="aceptaciones.csv"):
        file = SimpleUploadedFile(name, data, content_type="text/csv")
        return client.post(new_url(stage), {"file": file})

    return send


@pytest.fixture
def sent(monkeypatch):
    """The tasks that were sent to a worker."""
    calls = []
    monkeypatch.setattr(
        "office.jobs.current_app.send_task", lambda task, args, **_: calls.append((task, args))
    )
    return calls


def new_url(stage):
    return reverse("import_new", args=[stage.programme.slug, stage.number])


def page_of(client, source):
    return client.get(reverse("import", args=[source.pk]))


def test_an_upload_leads_to_its_job_which_is_sent_once_all_is_stored(
    upload, sent, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        response = upload(csv_of(row()))
        assert sent == []
    source = AcceptanceImport.objects.get()
    assert response.url == reverse("job", args=[source.job_id])
    assert sent == [(REVIEW_TASK, [source.job_id])]
    assert source.file.original_name == "aceptaciones.csv"
    assert not Acceptance.objects.exists()


def test_the_same_file_again_is_refused_with_a_link_to_the_first(upload, stage, irene):
    first = loaded(stage, irene, csv_of(*many(3)))
    response = upload(csv_of(*many(3)))
    assert response.status_code == 422
    assert "3 filas ya están registradas: 0 nuevas" in response.content.decode()
    assert f'href="{reverse("import", args=[first.pk])}"' in response.content.decode()
    assert AcceptanceImport.objects.count() == 1


@pytest.mark.parametrize("data", [b"", None])
def test_an_upload_without_a_file_says_so_and_keeps_nothing(upload, client, stage, data):
    response = client.post(new_url(stage), {}) if data is None else upload(data)
    assert response.status_code == 422
    said = "Elija el archivo" if data is None else "El archivo está vacío"
    assert said in response.content.decode()
    assert not Job.objects.exists()


def test_the_page_lists_every_column_and_the_model_has_them(client, stage, irene):
    client.force_login(irene)
    page = client.get(new_url(stage)).content.decode()
    assert all(column.name in page and column.holds in page for column in COLUMNS)
    model = client.get(reverse("import_template"))
    assert model.content.decode("utf-8-sig").strip() == ";".join(HEADER)


def test_each_columns_example_can_be_read():
    for column in COLUMNS:
        assert not column.required or column.example
        assert not column.example or column.read(column.example) is not None


def test_a_closed_stage_shows_why_it_takes_no_file(client, closed_stage, irene):
    client.force_login(irene)
    page = client.get(new_url(closed_stage)).content.decode()
    assert "ya no recibe aceptaciones" in page
    assert 'type="file"' not in page


def test_a_loaded_file_shows_what_it_brought_and_leads_to_it(client, stage, irene, aura):
    rows = [*many(2), row(anio_gravable="", patrimonio_bruto="", referencia_documento="")]
    source = loaded(stage, irene, csv_of(*rows))
    client.force_login(aura)
    page = page_of(client, source).content.decode()
    assert f'href="{reverse("acceptances")}?importacion={source.pk}"' in page
    assert "De A-000001 a A-000003" in page
    assert "4.500" in page  # shares asked for
    assert "Incompleta" in page


def test_the_review_shows_each_message_in_its_cell_and_what_would_be_loaded(client, stage, irene):
    bad = row(numero_documento="777", nombre="<b>Rosa</b>", cantidad="16.829718", bolsa="Otra")
    source = reviewed(stage, irene, csv_of(*many(2), bad, row(cantidad="1.000.000")))
    client.force_login(irene)
    page = page_of(client, source).content.decode()
    assert "Revise el archivo antes de cargarlo" in page
    assert "Agrupación incorrecta. Escriba 16.829.718 o 16829718." in page
    assert "bolsa: Otra" in page
    assert "&lt;b&gt;Rosa&lt;/b&gt;" in page
    assert "<b>Rosa" not in page
    assert "se entenderá presentada por 990.099" in page
    assert "1.003.000" in page  # shares asked for by the three that would be loaded
    assert "de A-000001 a A-000003" in page
    assert "Cargar 3 filas" in page
    assert source.read_as in page


def views(client, source):
    """The numbers of the rows in each view of the review."""
    found = {}
    for view in ("", "errores", "avisos", "diferencias", "registradas", "otra"):
        page = client.get(reverse("import", args=[source.pk]), {"vista": view})
        found[view] = [one["number"] for one in page.context["rows"]]
    return found


@pytest.mark.parametrize(
    ("wrong", "said"), [(1, "Corrija la restante"), (2, "Corrija las 2 restantes")]
)
def test_the_review_says_how_many_rows_are_left_to_mend(client, stage, irene, wrong, said):
    bad = [row(numero_documento=str(53_000_000 + at), cantidad="0") for at in range(wrong)]
    source = reviewed(stage, irene, csv_of(*many(1), *bad))
    client.force_login(irene)
    page = client.get(reverse("import", args=[source.pk])).content.decode()
    assert said in " ".join(page.split())


def test_the_tabs_part_the_rows_and_those_with_messages_stand_first(client, stage, irene):
    loaded(stage, irene, csv_of(row()))
    rows = [*many(1), row(), row(cantidad="0"), row(nombre="Rosa Hipotética", cantidad="9")]
    source = reviewed(stage, irene, csv_of(*rows))
    client.force_login(irene)
    assert views(client, source) == {
        "": [4, 5, 3, 2],
        "errores": [4],
        "avisos": [],
        "diferencias": [5],
        "registradas": [3],
        "otra": [],
    }


def test_many_rows_stand_on_several_pages(client, stage, irene):
    source = reviewed(stage, irene, csv_of(*many(60, cantidad="0")))
    client.force_login(irene)
    asked = {"page": 2, "vista": "errores"}
    page = client.get(reverse("import", args=[source.pk]), asked).content.decode()
    assert "Filas 51 a 60 de 60" in page


def test_the_confirmation_leads_to_the_job_that_loads(
    client, stage, irene, sent, django_capture_on_commit_callbacks
):
    source = reviewed(stage, irene, csv_of(*many(2)))
    client.force_login(irene)
    with django_capture_on_commit_callbacks(execute=True):
        response = client.post(reverse("import_confirm", args=[source.pk]), {"modo": "all"})
    source.refresh_from_db()
    assert response.url == reverse("job", args=[source.job_id])
    assert sent == [(LOAD_TASK, [source.job_id])]
    assert not Acceptance.objects.exists()


def test_a_file_with_errors_is_not_confirmed_whole_and_says_so(client, stage, irene):
    source = reviewed(stage, irene, csv_of(*many(2), row(cantidad="0")))
    client.force_login(irene)
    for asked, said in [
        ({"modo": "all"}, "Hay 1 fila que no se cargan"),
        ({}, "Elija cómo se carga"),
    ]:
        response = client.post(reverse("import_confirm", args=[source.pk]), asked)
        assert response.status_code == 422
        assert said in response.content.decode()


def test_differences_are_decided_on_the_page(client, stage, irene):
    loaded(stage, irene, csv_of(row()))
    source = reviewed(stage, irene, csv_of(row(nombre="Rosa Hipotética", cantidad="9"), *many(1)))
    client.force_login(irene)
    page = page_of(client, source).content.decode()
    assert "Rosa Hipotética" in page
    assert "Rosa Inventada Peña" in page
    assert "Conservar lo que consta" in page
    assert "Cargar 1 fila" not in page
    decide = reverse("import_decide", args=[source.pk])
    response = client.post(decide, {"decision": "keep", "fila": "2"})
    assert response.status_code == 302
    assert "Cargar 2 filas" in page_of(client, source).content.decode()
    client.post(decide, {"decision": "leave_out"})
    assert "Cargar 1 fila" in page_of(client, source).content.decode()
    assert client.post(decide, {"decision": "overwrite"}).status_code == 422


def test_an_auditor_sees_the_review_and_has_nothing_to_press(client, stage, irene, aura):
    source = reviewed(stage, irene, csv_of(*many(2)))
    client.force_login(aura)
    page = page_of(client, source).content.decode()
    assert "Cargar 2 filas" not in page
    assert "Descartar" not in page


def test_a_discarded_file_is_told_in_the_list(client, stage, irene):
    source = reviewed(stage, irene, csv_of(*many(2)))
    client.force_login(irene)
    response = client.post(reverse("import_discard", args=[source.pk]), follow=True)
    assert f"{source.code} quedó descartada" in response.content.decode()
    assert (
        client.post(reverse("import_confirm", args=[source.pk]), {"modo": "all"}).status_code
        == 422
    )
    assert not Buyer.objects.exists()


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_the_file_comes_back_with_its_errors_and_may_be_mended_and_sent(
    client, stage, irene, kind
):
    rows = many(3)
    rows[1] |= {"cantidad": "0", "nombre": "=HYPERLINK(Prueba)"}
    source = reviewed(stage, irene, csv_of(*rows))
    client.force_login(irene)
    response = client.get(reverse("import_errors", args=[source.pk, kind]))
    assert f'filename="aceptaciones-errores.{kind}"' in response["Content-Disposition"]
    sheet = sheet_read(response.content)
    assert sheet.columns == (*HEADER, "errores")
    said = [one.cells["errores"] for one in sheet.rows]
    assert said == ["", "cantidad: La cantidad solicitada debe ser mayor que cero.", ""]
    mended = [dict(one.cells) for one in sheet.rows]
    mended[1]["cantidad"] = "15"
    make = csv_of if kind == "csv" else xlsx_of
    assert loaded(stage, irene, make(*mended, header=sheet.columns)).state == ImportState.LOADED
    assert Buyer.objects.filter(name="=HYPERLINK(Prueba)").exists()


def test_a_name_that_begins_a_formula_goes_out_quoted(client, stage, irene):
    bad = row(nombre="=HYPERLINK(Prueba)", cantidad="0")
    source = reviewed(stage, irene, csv_of(bad))
    client.force_login(irene)
    response = client.get(reverse("import_errors", args=[source.pk, "csv"]))
    assert b"'=HYPERLINK(Prueba)" in response.content


def test_a_file_refused_as_a_whole_says_why_and_has_no_rows_to_give_back(client, stage, irene):
    source = reviewed(stage, irene, b"%PDF-1.7 de prueba")
    client.force_login(irene)
    assert "sino un PDF" in page_of(client, source).content.decode()
    for kind in ("csv", "xlsx", "ods"):
        assert client.get(reverse("import_errors", args=[source.pk, kind])).status_code == 404


def test_the_report_of_a_part_tells_what_was_left_and_gives_it_back(client, stage, irene):
    rows = [*many(3), row(cantidad="0")]
    source = confirmed(reviewed(stage, irene, csv_of(*rows)), irene, ImportMode.PARTIAL)
    client.force_login(irene)
    page = page_of(client, source).content.decode()
    assert "De A-000001 a A-000003" in page
    assert "Descargar las filas por corregir" in page
    assert "Las filas sin errores".lower() in page
    address = reverse("import_errors", args=[source.pk, "csv"])
    left = read_csv(client.get(address, {"filas": "por-corregir"}).content)
    assert [one.cells["numero_documento"] for one in left.rows] == ["51.000.123"]


def test_the_stages_files_are_listed_and_each_comes_as_it_was(client, stage, irene, aura):
    data = csv_of(row())
    source = loaded(stage, irene, data)
    client.force_login(aura)
    where = [stage.programme.slug, stage.number]
    assert source.code in client.get(reverse("imports", args=where)).content.decode()
    response = client.get(reverse("import_file", args=[source.pk]))
    assert b"".join(response.streaming_content) == data


def test_a_broker_sees_no_file_and_an_auditor_sends_none(client, stage, irene, bruno, aura):
    source = loaded(stage, irene, csv_of(row()))
    client.force_login(bruno)
    for name in ("import", "import_file"):
        assert client.get(reverse(name, args=[source.pk])).status_code == 403
    client.force_login(aura)
    assert client.post(new_url(stage)).status_code == 403
