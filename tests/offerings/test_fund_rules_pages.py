"""The pages of the reglamento del Fondo: its form, sending it, its review by another."""

import pytest
from django.urls import reverse

from offerings.models import FundRules
from offerings.services.programmes import programme_open
from office.dates import write_datetime
from office.decisions import decisions_on
from tests.offerings.programme_1995 import SLUG, draft_of, open_stage_of, pending_of


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
    return " ".join(response.content.decode().replace("\u00a0", " ").split())


def typed_rules(**changes):
    return {
        "common_source": "Resolución ficticia 12 de 1995",
        "published": "30/06/1995",
        "outstanding": "5.609.906.000",
        "outstanding_source": "Certificado ficticio",
        "pledge_rank": "first",
        "withdrawal_allowed": "no",
        "signatory_name": "Clara Supuesta Muestra",
        "signatory_title": "Directora (E)",
        "readmit_left_out": "no",
        "extra_documents": "Paz y salvo\n\nHoja de vida",
    } | changes


@pytest.fixture
def edit(as_, irene, programme):
    """Posts to the form of a fresh draft."""
    client = as_(irene)
    client.post(reverse("fund_rules", args=[SLUG]))
    return lambda **typed: client.post(
        reverse("fund_rules_edit", args=[SLUG, 1]), typed_rules(**typed)
    )


def test_the_reglamento_is_typed_reviewed_and_sent(edit, client):
    assert edit().url == reverse("fund_rules_submit", args=[SLUG, 1])
    review = text_of(client.get(reverse("fund_rules_submit", args=[SLUG, 1])))
    assert "5.609.906.000 acciones" in review
    assert "novecientas seis mil (5.609.906.000) acciones" in review
    assert "Paz y salvo; Hoja de vida" in review
    client.post(reverse("fund_rules_submit", args=[SLUG, 1]))
    rules = FundRules.objects.get()
    assert rules.review_state == "pending"
    assert rules.values.get(key="outstanding").source == "Certificado ficticio"
    assert rules.values.get(key="pledge_rank").source == "Resolución ficticia 12 de 1995"


def test_an_incomplete_draft_is_kept_and_says_what_is_missing(edit, client):
    edit(outstanding="", outstanding_source="", paso="guardar")
    assert not FundRules.objects.get().values.filter(key="outstanding").exists()
    review = text_of(client.get(reverse("fund_rules_submit", args=[SLUG, 1])))
    assert "Falta para enviarlo:" in review
    assert "Acciones en circulación del emisor" in review
    refused = client.post(reverse("fund_rules_submit", args=[SLUG, 1]))
    assert refused.status_code == 422


@pytest.mark.parametrize(
    "text",
    ["5.609.906.00", "5,609,906,000", "1e9", "９９", "-1", "0", "9223372036854775808", "1\u0000"],
)
def test_a_figure_that_cannot_be_read_is_an_error_and_nothing_is_lost(edit, text):
    page = edit(outstanding=text)
    assert page.status_code == 422
    assert page.context["form"].errors["outstanding"]
    assert "Clara Supuesta Muestra" in text_of(page)
    assert not FundRules.objects.get().values.exists()


def test_a_value_without_its_source_is_an_error_at_the_source(edit):
    page = edit(common_source="", outstanding_source="")
    assert "Escriba la fuente" in str(page.context["form"].errors["outstanding_source"])


def test_a_source_without_its_value_is_an_error_at_the_value(edit):
    page = edit(outstanding="")
    assert "Escriba el dato" in str(page.context["form"].errors["outstanding"])


def test_all_that_cannot_be_is_told_at_its_field_while_it_is_typed(edit):
    page = edit(payment_term_days="31", outstanding="1", published="01/01/1994")
    assert page.status_code == 422
    errors = page.context["form"].errors
    assert "no permite más de 30 días" in str(errors["payment_term_days"])
    assert "menos que las ofrecidas" in str(errors["outstanding"])
    assert "no pudo publicarse" in str(errors["published"])
    assert not FundRules.objects.get().values.exists()


def test_a_reading_that_nobody_chose_is_asked_for_before_the_review(edit, client):
    page = edit(readmit_left_out="")
    assert page.status_code == 422
    assert "Falta para enviarlo" in str(page.context["form"].errors["readmit_left_out"])
    assert "No (propuesta)" in text_of(page)
    assert FundRules.objects.get().values.filter(key="outstanding").exists()
    review = text_of(client.get(reverse("fund_rules_submit", args=[SLUG, 1])))
    assert "Incompleta" not in review
    assert "Falta" in review


def test_a_rank_that_the_decree_does_not_admit_is_not_offered(edit):
    page = edit(pledge_rank="none")
    assert page.status_code == 422
    assert page.context["form"].errors["pledge_rank"]


def test_the_form_of_a_draft_shows_its_values_again(edit, client):
    edit()
    page = client.get(reverse("fund_rules_edit", args=[SLUG, 1])).content.decode()
    assert 'value="5.609.906.000"' in page
    assert "Paz y salvo\nHoja de vida" in page


def test_a_supervisor_who_is_another_approves_on_the_review_page(as_, irene, ana, programme):
    pending_of(programme, irene)
    client, address = as_(ana), reverse("fund_rules_review", args=[SLUG, 1])
    assert "Aprobar el reglamento" in text_of(client.get(address))
    client.post(address, {"decision": "aprobar"})
    assert FundRules.objects.get().review_state == "approved"
    again = client.post(address, {"decision": "rechazar", "reason": "tarde"})
    assert again.status_code == 422
    assert FundRules.objects.get().review_state == "approved"


def test_the_legal_moment_of_the_confirmation_is_typed_and_kept(as_, irene, ana, programme):
    submitted = reverse("fund_rules_submit", args=[SLUG, 1])
    draft_of(programme, irene)
    page = as_(irene).get(submitted)
    assert page.context["form"]["legal_on"].value()
    sent = as_(irene).post(submitted, {"legal_on": "03/07/1995", "legal_time": "9:00"})
    assert sent.status_code == 302
    address = reverse("fund_rules_review", args=[SLUG, 1])
    for typed, words in (
        ({"legal_on": "02/07/1995", "legal_time": "23:59"}, "no puede ser anterior"),
        ({"legal_on": "02/07/2099", "legal_time": "8:00"}, "está en el futuro"),
        ({"legal_on": "04/07/1995"}, "Escriba la fecha y la hora del acto"),
    ):
        refused = as_(ana).post(address, typed | {"decision": "aprobar", "reason": "Nota"})
        assert refused.status_code == 422
        assert words in text_of(refused)
        assert "Nota" in text_of(refused)
    done = as_(ana).post(
        address, {"decision": "aprobar", "legal_on": "04/07/1995", "legal_time": "10:30"}
    )
    assert done.status_code == 302
    rules = FundRules.objects.get()
    acts = {act.act: act.legal_at for act in decisions_on([rules])}
    assert write_datetime(acts["fund_rules_submit"]).startswith("03/07/1995")
    assert write_datetime(acts["fund_rules_review"]).startswith("04/07/1995")
    page = as_(ana).get(reverse("programme", args=[SLUG]))
    assert "confirmados el 04/07/1995" in text_of(page)


def test_a_confirmation_in_the_minute_of_the_sending_is_taken(as_, irene, ana, programme):
    pending_of(programme, irene)
    page = as_(ana).get(reverse("fund_rules_review", args=[SLUG, 1]))
    form = page.context["form"]
    shown = {name: form[name].value() for name in ("legal_on", "legal_time")}
    done = as_(ana).post(page.request["PATH_INFO"], shown | {"decision": "aprobar"})
    assert done.status_code == 302


def test_sending_back_without_a_reason_is_an_error_of_its_field(as_, irene, ana, programme):
    pending_of(programme, irene)
    page = as_(ana).post(
        reverse("fund_rules_review", args=[SLUG, 1]), {"decision": "devolver", "reason": ""}
    )
    assert page.status_code == 422
    assert page.context["form"].errors["reason"]


def test_a_returned_version_tells_its_reason_and_a_new_one_starts_from_it(
    as_, irene, ana, programme
):
    pending_of(programme, irene)
    as_(ana).post(
        reverse("fund_rules_review", args=[SLUG, 1]),
        {"decision": "devolver", "reason": "Falta el folio del certificado."},
    )
    client = as_(irene)
    page = text_of(client.get(reverse("fund_rules", args=[SLUG])))
    assert "Falta el folio del certificado." in page
    client.post(reverse("fund_rules", args=[SLUG]))
    form = client.get(reverse("fund_rules_edit", args=[SLUG, 2])).content.decode()
    assert 'value="5.609.906.000"' in form


def test_who_prepared_it_sees_that_another_must_review(as_, ana, programme):
    pending_of(programme, ana)
    page = as_(ana).get(reverse("fund_rules_review", args=[SLUG, 1]))
    assert "Usted lo preparó" in text_of(page)
    assert "Aprobar el reglamento" not in text_of(page)


def test_sent_rules_are_no_longer_edited(as_, irene, programme):
    pending_of(programme, irene)
    page = as_(irene).get(reverse("fund_rules_edit", args=[SLUG, 1]))
    assert page.url == reverse("fund_rules_version", args=[SLUG, 1])


def test_after_the_opening_a_new_version_changes_who_signs_and_nothing_else(as_, irene, ana):
    open_stage_of(irene, ana)
    client = as_(irene)
    assert "solo cambian quien firma" in text_of(client.get(reverse("fund_rules", args=[SLUG])))
    client.post(reverse("fund_rules", args=[SLUG]))
    address = reverse("fund_rules_edit", args=[SLUG, 2])
    form = client.get(address).context["form"]
    typed = {name: form[name].value() or "" for name in form.fields} | {
        "published": "30/06/1995",
        "outstanding": "5.609.906.000",
    }
    send = reverse("fund_rules_submit", args=[SLUG, 2])
    client.post(address, typed | {"pledge_rank": "second"})
    refused = client.post(send)
    assert (refused.status_code, "la etapa ya se abrió" in text_of(refused)) == (422, True)
    client.post(address, typed | {"signatory_name": "Tulio Imaginario Paz"})
    assert client.post(send).status_code == 302
    assert FundRules.objects.get(version=2).review_state == "pending"
