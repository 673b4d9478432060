"""A false class: recorded by a supervisor, also after the award; lifted where it was a mistake."""

import uuid
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from buyers.enums import BuyerClass
from buyers.models import Presentation
from offerings.models import Acceptance, ClassFinding
from offerings.services.acceptances import AcceptanceGiven, acceptance_register
from offerings.services.class_findings import class_finding_lift, class_finding_record
from offerings.services.participation_acts import participation_change
from offerings.services.participations import PartGiven
from offerings.services.stages import stage_close
from offerings.services.withdrawals import acceptance_withdraw
from office.decisions import decisions_on
from office.refusals import Refused
from tests.answers import text_of
from tests.conftest import CLOSED
from tests.guards import refused_by, strike_out
from tests.offerings.import_files import csv_of, faults, loaded, reviewed, row
from tests.offerings.programme_1995 import open_stage_of
from tests.offerings.programme_fes import DECLARED, FES_RECEIVED, fes_stage_of
from tests.offerings.rows import make_buyer
from tests.offerings.test_acceptance_pages import text
from tests.offerings.test_acceptances import RECEIVED, WORKER, class_proof, given, tax_return
from tests.world import World

FOUND = RECEIVED + timedelta(hours=1)
ARTICLE = "art. 20"


@pytest.fixture
def stage(ana, irene):
    return open_stage_of(irene, ana)


@pytest.fixture
def register(stage, irene, broker, exchange):
    buyer = make_buyer(irene, 1)

    def run(requested, *, minutes=0, through=broker):
        return acceptance_register(
            stage=stage,
            buyer=buyer,
            part=WORKER,
            papers=[class_proof(exchange), tax_return(exchange)],
            given=given(
                through, exchange, requested, received_at=RECEIVED + timedelta(minutes=minutes)
            ),
            submission_key=uuid.uuid4(),
            user=irene,
        )

    return run


@pytest.fixture
def two(register):
    """Two acceptances under one limit: 400,000 whole, 95,049 of the second."""
    return register(400_000), register(400_000, minutes=1)


def record(participation, user, **fields):
    fields = {
        "found_at": FOUND,
        "evidence": "Certificación ficticia de la oficina de personal, caja 4",
        "reason": "Nunca trabajó en el banco",
    } | fields
    return class_finding_record(participation_id=participation.pk, user=user, **fields)


def lift(made, user, reason="Se confundió con otra persona"):
    return class_finding_lift(finding_id=made.finding.pk, reason=reason, user=user)


def figures(*acceptances):
    for one in acceptances:
        one.refresh_from_db()
    return [(one.state, one.standing, one.admitted) for one in acceptances]


# --- while the stage is open ---


def test_its_presented_acceptances_become_rejected_and_count_for_nothing(two, ana):
    made = record(two[0].participation, ana)

    assert figures(*two) == [("rejected", "not_counted", 0)] * 2
    assert [one.code for one in made.changed] == ["A-000001", "A-000002"]
    act = decisions_on([two[0].participation]).get(act="class_finding_record")
    assert (act.article, act.legal_at, act.reason) == (ARTICLE, FOUND, "Nunca trabajó en el banco")
    assert "Rechazó: A-000001, A-000002." in act.sentence
    for one in two:
        own = decisions_on([one]).get(act="class_finding_acceptance")
        assert own.article == ARTICLE
        assert "caja 4" not in own.sentence + own.reason


def test_what_was_withdrawn_before_stays_withdrawn_and_stays_so_after_the_lifting(irene, ana):
    stage = fes_stage_of(irene, ana)
    buyer = make_buyer(irene, 7)

    def one(requested):
        return acceptance_register(
            stage=stage,
            buyer=buyer,
            part=PartGiven(buyer_class=BuyerClass.WORKER),
            papers=[],
            given=AcceptanceGiven(
                requested=requested,
                received_at=FES_RECEIVED,
                broker=None,
                exchange=None,
                declarations=DECLARED,
            ),
            submission_key=uuid.uuid4(),
            user=irene,
        )

    withdrawn, kept = one(10), one(20)
    acceptance_withdraw(
        acceptance_id=withdrawn.pk,
        asked_at=FES_RECEIVED + timedelta(hours=1),
        reason="Carta de prueba",
        user=irene,
    )
    made = record(kept.participation, ana, found_at=FES_RECEIVED + timedelta(hours=2))
    assert [one.code for one in made.changed] == [kept.code]
    assert decisions_on([kept.participation]).get(act="class_finding_record").article == ""

    lift(made, ana)
    assert [state for state, _, _ in figures(withdrawn, kept)] == ["withdrawn", "presented"]


def test_nothing_more_is_presented_and_the_class_is_not_changed_until_it_is_lifted(
    two, register, ana, irene
):
    participation = two[0].participation
    made = record(participation, ana)

    with pytest.raises(Refused, match="la clase de este comprador es falsa") as refusal:
        register(10, minutes=2)
    assert refusal.value.field == "buyer_class"
    pensioner = PartGiven(buyer_class=BuyerClass.PENSIONER, files_tax_return=True)
    with pytest.raises(Refused, match="la clase de este comprador es falsa"):
        participation_change(
            participation_id=participation.pk, part=pensioner, reason="Carta", user=irene
        )

    lift(made, ana)
    assert register(10, minutes=2).code == "A-000003"


def test_a_row_of_a_file_says_so_too(stage, ana, irene, broker, exchange):
    source = loaded(stage, irene, csv_of(row()))
    part = Acceptance.objects.get(source_import=source).participation
    record(part, ana)

    again = reviewed(stage, irene, csv_of(row(cantidad="7")))

    assert "es falsa" in faults(again)[2, "clase"]


def test_lifted_they_come_back_as_presented_and_are_worked_out_anew(two, ana):
    made = record(two[0].participation, ana)

    lifted = lift(made, ana)
    again = lift(made, ana)

    assert figures(*two) == [("presented", "complete", 400_000), ("presented", "cut", 95_049)]
    assert [one.code for one in lifted.changed] == ["A-000001", "A-000002"]
    assert again.changed == []
    assert decisions_on([two[0].participation]).filter(act="class_finding_lift").count() == 1
    assert record(two[0].participation, ana).changed


# --- after the close, after the award ---


def test_after_the_close_it_is_recorded_and_lifted_and_no_figure_changes(two, stage, ana):
    before = figures(*two)
    stage_close(stage=stage, user=ana, closed_at=CLOSED)

    made = record(two[0].participation, ana)
    assert (made.changed, made.is_open) == ([], False)
    assert figures(*two) == before

    lift(made, ana)
    assert figures(*two) == before


def test_what_was_rejected_before_the_close_stays_rejected_and_its_page_says_why(
    client, two, stage, ana
):
    made = record(two[0].participation, ana)
    stage_close(stage=stage, user=ana, closed_at=CLOSED)
    lift(made, ana)

    assert figures(*two) == [("rejected", "not_counted", 0)] * 2
    client.force_login(ana)
    page = text(client.get(reverse("acceptance", args=[two[0].pk])))
    assert "Rechazada por clase falsa" in page


# --- who, when, in what ---


@pytest.mark.parametrize("person", ["irene", "aura", "bruno", "adela"])
def test_only_a_supervisor_records_and_lifts(request, two, ana, person):
    other = request.getfixturevalue(person)
    with pytest.raises(Refused, match="Solo un supervisor"):
        record(two[0].participation, other)
    made = record(two[0].participation, ana)
    with pytest.raises(Refused, match="Solo un supervisor"):
        lift(made, other)


@pytest.mark.parametrize(
    ("fields", "field", "says"),
    [
        ({"evidence": " "}, "evidence", "en qué papel consta"),
        ({"reason": ""}, "reason", "por qué la clase"),
        ({"found_at": timezone.now() + timedelta(days=1)}, "found_on", "está en el futuro"),
        ({"found_at": RECEIVED - timedelta(minutes=1)}, "found_on", "es anterior"),
    ],
)
def test_it_says_when_in_what_and_why_or_is_refused(two, ana, fields, field, says):
    with pytest.raises(Refused, match=says) as refusal:
        record(two[0].participation, ana, **fields)
    assert refusal.value.field == field
    assert not ClassFinding.objects.exists()


def test_a_second_one_and_a_lifting_without_reason_are_refused(two, ana):
    made = record(two[0].participation, ana)
    with pytest.raises(Refused, match="Ya consta que la clase es falsa"):
        record(two[0].participation, ana)
    with pytest.raises(Refused, match="por qué fue un error"):
        lift(made, ana, reason=" ")


# --- held by the database ---


def test_one_finding_alone_is_in_force_on_a_part(two, ana):
    record(two[0].participation, ana)
    with pytest.raises(IntegrityError, match="classfinding_one_in_force"), transaction.atomic():
        ClassFinding.objects.create(
            participation=two[0].participation, found_at=FOUND, evidence="Otra", recorded_by=ana
        )


@pytest.mark.parametrize(
    "fields", [{"lifted_by": None}, {"lifted_at": None}, {"lifted_at": RECEIVED}]
)
def test_a_lifting_has_who_and_when_and_is_not_before_the_recording(two, ana, fields):
    made = record(two[0].participation, ana)
    whole = {"lifted_by": ana, "lifted_at": timezone.now()} | fields
    with pytest.raises(IntegrityError, match="classfinding_lifted_whole"), transaction.atomic():
        ClassFinding.objects.filter(pk=made.finding.pk).update(**whole)


def test_a_finding_is_never_deleted(two, ana):
    made = record(two[0].participation, ana)
    with refused_by("classfinding_kept"):
        strike_out(made.finding)


# --- its pages ---


def test_the_review_shows_who_changes_and_saves_nothing_until_it_is_confirmed(client, two, ana):
    client.force_login(ana)
    address = reverse("participation_false_class", args=[two[0].participation_id])
    form = text(client.get(address))
    assert "responde por el daño" in form
    assert ARTICLE in form
    typed = {
        "found_on": "14/09/1995",
        "found_time": "11:42",
        "evidence": "Certificación ficticia, caja 4",
        "reason": "Nunca trabajó en el banco",
    }

    shown = text(client.post(address, typed | {"paso": "revisar"}))
    assert "Cambia A-000001" in shown
    assert "Cambia A-000002" in shown
    assert figures(*two)[0][0] == "presented"

    done = text(client.post(address, typed | {"paso": "confirmar"}, follow=True))
    assert "Quedaron rechazadas: A-000001, A-000002" in done
    assert "Certificación ficticia, caja 4" in done
    assert figures(*two)[0][0] == "rejected"
    refused = client.post(address, typed | {"paso": "confirmar"})
    assert refused.status_code == 422

    finding = ClassFinding.objects.get()
    lifting = reverse("participation_false_class_lift", args=[finding.pk])
    shown = text(client.post(lifting, {"reason": "Fue un error", "paso": "revisar"}))
    assert "Cambia A-000002" in shown
    assert "95.049 acciones" in shown
    client.post(lifting, {"reason": "Fue un error", "paso": "confirmar"})
    assert figures(*two)[1] == ("presented", "cut", 95_049)
    assert client.get(lifting).status_code == 302


def test_it_is_shown_wherever_the_buyer_and_what_it_presented_are(client, two, ana):
    record(two[0].participation, ana)
    client.force_login(ana)
    buyer = two[0].participation.buyer

    for address in (
        reverse("acceptance", args=[two[0].pk]),
        reverse("participation", args=[two[0].participation_id]),
        reverse("buyer", args=[buyer.pk]),
        reverse("acceptances"),
    ):
        assert "Clase falsa" in text(client.get(address)), address
    narrowed = text(client.get(reverse("acceptances") + "?clase_falsa=si"))
    assert "2 aceptaciones" in narrowed
    assert two[0].code in narrowed
    exported = reverse("acceptances_export", args=["csv"]) + "?clase_falsa=si"
    assert text_of(client.get(exported)).count(";Sí") == 2


def test_the_filter_lets_through_only_those_of_a_false_class(client, two, ana):
    client.force_login(ana)
    assert "Ninguna aceptación cumple" in text(
        client.get(reverse("acceptances") + "?clase_falsa=si")
    )


def test_the_award_and_the_certificate_show_it_and_state_what_they_did(client, db):
    world = World()
    certificate, award = world.certificates["broker"], world.awards["broker"]
    before = dict(certificate.facts)
    supervisor = world.people["supervisor"]
    record(award.acceptance.participation, supervisor, found_at=timezone.now())

    client.force_login(supervisor)
    for address in (
        reverse("award", args=[award.pk]),
        reverse("certificate", args=[certificate.pk]),
        reverse("acceptance", args=[award.acceptance_id]),
    ):
        assert "Clase falsa" in text(client.get(address)), address
    assert "Mínimo admisible Ninguno" in text(client.get(reverse("award", args=[award.pk])))
    certificate.refresh_from_db()
    assert certificate.facts == before
    awarded = award.awarded
    award.refresh_from_db()
    assert award.awarded == awarded


def test_a_broker_sees_that_it_is_false_and_not_the_evidence(client, two, ana, bruno, broker):
    Presentation.objects.get_or_create(buyer=two[0].participation.buyer, broker=broker)
    record(two[0].participation, ana)
    client.force_login(bruno)

    page = text(client.get(reverse("acceptance", args=[two[0].pk])))
    assert "la clase que alegó no es la que tiene" in page
    assert "caja 4" not in page
    assert "Hacer constar clase falsa" not in page
