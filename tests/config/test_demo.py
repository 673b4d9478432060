"""The demonstration: its file, the whole job from an empty database, and further starts."""

import csv
import io
import re
from collections import Counter
from contextlib import suppress

import pytest
from celery import current_app
from django.contrib.auth.models import Group
from django.core.management import CommandError, call_command

from buyers.enums import BuyerClass
from config.demo import acceptances, jobs, payments, people, programme
from config.demo.acceptances import FILE, LATE_BUYER
from offerings.enums import AwardReason, Standing
from offerings.models import Acceptance, Adjudication, Award, Payment, Stage
from offerings.services.imports import COLUMNS
from office.models import Certificate, CertificateState, Decision, Job, User
from office.review import ReviewState
from office.roles import Role
from tests.conftest import make_user
from tests.offerings.import_files import faults, loaded

INVENTED = re.compile(
    "Ejemplo|Prueba|Muestra|Fictici|Supuest|Inventad|Imaginari|Hipotétic|Simulad|Ensayo"
)
ENOUGH = 220  # rows that ask for more than is offered
both_aliases = pytest.mark.django_db(transaction=True, databases=["default", "progress"])


def file_rows():
    text = FILE.read_text(encoding="utf-8-sig")
    return list(csv.DictReader(io.StringIO(text), delimiter=";"))


def asked(row):
    return int(row["cantidad"].replace(".", ""))


def of(name):
    """How a buyer's acceptances stand, in order of receipt."""
    found = Acceptance.objects.filter(participation__buyer__name=name).in_order_of_receipt()
    return list(found.values_list("standing", "admitted"))


@pytest.fixture(autouse=True)
def state_folder(settings, tmp_path):
    settings.STATE_DIR = tmp_path


def few(monkeypatch, folder, count):
    """The `count` largest rows of the shipped file and the late buyer's, in their order."""
    rows = file_rows()
    wanted = {row["numero_documento"] for row in sorted(rows, key=asked)[-count:]}
    header, *lines = FILE.read_text(encoding="utf-8-sig").splitlines(keepends=True)
    kept = [
        line
        for row, line in zip(rows, lines, strict=True)
        if row["numero_documento"] in wanted
        or row["numero_documento"].replace(".", "") == LATE_BUYER
    ]
    path = folder / "pocas.csv"
    path.write_text(header + "".join(kept), encoding="utf-8")
    monkeypatch.setattr(acceptances, "FILE", path)
    monkeypatch.setattr(payments, "ORGANISATIONS", 2)
    monkeypatch.setattr(payments, "PERSONS", 1)


@pytest.fixture
def small_file(monkeypatch, tmp_path):
    few(monkeypatch, tmp_path, ENOUGH)


@pytest.fixture
def tiny_file(monkeypatch, tmp_path):
    few(monkeypatch, tmp_path, 4)


@pytest.fixture
def roles():
    """The groups that the first migration makes; a transactional test empties every table."""
    for role in Role:
        Group.objects.get_or_create(name=role.value)


@pytest.fixture
def worker(monkeypatch):
    """A worker that does each task as soon as it is sent."""
    current_app.loader.import_default_modules()

    def send_task(name, args, **_):
        current_app.tasks[name].apply(args=args, throw=True)

    monkeypatch.setattr("office.jobs.current_app.send_task", send_task)


def start(*options):
    told = io.StringIO()
    call_command("demo", *options, stdout=told)
    return told.getvalue()


def everything():
    """How many rows there are of each thing that the demonstration makes."""
    tables = (User, Acceptance, Adjudication, Award, Payment, Certificate, Decision, Job)
    return {table.__name__: table.objects.count() for table in tables}


def test_each_name_in_the_file_is_plainly_made_up():
    for row in file_rows():
        assert INVENTED.search(row["nombre"]), row["nombre"]
        assert not row["representante"] or INVENTED.search(row["representante"])


def test_the_file_has_the_columns_of_the_import_and_all_twelve_classes():
    rows = file_rows()
    assert list(rows[0]) == [column.name for column in COLUMNS]
    assert {row["clase"] for row in rows} == {one.label for one in BuyerClass}


def test_the_shipped_file_is_loaded_whole_with_every_kind_of_acceptance(db, roles):
    people.people_ready()
    stage = programme.stage_ready()
    irene = people.person("irene")
    source = loaded(stage, irene, FILE.read_bytes(), FILE.name)
    assert (source.rows, source.loaded, faults(source)) == (2000, 2000, {})
    standings = Counter(Acceptance.objects.values_list("standing", flat=True))
    assert standings == {
        Standing.COMPLETE: 1782,
        Standing.CUT: 171,
        Standing.INCOMPLETE: 46,
        Standing.NOTHING_LEFT: 1,
    }
    assert of("Rosa Elena Ejemplo Tres") == [
        ("complete", 250_000),
        ("complete", 250_000),
        ("cut", 94_059),
    ]
    assert of("Fondo de Pensiones Imaginario Sin Permiso") == [("incomplete", 0)]
    assert of("Fondo de Pensiones Ejemplo Con Permiso") == [("complete", 457_000_000)]
    entering = Acceptance.objects.exclude(standing=Standing.INCOMPLETE)
    assert sum(entering.values_list("admitted", flat=True)) > Stage.objects.get().supply


def allotments():
    """The certificates of what was awarded; those of release have a series of their own."""
    return Certificate.objects.filter(series__kind="ADJ")


@both_aliases
def test_the_first_start_goes_from_the_decree_to_the_certificates(
    small_file, roles, worker, tmp_path
):
    told = start("--fresh")
    run = Adjudication.objects.get()
    assert (run.review_state, run.is_pro_rata) == (ReviewState.APPROVED, True)
    assert run.prepared_by.username == "irene"
    assert run.reviewed_by.username == "ana"
    approval = run.events.get(review_state=ReviewState.APPROVED)
    assert approval.pgh_context.metadata["user"] == run.reviewed_by_id
    assert set(run.awards.values_list("reason", flat=True)) >= {
        AwardReason.PRO_RATA, AwardReason.REFUSES_REDUCTION, AwardReason.INCOMPLETE,
    }  # fmt: skip
    assert allotments().filter(state=CertificateState.ISSUED).count() == 3
    assert (tmp_path / "certificados" / "ADJ-1995-000001.pdf").read_bytes()[:5] == b"%PDF-"
    assert "5.234.634.742" in told
    assert "No admite reducción" in told
    for account in people.ACCOUNTS:
        assert account.username in told
    assert people.password_of_the_place() in told


@both_aliases
def test_the_late_acceptance_takes_its_earlier_place_in_the_limit(tiny_file, roles, worker):
    start()
    part = Acceptance.objects.filter(participation__buyer__identity_number=LATE_BUYER)
    late, first = part.in_order_of_receipt()
    assert late.serial > first.serial
    assert (late.standing, late.admitted) == (Standing.COMPLETE, 200_000)
    assert (first.standing, first.admitted) == (Standing.CUT, 495_049 - 200_000)


@both_aliases
def test_a_second_start_tells_the_same_and_adds_nothing(tiny_file, roles, worker):
    first = start()
    before = everything()
    second = start()
    assert everything() == before
    summary = first[first.index("Adjudicación AD-") :]
    assert summary in second


@both_aliases
def test_a_start_goes_on_where_a_start_without_a_worker_stopped(
    tiny_file, roles, monkeypatch, request
):
    monkeypatch.setattr("office.jobs.current_app.send_task", lambda name, args, **_: None)
    monkeypatch.setattr(jobs, "PATIENCE", 0)
    with pytest.raises(CommandError, match="trabajador de Celery"):
        start()
    request.getfixturevalue("worker")
    start()
    assert Adjudication.objects.get().review_state == ReviewState.APPROVED
    assert Job.objects.filter(kind="import").count() == 2  # its review and its load


@both_aliases
def test_a_part_that_fails_in_the_middle_leaves_nothing_half_done(
    tiny_file, roles, worker, monkeypatch
):
    def dies(award, amount, user):
        raise KeyboardInterrupt

    pay = payments._pay
    monkeypatch.setattr(payments, "_pay", dies)
    with suppress(KeyboardInterrupt):
        start()
    assert not Payment.objects.exists()
    monkeypatch.setattr(payments, "_pay", pay)
    start()
    assert allotments().count() == 3


def test_fresh_is_refused_over_data_and_nothing_is_erased(db, roles, django_user_model):
    people.people_ready()
    with pytest.raises(CommandError, match="no borra ninguno"):
        start("--fresh")
    assert django_user_model.objects.count() == len(people.ACCOUNTS)


def test_nothing_is_added_to_data_that_are_not_the_demonstrations(db):
    make_user("irene", "analista", "Irene", "Otra Persona")
    with pytest.raises(CommandError, match="no son de la demostración"):
        start()
    assert User.objects.count() == 1
