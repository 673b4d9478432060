"""Screens of a bank's file: upload, columns, preview by tabs, confirmation, report, jobs."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from config.money import money_waiting
from offerings.models import BankFile, Payment
from offerings.tasks.bank_files import bank_file_load_task, bank_file_review_task
from office.models import Job, JobState
from tests.offerings.bank_rows import bank_csv, bank_reviewed, bank_row
from tests.offerings.paid import make_awards, pay
from tests.offerings.rows import make_acceptances


@pytest.fixture
def awards(closed_stage, irene, ana):
    return make_awards(make_acceptances(closed_stage, [1, 10]), irene, ana)


@pytest.fixture
def programme(closed_stage):
    return closed_stage.programme


@pytest.fixture
def sent(monkeypatch):
    """The tasks that were sent to a worker."""
    calls = []
    monkeypatch.setattr(
        "office.jobs.current_app.send_task",
        lambda task, args, **options: calls.append((task, args)),
    )
    return calls


def upload(client, person, programme, data, typed=()):
    client.force_login(person)
    file = SimpleUploadedFile("banco.csv", data, content_type="text/csv")
    given = {"file": file, "programme": programme.pk} | dict(typed)
    return client.post(reverse("bank_file_new"), given)


def page_of(client, person, source, **query):
    client.force_login(person)
    return client.get(reverse("bank_file", args=[source.pk]), query).content.decode()


@pytest.mark.django_db(transaction=True, databases=["default", "progress"])
def test_file_goes_from_its_upload_to_its_report_by_two_jobs_delivered_twice(
    client, awards, programme, irene, sent
):
    answer = upload(client, irene, programme, bank_csv(bank_row(awards[0], "61,00")))
    source = BankFile.objects.get()
    assert answer.headers["location"] == reverse("job", args=[source.job_id])
    for _ in range(2):
        bank_file_review_task(source.job_id)
    client.post(reverse("bank_file_confirm", args=[source.pk]))
    source.refresh_from_db()
    for _ in range(2):
        bank_file_load_task(source.job_id)
    review, load = Job.objects.order_by("pk")
    assert (review.state, load.state) == (JobState.DONE, JobState.DONE)
    assert load.message == f"{source.code}: 1 pago registrado."
    assert [task for task, _ in sent] == [review.task, load.task]
    text = page_of(client, irene, source)
    assert Payment.objects.get().receipt in text
    assert "Sobra, por devolver" in text


@pytest.mark.django_db(transaction=True, databases=["default", "progress"])
def test_file_that_cannot_be_read_ends_its_job_with_an_error(
    client, awards, programme, irene, sent
):
    upload(client, irene, programme, b"%PDF-1.7")
    source = BankFile.objects.get()
    bank_file_review_task(source.job_id)
    job = Job.objects.get()
    assert job.state == JobState.FAILED
    assert job.link == reverse("bank_file", args=[source.pk])
    assert "sino un PDF. De él no se leen filas: pida los datos en un archivo CSV" in job.message


def test_preview_has_its_tabs_and_messages_by_cell(client, awards, programme, irene):
    pay(awards[1], irene, "1.00", "4118")
    data = bank_csv(
        bank_row(awards[0]),
        bank_row(awards[0], "1,234.50"),
        bank_row("0000000000"),
        bank_row(awards[1], numero="4118"),
    )
    source = bank_reviewed(programme, irene, data)
    text = page_of(client, irene, source)
    for said in ("Con errores", "Sin adjudicación", "Ya registrados", "un peso ($1,00)"):
        assert said in text
    assert "Registrar 1 pago" in text
    assert "Separadores cambiados" in page_of(client, irene, source, vista="errores")
    assert awards[1].acceptance.code in page_of(client, irene, source, vista="ya-registrados")
    assert "dígito" in page_of(client, irene, source, vista="sin-adjudicacion")


def test_auditor_reads_the_preview_and_may_do_nothing(client, awards, programme, irene, aura):
    source = bank_reviewed(programme, irene, bank_csv(bank_row(awards[0])))
    text = page_of(client, aura, source)
    assert awards[0].acceptance.code in text
    assert "Registrar 1 pago" not in text


@pytest.mark.parametrize(
    ("typed", "data", "field"),
    [
        ({"programme": ""}, b"x", "programme"),
        ({"means": "shares"}, b"x", "means"),
        ({}, b"", "file"),
    ],
)
def test_upload_that_lacks_something_says_it_at_its_field(
    client, programme, irene, typed, data, field
):
    page = upload(client, irene, programme, data, typed)
    assert page.status_code == 422
    assert field in page.context["form"].errors


def test_same_file_leads_to_the_first(client, awards, programme, irene):
    data = bank_csv(bank_row(awards[0]))
    source = bank_reviewed(programme, irene, data)
    page = upload(client, irene, programme, data)
    assert page.status_code == 422
    assert reverse("bank_file", args=[source.pk]) in page.content.decode()


def test_columns_are_proposed_and_told(client, awards, programme, irene, sent):
    header = ("Referencia de pago", "Fecha", "Monto", "Forma de pago", "Comprobante")
    source = bank_reviewed(programme, irene, bank_csv(bank_row(awards[0]), header=header))
    client.force_login(irene)
    address = reverse("bank_file_columns", args=[source.pk])
    form = client.get(address).context["form"]
    proposed = [row["field"].initial for row in form.rows()]
    assert proposed == ["referencia", "fecha", "valor", "medio", "numero"]
    told = {f"columna_{place}": name for place, name in enumerate(proposed)}
    client.post(address, told)
    source.refresh_from_db()
    assert source.mapping["monto"] == "valor"


def test_rows_to_mend_are_given_back(client, awards, programme, irene):
    data = bank_csv(bank_row(awards[0]), bank_row("0000000000"))
    source = bank_reviewed(programme, irene, data)
    client.force_login(irene)
    for kind in ("csv", "xlsx"):
        answer = client.get(reverse("bank_file_errors", args=[source.pk, kind]))
        assert answer.status_code == 200
        assert f"banco-errores.{kind}" in answer["Content-Disposition"]
    whole = bank_reviewed(programme, irene, bank_csv(bank_row(awards[1])))
    assert client.get(reverse("bank_file_errors", args=[whole.pk, "csv"])).status_code == 404


def test_file_that_waits_is_said_at_home(client, awards, programme, irene):
    source = bank_reviewed(programme, irene, bank_csv(bank_row(awards[0])))
    [row] = [row for row in money_waiting(irene) if "banco" in row["label"]]
    assert row["label"] == "1 archivo del banco por confirmar"
    client.force_login(irene)
    assert source.code in client.get(row["url"]).content.decode()
