"""What the database itself keeps true of certificates, decisions, files and the trail."""

import pghistory
import pghistory.models
import pytest
from django.apps import apps
from django.db import connection, transaction

from buyers.models import Exchange
from office.annulments import certificate_annul
from office.certificates import certificate_issue
from office.decisions import decision_record
from office.files import file_store
from office.models import Certificate
from tests.guards import change, refused_by, repeat, strike_out
from tests.world import World

EVENTS = [model for model in apps.get_models() if issubclass(model, pghistory.models.Event)]


@pytest.fixture
def certificate(db):
    return World().certificates["broker"]


@pytest.mark.parametrize(
    "columns",
    [
        {"number": 9},
        {"code": "AAAAAAAAAAAA"},
        {"title": "Otro"},
        {"facts": '{"holder": {"name": "Otra Persona Ficticia"}}'},
        {"legal_date": "1995-10-04"},
    ],
)
def test_what_was_certified_never_changes(certificate, columns):
    with refused_by("certificate_facts_frozen"):
        change(certificate, **columns)


def test_pdf_is_stored_once(certificate):
    other = file_store(data=b"%PDF otro", name="otro.pdf", content_type="application/pdf")
    with refused_by("certificate_file_stored_once"):
        change(certificate, file_id=other.pk)
    with refused_by("certificate_file_stored_once"):
        change(certificate, file_id=None, state="pending")


def test_certificate_in_force_has_its_pdf(certificate):
    with refused_by("certificate_issued_has_its_file"):
        change(certificate, state="pending")
    with refused_by("certificate_issued_has_its_file"):
        repeat(certificate, number=99, code="BBBBBBBBBBBB", file=None)


def test_number_is_never_used_twice(certificate):
    with refused_by("certificate_number_once"):
        repeat(certificate, code="BBBBBBBBBBBB", file=None, state="pending")
    with refused_by("series_never_back"):
        change(certificate.series, last_number=0)
    with refused_by("series_one_per_kind_and_year"):
        repeat(certificate.series)


def test_annulled_number_is_followed_by_the_next(certificate, irene):
    certificate_annul(certificate, "Por prueba.", certificate.legal_date)
    following = certificate_issue(
        kind="ADJ",
        title=certificate.title,
        template=certificate.template,
        facts={"public": []},
        legal_date=certificate.legal_date,
        user=irene,
    )
    assert following.number == Certificate.objects.exclude(pk=following.pk).latest("pk").number + 1


def test_decision_is_written_once_and_for_good(certificate, irene):
    decision = decision_record(
        act="prueba", sentence="Hizo una prueba.", actor=irene, subject=certificate
    )
    with refused_by("decision_append_only"):
        change(decision, sentence="Hizo otra cosa.")
    with refused_by("decision_kept"):
        strike_out(decision)


def test_stored_file_never_changes(certificate):
    with refused_by("stored_file_fixed"):
        change(certificate.file, sha256="0" * 64)


def test_certificates_and_their_series_cannot_be_deleted(certificate):
    with refused_by("certificate_kept"):
        strike_out(certificate)
    with refused_by("series_kept"):
        strike_out(certificate.series)


def test_trail_of_a_change_can_be_neither_changed_nor_deleted(certificate):
    trail = apps.get_model("office", "CertificateEvent")
    event = trail.objects.filter(pgh_obj=certificate).first()
    with connection.cursor() as cursor:
        for statement in (
            "UPDATE office_certificateevent SET title = 'Otro' WHERE pgh_id = %s",
            "DELETE FROM office_certificateevent WHERE pgh_id = %s",
        ):
            with refused_by("append_only"):
                cursor.execute(statement, [event.pk])


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event._meta.label)
def test_trail_of_every_table_is_append_only(db, event):
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_trigger WHERE tgrelid = %s::regclass AND tgname LIKE %s",
            [event._meta.db_table, "%append_only%"],
        )
        assert cursor.fetchone() == (1,)


# --- who acted ---


@pytest.fixture
def told(irene):
    """A row of history, and the context that says that Irene made it."""
    with pghistory.context(user=irene.pk, url="/bolsas/"):
        exchange = Exchange.objects.create(name="Bolsa de Prueba")
    return exchange.events.get().pgh_context


def test_who_acted_is_neither_changed_nor_taken_away(told):
    with refused_by("auditcontext_said_once"):
        change(told, metadata='{"user": 999, "url": "/bolsas/"}')
    with refused_by("auditcontext_said_once"):
        change(told, metadata="{}")
    with refused_by("delete rows"), connection.cursor() as cursor:
        cursor.execute("DELETE FROM pghistory_context")


def test_what_was_not_known_of_who_acted_may_be_added(db):
    with pghistory.context(user=None, url="/entrar/"):
        Exchange.objects.create(name="Bolsa de Prueba")
        with pghistory.context(user=7):
            Exchange.objects.create(name="Bolsa de Muestra")

    context = pghistory.models.Context.objects.get()
    assert context.metadata == {"user": 7, "url": "/entrar/"}


def test_the_grants_of_the_readme_let_the_application_write(db):
    audit = [model._meta.db_table for model in EVENTS] + ["office_decision"]
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("CREATE ROLE application_of_the_readme")
        cursor.execute(
            "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public"
            " TO application_of_the_readme"
        )
        cursor.execute(
            "GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO application_of_the_readme"
        )
        for table in audit:
            cursor.execute(f"REVOKE UPDATE, DELETE ON {table} FROM application_of_the_readme")
        cursor.execute("REVOKE DELETE ON pghistory_context FROM application_of_the_readme")
        cursor.execute("SET LOCAL ROLE application_of_the_readme")
        with pghistory.context(user=1):
            exchange = Exchange.objects.create(name="Bolsa de Prueba")
            Exchange.objects.filter(pk=exchange.pk).update(is_active=False)
        assert exchange.events.count() == 2
        cursor.execute("RESET ROLE")
        cursor.execute("DROP OWNED BY application_of_the_readme")
        cursor.execute("DROP ROLE application_of_the_readme")
