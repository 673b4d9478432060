"""An authority's measure holds its shares in the pledge until the authority lifts it."""

from datetime import date, datetime
from uuid import uuid4

import pytest

from office.refusals import Refused
from pledges.enums import Measure
from pledges.models import Attachment
from pledges.services.measures import MeasureEntry, attachment_lift, attachment_record
from tests.conftest import BOGOTA
from tests.pledges.rows import make_pledge


def order(**changes):
    said = {
        "measure": Measure.EMBARGO,
        "authority": "Juzgado 1 Civil de Muestra",
        "number": "118",
        "ordered_on": date(1996, 2, 1),
        "received_at": datetime(1996, 2, 5, 9, 0, tzinfo=BOGOTA),
        "shares": 4,
    }
    return MeasureEntry(**(said | changes))


@pytest.fixture
def pledge(irene, ana):
    return make_pledge(irene, ana, 10)


def record(pledge, user, **changes):
    return attachment_record(
        pledge_id=pledge.pk, user=user, entry=order(**changes), submission_key=uuid4()
    )


def test_attached_shares_are_not_free_until_the_measure_is_lifted(pledge, irene):
    measure = record(pledge, irene)
    pledge.refresh_from_db()
    assert (pledge.pledged, pledge.attached, pledge.free) == (10, 4, 6)

    lifted = date(1996, 5, 2)
    attachment_lift(
        attachment_id=measure.pk, user=irene, lifted_on=lifted, lifted_act="Oficio 300"
    )
    pledge.refresh_from_db()
    assert (pledge.attached, pledge.free) == (0, 10)


def test_two_measures_reach_no_more_shares_than_are_pledged(pledge, irene):
    record(pledge, irene)

    with pytest.raises(Refused, match="Quedan 6 acciones en prenda sin otra medida") as refusal:
        record(pledge, irene, number="119", shares=7)

    assert refusal.value.field == "shares"
    record(pledge, irene, number="119", shares=6)


def test_the_same_order_twice_is_refused(pledge, irene):
    record(pledge, irene)

    with pytest.raises(Refused, match="ya está registrado"):
        record(pledge, irene, shares=1)


def test_the_same_form_sent_twice_records_one_measure(pledge, irene):
    key = uuid4()
    for _ in range(2):
        attachment_record(pledge_id=pledge.pk, user=irene, entry=order(), submission_key=key)

    pledge.refresh_from_db()
    assert Attachment.objects.count() == 1
    assert pledge.attached == 4


def test_a_measure_is_not_received_before_it_is_ordered(pledge, irene):
    with pytest.raises(Refused, match="No se recibe antes de ordenarse"):
        record(pledge, irene, received_at=datetime(1996, 1, 31, 9, 0, tzinfo=BOGOTA))


def test_a_measure_is_not_lifted_before_it_is_ordered(pledge, irene):
    measure = record(pledge, irene)

    with pytest.raises(Refused, match="No se levanta antes de ordenarse"):
        attachment_lift(
            attachment_id=measure.pk,
            user=irene,
            lifted_on=date(1996, 1, 31),
            lifted_act="Oficio 300",
        )


def test_an_auditor_records_no_measure(pledge, aura):
    with pytest.raises(Refused, match="Solo un analista o un supervisor"):
        record(pledge, aura)


def test_the_page_of_a_pledge_takes_a_measure_in_after_its_review(client, pledge, irene):
    client.force_login(irene)
    address = f"/prendas/{pledge.pk}/medidas/nueva/"
    typed = {
        "submission_key": str(uuid4()),
        "measure": "embargo",
        "authority": "Juzgado 1 Civil de Muestra",
        "number": "118",
        "ordered_on": "01/02/1996",
        "received_on": "05/02/1996",
        "received_time": "9:00",
        "shares": "4",
        "detail": "",
    }

    review = client.post(address, typed | {"paso": "revisar"})
    assert "cuatro (4)" in review.text or "cuatro" in review.text
    assert not Attachment.objects.exists()

    done = client.post(address, typed | {"paso": "confirmar"}, follow=True)
    assert "Medida registrada sobre 4 acciones." in done.text
    assert "Juzgado 1 Civil de Muestra" in done.text
    assert "Embargada" in done.text

    refused = client.post(address, typed | {"submission_key": str(uuid4()), "paso": "revisar"})
    assert refused.status_code == 422
    assert "ya está registrado en esta prenda" in refused.text
