"""The pages of programmes: who may come, what they show, the acts in their three steps."""

from datetime import date, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from offerings.decrees.reader import decree_slugs
from offerings.models import CreditLine, FundRules, Programme, PublicNotice
from offerings.selectors.demand import weekly_demand
from offerings.services.programmes import programme_open
from office.dates import bogota_day, write_date
from office.decisions import decisions_on
from tests.answers import table_of
from tests.conftest import OPENED
from tests.offerings.programme_1995 import (
    OLD_SLUG,
    SLUG,
    draft_of,
    open_stage_of,
    ready_stage_of,
)
from tests.offerings.rows import make_acceptance


@pytest.fixture
def as_(client):
    """The client, logged in as that person."""

    def log_in(user):
        client.force_login(user)
        return client

    return log_in


@pytest.fixture
def programme(irene):
    return programme_open(slug=SLUG, user=irene)


def text_of(response):
    data = response.getvalue() if response.streaming else response.content
    return " ".join(data.decode("utf-8-sig").replace("\u00a0", " ").split())


# Programmes


def test_the_list_is_empty_with_its_next_step_until_a_programme_is_opened(as_, irene):
    page = as_(irene).get(reverse("programmes"))
    assert "Todavía no se ha abierto ninguno" in text_of(page)
    assert reverse("programme_open") in page.content.decode()


def test_an_auditor_is_not_offered_what_it_may_not_do(as_, aura):
    page = as_(aura).get(reverse("programmes"))
    assert reverse("programme_open") not in page.content.decode()


def test_the_page_of_a_new_programme_says_what_each_decree_does_not(as_, irene):
    page = text_of(as_(irene).get(reverse("programme_open")))
    assert "Fiduciaria FES 2004" in page
    assert "el texto que tenemos no dice el precio por acción" in page
    assert "no dice cómo se adjudica" in page


def test_a_programme_is_opened_after_its_review(as_, irene):
    client = as_(irene)
    review = client.get(reverse("programme_open"), {"decreto": SLUG})
    assert "Revise y confirme" in text_of(review)
    assert not Programme.objects.exists()
    done = client.post(reverse("programme_open"), {"slug": SLUG})
    assert done.url == reverse("programme", args=[SLUG])
    again = client.post(reverse("programme_open"), {"slug": SLUG})
    assert again.url == done.url
    assert Programme.objects.count() == 1


def test_an_unknown_decree_is_refused_with_a_message(as_, irene):
    page = as_(irene).post(reverse("programme_open"), {"slug": "banco-popular-1893"})
    assert page.status_code == 422
    assert "Elija uno de los decretos" in text_of(page)


@pytest.mark.parametrize("slug", decree_slugs())
def test_each_decree_has_its_page_with_values_clauses_and_gaps(as_, irene, slug):
    programme_open(slug=slug, user=irene)
    page = text_of(as_(irene).get(reverse("programme_decree", args=[slug])))
    assert "Lo que el texto no dice" in page
    assert "Lecturas" in page
    if slug == SLUG:
        assert "$60,60" in page
        assert "5.234.634.742" in page
        assert "Autorización de la Superintendencia en Banco Popular 1995: faltan" in page
        assert "Retiro de aceptaciones de Banco Popular 1995" in page


@pytest.mark.parametrize(
    ("slug", "told"),
    [
        (
            SLUG,
            (
                "De 0,3 % de las acciones o más",
                "Reducción, meses 13 a 23",
                "8,7 % menos cada mes",
                "1 % del precio de compra por cada mes que falta",
                "Lecturas de la sanción",
                "Mes anterior a la solicitud ÷ mes de la compra (propuesta)",
                "El precio fijo, ajustado por el IPC",
            ),
        ),
        ("banco-popular-1994", ("La diferencia entre el precio del martillo y el de compra",)),
        ("banco-popular-1996", ("Se paga por cada mes que falta: así lo dice el texto",)),
        (
            "fiduciaria-fes-2004",
            ("Multa del semestre 4", "10 %", "Derechos de accionista", "Crédito de compra"),
        ),
        ("financiera-america-2004", ("El texto no la trae: la decide el Fondo", "Sucesión")),
    ],
)
def test_the_decrees_page_says_what_leaving_early_costs(as_, irene, slug, told):
    programme_open(slug=slug, user=irene)
    page = text_of(as_(irene).get(reverse("programme_decree", args=[slug])))
    assert [words for words in told if words not in page] == []


def test_the_programme_page_shows_figures_exclusions_notes_and_checklist(as_, irene, programme):
    page = text_of(as_(irene).get(reverse("programme", args=[SLUG])))
    assert "Programa de enajenación · Decreto 1118 de 1995" in page
    assert "Acciones de la Nación en el Banco Popular" in page
    assert "fundaciones, obras de arte ni patrimonio histórico y cultural (art. 23)." in page
    assert "$317.218.865.365,20" in page
    assert "«19694» en el artículo 6‑1 se lee 1994." in page
    assert "1 de 7" not in page
    assert "No puede empezar todavía" in page


def test_the_checklist_of_a_fragment_says_which_figures_are_missing(as_, irene):
    programme_open(slug=OLD_SLUG, user=irene)
    page = text_of(as_(irene).get(reverse("programme", args=[OLD_SLUG])))
    assert "Falta: acciones ofrecidas, precio fijo por acción, fecha de publicación" in page
    assert "Línea de crédito (art" not in page


def test_the_checklist_is_whole_when_the_stage_can_open(as_, irene, ana):
    ready_stage_of(irene, ana)
    page = as_(ana).get(reverse("programme", args=[SLUG]))
    assert "6 de 7" in text_of(page)
    assert reverse("stage_open", args=[SLUG, 1]) in page.content.decode()


def test_a_broker_sees_the_programme_without_demand_checklist_or_history(as_, irene, ana, bruno):
    open_stage_of(irene, ana)
    page = text_of(as_(bruno).get(reverse("programme", args=[SLUG])))
    assert "5.234.634.742" in page
    for hidden in ("Demanda tras el límite", "Para abrir la etapa", "Historia"):
        assert hidden not in page


def test_demand_is_added_up_by_week_and_compared_with_the_supply(as_, irene, ana):
    stage = open_stage_of(irene, ana)
    for serial, (days, shares) in enumerate(
        [(0, 1_000), (6, 2_000), (7, 5_234_634_742), (20, 4_000)], start=1
    ):
        make_acceptance(stage, serial, shares, received_at=OPENED + timedelta(days=days, hours=1))
    make_acceptance(stage, 9, 777, admitted=0, standing="incomplete")
    page = text_of(as_(irene).get(reverse("programme", args=[SLUG])))
    assert '<td>20/07/1995</td> <td class="num">2</td> <td class="num">3.000</td>' in page
    assert "5.234.641.742" in page
    assert "100,0 % de la oferta" in page
    assert "Oferta" in page


def test_the_queries_of_the_page_do_not_grow_with_the_acceptances(
    as_, irene, ana, django_assert_num_queries
):
    stage = open_stage_of(irene, ana)
    client = as_(irene)
    make_acceptance(stage, 1, 10)
    with CaptureQueriesContext(connection) as few:
        client.get(reverse("programme", args=[SLUG]))
    for serial in range(2, 12):
        make_acceptance(stage, serial, 10)
    with django_assert_num_queries(len(few)):
        client.get(reverse("programme", args=[SLUG]))


def demand(client, by, kind="csv"):
    return client.get(reverse("stage_demand", args=[SLUG, 1, by, kind]))


def test_the_demand_is_exported_with_the_same_figures(as_, irene, ana):
    stage = open_stage_of(irene, ana)
    make_acceptance(stage, 1, 1_000)
    got = demand(as_(irene), "semana")
    rows = table_of(got)
    assert rows[0][:2] == ["Semana que termina", "Aceptaciones"]
    assert rows[1][:4] == ["20/07/1995", "1", "1000", "1000"]
    assert got["Content-Disposition"] == (
        'attachment; filename="demanda-por-semana-banco-popular-1995-etapa-1.csv"'
    )
    assert demand(as_(irene), "semana", "xlsx").getvalue().startswith(b"PK")
    for by, kind in (("mes", "csv"), ("semana", "pdf")):
        assert demand(as_(irene), by, kind).status_code == 404


def test_the_first_week_has_seven_days_as_every_other(irene, ana):
    stage = open_stage_of(irene, ana)
    weeks = weekly_demand(stage, date(1995, 8, 2))
    assert [(week.starts, week.ends) for week in weeks] == [
        (date(1995, 7, 14), date(1995, 7, 20)),
        (date(1995, 7, 21), date(1995, 7, 27)),
        (date(1995, 7, 28), date(1995, 8, 2)),
    ]


def test_demand_by_class_and_by_day_count_what_counts(as_, irene, ana):
    stage = open_stage_of(irene, ana)
    make_acceptance(stage, 1, 1_000)
    make_acceptance(stage, 2, 500, admitted=300, limit_shares=300, standing="cut")
    make_acceptance(
        stage, 3, 50, buyer_class="cooperative", received_at=OPENED + timedelta(days=3)
    )
    make_acceptance(stage, 4, 777, admitted=0, standing="incomplete")
    assert table_of(demand(as_(irene), "clase"))[1:] == [
        ["Trabajadores activos", "2", "1500", "1300", "0,0"],
        ["Cooperativas", "1", "50", "50", "0,0"],
    ]
    assert [row[:4] for row in table_of(demand(as_(irene), "dia"))[1:]] == [
        ["14/07/1995", "2", "1300", "1300"],
        ["17/07/1995", "1", "50", "1350"],
    ]
    page = as_(irene).get(reverse("programme", args=[SLUG]))
    assert f'etapa={stage.pk}&amp;dia=17/07/1995"' in page.content.decode()
    assert "Demanda por día de recibo" in text_of(page)
    listed = as_(irene).get(reverse("acceptances"), {"etapa": stage.pk, "dia": "17/07/1995"})
    assert [row.serial for row in listed.context["page"]] == [3]


def test_the_page_says_what_is_not_sold_and_that_nobody_goes_first(as_, irene, ana):
    open_stage_of(irene, ana)
    page = text_of(as_(irene).get(reverse("programme", args=[SLUG])))
    assert "patrimonio histórico y cultural (art. 23)." in page
    assert "No hay derecho de preferencia" in page
    assert "(art. 19)." in page


def test_the_notice_is_told_what_it_must_say(as_, irene, programme):
    page = text_of(as_(irene).get(reverse("notice_new", args=[SLUG])))
    assert "El aviso debe decir también: No se venden los derechos" in page


def test_the_page_shows_the_notices_the_credit_and_how_the_last_day_came_about(as_, irene, ana):
    stage = open_stage_of(irene, ana)
    page = text_of(as_(irene).get(reverse("programme", args=[SLUG])))
    assert stage.programme.notices.get().medium in page
    assert stage.programme.credit_lines.get().lender in page
    assert "2 meses" in page


# References


def test_a_notice_is_typed_reviewed_and_recorded_once(as_, irene, programme):
    client, address = as_(irene), reverse("notice_new", args=[SLUG])
    typed = {
        "published_on": "12/07/1995",
        "medium": "El Diario Ficticio",
        "reference": "página 4B",
    }
    review = client.post(address, typed)
    assert "12 de julio de 1995" in text_of(review)
    assert not PublicNotice.objects.exists()
    assert decisions_on([programme]).count() == 1
    for _ in range(2):
        done = client.post(address, typed | {"paso": "confirmar"})
        assert done.url == reverse("programme", args=[SLUG])
    assert PublicNotice.objects.get().reference == "página 4B"


def test_cambiar_leads_back_to_the_form_with_what_was_typed(as_, irene, programme):
    client, address = as_(irene), reverse("notice_new", args=[SLUG])
    typed = {"published_on": "12/07/1995", "medium": "D", "reference": "4B"}
    review = client.post(address, typed)
    line = review.context["answers"][1]
    assert line["change_url"].endswith("#id_medium")
    form = client.get(line["change_url"].partition("#")[0])
    assert 'value="12/07/1995"' in form.content.decode()


def test_a_notice_of_tomorrow_keeps_what_was_typed_and_says_where(as_, irene, programme):
    tomorrow = write_date(bogota_day(timezone.now()) + timedelta(days=1))
    page = as_(irene).post(
        reverse("notice_new", args=[SLUG]),
        {"published_on": tomorrow, "medium": "El Diario Ficticio", "reference": "1"},
    )
    assert page.status_code == 422
    assert f"{tomorrow} está en el futuro" in text_of(page)
    assert "El Diario Ficticio" in text_of(page)
    assert 'href="#id_published_on"' in page.content.decode()


@pytest.mark.parametrize("day", ["31/02/1995", "12-07-1995", "1995", ""])
def test_an_impossible_date_is_an_error_of_its_field(as_, irene, programme, day):
    page = as_(irene).post(
        reverse("notice_new", args=[SLUG]),
        {"published_on": day, "medium": "D", "reference": "1"},
    )
    assert page.status_code == 422
    assert page.context["form"].errors["published_on"]


@pytest.mark.parametrize("medium", ["Diario\u0000", "Diario \u202eoiraiD"])
def test_unseen_characters_are_refused(as_, irene, programme, medium):
    page = as_(irene).post(
        reverse("notice_new", args=[SLUG]),
        {"published_on": "12/07/1995", "medium": medium, "reference": "1"},
    )
    assert page.status_code == 422
    assert page.context["form"].errors["medium"]


def test_a_credit_line_is_recorded(as_, irene, programme):
    typed = {"lender": "Banco Inventado", "opened_on": "03/07/1995", "reference": "carta 18"}
    as_(irene).post(reverse("credit_line_new", args=[SLUG]), typed | {"paso": "confirmar"})
    assert CreditLine.objects.get().lender == "Banco Inventado"


# Who may come

NEEDS = [
    ("programmes", [], "irene mateo ana aura bruno", "adela root"),
    ("programme", [SLUG], "irene ana aura bruno", "adela root"),
    ("programme_decree", [SLUG], "irene ana aura bruno", "adela root"),
    ("programme_open", [], "irene ana", "aura bruno adela root"),
    ("notice_new", [SLUG], "irene ana", "aura bruno adela root"),
    ("credit_line_new", [SLUG], "irene ana", "aura bruno adela root"),
    ("fund_rules", [SLUG], "irene ana aura", "bruno adela root"),
    ("fund_rules_version", [SLUG, 1], "irene ana aura", "bruno adela root"),
    ("fund_rules_edit", [SLUG, 1], "irene ana", "aura bruno adela root"),
    ("fund_rules_submit", [SLUG, 1], "irene ana", "aura bruno adela root"),
    ("fund_rules_review", [SLUG, 1], "ana tomas", "irene aura bruno adela root"),
    ("stage_open", [SLUG, 1], "ana", "irene aura bruno adela root"),
    ("stage_close", [SLUG, 1], "ana", "irene aura bruno adela root"),
    ("stage_demand", [SLUG, 1, "semana", "csv"], "irene ana aura", "bruno adela root"),
]


@pytest.mark.parametrize(("name", "arguments", "let_in", "kept_out"), NEEDS)
def test_each_page_lets_in_whom_it_should(
    as_, request, irene, programme, name, arguments, let_in, kept_out
):
    draft_of(programme, irene)
    address = reverse(name, args=arguments)
    for person in let_in.split():
        answer = as_(request.getfixturevalue(person)).get(address)
        assert answer.status_code == 200
        assert text_of(answer)
    for person in kept_out.split():
        assert as_(request.getfixturevalue(person)).get(address).status_code == 403


def test_an_auditor_starts_no_version(as_, aura, programme):
    page = as_(aura).post(reverse("fund_rules", args=[SLUG]), follow=True)
    assert not FundRules.objects.exists()
    assert "Solo un analista o un supervisor" in text_of(page)


def test_a_programme_that_is_not_there_is_not_found(as_, irene):
    assert as_(irene).get(reverse("programme", args=[SLUG])).status_code == 404


def test_the_pages_keep_to_the_content_security_policy(as_, irene, ana):
    open_stage_of(irene, ana)
    for name in ("programme", "programme_decree", "fund_rules"):
        page = as_(irene).get(reverse(name, args=[SLUG])).content.decode()
        assert "style=" not in page
        assert "onclick" not in page
