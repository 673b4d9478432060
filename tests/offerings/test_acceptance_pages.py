"""The screens of acceptances: form, review, page, list, export, withdrawal."""

import re
from uuid import uuid4

import pytest
from django.urls import reverse

from buyers.services import buyer_register
from offerings.decrees.fund_values import FundValue
from offerings.models import Acceptance
from offerings.selectors.receipts import conditions_of
from offerings.services.stages import stage_close, stage_open
from tests.answers import table_of
from tests.conftest import CLOSED, OPENED
from tests.offerings.programme_1995 import ACT, SLUG, given_1995, open_stage_of, ready_stage_of
from tests.offerings.rows import make_acceptance

NEW = reverse("acceptance_new", args=[SLUG, 1])


def text(response):
    """The words of a page, blanks in one."""
    plain = re.sub(r"<[^>]+>", " ", response.content.decode())
    return re.sub(r"\s+", " ", plain).replace("\u2011", "-").replace("\u00a0", " ")


@pytest.fixture
def stage(irene, ana):
    return open_stage_of(irene, ana)


@pytest.fixture
def maria(irene):
    return buyer_register(
        user=irene,
        kind="natural",
        identity_type="CC",
        identity_number="51.000.123",
        name="María Fernanda Ejemplo Ñáñez",
    )


@pytest.fixture
def typed(stage, maria, broker, exchange):
    """What is typed for María: 10,000,000 of gross equity, 600,000 shares."""
    return {
        "buyer": "María Fernanda Ejemplo Ñáñez · C.C. 51.000.123",
        "buyer_class": "worker",
        "files_tax_return": "si",
        "paper0_reference": "CL-7781",
        "paper1_gross_equity": "10.000.000",
        "paper1_year": "1994",
        "paper1_reference": "DR-118",
        "requested": "600.000",
        "received_on": "14/09/1995",
        "received_time": "10:42",
        "broker": str(broker.pk),
        "exchange": str(exchange.pk),
        "attested_on": "14/09/1995",
        "declares_not_disqualified": "on",
        "submission_key": str(uuid4()),
    }


@pytest.fixture
def desk(client, irene):
    client.force_login(irene)
    return client


def test_an_acceptance_is_reviewed_in_words_and_then_registered(desk, typed):
    review = text(desk.post(NEW, typed | {"paso": "revisar"}))
    assert "seiscientas mil acciones" in review
    assert "495.049 acciones" in review
    assert "$29.999.969,40" in review
    assert not Acceptance.objects.exists()
    done = desk.post(NEW, typed | {"paso": "registrar"})
    acceptance = Acceptance.objects.get()
    assert done.url == reverse("acceptance", args=[acceptance.pk])
    page = text(desk.get(done.url))
    assert "Por qué 495.049 acciones" in page
    assert "Registró A-000001: 600.000 acciones" in page.replace("registró", "Registró")


def test_the_review_of_an_incomplete_one_tells_what_is_asked_and_what_counts_today(desk, typed):
    bare = typed | {"paper0_reference": "", "paper1_reference": "", "paso": "revisar"}

    review = text(desk.post(NEW, bare))

    assert "comprar hasta seiscientas mil (600.000) acciones por un máximo de" in review
    assert "($36.360.000,00)" in review
    assert "Hoy cuentan cero (0) acciones" in review
    assert "Falta «" in review
    assert "Falta el documento." not in review


def test_review_and_receipt_read_the_conditions_from_the_terms(desk, typed, irene):
    review = text(desk.post(NEW, typed | {"paso": "revisar"}))
    desk.post(NEW, typed | {"paso": "registrar"})

    conditions = conditions_of(Acceptance.objects.get())

    assert any("cobertura de contingencias (art. 22)" in one for one in conditions)
    assert all(one in review for one in conditions)


def test_the_form_sent_twice_leaves_one_acceptance_and_shows_it(desk, typed):
    first = desk.post(NEW, typed | {"paso": "registrar"})
    second = desk.post(NEW, typed | {"paso": "registrar"})
    assert first.url == second.url
    assert Acceptance.objects.count() == 1


def test_an_acceptance_like_one_that_is_there_is_told_at_its_review_and_not_refused(desk, typed):
    desk.post(NEW, typed | {"paso": "registrar"})
    again = typed | {"submission_key": str(uuid4())}

    review = text(desk.post(NEW, again | {"paso": "revisar"}))
    assert "Ya consta A-000001 igual a esta: revise que no sea la misma." in review
    for name, value in (("requested", "600.001"), ("received_time", "10:43")):
        other = text(desk.post(NEW, again | {name: value, "paso": "revisar"}))
        assert "igual a esta" not in other

    desk.post(NEW, again | {"paso": "registrar"})
    assert Acceptance.objects.count() == 2


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("requested", "9.223.372.036.854.775.808", "es demasiado grande"),
        ("requested", "1" * 40, "es demasiado grande"),
        ("requested", "16.829718", "Escriba 16.829.718 o 16829718"),
        ("requested", "６００", "no se puede leer"),
        ("requested", "600\x00", "no se puede leer"),
        ("requested", "0", "1"),
        ("minimum", "600.001", "es mayor que la cantidad solicitada"),
        ("paper1_gross_equity", "1" * 25, "es demasiado grande"),
        ("paper1_gross_equity", "1,234.50", "Escriba 1.234,50"),
        ("paper1_reference", "DR\x00118", "U+0000"),
        ("beneficial_owner", "Rosa \u202eadatnevnI", "U+202E"),
        ("buyer", "María\x00", "U+0000"),
        ("received_on", "31/09/1995", "septiembre de 1995 tiene 30 días"),
        ("received_on", "29/02/1995", "febrero de 1995 tiene 28 días"),
        ("received_on", "15/09/1995", "El plazo terminó el 14/09/1995"),
        ("received_time", "25:00", "no es una hora"),
        ("attested_on", "30/02/1995", "tiene 28 días"),
    ],
)
def test_what_cannot_be_taken_is_told_at_its_field_and_nothing_is_lost(
    desk, typed, name, value, says
):
    page = desk.post(NEW, typed | {name: value, "paso": "registrar"})
    assert page.status_code == 422
    told = text(page)
    assert told.startswith(" Error:") or "Error:" in told
    assert says in told
    assert page.content.decode().count('class="error-summary"') == 1
    assert 'value="DR-118"' in page.content.decode() or name == "paper1_reference"
    assert not Acceptance.objects.exists()


def test_a_buyer_that_nobody_knows_is_refused_with_the_way_to_register_it(desk, typed):
    page = desk.post(NEW, typed | {"buyer": "Nadie Inventado"})
    assert page.status_code == 422
    assert "Regístrelo primero en Compradores" in text(page)


def test_the_limit_is_said_while_one_types_and_nothing_is_saved(desk, typed):
    address = reverse("acceptance_limit", args=[SLUG, 1])
    assert "Hasta 495.049 acciones" in text(desk.post(address, typed | {"requested": ""}))
    assert "Por qué 495.049 acciones" in text(desk.post(address, typed))
    assert "Elija el comprador" in text(desk.post(address, {}))
    assert not Acceptance.objects.exists()


def test_a_closed_stage_is_told_and_takes_nothing(desk, typed, stage, ana):
    stage_close(stage=stage, user=ana, closed_at=CLOSED)
    assert "ya no recibe aceptaciones" in text(desk.get(NEW))
    page = desk.post(NEW, typed | {"paso": "registrar"})
    assert page.status_code in {409, 422}
    assert not Acceptance.objects.exists()


def test_the_list_is_narrowed_in_its_address_and_each_filter_comes_off(desk, stage):
    make_acceptance(stage, 1, 10)
    make_acceptance(stage, 2, 20, standing="incomplete", admitted=0)
    make_acceptance(stage, 3, 30, buyer_class="cooperative")
    address = reverse("acceptances")
    for query, codes in [
        ({}, {"A-000001", "A-000002", "A-000003"}),
        ({"q": "nanez 2"}, {"A-000002"}),
        ({"q": "A-000003"}, {"A-000003"}),
        ({"q": "51.000.001"}, {"A-000001"}),
        ({"situacion": "incomplete"}, {"A-000002"}),
        ({"clase": "cooperative"}, {"A-000003"}),
        ({"etapa": stage.pk, "clase": "worker"}, {"A-000001", "A-000002"}),
        ({"q": "\x00"}, {"A-000001", "A-000002", "A-000003"}),
        ({"etapa": "x", "situacion": "no"}, set()),
    ]:
        page = text(desk.get(address, query))
        assert set(re.findall(r"A-\d{6}", page)) == codes, query
    one = text(desk.get(address, {"situacion": "incomplete"}))
    assert "1 aceptación" in one
    assert "Quitar el filtro Situación: incompleta" in one
    assert "1 aceptaciones" not in one


def test_the_list_says_what_will_be_there_when_it_is_empty(desk):
    assert "Aquí estarán" in text(desk.get(reverse("acceptances")))


def test_the_export_keeps_the_filter_and_runs_nothing(desk, stage):
    dangerous = make_acceptance(stage, 1, 10).participation.buyer
    dangerous.name = '=HYPERLINK("http://malo.example")'
    dangerous.save()
    make_acceptance(stage, 2, 20, standing="incomplete", admitted=0)
    answer = desk.get(reverse("acceptances_export", args=["csv"]), {"situacion": "complete"})
    rows = table_of(answer)
    assert [row[0] for row in rows] == ["Aceptación", "A-000001"]
    assert rows[1][5].startswith("'=HYPERLINK")


def test_a_withdrawal_that_the_fund_does_not_allow_is_refused_in_words(desk, stage):
    acceptance = make_acceptance(stage, 1, 10)
    address = reverse("acceptance_withdraw", args=[acceptance.pk])
    asked = {"asked_on": "01/09/1995", "asked_time": "9:00", "reason": "Carta de prueba"}
    page = desk.post(address, asked)
    assert page.status_code == 422
    assert f"no permite retirarla. ({ACT})" in text(page)


def test_a_withdrawal_is_reviewed_and_then_done_once(desk, irene, ana, broker, exchange):
    rules = given_1995() | {"withdrawal_allowed": FundValue(True, ACT)}
    stage = ready_stage_of(irene, ana, given=rules)
    stage = stage_open(stage=stage, user=ana, opened_at=OPENED)
    acceptance = make_acceptance(stage, 1, 10)
    address = reverse("acceptance_withdraw", args=[acceptance.pk])
    asked = {"asked_on": "01/09/1995", "asked_time": "9:00", "reason": "Carta de prueba"}
    assert address in desk.get(reverse("acceptance", args=[acceptance.pk])).content.decode()
    assert "Deja de contar" in text(desk.post(address, asked))
    for _ in range(2):
        done = desk.post(address, asked | {"paso": "confirmar"})
        assert done.url == reverse("acceptance", args=[acceptance.pk])
    acceptance.refresh_from_db()
    assert acceptance.state == "withdrawn"
    assert text(desk.get(done.url)).count("registró el retiro de A-000001") == 1
