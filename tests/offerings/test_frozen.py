"""After the close nothing of what was presented changes: not by a service, a form, the admin or
the database."""

import uuid
from datetime import timedelta

import pytest
from django.urls import reverse

from buyers.enums import BuyerClass
from offerings.models import Acceptance
from offerings.services.acceptances import acceptance_register
from offerings.services.changes import Cause
from offerings.services.evaluation import participation_evaluate
from offerings.services.imports import import_confirm, import_load
from offerings.services.participation_acts import documents_invoke, participation_change
from offerings.services.participations import PartGiven
from offerings.services.stages import stage_close
from offerings.services.withdrawals import acceptance_withdraw
from office.refusals import Refused
from tests.conftest import CLOSED
from tests.guards import change, refused_by
from tests.offerings.import_files import csv_of, reviewed, row, silent
from tests.offerings.programme_1995 import SLUG, open_stage_of
from tests.offerings.rows import make_buyer
from tests.offerings.test_acceptance_pages import text
from tests.offerings.test_acceptances import RECEIVED, WORKER, class_proof, given, tax_return


@pytest.fixture
def stage(ana, irene):
    return open_stage_of(irene, ana)


@pytest.fixture
def register(stage, irene, broker, exchange):
    buyer = make_buyer(irene, 1)

    def run():
        return acceptance_register(
            stage=stage,
            buyer=buyer,
            part=WORKER,
            papers=[class_proof(exchange), tax_return(exchange)],
            given=given(broker, exchange, 600_000),
            submission_key=uuid.uuid4(),
            user=irene,
        )

    return run


@pytest.fixture
def acceptance(register):
    return register()


@pytest.fixture
def reviewed_file(stage, irene, broker, exchange):
    return reviewed(stage, irene, csv_of(row()))


@pytest.fixture
def closed(acceptance, reviewed_file, stage, ana):
    """The acceptance, of a stage that closed with a file under review."""
    stage_close(stage=stage, user=ana, closed_at=CLOSED)
    stage.refresh_from_db()
    acceptance.refresh_from_db()
    return acceptance


def row_of(acceptance):
    return Acceptance.objects.filter(pk=acceptance.pk).values().get()


def test_no_service_changes_what_was_presented(closed, register, reviewed_file, irene, stage):
    before = row_of(closed)
    part = PartGiven(buyer_class=BuyerClass.PENSIONER, files_tax_return=True)
    acts = [
        register,
        lambda: acceptance_withdraw(
            acceptance_id=closed.pk,
            asked_at=RECEIVED + timedelta(minutes=1),
            reason="Carta",
            user=irene,
        ),
        lambda: participation_change(
            participation_id=closed.participation_id, part=part, reason="Carta", user=irene
        ),
        lambda: documents_invoke(
            participation_id=closed.participation_id, documents=[], user=irene
        ),
        lambda: import_confirm(import_id=reviewed_file.pk, mode="all", user=irene),
    ]
    for act in acts:
        with pytest.raises(Refused):
            act()

    cause = Cause(irene, "al probarlo")
    assert (
        participation_evaluate(participation=closed.participation, stage=stage, cause=cause) == []
    )
    assert row_of(closed) == before
    assert Acceptance.objects.count() == 1


def test_a_file_confirmed_before_the_close_loads_nothing_after_it(
    acceptance, reviewed_file, stage, ana, irene
):
    import_confirm(import_id=reviewed_file.pk, mode="all", user=irene)
    stage_close(stage=stage, user=ana, closed_at=CLOSED)

    import_load(import_id=reviewed_file.pk, report=silent)

    reviewed_file.refresh_from_db()
    assert reviewed_file.state == "refused"
    assert Acceptance.objects.count() == 1


def test_no_form_changes_it_either_and_each_says_that_the_stage_closed(
    client, closed, reviewed_file, irene
):
    client.force_login(irene)
    asked = {
        reverse("acceptance_new", args=[SLUG, 1]): {"paso": "registrar"},
        reverse("acceptance_draft_save", args=[SLUG, 1]): {"requested": "7"},
        reverse("acceptance_withdraw", args=[closed.pk]): {
            "asked_on": "14/09/1995",
            "asked_time": "11:00",
            "reason": "Carta",
            "paso": "confirmar",
        },
        reverse("participation_documents", args=[closed.participation_id]): {"paso": "confirmar"},
        reverse("participation_change", args=[closed.participation_id]): {
            "buyer_class": "pensioner",
            "reason": "Carta",
            "paso": "confirmar",
        },
        reverse("import_confirm", args=[reviewed_file.pk]): {"modo": "all"},
    }
    before = row_of(closed)
    for address, typed in asked.items():
        response = client.post(address, typed)
        assert response.status_code in {409, 422}, address
        assert re_closed(text(response)), address
    assert row_of(closed) == before


def re_closed(page: str) -> bool:
    return any(said in page for said in ("se cerró el", "no tiene una etapa abierta"))


def test_a_file_under_review_says_that_the_stage_closed_and_offers_no_load(
    client, closed, reviewed_file, irene
):
    client.force_login(irene)
    page = text(client.get(reverse("import", args=[reviewed_file.pk])))

    assert "se cerró" in page
    assert "ya no se puede cargar" in page
    assert "Cargar 1 fila" not in page
    assert "Descartar" in page


def test_the_admin_shows_it_and_lets_nobody_change_it(client, closed, root):
    client.force_login(root)
    address = reverse("admin:offerings_acceptance_change", args=[closed.pk])
    before = row_of(closed)

    assert client.post(address, {"requested": "1", "state": "withdrawn"}).status_code == 403
    assert row_of(closed) == before


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("requested", 700_000),
        ("minimum", 1),
        ("state", "withdrawn"),
        ("standing", "complete"),
        ("admitted", 1),
        ("limit_shares", 600_000),
        ("received_at", RECEIVED - timedelta(days=1)),
        ("serial", 9),
        ("broker_id", None),
        ("exchange_id", None),
        ("attested_on", None),
        ("declarations", "[]"),
        ("missing", '[{"code": "x"}]'),
        ("beneficial_owner", "Otra Persona Supuesta"),
        ("papers_reference", "Caja 99"),
        ("terms_sha256", "0" * 64),
    ],
)
def test_the_database_itself_keeps_each_figure_after_the_close(closed, column, value):
    with refused_by("acceptance_frozen"):
        change(closed, **{column: value})


def test_while_the_stage_is_open_the_database_lets_it_change(acceptance):
    change(acceptance, requested=700_000)

    acceptance.refresh_from_db()
    assert acceptance.requested == 700_000
