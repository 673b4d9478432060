"""The public page that confirms a certificate, for whoever holds its code."""

from datetime import date

import pytest
from django.core.cache import cache
from django.urls import reverse

from office.annulments import certificate_annul
from office.certificates import certificate_draw
from office.verification import LIMIT
from tests.office.certificate_rows import make_certificate


@pytest.fixture(autouse=True)
def _own_count(settings):
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    cache.clear()


@pytest.fixture
def certificate(irene):
    return certificate_draw(make_certificate(irene).pk)


def verify(client, code):
    return client.get(reverse("verify", args=[code]))


def test_a_code_is_confirmed_to_anybody_with_the_least_that_proves_it(client, certificate):
    page = verify(client, certificate.code)
    text = page.content.decode()
    assert page.status_code == 200
    for shown in (
        "ADJ-1995-000001",
        "Vigente",
        "407.184",
        "3 de octubre de 1995",
        certificate.file.sha256,
    ):
        assert shown in text


def test_the_holder_is_not_named(client, certificate):
    assert "Ejemplo" not in verify(client, certificate.code).content.decode()


def test_an_annulled_one_is_told_as_annulled(client, certificate):
    certificate_annul(certificate, "Por prueba.", date(1995, 10, 20))
    text = verify(client, certificate.code).content.decode()
    assert "Anulado</span>" in text
    assert "lo anuló el 20 de octubre de 1995" in text
    assert "ya no certifica nada" in text


def test_one_without_its_pdf_yet_is_confirmed_by_its_number(client, irene):
    text = verify(client, make_certificate(irene).code).content.decode()
    assert "Por generar" in text
    assert "SHA-256" not in text.split("<main")[1].split('class="note"')[0]


@pytest.mark.parametrize("typed", ["{0} {1} {2}", "{0}-{1}-{2}", " {0}{1}{2} "])
def test_a_code_may_be_typed_in_groups_and_in_small_letters(client, certificate, typed):
    code = certificate.code.lower()
    page = client.get(
        reverse("verify_search"), {"codigo": typed.format(code[:4], code[4:8], code[8:])}
    )
    assert "ADJ-1995-000001" in page.content.decode()


@pytest.mark.parametrize("code", ["222222222222", "2", "x" * 5000, "'; DROP", "2\x002", "\u202e2"])
def test_an_unknown_code_is_not_found(client, db, code):
    page = client.get(reverse("verify_search"), {"codigo": code})
    assert page.status_code == 404
    assert "No hay un documento con ese código" in page.content.decode()


def test_without_a_code_the_page_asks_for_one(client, db):
    page = client.get(reverse("verify_search"))
    assert page.status_code == 200
    assert "Código de verificación" in page.content.decode()


def test_guessing_is_slowed_down(client, certificate):
    for _ in range(LIMIT):
        assert verify(client, "222222222222").status_code == 404
    page = verify(client, certificate.code)
    assert page.status_code == 429
    assert page.headers["Retry-After"] == "60"
    assert "ADJ-1995" not in page.content.decode()
    elsewhere = client.get(reverse("verify", args=[certificate.code]), REMOTE_ADDR="192.0.2.7")
    assert elsewhere.status_code == 200
