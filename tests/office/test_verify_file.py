"""A file brought to the public page: hashed as it comes, never parsed, kept or logged."""

from hashlib import sha256
from io import BytesIO

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, RequestFactory
from django.urls import reverse

from office.annulments import certificate_annul
from office.certificates import certificate_draw, certificate_issue
from office.files import file_read
from office.models import StoredFile
from office.verification import LIMIT, MAX_BYTES, client_address
from tests.office.certificate_rows import TEMPLATE, make_certificate

SAME, OTHER = "Es el mismo archivo", "No es el mismo archivo"


@pytest.fixture(autouse=True)
def _own_count(settings):
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    cache.clear()


@pytest.fixture
def certificate(irene):
    return certificate_draw(make_certificate(irene).pk)


def bring(client, data, code="", **headers):
    address = reverse("verify", args=[code]) if code else reverse("verify_search")
    upload = SimpleUploadedFile("cualquiera.pdf", data, "application/pdf")
    return client.post(address, {"archivo": upload}, **headers)


def words(page):
    return " ".join(page.content.decode().split())


def test_the_very_file_is_confirmed_with_its_code_or_without(client, certificate):
    data = file_read(certificate.file)
    for code in (certificate.code, ""):
        page = bring(client, data, code)
        assert page.status_code == 200
        assert SAME in words(page)
        assert certificate.label in words(page)


def test_one_changed_byte_is_another_file(client, certificate):
    data = bytearray(file_read(certificate.file))
    data[-2] ^= 1
    assert OTHER in words(bring(client, bytes(data), certificate.code))
    page = words(bring(client, bytes(data)))
    assert "No es un archivo expedido por el Fondo" in page
    assert certificate.label not in page


def test_another_certificates_file_is_not_this_ones(client, certificate, irene):
    second = certificate_draw(make_certificate(irene).pk)
    page = words(bring(client, file_read(second.file), certificate.code))
    assert OTHER in page
    assert second.label not in page


def test_the_file_of_an_annulled_one_is_the_same_and_certifies_nothing(client, certificate, irene):
    certificate_annul(certificate, "El nombre de María está mal escrito.", certificate.legal_date)
    anew = certificate_issue(
        kind="ADJ", title=certificate.title, template=TEMPLATE, facts=certificate.facts,
        legal_date=certificate.legal_date, user=irene, replaces=certificate,
    )  # fmt: skip
    page = words(bring(client, file_read(certificate.file)))
    assert SAME in page
    assert "el Fondo lo anuló después" in page
    assert "ya no certifica nada" in page
    assert f"En su lugar expidió {anew.label}" in page
    assert "María" not in page
    assert anew.code not in page


@pytest.mark.parametrize(
    "data",
    [
        b"%PDF-1.7 <script>x</script> /JavaScript",
        b"<html>declaracion</html>",
        b"PK\x03\x04" + b"\x00" * 1000,
        b"\xff" * MAX_BYTES,
    ],
)
def test_whatever_it_holds_it_is_only_hashed_and_nothing_stays(
    client, certificate, data, tmp_path, caplog
):
    before = sorted(tmp_path.rglob("*"))
    page = bring(client, data, certificate.code)
    assert OTHER in words(page)
    assert sha256(data).hexdigest() not in page.content.decode()
    assert StoredFile.objects.count() == 1
    assert sorted(tmp_path.rglob("*")) == before
    assert not caplog.records


def test_a_file_over_the_limit_is_refused_by_its_declared_length_before_it_is_read(
    client, certificate
):
    class Unread(BytesIO):
        def read(self, *size):
            raise AssertionError("the body was read")

    page = client.generic(
        "POST",
        reverse("verify", args=[certificate.code]),
        content_type="multipart/form-data; boundary=x",
        CONTENT_LENGTH=str(50 * 1024 * 1024),
        **{"wsgi.input": Unread()},
    )
    assert page.status_code == 413
    assert "pasa de 2 MB" in words(page)


def test_a_file_just_over_the_limit_is_stopped_while_it_comes(client, certificate):
    page = bring(client, b"x" * (MAX_BYTES + 1), certificate.code)
    assert page.status_code == 413
    assert "pasa de 2 MB" in words(page)


@pytest.mark.parametrize("fields", [{}, {"archivo": ""}, {"otro": "x"}])
def test_without_a_file_the_page_asks_for_one(client, certificate, fields):
    page = client.post(reverse("verify", args=[certificate.code]), fields)
    assert page.status_code == 422
    assert "Elija el PDF" in words(page)


def test_an_empty_file_is_told_as_none(client, certificate):
    assert bring(client, b"", certificate.code).status_code == 422


def test_an_unknown_code_is_not_found_whatever_file_comes(client, certificate):
    assert bring(client, file_read(certificate.file), "222222222222").status_code == 404


def test_from_another_site_it_is_refused(certificate):
    strict = Client(enforce_csrf_checks=True)
    assert bring(strict, b"x", certificate.code).status_code == 403


def test_files_are_counted_with_the_codes(client, certificate):
    for _ in range(LIMIT):
        bring(client, b"x", certificate.code)
    page = bring(client, file_read(certificate.file), certificate.code)
    assert page.status_code == 429
    assert certificate.label not in words(page)


# From where


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, "198.51.100.1", "192.0.2.7"),
        (0, "", "192.0.2.7"),
        (1, "198.51.100.1", "198.51.100.1"),
        (1, "203.0.113.9, 198.51.100.1", "198.51.100.1"),
        (2, "203.0.113.9, 198.51.100.1, 192.0.2.1", "198.51.100.1"),
        (2, "198.51.100.1", "192.0.2.7"),
        (1, "no es una dirección", "unknown"),
        (1, "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
    ],
)
def test_only_what_our_own_proxies_say_of_the_address_counts(
    settings, proxies, forwarded, address
):
    settings.PROXIES_IN_FRONT = proxies
    request = RequestFactory().get(
        "/verificar/", REMOTE_ADDR="192.0.2.7", HTTP_X_FORWARDED_FOR=forwarded
    )
    assert client_address(request) == address


def test_a_connection_without_an_address_is_counted_with_its_like():
    assert client_address(RequestFactory().get("/verificar/", REMOTE_ADDR="")) == "unknown"


def test_writing_another_forwarded_address_does_not_start_the_count_again(client, certificate):
    for number in range(LIMIT):
        client.get(
            reverse("verify", args=["222222222222"]),
            HTTP_X_FORWARDED_FOR=f"198.51.100.{number}",
        )
    page = client.get(
        reverse("verify", args=[certificate.code]), HTTP_X_FORWARDED_FOR="203.0.113.1"
    )
    assert page.status_code == 429
