"""Views that people keep of a list: the address under a name of their own."""

import pytest
from django.urls import reverse

from offerings.views.acceptance_lists import ACCEPTANCES
from office.lists import LONGEST
from office.models import SavedView
from office.refusals import Refused
from office.saved_views import MOST, saved_view_rename, saved_view_save
from tests.answers import text_of
from tests.guards import refused_by, repeat
from tests.offerings.rows import make_acceptance, make_stage

pytestmark = pytest.mark.django_db

LIST = "/aceptaciones/"


@pytest.fixture
def desk(client, irene):
    client.force_login(irene)
    return client


def keep(client, label="Incompletas", query="situacion=incomplete", path=LIST):
    return client.post(reverse("saved_view_new"), {"label": label, "lista": path, "filtro": query})


def labels(page):
    return [tab["label"] for tab in page.context["list"]["tabs"]]


def test_a_kept_view_is_a_tab_that_leads_to_its_address(desk, irene, ana):
    make_acceptance(make_stage(irene, ana), 1, 10)
    filtered = desk.get(LIST, {"situacion": "incomplete", "page": "2"})
    assert filtered.context["list"]["save_url"] in text_of(filtered).replace("&amp;", "&")

    answer = keep(desk, query="page=2&situacion=incomplete&desconocido=1")
    assert answer["Location"] == f"{LIST}?situacion=incomplete"
    page = desk.get(answer["Location"])
    assert labels(page) == ["Todas", "Incompletas"]
    assert [tab["current"] for tab in page.context["list"]["tabs"]] == [False, True]
    assert "Cambiar o borrar esta vista" in text_of(page)
    assert labels(desk.get(LIST)) == ["Todas", "Incompletas"]
    assert [tab["current"] for tab in desk.get(LIST).context["list"]["tabs"]] == [True, False]


def test_a_view_is_its_owners_alone(desk, client, irene, mateo):
    keep(desk)
    view = SavedView.objects.get()
    client.force_login(mateo)
    assert labels(client.get(LIST)) == []
    assert client.get(reverse("saved_view", args=[view.pk])).status_code == 404
    assert client.post(reverse("saved_view_delete", args=[view.pk])).status_code == 404
    assert SavedView.objects.filter(owner=irene).count() == 1


def test_a_name_twice_is_refused_and_nothing_typed_is_lost(desk):
    keep(desk)
    answer = keep(desk, query="clase=worker")
    assert answer.status_code == 422
    assert "Ya tiene una vista con ese nombre" in text_of(answer)
    assert 'value="clase=worker"' in text_of(answer)
    assert SavedView.objects.count() == 1
    assert keep(desk, label="INCOMPLETAS ya", query="clase=worker").status_code == 302


def test_the_database_refuses_a_name_twice(irene):
    view = SavedView.objects.create(owner=irene, page="acceptances", label="Mía", query="q=x")
    with refused_by("savedview_label_once"):
        repeat(view)
    repeat(view, page="buyers")


def test_a_view_without_a_filter_or_a_name_is_refused(desk):
    assert "No hay un filtro que guardar" in text_of(keep(desk, query="page=3"))
    assert "Escriba un nombre" in text_of(keep(desk, label=" "))
    assert "caracteres" in text_of(keep(desk, label="x" * 61))
    assert not SavedView.objects.exists()


@pytest.mark.parametrize(
    "path", ["/", "/pagos/1/", "https://malo.example/", "//malo.example/aceptaciones/", "", "/x/"]
)
def test_a_view_of_what_is_no_list_is_not_found(desk, path):
    assert keep(desk, path=path).status_code == 404


def test_a_list_that_the_person_may_not_open_gives_no_view(client, bruno):
    client.force_login(bruno)
    assert keep(client, path="/pagos/", query="vista=pagadas").status_code == 404
    assert keep(client).status_code == 302


def test_a_view_is_renamed_and_deleted_and_the_rows_stay(desk, irene):
    keep(desk)
    view = SavedView.objects.get()
    address = reverse("saved_view", args=[view.pk])
    assert "Incompletas" in text_of(desk.get(address, {"lista": LIST}))
    renamed = desk.post(address, {"label": "Por completar", "lista": LIST})
    assert renamed["Location"] == f"{LIST}?situacion=incomplete"
    view.refresh_from_db()
    assert (view.label, view.query) == ("Por completar", "situacion=incomplete")

    gone = desk.post(reverse("saved_view_delete", args=[view.pk]), {"lista": LIST})
    assert gone["Location"] == LIST
    assert not SavedView.objects.exists()


def test_a_view_is_not_renamed_to_another_ones_name(irene):
    keep_one = {"user": irene, "listing": ACCEPTANCES}
    saved_view_save(**keep_one, label="Una", query="clase=worker")
    other = saved_view_save(**keep_one, label="Otra", query="clase=pensioner")
    with pytest.raises(Refused) as refusal:
        saved_view_rename(user=irene, view_id=other.pk, label="Una")
    assert refusal.value.field == "label"


def test_no_address_outside_is_gone_to_after_a_change(desk):
    keep(desk)
    address = reverse("saved_view", args=[SavedView.objects.get().pk])
    for path in ("https://malo.example/", "/compradores/"):
        assert desk.post(address, {"label": "Otra", "lista": path})["Location"] == reverse("home")


def test_more_views_than_a_person_finds_again_are_refused(irene):
    for number in range(MOST):
        saved_view_save(user=irene, listing=ACCEPTANCES, label=f"V{number}", query="q=a")
    with pytest.raises(Refused, match="borre una"):
        saved_view_save(user=irene, listing=ACCEPTANCES, label="Una más", query="q=b")


def test_a_filter_that_is_too_long_is_cut_before_it_is_kept(irene):
    view = saved_view_save(
        user=irene, listing=ACCEPTANCES, label="Larga", query=f"q={'x' * 5_000}"
    )
    assert len(view.query) == LONGEST + len("q=")


def test_a_view_never_shows_what_its_owner_may_not_see(
    client, irene, ana, bruno, olga, broker, other_broker
):
    stage = make_stage(irene, ana)
    make_acceptance(stage, 1, 10, broker=broker)
    make_acceptance(stage, 2, 10, broker=other_broker)
    SavedView.objects.create(
        owner=bruno, page="acceptances", label="De otro", query=f"comisionista={other_broker.pk}"
    )
    client.force_login(bruno)
    tab = client.get(LIST).context["list"]["tabs"][-1]
    page = text_of(client.get(tab["url"]))
    assert "que no se entiende" in page
    assert "A-000002" not in page
    assert str(other_broker) not in page


@pytest.mark.parametrize(
    ("order", "serials"),
    [
        ("recibida", [1, 2, 3]),
        ("-recibida", [3, 2, 1]),
        ("solicitado", [3, 1, 2]),
        ("-solicitado", [2, 1, 3]),
        ("nada", [3, 2, 1]),
    ],
)
def test_a_list_is_sorted_by_its_headings_in_the_address(desk, irene, ana, order, serials):
    stage = make_stage(irene, ana)
    for serial, shares in enumerate((20, 30, 10), start=1):
        make_acceptance(stage, serial, shares)
    page = desk.get(LIST, {"orden": order})
    assert [row.serial for row in page.context["page"]] == serials
    assert ('aria-sort="descending"' in text_of(page)) is (
        order.startswith("-") and order[1:] in ACCEPTANCES.orders
    )
