"""Two brokers with one buyer: one limit, and each acts on its own alone."""

from datetime import timedelta

import pytest
from django.urls import reverse

from buyers.enums import BuyerClass
from buyers.services import buyer_register, document_add, document_replace
from offerings.models import Acceptance, ParticipationDocument
from offerings.services.participation_acts import documents_invoke
from offerings.services.participations import PartGiven
from offerings.services.withdrawals import acceptance_withdraw
from office.refusals import Refused
from tests.offerings.brokers.conftest import MARIA, NEUTRAL, NEW
from tests.offerings.test_acceptance_pages import text
from tests.offerings.test_acceptances import (
    RECEIVED,
    class_proof,
    tax_return,
)

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


def test_a_part_of_which_it_says_less_is_refused_without_completing_it(present, bruno, olga):
    present(bruno, 1_000)
    with pytest.raises(Refused, match=NEUTRAL):
        present(olga, 1_000, part=PartGiven(buyer_class=BuyerClass.WORKER))


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
