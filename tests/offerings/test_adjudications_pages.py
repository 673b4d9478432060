"""The screens of adjudications."""

import re
from datetime import date

import pytest
from django.template.loader import render_to_string
from django.urls import reverse

from offerings.enums import Standing
from offerings.models import Adjudication
from offerings.services.adjudications import (
    adjudication_decide,
    adjudication_open,
    adjudication_run,
)
from office.models import Job
from office.review import ReviewState
from tests.answers import table_of, text_of
from tests.offerings.rows import SLUG, make_acceptance, make_acceptances
from tests.offerings.test_payment_screens import annul

SESSION = date(1995, 9, 15)


def silent(*told):
    """A report that nobody reads."""


def text(response):
    """The words of a page, blanks in one."""
    plain = re.sub(r"<[^>]+>", " ", response.content.decode())
    return re.sub(r"\s+", " ", plain).replace("\u2011", "-").replace("\u00a0", " ")


@pytest.fixture
def sent(monkeypatch):
    messages = []
    monkeypatch.setattr(
        "office.jobs.current_app.send_task", lambda name, args, **_: messages.append((name, args))
    )
    return messages


@pytest.fixture
def log_in(client):
    def log_in(user):
        client.force_login(user)
        return client

    return log_in


@pytest.fixture
def pending(closed_stage, exchange, mateo):
    """[98, 92, 98, 123, 102, 92] over 500, prepared by Mateo, waiting for its review."""
    make_acceptances(closed_stage, [98, 92, 98, 123, 102, 92])
    return pending_of(closed_stage, exchange, mateo)


def pending_of(stage, exchange, user):
    adjudication = adjudication_open(
        stage_id=stage.pk, exchange=exchange, session_on=SESSION, user=user
    )
    adjudication_run(adjudication_id=adjudication.pk, report=silent)
    adjudication.refresh_from_db()
    return adjudication


NEW = ("adjudication_new", [SLUG, 1])


def typed(exchange, **changes):
    return {"exchange": exchange.pk, "session_on": "15/09/1995"} | changes


# Starting one


def test_form_check_and_start_lead_to_the_job(
    closed_stage, exchange, log_in, mateo, sent, django_capture_on_commit_callbacks
):
    make_acceptances(closed_stage, [98, 92])
    client, address = log_in(mateo), reverse(NEW[0], args=NEW[1])
    assert "Bolsa que adjudica" in text(client.get(address))
    review = text(client.post(address, typed(exchange, step="review")))
    assert "Revise y confirme" in review
    assert "15 de septiembre de 1995" in review
    assert "quinientas (500) acciones" in review
    assert "2 de 2 recibidas" in review
    assert not Adjudication.objects.exists()
    with django_capture_on_commit_callbacks(execute=True):
        started = client.post(address, typed(exchange, step="confirm"))
    job = Job.objects.get()
    assert started.url == reverse("job", args=[job.pk])
    assert sent == [("offerings.tasks.adjudications.adjudication_run_task", [job.pk])]


def test_what_was_typed_is_still_there_after_cambiar(closed_stage, exchange, log_in, mateo):
    page = log_in(mateo).get(reverse(NEW[0], args=NEW[1]), {"session_on": "15/09/1995"})
    assert 'value="15/09/1995"' in page.content.decode()


@pytest.mark.parametrize(
    ("session_on", "message"),
    [
        ("", "Escriba la fecha"),
        ("31/02/1995", "febrero de 1995 tiene 28 días"),
        ("15-09-1995", "no es una fecha"),
        ("13/09/1995", "anterior al cierre"),
        ("30/12/1995", "terminó el 29/12/1995"),
        ("15/09/2099", "15/09/2099 está en el futuro"),
        ("15/09/1995\x00", "no es una fecha"),
        ("\u202e15/09/1995", "no es una fecha"),
    ],
)
def test_a_wrong_session_is_refused_at_its_field(
    closed_stage, exchange, log_in, mateo, session_on, message
):
    page = log_in(mateo).post(
        reverse(NEW[0], args=NEW[1]), typed(exchange, session_on=session_on, step="confirm")
    )
    assert page.status_code == 422
    assert message in text(page)
    assert "<title>Error:" in page.content.decode()
    assert not Adjudication.objects.exists()


def test_an_open_stage_is_refused_in_words(open_stage, exchange, log_in, mateo):
    client, address = log_in(mateo), reverse(NEW[0], args=NEW[1])
    assert "solo se adjudica una etapa cerrada" in text(client.get(address))
    page = client.post(address, typed(exchange, step="confirm"))
    assert page.status_code == 422
    assert "solo se adjudica una etapa cerrada" in text(page)


def test_sent_twice_by_one_person_the_second_shows_the_first(
    closed_stage, exchange, log_in, mateo, sent
):
    client, address = log_in(mateo), reverse(NEW[0], args=NEW[1])
    first = client.post(address, typed(exchange, step="confirm"))
    second = client.post(address, typed(exchange, step="confirm"))
    assert first.url == second.url
    assert Adjudication.objects.count() == 1


def test_another_person_is_told_with_a_link_to_the_one_under_way(pending, exchange, log_in, irene):
    page = log_in(irene).post(reverse(NEW[0], args=NEW[1]), typed(exchange, step="confirm"))
    assert page.status_code == 422
    assert f"ya tiene la adjudicación {pending.code}" in text(page)
    assert reverse("adjudication", args=[pending.pk]) in page.content.decode()


# The review


def test_the_review_shows_figures_classes_checks_and_lines(pending, log_in, ana):
    page = text(log_in(ana).get(reverse("adjudication", args=[pending.pk])))
    assert "Espera revisión" in page
    assert "La demanda pasa la oferta: se adjudica a prorrata" in page
    for figure in ("Oferta 500", "Demanda que entra al prorrateo 605", "0,826446280"):
        assert figure in page
    assert "Trabajadores activos 6 605 500 100,00" in page
    assert "10 de 10" in page
    assert "Preparó Mateo Quiñones Prueba; revisa Ana Ficticia Rey" in page
    assert "6 líneas" in page
    for verb in ("Rechazar", "Devolver con motivo", "Aprobar adjudicación"):
        assert verb in page


def test_whoever_prepared_it_sees_no_decision_and_why_not(closed_stage, exchange, tomas, log_in):
    waiting = pending_of(closed_stage, exchange, tomas)
    page = text(log_in(tomas).get(reverse("adjudication", args=[waiting.pk])))
    assert "Aprobar adjudicación" not in page
    assert "falta un supervisor que no sea quien la preparó" in page
    address = reverse("adjudication_approve", args=[waiting.pk])
    assert "Usted lo preparó" in text(log_in(tomas).get(address))


def test_a_draft_says_that_it_is_not_run_yet(closed_stage, exchange, mateo, log_in):
    draft = adjudication_open(
        stage_id=closed_stage.pk, exchange=exchange, session_on=SESSION, user=mateo
    )
    page = text(log_in(mateo).get(reverse("adjudication", args=[draft.pk])))
    assert "Está sin correr" in page
    assert "Ver el proceso" in page


def test_an_adjudication_without_lines_has_its_empty_states(closed_stage, exchange, mateo, log_in):
    waiting = pending_of(closed_stage, exchange, mateo)
    page = text(log_in(mateo).get(reverse("adjudication", args=[waiting.pk])))
    assert "Ninguna aceptación recibe acciones" in page


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ({"clase": "worker"}, "1 de 3 líneas"),
        ({"resultado": "incomplete"}, "1 de 3 líneas"),
        ({"resultado": "cut"}, "1 de 3 líneas"),
        ({"q": "nanez 1"}, "1 de 3 líneas"),
        ({"q": "A-000002"}, "1 de 3 líneas"),
        ({"clase": "nothing"}, "0 de 3 líneas"),
        ({"q": "\x00"}, "3 líneas"),
    ],
)
def test_lines_are_filtered_in_the_address(closed_stage, exchange, mateo, log_in, query, count):
    make_acceptance(closed_stage, 1, 10)
    make_acceptance(
        closed_stage, 2, 90, buyer_class="cooperative", admitted=50, limit_shares=50,
        standing=Standing.CUT,
    )  # fmt: skip
    make_acceptance(
        closed_stage, 3, 20, buyer_class="pensioner", admitted=0, standing=Standing.INCOMPLETE
    )
    waiting = pending_of(closed_stage, exchange, mateo)
    page = log_in(mateo).get(reverse("adjudication", args=[waiting.pk]), query)
    assert count in text(page)
    exported = log_in(mateo).get(reverse("adjudication_export", args=[waiting.pk, "csv"]), query)
    assert len(table_of(exported)) - 1 == int(count[0])


def test_a_name_that_looks_like_a_formula_is_exported_as_text(
    closed_stage, exchange, mateo, log_in
):
    acceptance = make_acceptance(closed_stage, 1, 10)
    buyer = acceptance.participation.buyer
    buyer.name = '=HYPERLINK("http://x.example")'
    buyer.save()
    waiting = pending_of(closed_stage, exchange, mateo)
    exported = log_in(mateo).get(reverse("adjudication_export", args=[waiting.pk, "csv"]))
    assert "'=HYPERLINK" in text_of(exported)


def test_the_queries_of_the_review_do_not_grow_with_the_lines(
    closed_stage, exchange, mateo, ana, log_in, django_assert_max_num_queries
):
    make_acceptances(closed_stage, [7] * 12)
    waiting = pending_of(closed_stage, exchange, mateo)
    client, address = log_in(ana), reverse("adjudication", args=[waiting.pk])
    client.get(address)
    with django_assert_max_num_queries(26):
        client.get(address)


# Why


def test_the_why_of_a_line_is_written_from_stored_figures(pending, log_in, ana):
    award = pending.awards.get(acceptance__serial=4)
    page = text(log_in(ana).get(reverse("award", args=[award.pk])))
    assert "123 × 500 ÷ 605, entero" in page
    assert "395 de 605; el menor resto que recibió una acción fue 395" in page
    assert "Ciento dos (102) acciones, por seis mil ciento ochenta y un pesos" in page
    assert "($6.181,20)" in page
    assert "Decreto 1118 de 1995" in page


def test_htmx_opens_and_closes_the_row(pending, log_in, ana):
    award = pending.awards.first()
    client, address = log_in(ana), reverse("award", args=[award.pk])
    header = {"HX-Request": "true"}
    opened = client.get(address, {"fila": "abierta"}, headers=header).content.decode()
    assert opened.count("<tbody") == 1
    assert "row-why" in opened
    assert "Ocultar" in opened
    closed = client.get(address, {"fila": "cerrada"}, headers=header).content.decode()
    assert "row-why" not in closed


def test_the_why_stays_when_the_decree_changes_after_the_run(pending, log_in, ana, monkeypatch):
    award = pending.awards.first()
    client, address = log_in(ana), reverse("award", args=[award.pk])
    before = text(client.get(address))

    def gone(*words):
        raise AssertionError("the decree was read again")

    monkeypatch.setattr("offerings.decrees.reader.terms_of", gone)
    monkeypatch.setattr("offerings.decrees.reader._bundled", gone)
    monkeypatch.setattr("offerings.rules.adjudication.adjudication", gone)
    assert text(client.get(address)) == before


def test_a_broker_sees_its_own_line_once_it_is_approved(
    closed_stage, exchange, mateo, ana, log_in, bruno, olga, broker
):
    make_acceptance(closed_stage, 1, 10, broker=broker)
    waiting = pending_of(closed_stage, exchange, mateo)
    address = reverse("award", args=[waiting.awards.get().pk])
    assert log_in(bruno).get(address).status_code == 404
    log_in(ana).post(reverse("adjudication_approve", args=[waiting.pk]))
    assert log_in(bruno).get(address).status_code == 200
    assert log_in(olga).get(address).status_code == 404
    assert log_in(bruno).get(reverse("adjudication", args=[waiting.pk])).status_code == 403


# Deciding


def test_approving_has_its_own_page_and_fixes_it(pending, log_in, ana):
    client, address = log_in(ana), reverse("adjudication_approve", args=[pending.pk])
    page = text(client.get(address))
    assert "quinientas (500) acciones quedan adjudicadas en firme" in page
    assert "15 de septiembre de 1995" in page
    assert "6 de 6 aceptaciones recibidas; 6 a prorrata" in page
    done = client.post(address, follow=True)
    assert "quedó en firme" in text(done)
    pending.refresh_from_db()
    assert pending.review_state == ReviewState.APPROVED
    assert "No espera revisión" in text(client.get(address))


@pytest.mark.parametrize("name", ["adjudication_return", "adjudication_reject"])
def test_not_approving_asks_for_the_reason(pending, log_in, ana, name):
    client, address = log_in(ana), reverse(name, args=[pending.pk])
    missing = client.post(address, {"reason": " "})
    assert missing.status_code == 422
    assert "Escriba el motivo" in text(missing)
    client.post(address, {"reason": "Falta el acta de la bolsa"})
    pending.refresh_from_db()
    assert pending.review_reason == "Falta el acta de la bolsa"
    assert "Falta el acta de la bolsa" in text(
        client.get(reverse("adjudication", args=[pending.pk]))
    )


def test_sending_back_and_rejecting_say_what_each_does(pending, log_in, ana):
    client = log_in(ana)
    back, rejected = (
        text(client.get(reverse(f"adjudication_{name}", args=[pending.pk])))
        for name in ("return", "reject")
    )
    assert "corregir lo que usted diga" in back
    assert "este resultado se descarta" in rejected
    assert "este resultado se descarta" not in back


def test_a_tie_says_who_got_the_shares_and_who_did_not():
    tie = {"remainder": "3014661318", "shares": 1, "references": ["A-000001", "A-000002"]}
    told = " ".join(render_to_string("offerings/adjudications/tie.html", {"tie": tie}).split())
    assert "mismo resto, 3.014.661.318," in told
    assert "Recibieron una acción por residuo:</strong> A-000001." in told
    assert "por haber llegado después:</strong> A-000002." in told


@pytest.mark.parametrize("person", ["irene", "aura", "bruno", "adela", "root"])
@pytest.mark.parametrize(
    "name", ["adjudication_approve", "adjudication_return", "adjudication_reject"]
)
def test_who_is_not_a_supervisor_decides_nothing(request, pending, log_in, person, name):
    client = log_in(request.getfixturevalue(person))
    answer = client.post(reverse(name, args=[pending.pk]), {"reason": "Prueba"})
    assert answer.status_code == 403
    pending.refresh_from_db()
    assert pending.review_state == ReviewState.PENDING


# The list


def test_what_was_annulled_is_found_and_exported_as_such(pending, log_in, mateo, ana):
    adjudication_decide(adjudication_id=pending.pk, user=ana, outcome=ReviewState.APPROVED)
    annul(pending.awards.first(), mateo, ana)
    client = log_in(mateo)
    counts = {
        state: len(client.get(reverse("adjudications"), {"estado": state}).context["page"])
        for state in ("approved", "annulled", "pending")
    }
    assert counts == {"approved": 0, "annulled": 1, "pending": 0}
    answer = client.get(reverse("adjudications_export", args=["csv"]), {"estado": "annulled"})
    exported = b"".join(answer.streaming_content).decode("utf-8-sig")
    assert "Anulada" in exported
    assert "Aprobada" not in exported


def test_the_list_shows_what_waits_and_what_was_done(closed_stage, exchange, mateo, log_in):
    client = log_in(mateo)
    waiting = text(client.get(reverse("adjudications")))
    assert "Etapas por adjudicar" in waiting
    assert "Todavía no hay ninguna" in waiting
    run = pending_of(closed_stage, exchange, mateo)
    done = text(client.get(reverse("adjudications")))
    assert run.code in done
    assert "Etapas por adjudicar" not in done
