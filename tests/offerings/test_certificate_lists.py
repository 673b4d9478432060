"""Many certificates: the list's filters, the ZIP of what it shows, drawing all that waits."""

import csv
from datetime import UTC, date, datetime
from io import BytesIO, StringIO
from zipfile import ZipFile

import pytest
from django.urls import reverse

from offerings.certificates import award_notice_issue, certificate_allotment_issue
from office.annulments import certificate_annul
from office.archives import zip_pieces
from office.certificates import certificate_draw
from office.files import file_read
from office.models import Certificate, Decision, Job
from tests.offerings.paid import SESSION, make_awards, pay_in_full
from tests.offerings.rows import make_acceptance


@pytest.fixture
def papers(broker, other_broker, closed_stage, irene, ana):
    """Of bruno's broker: a notice, an annulled certificate and the one in its place, drawn; of
    olga's: a notice that waits for its PDF."""
    acceptances = [
        make_acceptance(closed_stage, n, 10, broker=one)
        for n, one in enumerate((broker, other_broker), start=1)
    ]
    first, second = make_awards(acceptances, irene, ana)
    pay_in_full(first, irene)
    award_notice_issue(award_id=first.pk, user=irene, legal_date=SESSION)
    for day in (3, 4):
        issued = certificate_allotment_issue(
            award_id=first.pk, user=irene, legal_date=date(1995, 10, day)
        )
        certificate_draw(issued.pk)
        if day == 3:
            certificate_annul(
                Certificate.objects.get(pk=issued.pk), "Por prueba.", issued.legal_date
            )
    certificate_draw(Certificate.objects.get(series__kind="CON").pk)
    award_notice_issue(award_id=second.pk, user=irene, legal_date=SESSION)
    return {one.label: one for one in Certificate.objects.all()}


@pytest.fixture
def sent(monkeypatch):
    tasks = []
    monkeypatch.setattr(
        "office.jobs.current_app.send_task", lambda name, args, **_: tasks.append((name, args))
    )
    return tasks


@pytest.mark.parametrize(
    ("asked", "count"),
    [
        ({}, 4),
        ({"clase": "CON"}, 2),
        ({"clase": "ADJ"}, 2),
        ({"clase": "ADJ", "vista": "anulados"}, 1),
        ({"vista": "por-generar"}, 1),
        ({"anio": "1995"}, 4),
        ({"anio": "1996"}, 0),
        ({"comisionista": "BRUNO"}, 3),
        ({"comisionista": "BRUNO", "clase": "CON"}, 1),
        ({"comisionista": "9" * 30}, 0),
        ({"programa": "banco-popular-1995"}, 4),
        ({"programa": "otro"}, 0),
    ],
)
def test_the_list_is_narrowed_by_kind_state_programme_broker_and_year(
    client, papers, broker, irene, asked, count
):
    client.force_login(irene)
    asked = {name: str(broker.pk) if value == "BRUNO" else value for name, value in asked.items()}
    assert len(client.get(reverse("certificates"), asked).context["page"]) == count


def test_a_broker_has_no_choice_among_brokers(client, papers, broker, irene, olga):
    client.force_login(irene)
    assert str(broker) in client.get(reverse("certificates")).content.decode()
    client.force_login(olga)
    page = client.get(reverse("certificates"), {"comisionista": broker.pk})
    assert str(broker) not in page.content.decode()
    assert list(page.context["page"]) == []
    own = client.get(reverse("certificates"))
    assert [one.label for one in own.context["page"]] == ["CON-1995-000002"]


# The ZIP


def archive(client, **asked):
    query = "&".join(f"{name}={value}" for name, value in asked.items())
    answer = client.post(f"{reverse('certificates_zip')}?{query}")
    assert answer.status_code == 200
    return ZipFile(BytesIO(b"".join(answer.streaming_content)))


def test_staff_get_every_pdf_under_a_safe_name_and_an_index_of_their_hashes(client, papers, irene):
    client.force_login(irene)
    found = archive(client)
    assert found.testzip() is None
    assert found.namelist() == [
        "CON-1995-000001.pdf",
        "ADJ-1995-000001-ANULADO.pdf",
        "ADJ-1995-000002.pdf",
        "indice.csv",
    ]
    assert found.read("ADJ-1995-000002.pdf") == file_read(papers["ADJ-1995-000002"].file)
    index = list(csv.DictReader(StringIO(found.read("indice.csv").decode("utf-8-sig")),
                                delimiter=";"))  # fmt: skip
    assert [row["sha256"] for row in index][-1] == papers["ADJ-1995-000002"].file.sha256
    told = Decision.objects.get(act="certificates_archive")
    assert (told.actor, told.subject_id) == (irene, irene.pk)
    assert "3 PDF" in told.sentence


def test_a_broker_gets_its_own_and_nothing_annulled(client, papers, bruno):
    client.force_login(bruno)
    names = archive(client).namelist()
    assert names == ["CON-1995-000001.pdf", "ADJ-1995-000002.pdf", "indice.csv"]


def test_the_lists_filter_holds_in_the_zip_and_is_written_down(client, papers, aura):
    client.force_login(aura)
    assert archive(client, clase="CON").namelist() == ["CON-1995-000001.pdf", "indice.csv"]
    told = Decision.objects.get(act="certificates_archive").sentence
    assert "«Tipo: constancias de adjudicación»" in told
    assert archive(client, vista="anulados").namelist()[0] == "ADJ-1995-000001-ANULADO.pdf"


def test_with_nothing_to_give_the_person_is_told_and_nothing_is_written(client, papers, olga):
    client.force_login(olga)
    answer = client.post(reverse("certificates_zip"), follow=True)
    assert "No hay ningún PDF" in answer.content.decode()
    assert not Decision.objects.filter(act="certificates_archive").exists()


def test_too_many_are_refused_with_how_to_narrow_them(client, papers, irene, monkeypatch):
    monkeypatch.setattr("office.archives.AT_MOST", 2)
    client.force_login(irene)
    answer = client.post(reverse("certificates_zip"), follow=True)
    assert "Filtre por" in answer.content.decode()


def test_in_memory_there_is_one_file_at_a_time():
    open_now, most = [], []
    moment = datetime(1995, 10, 3, tzinfo=UTC)

    def files():
        for number in range(50):
            open_now.append(number)
            most.append(len(open_now))
            yield f"{number}.pdf", moment, b"x" * 10_000
            open_now.pop()

    pieces = list(zip_pieces(files()))
    assert max(most) == 1
    assert max(map(len, pieces[:-1])) < 11_000
    assert len(ZipFile(BytesIO(b"".join(pieces))).namelist()) == 50


def test_a_stored_file_that_was_changed_stops_the_zip(client, papers, irene, settings):
    stored = papers["ADJ-1995-000002"].file
    folder = settings.STORAGES["default"]["OPTIONS"]["location"]
    (folder / stored.path).chmod(0o600)
    (folder / stored.path).write_bytes(b"otra cosa")
    client.force_login(irene)
    answer = client.post(reverse("certificates_zip"))
    with pytest.raises(ValueError, match="SHA-256"):
        b"".join(answer.streaming_content)


# All that waits for its PDF


def test_all_that_waits_is_drawn_by_one_job_however_often_it_is_asked_for(
    client, papers, irene, sent, django_capture_on_commit_callbacks
):
    client.force_login(irene)
    with django_capture_on_commit_callbacks(execute=True):
        pages = [client.post(reverse("certificates_redraw")) for _ in range(2)]
    job = Job.objects.get()
    assert [page.headers["location"] for page in pages] == [reverse("job", args=[job.pk])] * 2
    assert job.arguments == {"certificates": [papers["CON-1995-000002"].pk]}
    assert len(sent) == 1


def test_with_nothing_that_waits_the_person_is_told(client, papers, irene):
    client.force_login(irene)
    page = client.post(f"{reverse('certificates_redraw')}?clase=ADJ", follow=True)
    assert "No hay certificados por generar" in page.content.decode()
    assert not Job.objects.exists()
