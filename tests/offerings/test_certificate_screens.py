"""The screens of certificates: issuing, the page, the PDF and who may have it."""

from datetime import date

import pytest
from django.urls import reverse

from offerings.certificates import certificate_allotment_issue
from office.certificates import certificate_draw
from office.files import file_read
from office.models import Certificate, Job
from tests.offerings.paid import make_awards, pay, pay_in_full
from tests.offerings.rows import make_acceptance


@pytest.fixture
def awards(broker, closed_stage, irene, ana):
    acceptances = [make_acceptance(closed_stage, n, 10 * n, broker=broker) for n in (1, 2)]
    return make_awards(acceptances, irene, ana)


@pytest.fixture
def paid(awards, irene):
    pay_in_full(awards[0], irene)
    return awards[0]


@pytest.fixture
def pending(paid, irene):
    return certificate_allotment_issue(award_id=paid.pk, user=irene, legal_date=date(1995, 10, 3))


@pytest.fixture
def certificate(pending):
    return certificate_draw(pending.pk)


@pytest.fixture
def sent(monkeypatch):
    """The jobs' tasks that would go to a worker, once their rows are committed."""
    tasks = []
    monkeypatch.setattr(
        "office.jobs.current_app.send_task", lambda name, args, **_: tasks.append((name, args))
    )
    return tasks


def address(name, thing):
    return reverse(name, args=[thing.pk])


# Issuing one


def test_the_review_says_the_shares_in_words_and_issues_nothing(client, paid, irene):
    client.force_login(irene)
    page = client.post(address("certificate_new", paid), {"legal_date": "03/10/1995"})
    text = page.content.decode()
    assert "diez (10) acciones" in text
    assert "3 de octubre de 1995" in text
    assert not Certificate.objects.exists()


def test_confirming_twice_gives_one_certificate_and_draws_after_the_commit(
    client, paid, irene, sent, django_capture_on_commit_callbacks
):
    client.force_login(irene)
    confirmed = {"legal_date": "03/10/1995", "paso": "confirmar"}
    with django_capture_on_commit_callbacks(execute=False) as waiting:
        pages = [client.post(address("certificate_new", paid), confirmed) for _ in range(2)]
    certificate = Certificate.objects.get()
    assert [page.headers["location"] for page in pages] == [
        address("certificate", certificate)
    ] * 2
    assert sent == []
    for send in waiting:
        send()
    assert sent == [("office.tasks.certificates_draw_task", [Job.objects.get().pk])]


def test_whoever_comes_second_is_told_who_issued_it_and_with_which_date(
    client, paid, irene, mateo, sent
):
    for person, day in ((irene, "03/10/1995"), (mateo, "04/10/1995")):
        client.force_login(person)
        confirmed = {"legal_date": day, "paso": "confirmar"}
        page = client.post(address("certificate_new", paid), confirmed, follow=True)
        told = "lo expidió Irene Ejemplo Ñáñez con fecha del 03/10/1995" in page.content.decode()
        assert told == (person == mateo)
    assert Certificate.objects.count() == 1


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("01/10/1995", "02/10/1995"),
        ("31/02/1995", "31/02/1995"),
        ("", "Escriba la fecha"),
        ("03/10/2995", "03/10/2995"),
        ("03/10/1995\x00", "id_legal_date"),
    ],
)
def test_a_wrong_day_of_issue_is_said_at_its_field(client, paid, irene, typed, message):
    client.force_login(irene)
    sent = {"legal_date": typed, "paso": "confirmar"}
    page = client.post(address("certificate_new", paid), sent)
    assert page.status_code == 422
    assert page.context["form"].errors.keys() == {"legal_date"}
    assert message in page.content.decode()
    assert not Certificate.objects.exists()


def test_what_is_owed_is_said_and_no_certificate_issued(client, awards, irene):
    pay(awards[1], irene, "1")
    client.force_login(irene)
    page = client.post(
        address("certificate_new", awards[1]), {"legal_date": "03/10/1995", "paso": "confirmar"}
    )
    assert page.status_code == 422
    assert "$1.211,00" in page.content.decode()


# All that is paid


def test_all_that_is_paid_becomes_one_job_however_often_it_is_asked_for(
    client, paid, irene, sent, django_capture_on_commit_callbacks
):
    client.force_login(irene)
    programme = paid.acceptance.stage.programme
    to_issue = reverse("certificates_issue")
    asked = {"kind": "ADJ", "programme": programme.pk, "legal_date": "03/10/1995"}
    review = client.post(to_issue, asked)
    assert "Expedir 1 certificado" in review.content.decode()
    confirmed = asked | {"paso": "confirmar"}
    with django_capture_on_commit_callbacks(execute=True):
        pages = [client.post(to_issue, confirmed) for _ in range(2)]
    job = Job.objects.get()
    assert [page.headers["location"] for page in pages] == [address("job", job)] * 2
    assert job.arguments == {
        "kind": "ADJ", "programme": programme.pk, "broker": None, "legal_date": "1995-10-03",
        "count": 1,
    }  # fmt: skip


def test_with_nothing_paid_the_screen_says_so(client, awards, irene):
    client.force_login(irene)
    programme = awards[0].acceptance.stage.programme_id
    asked = {"kind": "ADJ", "programme": programme, "legal_date": "03/10/1995"}
    page = client.post(reverse("certificates_issue"), asked)
    assert page.status_code == 422
    assert "no hay adjudicaciones pagadas" in page.content.decode()


# The page and the PDF


def test_the_page_shows_what_is_certified_and_how_to_check_it(client, certificate, irene):
    client.force_login(irene)
    text = client.get(address("certificate", certificate)).content.decode()
    for shown in (
        "ADJ-1995-000001",
        "Vigente",
        "diez (10) acciones",
        certificate.file.sha256,
        f"https://fondo.example/verificar/{certificate.code}/",
        "Irene Ejemplo Ñáñez expidió el certificado de adjudicación ADJ-1995-000001",
    ):
        assert shown in text


def test_before_it_is_drawn_there_is_no_download(client, pending, irene, bruno):
    for person in (irene, bruno):
        client.force_login(person)
        assert client.get(address("certificate_pdf", pending)).status_code == 404
        page = client.get(address("certificate", pending)).content.decode()
        assert "Por generar" in page
        assert "Descargar el PDF" not in page


@pytest.mark.parametrize(
    ("person", "status"),
    [
        (None, 302),
        ("irene", 200),
        ("ana", 200),
        ("aura", 200),
        ("bruno", 200),
        ("olga", 404),
        ("adela", 403),
        ("root", 403),
    ],
)
@pytest.mark.parametrize("name", ["certificate", "certificate_pdf"])
def test_the_certificate_is_for_staff_and_the_broker_of_the_acceptance(
    client, certificate, request, name, person, status
):
    if person:
        client.force_login(request.getfixturevalue(person))
    answer = client.get(address(name, certificate))
    answer.close()
    assert answer.status_code == status


def test_the_download_is_the_stored_pdf_under_its_number(client, certificate, bruno):
    client.force_login(bruno)
    answer = client.get(address("certificate_pdf", certificate))
    assert b"".join(answer.streaming_content) == file_read(certificate.file)
    assert answer.headers["content-disposition"] == 'attachment; filename="ADJ-1995-000001.pdf"'
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.headers["cache-control"] == "private, no-store"


def test_the_list_shows_each_what_it_may_see(client, certificate, irene, bruno, olga):
    for person, count in ((irene, 1), (bruno, 1), (olga, 0)):
        client.force_login(person)
        page = client.get(reverse("certificates"))
        assert len(page.context["page"]) == count


@pytest.mark.parametrize(
    ("asked", "count"),
    [
        ({"q": "nanez"}, 1),
        ({"q": "51.000.001"}, 1),
        ({"q": "ADJ-1995-000001"}, 1),
        ({"q": "ADJ-1995-000002"}, 0),
        ({"q": "adj-1995-1"}, 1),
        ({"q": "CON-1995-000001"}, 0),
        ({"q": "ADJ-1996-000001"}, 0),
        ({"q": "1"}, 1),
        ({"q": "2"}, 0),
        ({"q": "A-000001"}, 1),
        ({"q": "A-000002"}, 0),
        ({"q": "99999999999999999999"}, 0),
        ({"q": "\x00\u202e"}, 1),
        ({"vista": "por-generar"}, 0),
        ({"vista": "vigentes"}, 1),
        ({"programa": "fiduciaria-fes-2004"}, 0),
        ({"page": "x"}, 1),
    ],
)
def test_the_list_is_searched_and_filtered_in_its_address(
    client, certificate, irene, asked, count
):
    client.force_login(irene)
    assert len(client.get(reverse("certificates"), asked).context["page"]) == count


def test_the_list_asks_as_many_queries_for_ten_as_for_one(
    client, broker, closed_stage, irene, ana, django_assert_max_num_queries
):
    acceptances = [make_acceptance(closed_stage, n, 1) for n in range(1, 11)]
    for award in make_awards(acceptances, irene, ana):
        pay_in_full(award, irene)
        certificate_allotment_issue(award_id=award.pk, user=irene, legal_date=date(1995, 10, 3))
    client.force_login(irene)
    with django_assert_max_num_queries(19):
        assert len(client.get(reverse("certificates")).context["page"]) == 10


def test_one_that_stayed_ungenerated_is_sent_to_be_drawn_again_once(
    client, pending, irene, sent, django_capture_on_commit_callbacks
):
    client.force_login(irene)
    with django_capture_on_commit_callbacks(execute=True):
        for _ in range(2):
            client.post(address("certificate_redraw", pending))
    assert len(sent) == 1
    assert Job.objects.get().arguments == {"certificates": [pending.pk]}


@pytest.mark.parametrize(
    ("person", "status"), [(None, 302), ("aura", 403), ("bruno", 403), ("adela", 403)]
)
def test_who_may_not_prepare_is_kept_out_of_issuing(client, paid, request, person, status):
    if person:
        client.force_login(request.getfixturevalue(person))
    assert client.get(address("certificate_new", paid)).status_code == status
    assert client.get(reverse("certificates_issue")).status_code == status


def test_the_form_of_an_award_that_is_not_paid_says_so_and_offers_no_review(client, irene, awards):
    client.force_login(irene)
    page = client.get(address("certificate_new", awards[1])).content.decode()

    assert "Todavía no se puede expedir" in page
    assert "Faltan por pagar" in page
    assert "Continuar a la revisión" not in page
