"""Series, issuing and drawing, whatever is certified."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date
from io import BytesIO
from threading import Barrier

import pytest
from django.db import DatabaseError, connection, connections, transaction
from pdfminer.high_level import extract_text

from office.annulments import certificate_annul
from office.certificates import (
    CODE_SIGNS,
    certificate_draw,
    certificates_draw,
    paper_words,
    papers_told,
    series_next,
)
from office.decisions import decisions_on
from office.files import file_read
from office.jobs import job_open
from office.models import Certificate, CertificateState, JobState, Series, StoredFile
from office.pdf import PdfError
from office.tasks import certificates_draw_task
from tests.office.certificate_rows import make_certificate


def test_the_first_certificate_of_a_year_has_number_one(irene):
    certificate = make_certificate(irene)
    assert certificate.label == "ADJ-1995-000001"
    assert len(certificate.code) == 12
    assert set(certificate.code) <= set(CODE_SIGNS)


def test_each_legal_year_counts_by_itself(irene):
    labels = [
        make_certificate(irene, legal_date=day).label
        for day in (date(1995, 12, 31), date(1996, 1, 1), date(1995, 12, 31))
    ]
    assert labels == ["ADJ-1995-000001", "ADJ-1996-000001", "ADJ-1995-000002"]


def test_a_number_taken_by_what_was_undone_is_free_again(irene):
    with transaction.atomic():
        make_certificate(irene)
        transaction.set_rollback(True)
    assert make_certificate(irene).label == "ADJ-1995-000001"


def test_a_series_never_goes_back_even_by_raw_sql(irene):
    make_certificate(irene)
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE office_series SET last_number = 0")
    assert Series.objects.get().last_number == 1


@pytest.mark.django_db(transaction=True)
def test_many_at_once_get_consecutive_numbers_without_an_error(irene):
    together = 6
    barrier = Barrier(together)

    def take():
        barrier.wait(10)
        try:
            with transaction.atomic():
                return series_next(kind="ADJ", year=1995)[1]
        finally:
            connections.close_all()

    with ThreadPoolExecutor(together) as pool:
        asked = [pool.submit(take) for _ in range(together)]
        numbers = sorted(answer.result() for answer in asked)
    assert numbers == [1, 2, 3, 4, 5, 6]


def test_issuing_is_in_the_decision_log_under_its_legal_day(irene):
    decision = decisions_on([make_certificate(irene)]).get()
    assert decision.actor == irene
    assert decision.legal_at.date() == date(1995, 10, 3)
    assert "ADJ-1995-000001" in decision.sentence


def test_drawing_stores_the_pdf_once(irene):
    pk = make_certificate(irene).pk
    drawn = certificate_draw(pk)
    assert drawn.state == CertificateState.ISSUED
    assert file_read(drawn.file).startswith(b"%PDF-")
    assert certificate_draw(pk).file == drawn.file
    assert StoredFile.objects.count() == 1


def test_the_pdf_bears_number_code_and_the_address_to_check_it(irene):
    certificate = certificate_draw(make_certificate(irene).pk)
    text = extract_text(BytesIO(file_read(certificate.file)))
    bare = "".join(text.split())
    code = certificate.code
    for stated in ("ADJ-1995-000001", code, f"fondo.example/verificar/{code}"):
        assert stated in bare


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_leave_one_pdf(irene):
    pk = make_certificate(irene).pk
    barrier = Barrier(2)

    def draw():
        barrier.wait(10)
        try:
            return certificate_draw(pk).file_id
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        asked = [pool.submit(draw) for _ in range(2)]
        files = {answer.result() for answer in asked}
    assert len(files) == 1
    assert StoredFile.objects.count() == 1


def test_a_letter_that_cannot_be_printed_leaves_it_to_be_generated(irene):
    pk = make_certificate(irene, programme="Programa 漢").pk
    with pytest.raises(PdfError):
        certificate_draw(pk)
    assert Certificate.objects.get(pk=pk).get_state_display() == "Por generar"


def test_one_that_fails_does_not_stop_the_others(irene):
    bad = make_certificate(irene, programme="Programa 漢")
    good = make_certificate(irene)
    told = []
    failed = certificates_draw([bad.pk, good.pk], lambda *far: told.append(far))
    assert [line.partition(":")[0] for line in failed] == ["ADJ-1995-000001"]
    assert told == [(0, 2), (1, 2), (2, 2)]
    good.refresh_from_db()
    assert good.state == CertificateState.ISSUED


@pytest.mark.django_db(transaction=True, databases=["default", "progress"])
def test_the_drawing_job_of_what_was_annulled_before_its_turn_says_that_it_is_not_whole(irene):
    annulled, good = make_certificate(irene), make_certificate(irene)
    certificate_annul(annulled, "Por prueba.", annulled.legal_date)
    job = job_open(
        kind="certificate_draw",
        title="PDF",
        task="office.tasks.certificates_draw_task",
        user=irene,
        steps=["Generar el PDF"],
        arguments={"certificates": [annulled.pk, good.pk]},
    )
    certificates_draw_task(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert job.message == (
        "Quedó incompleto: Se generó 1 certificado. Antes de generar su PDF se anuló lo demás: "
        "1 certificado."
    )


def test_papers_are_counted_by_what_they_are():
    notice, certificate = "Constancia de adjudicación", "Certificado de adjudicación"
    assert papers_told([notice, notice, certificate]) == "2 constancias y 1 certificado"
    assert papers_told([notice]) == "1 constancia"
    assert paper_words([notice, certificate]) == ("documento", "documentos")


@pytest.mark.django_db(transaction=True, databases=["default", "progress"])
def test_the_drawing_job_tells_which_could_not_be_generated(irene):
    bad = make_certificate(irene, programme="Programa 漢")
    good = make_certificate(irene)
    job = job_open(
        kind="certificate_draw",
        title="PDF",
        task="office.tasks.certificates_draw_task",
        user=irene,
        steps=["Generar el PDF"],
        arguments={"certificates": [bad.pk, good.pk]},
    )
    certificates_draw_task(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert "ADJ-1995-000001" in job.message
    assert "ADJ-1995-000002" not in job.message
