"""The list of pledges and the page of each: what is shown, to whom."""

from datetime import date

import pytest
from django.urls import reverse

from pledges.enums import PledgeState
from pledges.models import Pledge
from pledges.services.pledges import pledge_enter
from tests.pledges.rows import make_pledge, make_pledges


@pytest.fixture
def inside(client, ana):
    client.force_login(ana)
    return client


def shown(client, name, *args, **asked):
    """The page's text, blanks put together."""
    response = client.get(reverse(name, args=args), asked)
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def test_a_pledge_shows_its_shares_its_holder_and_its_last_day(inside, irene, ana):
    page = shown(inside, "pledge", make_pledge(irene, ana, 10_000).pk)

    assert "10.000 acciones de María Ejemplo Ñáñez 1 (C.C. 51.000.001) en prenda" in page
    assert "hasta la medianoche del 15 de septiembre de 1997" in page
    assert "16/09/1997" in page
    assert "Acto de prueba 1 de 1995" in page


def test_a_pledge_with_nothing_left_offers_no_way_out_of_it(inside, irene, ana):
    pledge = make_pledge(irene, ana, 10)
    ways = [reverse(name, args=[pledge.pk]) for name in ("penalty_what_if", "pledge_transfer_new")]
    page = shown(inside, "pledge", pledge.pk)
    assert all(way in page for way in ways)
    Pledge.objects.filter(pk=pledge.pk).update(state=PledgeState.ANNULLED)

    page = shown(inside, "pledge", pledge.pk)
    assert "No quedan acciones en prenda. Titular: María Ejemplo Ñáñez 1" in page
    assert "en prenda a favor del Fondo" not in page
    assert not any(way in page for way in ways)


def test_the_list_says_what_is_pledged_in_all(inside, irene, ana):
    make_pledges(irene, ana, (10_000, 234))

    page = shown(inside, "pledges")
    assert "10.234" in page
    assert "2 prendas" in page


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"q": "ejemplo nanez 2"}, [2]),
        ({"q": "51.000.001"}, [1]),
        ({"mes": "1997-09"}, [2, 1]),
        ({"mes": "1997-10"}, []),
        ({"condicion": "por-anotar"}, [2]),
        ({"condicion": "embargadas"}, []),
        ({"vista": "vigentes"}, [2, 1]),
        ({"vista": "liberadas"}, []),
        ({"programa": "banco-popular-1995"}, [2, 1]),
        ({"mes": "1997-13"}, []),
    ],
)
def test_the_list_is_narrowed_by_what_the_address_asks_for(inside, irene, ana, asked, found):
    pledges = make_pledges(irene, ana, (10, 20))
    pledge_enter(
        pledge_id=pledges[0].pk,
        user=irene,
        kept_by="Depósito de Prueba",
        reference="A-1",
        entered_on=date(1995, 10, 3),
    )

    page = inside.get(reverse("pledges"), asked)
    assert [pledges.index(pledge) + 1 for pledge in page.context["pledges"]] == found


def test_the_export_holds_what_the_list_shows(inside, irene, ana):
    make_pledges(irene, ana, (10, 20))

    answer = inside.get(reverse("pledges_export", args=["csv"]), {"q": "51.000.002"})
    text = answer.getvalue().decode()
    assert "51000002" in text or "51.000.002" in text
    assert "María Ejemplo Ñáñez 1" not in text


def test_no_pledge_yet_says_why_and_what_comes_first(inside):
    assert "nace cuando lo adjudicado está pagado en su totalidad" in shown(inside, "pledges")
