"""Lists cost the same for 5 rows as for 50: the number of queries does not grow."""

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from buyers.models import BrokerUser, Document, Presentation
from offerings.models import Acceptance
from offerings.services.adjudications import (
    adjudication_decide,
    adjudication_open,
    adjudication_run,
)
from office.jobs import job_open
from office.models import JobProgress
from office.review import ReviewState
from pledges.models import Pledge
from tests.conftest import make_user
from tests.offerings.paid import SESSION, pay
from tests.offerings.rows import SLUG, make_acceptance, make_buyer, make_stage, places
from tests.pledges.befallen import attach
from tests.pledges.rows import make_pledges

FEW, MANY = 5, 50


def queries(client, address):
    """How many queries the page takes, once what is read only once has been read."""
    assert read(client, address).status_code == 200
    with CaptureQueriesContext(connection) as captured:
        read(client, address)
    return captured


def read(client, address):
    """The answer, a file read to its end."""
    response = client.get(address)
    if response.streaming:
        response.getvalue()
    return response


def assert_constant(client, address, grow):
    """The page takes as many queries with MANY rows as with FEW."""
    grow(0, FEW)
    few = queries(client, address)
    grow(FEW, MANY)
    many = queries(client, address)
    assert len(few) == len(many), "\n".join(query["sql"] for query in many)


@pytest.fixture
def inside(client, ana):
    client.force_login(ana)
    return client


@pytest.fixture
def open_stage(irene, ana):
    return make_stage(irene, ana)


@pytest.fixture
def acceptances(open_stage):
    """Gives `from` to `to` acceptances of as many buyers, each presented by the broker."""
    broker = places()["broker"]

    def grow(start, end):
        for serial in range(start + 1, end + 1):
            acceptance = make_acceptance(open_stage, serial, 100)
            Presentation.objects.create(buyer=acceptance.participation.buyer, broker=broker)

    return grow


EXPORTS = ["acceptances_export", "buyers_export"]


@pytest.mark.parametrize("name", ["home", "acceptances", "buyers", *EXPORTS])
def test_list_takes_as_many_queries_for_50_acceptances_as_for_5(inside, acceptances, name):
    kind = {"kind": "xlsx"} if name in EXPORTS else {}
    assert_constant(inside, reverse(name, kwargs=kind), acceptances)


@pytest.mark.parametrize("name", ["acceptances", "buyers"])
def test_list_of_a_broker_takes_as_many_queries_too(client, acceptances, name):
    person = make_user("carlos", "comisionista", "Carlos", "Corredor Prueba")
    BrokerUser.objects.create(user=person, broker=places()["broker"])
    client.force_login(person)
    assert_constant(client, reverse(name), acceptances)
    assert "Ejemplo" in client.get(reverse(name)).content.decode()


def test_documents_take_as_many_queries_for_50_as_for_5(inside, irene, exchange):
    def grow(start, end):
        for number in range(start, end):
            Document.objects.create(
                buyer=make_buyer(irene, number),
                kind="class_proof",
                exchange=exchange,
                exchange_reference=f"C-{number}",
                seen_by=irene,
            )

    assert_constant(inside, reverse("documents"), grow)


def test_search_takes_as_many_queries_for_50_buyers_as_for_5(inside, acceptances):
    assert_constant(inside, reverse("search") + "?q=ejemplo", acceptances)


def approved(preparer, reviewer, count):
    """An approved adjudication of `count` lines, each with a part paid."""
    stage = make_stage(preparer, reviewer, supply=10_000, closed=True)
    for serial in range(1, count + 1):
        make_acceptance(stage, serial, 100)
    run = adjudication_open(
        stage_id=stage.pk, exchange=places()["exchange"], session_on=SESSION, user=preparer
    )
    adjudication_run(adjudication_id=run.pk, report=lambda *told: None)
    adjudication_decide(adjudication_id=run.pk, user=reviewer, outcome=ReviewState.APPROVED)
    for award in run.awards.select_related("acceptance__stage"):
        pay(award, preparer, "60.60", f"Consignación {award.pk}")
    return run


def pledged(preparer, reviewer, count, client):
    """What the pages of `count` pledges take, all of one holder, each with an attachment."""
    taken = {}
    with transaction.atomic():
        pledges = make_pledges(preparer, reviewer, [100] * count)
        holder = pledges[0].holder
        Pledge.objects.update(holder=holder)
        for pledge in pledges:
            attach(pledge, preparer, 10)
        addresses = {
            "pledges": reverse("pledges"),
            "export": reverse("pledges_export", args=["csv"]),
            "by month": reverse("pledges_by_month"),
            "holder": reverse("holder_position", args=[holder.pk]),
            "statement": reverse("holder_statement_pdf", args=[holder.pk]),
            "buyer": reverse("buyer", args=[holder.pk]),
            "pledge": reverse("pledge", args=[pledges[0].pk]),
            "programme": reverse("programme", args=[SLUG]),
            "home": reverse("home"),
        }
        for name, address in addresses.items():
            taken[name] = len(queries(client, address))
        transaction.set_rollback(True)
    return taken


def test_pages_of_pledges_take_as_many_queries_for_50_as_for_5(inside, irene, ana):
    few = pledged(irene, ana, FEW, inside)
    assert pledged(irene, ana, MANY, inside) == few


def after_approval(count, preparer, reviewer, client):
    taken = {}
    with transaction.atomic():
        run = approved(preparer, reviewer, count)
        addresses = {
            "lines": reverse("adjudication", args=[run.pk]),
            "export": reverse("adjudication_export", args=[run.pk, "csv"]),
            "payments export": reverse("payments_export", args=["csv"]),
            "certificates export": reverse("certificates_export", args=["xlsx"]),
            "adjudications": reverse("adjudications"),
            "payments": reverse("payments"),
            "certificates": reverse("certificates"),
            "home": reverse("home"),
            "programme": reverse("programme", args=[run.stage.programme.slug]),
            "programmes": reverse("programmes"),
        }
        for name, address in addresses.items():
            taken[name] = len(queries(client, address))
        transaction.set_rollback(True)
    return taken


def test_pages_of_an_adjudication_take_as_many_queries_for_50_lines_as_for_5(inside, irene, ana):
    few = after_approval(FEW, irene, ana, inside)
    assert after_approval(MANY, irene, ana, inside) == few


def test_list_of_jobs_takes_as_many_queries_for_50_as_for_5(inside, ana):
    def grow(start, end):
        for number in range(start, end):
            job = job_open(
                kind="prueba", title=f"Prueba {number}", task="x", user=ana, steps=["Uno"]
            )
            JobProgress.objects.create(job=job, step=1, done=1, total=2)

    assert_constant(inside, reverse("jobs"), grow)


def test_rows_of_both_sizes_were_really_there(inside, acceptances):
    acceptances(0, MANY)
    assert Acceptance.objects.count() == MANY
    assert inside.get(reverse("acceptances")).content.decode().count("A-0000") >= MANY
