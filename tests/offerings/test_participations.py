"""A buyer's part in a programme: papers that come later, data corrected, papers replaced."""

import re
import uuid
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from buyers.enums import BuyerClass, DocumentKind
from buyers.services.documents import document_add, document_replace
from offerings.services.acceptances import acceptance_register
from offerings.services.participation_acts import documents_invoke, participation_change
from offerings.services.participations import PartGiven
from offerings.services.stages import stage_close
from office.decisions import decisions_on
from office.refusals import Refused
from tests.conftest import CLOSED
from tests.offerings.programme_1995 import open_stage_of
from tests.offerings.rows import make_buyer
from tests.offerings.test_acceptances import WORKER, class_proof, given


@pytest.fixture
def stage(ana, irene):
    return open_stage_of(irene, ana)


@pytest.fixture
def acceptance(stage, irene, broker, exchange):
    """An acceptance of 600,000 whose return is missing."""
    return acceptance_register(
        stage=stage,
        buyer=make_buyer(irene, 1),
        part=WORKER,
        papers=[class_proof(exchange)],
        given=given(broker, exchange, 600_000),
        submission_key=uuid.uuid4(),
        user=irene,
    )


@pytest.fixture
def return_1994(acceptance, irene, exchange):
    """Its return, taken in on the buyer's own page."""
    return document_add(
        user=irene,
        buyer=acceptance.participation.buyer,
        kind=DocumentKind.TAX_RETURN,
        year=1994,
        figures={"gross_equity": Decimal(10_000_000)},
        exchange=exchange,
        exchange_reference="DR-9",
    )


def invoke(acceptance, user, *documents):
    held = acceptance.participation.documents.values_list("pk", flat=True)
    return documents_invoke(
        participation_id=acceptance.participation_id,
        documents=[*held, *(document.pk for document in documents)],
        user=user,
    )


def test_a_paper_that_comes_later_completes_the_acceptance_once_it_is_invoked(
    acceptance, return_1994, irene
):
    assert acceptance.standing == "incomplete"

    changed = invoke(acceptance, irene, return_1994)

    acceptance.refresh_from_db()
    assert [one.acceptance.pk for one in changed] == [acceptance.pk]
    assert (acceptance.standing, acceptance.admitted) == ("cut", 495_049)
    assert acceptance.code in decisions_on([acceptance.participation]).last().sentence


def locks_of(act):
    """The tables whose rows the act locks, in the order in which it does."""
    with CaptureQueriesContext(connection) as captured:
        act()
    locked = [query["sql"] for query in captured if " FOR " in query["sql"]]
    return list(dict.fromkeys(re.search(r'FROM "(\w+)"', sql)[1] for sql in locked))


def test_each_act_locks_the_buyer_before_the_stage_so_that_two_take_turns(
    acceptance, return_1994, stage, irene, broker, exchange
):
    again = {
        "stage": stage,
        "buyer": acceptance.participation.buyer,
        "part": WORKER,
        "papers": [],
        "given": given(broker, exchange, 10),
        "submission_key": uuid.uuid4(),
        "user": irene,
    }
    acts = [
        lambda: acceptance_register(**again),
        lambda: invoke(acceptance, irene, return_1994),
        lambda: document_replace(
            user=irene,
            document_id=return_1994.pk,
            reason="Carta de prueba",
            kind=DocumentKind.TAX_RETURN,
            year=1994,
            figures={"gross_equity": Decimal(20_000_000)},
            exchange=exchange,
            exchange_reference="DR-10",
        ),
    ]
    for act in acts:
        locked = locks_of(act)
        assert locked.index("buyers_buyer") < locked.index("offerings_stage")


def test_a_document_of_another_buyer_is_refused(acceptance, irene, exchange):
    stranger = document_add(
        user=irene,
        buyer=make_buyer(irene, 2),
        kind=DocumentKind.CLASS_PROOF,
        exchange=exchange,
        exchange_reference="X-1",
    )

    with pytest.raises(Refused, match="elija de nuevo"):
        invoke(acceptance, irene, stranger)


def test_where_a_paper_is_replaced_its_successor_counts(acceptance, return_1994, irene, exchange):
    invoke(acceptance, irene, return_1994)

    document_replace(
        user=irene,
        document_id=return_1994.pk,
        reason="Cifra mal leída",
        kind=DocumentKind.TAX_RETURN,
        year=1994,
        figures={"gross_equity": Decimal(1_000_000)},
        exchange=exchange,
        exchange_reference="DR-10",
    )

    acceptance.refresh_from_db()
    assert acceptance.admitted == 49_504
    assert acceptance.participation.documents.filter(exchange_reference="DR-10").exists()


def test_after_the_close_what_was_presented_stays_as_it_was(
    acceptance, return_1994, irene, ana, stage, exchange
):
    invoke(acceptance, irene, return_1994)
    stage_close(stage=stage, user=ana, closed_at=CLOSED)

    document_replace(
        user=irene,
        document_id=return_1994.pk,
        reason="Cifra mal leída",
        kind=DocumentKind.TAX_RETURN,
        year=1994,
        figures={"gross_equity": Decimal(1)},
        exchange=exchange,
        exchange_reference="DR-10",
    )
    with pytest.raises(Refused, match="no tiene una etapa abierta"):
        invoke(acceptance, irene)

    acceptance.refresh_from_db()
    assert acceptance.admitted == 495_049
    assert list(acceptance.participation.documents.all()).count(return_1994) == 1


def test_correcting_the_part_works_the_acceptances_out_again(acceptance, return_1994, irene):
    invoke(acceptance, irene, return_1994)
    part = PartGiven(
        buyer_class=BuyerClass.PENSIONER, files_tax_return=True, present_holding=280_495_300
    )

    changed = participation_change(
        participation_id=acceptance.participation_id, part=part, reason="Carta 7", user=irene
    )

    acceptance.refresh_from_db()
    assert [one.acceptance.pk for one in changed] == [acceptance.pk]
    assert acceptance.missing[0]["cite"] == "art. 16"
    last = decisions_on([acceptance.participation]).last()
    assert (last.act, last.reason) == ("participation_change", "Carta 7")


@pytest.mark.parametrize(
    ("part", "reason", "says"),
    [
        (WORKER, "Carta", "Ningún dato cambió"),
        (PartGiven(buyer_class=BuyerClass.PENSIONER, files_tax_return=True), " ", "por qué"),
        (PartGiven(buyer_class=BuyerClass.COOPERATIVE), "Carta", "persona natural"),
    ],
)
def test_a_correction_that_says_nothing_or_something_impossible_is_refused(
    acceptance, irene, part, reason, says
):
    with pytest.raises(Refused, match=says):
        participation_change(
            participation_id=acceptance.participation_id, part=part, reason=reason, user=irene
        )


def test_the_auditor_corrects_nothing(acceptance, aura):
    with pytest.raises(Refused, match="un analista o un supervisor"):
        invoke(acceptance, aura)


def test_the_screens_show_who_changes_before_anything_is_saved(
    client, acceptance, return_1994, irene
):
    client.force_login(irene)
    address = reverse("participation_documents", args=[acceptance.participation_id])
    held = [str(pk) for pk in acceptance.participation.documents.values_list("pk", flat=True)]
    chosen = {"documents": [*held, str(return_1994.pk)]}

    shown = client.post(address, chosen | {"paso": "revisar"}).content.decode()
    acceptance.refresh_from_db()
    assert "Cambia A-000001" in shown
    assert "495.049 acciones" in shown
    assert acceptance.standing == "incomplete"

    done = client.post(address, chosen | {"paso": "confirmar"}, follow=True)
    acceptance.refresh_from_db()
    assert acceptance.standing == "cut"
    assert "A-000001" in done.content.decode()


def test_the_page_of_the_part_is_read_by_whoever_sees_the_buyer(
    client, acceptance, aura, bruno, olga
):
    address = reverse("participation", args=[acceptance.participation_id])
    for person, status in ((aura, 200), (bruno, 200), (olga, 404)):
        client.force_login(person)
        assert client.get(address).status_code == status


def test_the_correction_is_reviewed_and_then_made(client, acceptance, irene):
    client.force_login(irene)
    address = reverse("participation_change", args=[acceptance.participation_id])
    typed = {
        "buyer_class": "pensioner",
        "files_tax_return": "si",
        "present_holding": "1.234",
        "held_through_others": "0",
        "reason": "Carta 7",
    }

    shown = client.post(address, typed | {"paso": "revisar"}).content.decode()
    assert "1.234 acciones" in shown
    assert "Pensionado" in shown
    client.post(address, typed | {"paso": "confirmar"})

    acceptance.participation.refresh_from_db()
    assert acceptance.participation.present_holding == 1_234
    assert acceptance.participation.buyer_class == "pensioner"


def test_the_page_of_the_part_tells_the_acceptances_that_made_it(client, acceptance, aura):
    client.force_login(aura)
    page = client.get(reverse("participation", args=[acceptance.participation_id]))

    assert "registró A-000001: 600.000 acciones" in page.content.decode()
