"""The pages of files of acceptances, and their loading as a job."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from buyers.models import Buyer
from offerings.enums import ImportState
from offerings.models import Acceptance, AcceptanceImport
from offerings.services.imports import COLUMNS, TASK
from offerings.tasks.imports import import_run_task
from office.jobs import job_restart
from office.models import Job, JobState
from office.spreadsheets import read_csv
from tests.offerings.import_files import HEADER, csv_of, loaded, many, row
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
    assert sent == [(TASK, [source.job_id])]
    assert source.file.original_name == "aceptaciones.csv"
    assert not Acceptance.objects.exists()


def test_the_same_file_again_is_refused_with_a_link_to_the_first(upload, stage, irene):
    first = loaded(stage, irene, csv_of(*many(3)))
    response = upload(csv_of(*many(3)))
    assert response.status_code == 422
    assert "3 aceptaciones ya están registradas: 0 nuevas" in response.content.decode()
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


def test_a_refused_file_shows_each_message_in_its_cell(client, stage, irene):
    bad = row(nombre="<b>Rosa</b>", cantidad="16.829718", bolsa="Otra")
    source = loaded(stage, irene, csv_of(bad))
    client.force_login(irene)
    page = page_of(client, source).content.decode()
    assert "Agrupación incorrecta. Escriba 16.829.718 o 16829718." in page
    assert "bolsa: Otra" in page
    assert "&lt;b&gt;Rosa&lt;/b&gt;" in page
    assert "<b>Rosa" not in page


def test_many_faulty_rows_stand_on_several_pages(client, stage, irene):
    source = loaded(stage, irene, csv_of(*many(60, cantidad="0")))
    client.force_login(irene)
    page = client.get(reverse("import", args=[source.pk]), {"page": 2}).content.decode()
    assert "Filas con errores 51 a 60 de 60" in page


def test_the_file_comes_back_with_its_errors_and_may_be_mended_and_sent(client, stage, irene):
    rows = many(3)
    rows[1] |= {"cantidad": "0", "nombre": "=HYPERLINK(Prueba)"}
    source = loaded(stage, irene, csv_of(*rows))
    client.force_login(irene)
    response = client.get(reverse("import_errors", args=[source.pk]))
    assert 'filename="aceptaciones-errores.csv"' in response["Content-Disposition"]
    sheet = read_csv(response.content)
    assert sheet.columns == (*HEADER, "errores")
    said = [one.cells["errores"] for one in sheet.rows]
    assert said == ["", "cantidad: La cantidad solicitada debe ser mayor que cero.", ""]
    assert b"'=HYPERLINK(Prueba)" in response.content
    mended = response.content.replace(b";0;", b";15;").replace(b"mayor que cero", b"-")
    assert loaded(stage, irene, mended).state == ImportState.LOADED
    assert Buyer.objects.filter(name="=HYPERLINK(Prueba)").exists()


def test_a_file_refused_as_a_whole_says_why_and_has_no_rows_to_give_back(client, stage, irene):
    source = loaded(stage, irene, b"%PDF-1.7 de prueba")
    client.force_login(irene)
    assert "sino un PDF" in page_of(client, source).content.decode()
    assert client.get(reverse("import_errors", args=[source.pk])).status_code == 404


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
    for name in ("import", "import_file", "import_errors"):
        assert client.get(reverse(name, args=[source.pk])).status_code == 403
    client.force_login(aura)
    assert client.post(new_url(stage)).status_code == 403


@pytest.mark.django_db(transaction=True, databases=["default", "progress"])
def test_the_task_delivered_twice_loads_once_and_says_what_it_did(upload, sent):
    upload(csv_of(*many(2)))
    job = Job.objects.get()
    import_run_task(job.pk)
    import_run_task(job.pk)
    job.refresh_from_db()
    source = AcceptanceImport.objects.get()
    assert job.state == JobState.DONE
    assert job.link == reverse("import", args=[source.pk])
    assert job.message == f"{source.code}: quedaron registradas 2 aceptaciones."
    assert Acceptance.objects.count() == 2


@pytest.mark.django_db(transaction=True, databases=["default", "progress"])
def test_the_history_of_a_buyer_tells_who_brought_it_in_with_which_file(
    client, upload, sent, irene
):
    upload(csv_of(row()))
    job = Job.objects.get()
    import_run_task(job.pk)
    [buyer] = Buyer.objects.all()
    client.force_login(irene)
    page = client.get(reverse("buyer", args=[buyer.pk])).content.decode()
    code = AcceptanceImport.objects.get().code
    told = f"{irene} registró el comprador, con el proceso {job.code}"
    assert f"{told} (Importación de aceptaciones {code})." in page


@pytest.mark.django_db(transaction=True, databases=["default", "progress"])
def test_a_failing_run_leaves_a_job_that_can_be_started_again(upload, sent, monkeypatch):
    upload(csv_of(*many(2)))
    job = Job.objects.get()
    with monkeypatch.context() as broken:
        broken.setattr("offerings.services.imports.acts.acceptances_save", lambda *given: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            import_run_task(job.pk)
    job.refresh_from_db()
    assert job.can_restart
    assert not Buyer.objects.exists()
    job_restart(job_id=job.pk, user=job.requested_by)
    import_run_task(job.pk)
    assert Acceptance.objects.count() == 2
