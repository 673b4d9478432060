"""The lender of the purchase is told of an early sale, where the decree lets it call the loan."""

from datetime import date
from uuid import uuid4

import pytest

from office.refusals import Refused
from pledges.models import LenderNotice
from pledges.services.rights import lender_notice_record
from tests.pledges.early import FES, ask
from tests.pledges.rows import make_pledge


def notify(request, user, **changes):
    said = {"lender": "Banco de Muestra", "notified_on": date(1997, 1, 22), "reference": "Carta 9"}
    return lender_notice_record(
        request_id=request.pk, user=user, submission_key=uuid4(), **(said | changes)
    )


def test_where_the_decree_says_nothing_of_the_lender_there_is_no_notice(client, irene, ana):
    request = ask(make_pledge(irene, ana), irene)

    with pytest.raises(Refused, match="no habla del aviso al acreedor"):
        notify(request, irene)
    client.force_login(irene)
    assert "Aviso al acreedor" not in client.get(f"/solicitudes/{request.pk}/").text


def test_the_notice_of_a_request_is_recorded_and_shown_on_its_page(client, irene, ana):
    request = ask(make_pledge(irene, ana, slug=FES), irene)
    with pytest.raises(Refused, match="no puede ser anterior a la solicitud"):
        notify(request, irene, notified_on=date(1997, 1, 19))
    client.force_login(irene)
    typed = {
        "submission_key": str(uuid4()),
        "lender": "Banco de Muestra",
        "notified_on": "22/01/1997",
        "reference": "Carta 9",
    }
    address = f"/solicitudes/{request.pk}/aviso-al-acreedor/"

    assert "Banco de Muestra" in client.post(address, typed | {"paso": "revisar"}).text
    done = client.post(address, typed | {"paso": "confirmar"}, follow=True)

    assert "Carta 9" in done.text
    assert "numeral 6" in done.text.replace("\N{NO-BREAK SPACE}", " ")
    client.post(address, typed | {"paso": "confirmar"})
    assert LenderNotice.objects.count() == 1
