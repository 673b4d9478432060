"""Two brokers with one buyer: one limit, and neither learns what the other presented."""

import re
import uuid
from datetime import timedelta

import pytest
from django.urls import reverse

from buyers.enums import BuyerClass
from buyers.services import buyer_register, document_add, document_replace
from offerings.models import Acceptance, ParticipationDocument
from offerings.services.acceptances import acceptance_register
from offerings.services.adjudications import (
    adjudication_decide,
    adjudication_open,
    adjudication_run,
)
from offerings.services.participation_acts import documents_invoke
from offerings.services.participations import PartGiven
from offerings.services.stages import stage_close
from offerings.services.withdrawals import acceptance_withdraw
from office.decisions import decisions_on
from office.refusals import Refused
from office.review import ReviewState
from tests.conftest import CLOSED
from tests.offerings.programme_1995 import SLUG, open_stage_of
from tests.offerings.test_acceptance_pages import text
from tests.offerings.test_acceptances import (
    RECEIVED,
    WORKER,
    class_proof,
    given,
    tax_return,
)

NEW = reverse("acceptance_new", args=[SLUG, 1])
LIMIT = reverse("acceptance_limit", args=[SLUG, 1])
NEUTRAL = "Los datos no coinciden con el registro"
MARIA = {
    "kind": "natural",
    "identity_type": "CC",
    "identity_number": "51.000.123",
    "name": "María Fernanda Ejemplo Ñáñez",
}


@pytest.fixture
def stage(ana, irene):
    return open_stage_of(irene, ana)


@pytest.fixture
def maria(bruno, olga):
    """Brought by both."""
    buyer = buyer_register(user=bruno, **MARIA)
    assert buyer_register(user=olga, **MARIA) == buyer
    return buyer


@pytest.fixture
def present(stage, maria, exchange):
    """A broker's person presents an acceptance of María with papers of its own."""

    def run(user, requested, *, broker=None, part=WORKER, papers=None, late=0, buyer=maria):
        mark = user.username[:2].upper()
        papers = (
            [class_proof(exchange, f"CL-{mark}"), tax_return(exchange, reference=f"DR-{mark}")]
            if papers is None
            else papers
        )
        return acceptance_register(
            stage=stage,
            buyer=buyer,
            part=part,
            papers=papers,
            given=given(
                broker or user.broker_user.broker,
                exchange,
                requested,
                received_at=RECEIVED + timedelta(minutes=late),
            ),
            submission_key=uuid.uuid4(),
            user=user,
        )

    return run


@pytest.fixture
def both(present, bruno, olga):
    """Bruno's acceptance of 400,000, and then Olga's of as many: 95,049 are left for it."""
    first = present(bruno, 400_000)
    second = present(olga, 400_000, late=1)
    first.refresh_from_db()
    return first, second


@pytest.fixture
def typed(stage, maria, other_broker, exchange):
    """What Olga types for María."""
    return {
        "buyer": "María Fernanda Ejemplo Ñáñez · C.C. 51.000.123",
        "buyer_class": "worker",
        "files_tax_return": "si",
        "paper0_reference": "CL-OL",
        "paper1_gross_equity": "10.000.000",
        "paper1_year": "1994",
        "paper1_reference": "DR-OL",
        "requested": "400.000",
        "received_on": "14/09/1995",
        "received_time": "11:00",
        "broker": str(other_broker.pk),
        "exchange": str(exchange.pk),
        "attested_on": "14/09/1995",
        "declares_not_disqualified": "on",
        "submission_key": str(uuid.uuid4()),
    }


@pytest.fixture
def as_olga(client, olga):
    client.force_login(olga)
    return client


def hides(page, *more):
    """Nothing of Bruno's acceptance in the page: number, quantities, papers, broker, person."""
    for word in ("A-000001", "CL-BR", "DR-BR", "Valores Ficticios", "Bruno", *more):
        assert word not in page, word


# --- what the law says of both ---


def test_both_share_one_limit_in_order_of_receipt(both):
    first, second = both
    assert [first.admitted, second.admitted] == [400_000, 95_049]
    assert [first.standing, second.standing] == ["complete", "cut"]


def test_what_one_broker_brought_is_no_paper_of_what_another_presents(present, bruno, olga):
    present(bruno, 1_000)

    bare = present(olga, 1_000, papers=[], late=1)

    assert bare.standing == "incomplete"
    assert {gap["code"] for gap in bare.missing} >= {"class_proof", "tax_return"}


def test_what_the_fund_takes_in_counts_for_what_a_broker_presents(
    present, olga, irene, maria, exchange
):
    bare = present(olga, 1_000, papers=[class_proof(exchange, "CL-OL")])
    assert bare.standing == "incomplete"
    paper = document_add(
        user=irene,
        buyer=maria,
        kind="tax_return",
        year=1994,
        figures={"gross_equity": 10_000_000},
        exchange=exchange,
        exchange_reference="FO-1",
    )
    held = bare.participation.documents.values_list("pk", flat=True)

    documents_invoke(
        participation_id=bare.participation_id, documents=[*held, paper.pk], user=irene
    )

    bare.refresh_from_db()
    assert bare.standing == "complete"


def test_what_the_fund_registers_stands_on_every_paper_of_the_buyer(
    present, bruno, irene, other_broker
):
    present(bruno, 1_000)

    of_fund = present(irene, 1_000, broker=other_broker, papers=[], late=1)

    assert of_fund.standing == "complete"


# --- what a broker may do ---


def test_a_broker_presents_through_itself_alone(present, bruno, other_broker):
    with pytest.raises(Refused, match="solo por su sociedad"):
        present(bruno, 1_000, broker=other_broker)
    assert not Acceptance.objects.exists()


def test_a_broker_presents_nobody_whom_it_did_not_bring(present, irene, olga):
    stranger = buyer_register(user=irene, **MARIA | {"identity_number": "52.000.456"})
    with pytest.raises(Refused, match="Registre primero"):
        present(olga, 1_000, buyer=stranger)


def test_a_forged_broker_is_refused_and_its_own_stands_fixed_in_the_form(
    as_olga, typed, broker, other_broker
):
    page = as_olga.get(NEW).content.decode()
    assert other_broker.name in page
    assert broker.name not in page

    for step in ("revisar", "registrar"):
        forged = as_olga.post(NEW, typed | {"broker": str(broker.pk), "paso": step})
        assert forged.status_code == 422
        assert "Usted presenta solo por su sociedad comisionista" in text(forged)
    assert not Acceptance.objects.exists()


def test_a_broker_presents_on_screen(as_olga, typed, other_broker, olga):
    assert as_olga.post(NEW, typed | {"paso": "revisar"}).status_code == 200
    done = as_olga.post(NEW, typed | {"paso": "registrar"})

    acceptance = Acceptance.objects.get()
    assert done.url == reverse("acceptance", args=[acceptance.pk])
    assert (acceptance.broker, acceptance.registered_by) == (other_broker, olga)
    assert acceptance.admitted == 400_000


def test_another_part_than_the_known_one_is_refused_without_telling_it(present, bruno, olga):
    present(bruno, 1_000)
    with pytest.raises(Refused, match=NEUTRAL) as refused:
        present(
            olga, 1_000, part=PartGiven(buyer_class=BuyerClass.PENSIONER, files_tax_return=True)
        )
    assert "trabajador" not in refused.value.message.lower()


def test_a_broker_is_told_in_what_it_differs_from_what_it_presented_itself(present, bruno):
    present(bruno, 1_000)
    with pytest.raises(Refused, match="ya consta la clase"):
        present(
            bruno, 1_000, part=PartGiven(buyer_class=BuyerClass.PENSIONER, files_tax_return=True)
        )


def test_a_paper_with_other_figures_is_refused_without_telling_them(
    present, bruno, olga, exchange
):
    present(bruno, 1_000)
    papers = [class_proof(exchange, "CL-OL"), tax_return(exchange, 99_000_000, reference="DR-OL")]
    with pytest.raises(Refused, match=NEUTRAL) as refused:
        present(olga, 1_000, papers=papers)
    assert "10.000.000" not in refused.value.message


def test_a_broker_withdraws_nothing_of_another(both, olga, as_olga):
    first, _ = both
    with pytest.raises(Refused, match="solo por su sociedad"):
        acceptance_withdraw(
            acceptance_id=first.pk,
            asked_at=RECEIVED + timedelta(hours=2),
            reason="Carta 3",
            user=olga,
        )
    assert as_olga.get(reverse("acceptance_withdraw", args=[first.pk])).status_code == 404


def test_a_broker_chooses_among_its_own_papers_and_the_others_stay(both, olga, maria):
    first, second = both
    own = maria.documents.filter(presented_by=second.broker)
    foreign = maria.documents.filter(presented_by=first.broker)
    with pytest.raises(Refused, match="elija de nuevo"):
        documents_invoke(
            participation_id=second.participation_id, documents=[foreign.first().pk], user=olga
        )

    documents_invoke(participation_id=second.participation_id, documents=[], user=olga)

    linked = ParticipationDocument.objects.values_list("document", flat=True)
    assert set(linked) == set(foreign.values_list("pk", flat=True))
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.standing, second.standing) == ("complete", "incomplete")
    assert own.exists()


def test_a_broker_touches_no_part_of_which_it_presented_nothing(present, bruno, olga, as_olga):
    first = present(bruno, 1_000)

    with pytest.raises(Refused, match="por los que presentó"):
        documents_invoke(participation_id=first.participation_id, documents=[], user=olga)
    for name in ("participation", "participation_documents"):
        address = reverse(name, args=[first.participation_id])
        assert as_olga.get(address).status_code == 404
    change = reverse("participation_change", args=[first.participation_id])
    assert as_olga.get(change).status_code == 403


def test_a_replaced_paper_of_both_is_followed_by_its_successor_once(both, irene, maria, exchange):
    first, second = both
    old = maria.documents.filter(kind="tax_return").first()

    document_replace(
        user=irene,
        document_id=old.pk,
        reason="Cifra mal leída.",
        kind="tax_return",
        year=1994,
        figures={"gross_equity": 20_000_000},
        exchange=exchange,
        exchange_reference="FO-9",
    )

    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.admitted, second.admitted) == (400_000, 400_000)
    assert first.participation.documents.filter(kind="tax_return").count() == 1


# --- what a broker may see ---


def test_ids_of_another_lead_nowhere(both, as_olga):
    first, _ = both
    for name in ("acceptance", "acceptance_withdraw", "acceptance_receipt"):
        assert as_olga.get(reverse(name, args=[first.pk])).status_code == 404, name


def test_its_page_tells_the_quantity_and_nothing_of_the_other(both, as_olga):
    _, second = both
    page = text(as_olga.get(reverse("acceptance", args=[second.pk])))

    assert "Por qué 95.049 acciones" in page
    assert "hay otras recibidas antes" in page
    hides(page, "Cambiaron también", "495.049", "$10.000.000,00")
    # 400.000 is what Olga asked for, too: once in figures, once in the why, once in the history.
    assert len(re.findall(r"400\.000", page)) == 3


def test_the_first_received_is_not_told_that_another_came(both, client, bruno):
    first, _ = both
    client.force_login(bruno)
    page = text(client.get(reverse("acceptance", args=[first.pk])))

    assert "Por qué 400.000 acciones" in page
    assert "otras recibidas antes" not in page
    assert "A-000002" not in page
    assert "95.049" not in page


def test_an_act_that_changed_the_other_does_not_name_it(present, bruno, olga, client, irene):
    present(olga, 400_000, late=1)
    early = present(bruno, 400_000)
    assert "A-000001" in decisions_on([early]).get().sentence
    address = reverse("acceptance", args=[early.pk])

    client.force_login(bruno)
    assert "A-000001" not in text(client.get(address))
    client.force_login(irene)
    assert "A-000001" in text(client.get(address))


def test_its_page_of_the_part_shows_its_own_alone(both, as_olga, bruno, maria):
    _, second = both
    documents_invoke(
        participation_id=second.participation_id,
        documents=maria.documents.filter(presented_by=both[0].broker).values_list("pk", flat=True),
        user=bruno,
    )
    page = text(as_olga.get(reverse("participation", args=[second.participation_id])))

    assert "A-000002" in page
    assert "CL-OL" in page
    hides(page, "Hizo valer", "hizo valer")


def test_choosing_papers_shows_its_own_changes_alone(both, as_olga, maria):
    _, second = both
    address = reverse("participation_documents", args=[second.participation_id])
    form = text(as_olga.get(address))
    assert "DR-OL" in form
    hides(form)

    review = text(as_olga.post(address, {"paso": "revisar"}))

    assert "A-000002" in review
    hides(review)


def test_lists_exports_and_searches_show_its_own_alone(both, as_olga, stage):
    for address in ("acceptances", "acceptances_export", "buyers", "buyers_export", "home"):
        for query in ("", "?q=A-000001", "?q=maria", f"?etapa={stage.pk}", "?comisionista=1"):
            page = text(as_olga.get(reverse(address) + query))
            hides(
                page.replace("«A-000001»", "")
                .replace("Texto: A-000001", "")
                .replace('value="A-000001"', "")
            )
    found = as_olga.get(reverse("search"), {"q": "A-1"})
    assert reverse("acceptance", args=[both[0].pk]) not in found.content.decode()
    exported = as_olga.get(reverse("acceptances_export")).content.decode()
    assert "A-000002" in exported
    assert exported.count("51000123") == 1


def test_the_filter_by_file_tells_a_broker_nothing(as_olga, both):
    page = text(as_olga.get(reverse("acceptances"), {"importacion": "1"}))
    assert "Archivo:" not in page
    assert "A-000002" in page


def test_an_award_tells_nothing_of_the_other(both, as_olga, stage, irene, ana, exchange):
    stage_close(stage=stage, user=ana, closed_at=CLOSED)
    run = adjudication_open(
        stage_id=stage.pk, user=irene, exchange=exchange, session_on=CLOSED.date()
    )
    adjudication_run(adjudication_id=run.pk, report=lambda *told: None)
    decided = adjudication_decide(adjudication_id=run.pk, user=ana, outcome=ReviewState.APPROVED)
    own = decided.awards.get(acceptance=both[1])
    other = decided.awards.get(acceptance=both[0])

    page = text(as_olga.get(reverse("award", args=[own.pk])))

    assert "Por qué 95.049 acciones" in page
    hides(page, "10.000.000", "30.000.000")
    assert as_olga.get(reverse("award", args=[other.pk])).status_code == 404


# --- while one types ---


def test_the_live_limit_tells_the_quantity_and_nothing_of_the_other(
    present, bruno, as_olga, typed
):
    present(bruno, 400_000)

    panel = text(as_olga.post(LIMIT, typed))

    assert "Por qué 95.049 acciones" in panel
    assert "hay otras recibidas antes" in panel
    hides(panel, "495.049")


@pytest.mark.parametrize("user", ["bruno", "irene"])
def test_the_live_limit_tells_no_limit_that_stands_on_papers_of_others(
    present, user, as_olga, typed, request, broker
):
    present(request.getfixturevalue(user), 400_000, broker=broker)
    bare = {name: value for name, value in typed.items() if "paper" not in name}

    panel = text(as_olga.post(LIMIT, bare | {"requested": ""}))

    assert "Hasta" not in panel
    assert "495.049" not in panel
    hides(panel)


def test_the_live_limit_knows_no_buyer_of_another(as_olga, typed, bruno, stage):
    buyer_register(user=bruno, **MARIA | {"identity_number": "52.000.456", "name": "Rosa Prueba"})
    for words in ("Rosa Prueba", "C.C. 52.000.456", "52000456"):
        panel = text(as_olga.post(LIMIT, typed | {"buyer": words}))
        assert "Elija el comprador" in panel
        refused = as_olga.post(NEW, typed | {"buyer": words, "paso": "revisar"})
        assert "No hay un comprador registrado" in text(refused)


def test_the_form_is_not_filled_with_what_others_presented(present, bruno, as_olga, maria):
    present(bruno, 400_000, part=WORKER)

    page = as_olga.get(f"{NEW}?comprador={maria.pk}").content.decode()

    assert "María Fernanda" in page
    hides(page, '<option value="worker" selected', "10.000.000")


def test_the_review_tells_nothing_of_the_other(present, bruno, as_olga, typed):
    present(bruno, 400_000)

    review = text(as_olga.post(NEW, typed | {"paso": "revisar"}))

    assert "95.049 acciones" in review
    hides(review, "495.049")
