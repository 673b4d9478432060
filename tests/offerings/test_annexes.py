"""The annex of an act of adjudication: every line, part by part, each part once."""

from decimal import Decimal
from io import BytesIO

import pytest
from django.urls import reverse
from openpyxl import load_workbook

from offerings.certificates import (
    annex_pages_write,
    annex_workbook_write,
    annexes,
    record_job_open,
)
from offerings.enums import AnnexKind, Standing
from offerings.models import AnnexFile
from offerings.tasks.records import record_draw_task
from office.files import file_read
from office.models import JobState
from office.pdf import PdfError
from tests.offerings.rows import make_acceptance, make_acceptances
from tests.pdfs import letters_of, rows_of

MISSING = [{"code": "return", "label": "Declaración de renta.", "cite": "art. 6-1", "why": ""}]


def coded(code):
    """A verification code as it is printed, in three groups."""
    return f"{code[:4]} {code[4:8]} {code[8:]}"


def silent(*told):
    """A report that nobody reads."""


@pytest.fixture
def of_three(monkeypatch):
    """Parts of three lines each."""
    monkeypatch.setattr(annexes, "PART_LINES", 3)


def pages_of(record) -> list[str]:
    parts = record.annexes.filter(kind=AnnexKind.PDF).select_related("file").order_by("number")
    return [rows_of(file_read(part.file)) for part in parts]


def test_every_line_is_in_the_parts_with_sums_carried_forward(closed_stage, record, of_three):
    make_acceptances(closed_stage, [98, 92, 98, 123, 102, 92])
    make_acceptance(closed_stage, 7, 11, admitted=0, standing=Standing.INCOMPLETE, missing=MISSING)
    issued = record()
    assert annex_pages_write(issued, silent) == 3
    first, second, third = pages_of(issued)
    assert "Parte 1 de 3" in first
    assert f"Acta {issued.certificate.label}, adjudicación" in first
    assert f"Código {coded(issued.certificate.code)}" in first
    assert "líneas 1 a 3 de 7" in first
    assert "Suma de esta parte 288 288 238 14.422,80" in first
    assert "Pasa a la parte 2 288 288 238 14.422,80" in first
    assert "Viene de la parte 1 288 288 238 14.422,80" in second
    assert "Viene de la parte 2 605 605 500 30.300,00" in third
    assert "Total de las 7 líneas 616 605 500 30.300,00" in third
    last = issued.annexes.get(number=3).file
    assert "Incompleta;falta:Declaraciónderenta(art.6-1)" in letters_of(file_read(last))
    assert "Página 1 de 1" in third
    codes = [code for page in (first, second, third) for code in page.split() if "A-0" in code]
    assert codes == [f"A-{serial:06d}" for serial in range(1, 8)]


def test_parts_that_are_there_are_kept_and_only_the_rest_is_drawn(
    closed_stage, record, of_three, monkeypatch
):
    make_acceptances(closed_stage, [98, 92, 98, 123, 102, 92, 7])
    issued = record()
    drawn = annexes.render_pdf

    def dies_at_the_third(html, **options):
        if AnnexFile.objects.count() == 2:
            raise PdfError("se acabó el papel")
        return drawn(html, **options)

    monkeypatch.setattr(annexes, "render_pdf", dies_at_the_third)
    with pytest.raises(PdfError):
        annex_pages_write(issued, silent)
    kept = list(AnnexFile.objects.values_list("pk", "file__sha256"))
    assert len(kept) == 2
    monkeypatch.setattr(annexes, "render_pdf", drawn)
    assert annex_pages_write(issued, silent) == 1
    assert list(AnnexFile.objects.order_by("pk").values_list("pk", "file__sha256"))[:2] == kept
    assert "Total de las 7 líneas" in pages_of(issued)[2]
    assert annex_pages_write(issued, silent) == 0


def test_the_workbook_has_each_line_with_numbers_as_numbers(closed_stage, record):
    acceptances = make_acceptances(closed_stage, [300, 400])
    buyer = acceptances[0].participation.buyer
    buyer.name = '=HYPERLINK("http://x.example")'
    buyer.save()
    issued = record()
    part = annex_workbook_write(issued, silent)
    assert annex_workbook_write(issued, silent) == part
    sheet, about = load_workbook(BytesIO(file_read(part.file))).worksheets
    said = dict(about.iter_rows(min_row=2, values_only=True))
    assert (said["Adjudicación"], said["Acta"]) == (
        issued.adjudication.code,
        issued.certificate.label,
    )
    assert (said["Líneas"], said["Total, adjudicado"]) == (2, 500)
    heading, first, second = list(sheet.iter_rows(values_only=True))
    line = dict(zip(heading, first, strict=True))
    assert (line["Línea"], line["Aceptación"]) == (1, "A-000001")
    assert (line["Solicitado"], line["Adjudicado"], line["Resto"]) == (300, 214, 200)
    assert Decimal(str(line["Valor"])) == Decimal("12968.40")
    assert line["Comprador"] == '=HYPERLINK("http://x.example")'
    assert sheet["F2"].data_type == "s"
    assert sheet.cell(2, heading.index("Resto") + 1).number_format == "#,##0"
    assert second[9] == 400
    assert (part.first_line, part.last_line) == (1, 2)


def test_a_name_with_markup_is_printed_and_a_long_one_stays_inside(closed_stage, record):
    acceptances = make_acceptances(closed_stage, [300, 400])
    for acceptance, name in zip(
        acceptances, ['<link rel=attachment href="file:///etc/passwd">', "W" * 154], strict=True
    ):
        acceptance.participation.buyer.name = name
        acceptance.participation.buyer.save()
    issued = record()
    annex_pages_write(issued, silent)
    text = letters_of(file_read(issued.annexes.get().file))
    assert '<linkrel=attachmenthref="file:///etc/passwd">' in text
    assert "W" * 154 in text


def test_a_run_without_lines_has_no_annex(closed_stage, record):
    issued = record()
    assert annex_workbook_write(issued, silent) is None
    assert annex_pages_write(issued, silent) == 0


@pytest.mark.django_db(transaction=True, databases=["default", "progress"])
def test_the_job_draws_all_once_however_often_it_is_delivered(
    closed_stage, record, client, ana, mateo
):
    make_acceptances(closed_stage, [98, 92])
    issued = record()
    job = record_job_open(record=issued, user=mateo)
    assert record_job_open(record=issued, user=mateo) == job
    record_draw_task(job.pk)
    files = list(AnnexFile.objects.values_list("kind", "number"))
    assert sorted(files) == [("pdf", 1), ("xlsx", 1)]
    record_draw_task(job.pk)
    assert AnnexFile.objects.count() == 2
    job.refresh_from_db()
    assert job.state == JobState.DONE
    assert job.message == "El acta ACT-1995-000001 y su anexo están: 2 archivos."
    client.force_login(ana)
    page = client.get(reverse("adjudication", args=[issued.adjudication_id])).content.decode()
    for part in issued.annexes.all():
        address = reverse("adjudication_annex", args=[issued.adjudication_id, part.pk])
        assert address in page
        assert client.get(address).getvalue()
    act = client.get(reverse("certificate_pdf", args=[issued.certificate_id]))
    assert act.getvalue().startswith(b"%PDF")


def test_a_part_of_another_adjudication_is_not_there(closed_stage, record, client, ana):
    make_acceptances(closed_stage, [98])
    issued = record()
    part = annex_workbook_write(issued, silent)
    client.force_login(ana)
    other = reverse("adjudication_annex", args=[issued.adjudication_id + 1, part.pk])
    assert client.get(other).status_code == 404
