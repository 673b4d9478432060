"""The door and the walls: log-in, session, headers, and what a log may hold."""

import io
import json
import logging
from datetime import timedelta

import pytest
import time_machine
from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.db import DatabaseError, transaction
from django.test import Client, override_settings
from django.urls import reverse

from config.logs import JsonFormatter
from office.files import file_store
from tests.guards import repeat
from tests.offerings.rows import make_buyer

PASSWORD = "clave-de-prueba-1"
POLL = {"HTTP_HX_REQUEST": "true", "HTTP_HX_TRIGGER_NAME": "poll"}
LONG_AGO = timedelta(hours=1)


def log_in(client, user, password=PASSWORD, **query):
    address = reverse("login")
    return client.post(address, {"username": user.username, "password": password, **query})


@pytest.fixture
def inside(client, irene):
    """A browser in which Irene has logged in."""
    client.force_login(irene)
    return client


# --- the log-in ---


def test_right_password_leads_to_the_work_of_the_day(client, irene):
    assert log_in(client, irene)["Location"] == reverse("home")


def test_wrong_password_is_told_in_spanish_and_keeps_the_name(client, irene):
    page = log_in(client, irene, "otra-clave-de-prueba").content.decode()
    assert "clave correctos" in page
    assert 'value="irene"' in page
    assert "<title>Error:" in page


def test_eighth_failure_closes_the_door_with_a_spanish_page_and_the_right_password_too(
    client, irene
):
    for _ in range(settings.AXES_FAILURE_LIMIT - 1):
        assert log_in(client, irene, "otra-clave-de-prueba").status_code == 200
    closed = log_in(client, irene, "otra-clave-de-prueba")
    assert closed.status_code == 429
    assert "Acceso detenido" in closed.content.decode()
    assert log_in(client, irene).status_code == 429


def test_door_opens_again_after_the_quarter_of_an_hour_it_speaks_of(client, irene):
    for _ in range(settings.AXES_FAILURE_LIMIT):
        log_in(client, irene, "otra-clave-de-prueba")
    with time_machine.travel(timedelta(minutes=16), tick=True):
        assert log_in(client, irene).status_code == 302


def test_failures_of_one_person_do_not_shut_another_out(client, irene, mateo):
    for _ in range(settings.AXES_FAILURE_LIMIT):
        log_in(client, irene, "otra-clave-de-prueba")
    assert log_in(Client(), mateo).status_code == 302


def test_person_who_is_no_longer_active_does_not_come_in(client, irene):
    irene.is_active = False
    irene.save()
    assert log_in(client, irene).status_code == 200
    client.force_login(irene)
    assert client.get(reverse("home")).status_code == 302


@pytest.mark.parametrize(
    "elsewhere",
    [
        "https://otro.example/",
        "//otro.example/",
        "/\\otro.example/",
        "http:///otro.example",
        "javascript:alert(1)",
        "\tjavascript:alert(1)",
    ],
)
def test_log_in_never_leads_out_of_the_house(client, irene, elsewhere):
    assert log_in(client, irene, next=elsewhere)["Location"] == reverse("home")


def test_log_in_leads_back_to_where_one_was_going(client, irene):
    assert log_in(client, irene, next=reverse("jobs"))["Location"] == reverse("jobs")


@pytest.mark.parametrize(
    ("password", "message"),
    [
        ("Corta-9", "12"),
        ("918273645546", "num"),
        ("password1234", "común"),
        ("irene.ejemplo", "similar"),
    ],
)
def test_weak_password_is_refused_in_spanish(irene, password, message):
    irene.username = "irene.ejemplo"
    with pytest.raises(ValidationError) as caught:
        validate_password(password, irene)
    assert any(message in text for text in caught.value.messages)


def test_person_changes_its_password_and_stays(inside, irene):
    page = inside.get(reverse("password_change")).content.decode()
    assert "topbar" in page  # the workspace's own page, not the admin's
    new = "una-frase-larga-de-prueba"
    typed = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    assert inside.post(reverse("password_change"), typed).status_code == 302
    assert inside.get(reverse("home")).status_code == 200
    assert log_in(Client(), irene, new).status_code == 302


def test_one_leaves_by_a_button_and_not_by_a_link(inside):
    assert inside.get(reverse("logout")).status_code == 405
    assert inside.get(reverse("home")).status_code == 200
    assert inside.post(reverse("logout"))["Location"] == reverse("login")
    assert inside.get(reverse("home")).status_code == 302


def test_form_from_another_site_is_refused_in_spanish(irene):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(irene)
    refused = browser.post(reverse("logout"))
    assert refused.status_code == 403
    assert "formulario" in refused.content.decode()


# --- the session ---


def expiry(client):
    return Session.objects.get(session_key=client.session.session_key).expire_date


def test_page_that_a_person_asks_for_renews_the_session(inside):
    before = expiry(inside)
    with time_machine.travel(LONG_AGO, tick=True):
        inside.get(reverse("jobs"))
        assert expiry(inside) > before


def test_page_that_polls_does_not_renew_the_session(inside):
    before = expiry(inside)
    with time_machine.travel(LONG_AGO, tick=True):
        answer = inside.get(reverse("jobs"), **POLL)
        assert answer.status_code == 200
        assert settings.SESSION_COOKIE_NAME not in answer.cookies
        assert expiry(inside) == before


def test_session_ends_after_eight_hours_without_a_person_however_the_page_polls(inside):
    with time_machine.travel(timedelta(hours=7, minutes=59), tick=True):
        assert inside.get(reverse("jobs"), **POLL).status_code == 200
    with time_machine.travel(timedelta(hours=8, minutes=1), tick=True):
        assert inside.get(reverse("jobs"), **POLL).status_code == 302


def test_cookies_are_out_of_reach_of_scripts_and_other_sites(client, irene):
    cookies = log_in(client, irene).cookies
    session = cookies[settings.SESSION_COOKIE_NAME]
    assert session["httponly"]
    assert session["samesite"] == "Lax"
    assert cookies["csrftoken"]["samesite"] == "Lax"


def test_cookies_travel_by_tls_alone_where_the_site_has_it(client, irene):
    with override_settings(SESSION_COOKIE_SECURE=True, CSRF_COOKIE_SECURE=True):
        cookies = log_in(client, irene).cookies
    assert cookies[settings.SESSION_COOKIE_NAME]["secure"]
    assert cookies["csrftoken"]["secure"]


# --- headers ---

POLICY = {
    "default-src 'self'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
}


@pytest.mark.parametrize("path", ["/", "/entrar/", "/verificar/", "/admin/login/", "/no-existe/"])
def test_every_answer_bears_the_policy_and_its_headers(inside, path):
    answer = inside.get(path)
    assert set(answer["Content-Security-Policy"].split("; ")) == POLICY
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Referrer-Policy"] == "same-origin"


def test_admin_bears_the_policy_too(client, adela):
    client.force_login(adela)
    answer = client.get(reverse("admin:index"))
    assert answer.status_code == 200
    assert set(answer["Content-Security-Policy"].split("; ")) == POLICY


def test_stored_file_has_no_address_of_its_own(inside):
    stored = file_store(data=b"x", name="a.pdf", content_type="application/pdf")
    for path in (
        stored.path,
        f"media/{stored.path}",
        f"static/{stored.path}",
        f"files/{stored.path}",
    ):
        assert inside.get(f"/{path}").status_code == 404


def test_error_pages_are_spanish_and_tell_nothing_of_the_inside(inside):
    missing = inside.get("/no-existe/").content.decode()
    assert "Django" not in missing
    assert 'lang="es-CO"' in missing


# --- the log ---


@pytest.fixture
def log():
    """What the application would write while the test runs, by its own formatter."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(JsonFormatter())
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield written
    root.removeHandler(handler)
    root.setLevel(level)


def test_refused_row_leaves_neither_name_nor_number_in_the_log(log, irene):
    buyer = make_buyer(irene, 1)
    try:
        with transaction.atomic():
            repeat(buyer)
    except DatabaseError:
        logging.getLogger("offerings").exception("row refused: %s", buyer.name)
    line = json.loads(log.getvalue().splitlines()[-1])
    assert line["error"] == "IntegrityError"
    assert line["event"] == "row refused: %s"
    assert buyer.name not in log.getvalue()
    assert buyer.identity_number not in log.getvalue()


def test_search_for_a_person_leaves_no_name_in_the_log(log, inside, irene):
    buyer = make_buyer(irene, 1)
    inside.get(reverse("search"), {"q": buyer.name})
    inside.get("/no-existe/", {"q": buyer.name})
    inside.get(f"/no-existe/{buyer.identity_number}/")
    assert buyer.name not in log.getvalue()
    assert buyer.identity_number not in log.getvalue()


def test_failed_log_in_leaves_no_password_in_the_log(log, client, irene):
    log_in(client, irene, "otra-clave-de-prueba")
    assert "otra-clave-de-prueba" not in log.getvalue()
