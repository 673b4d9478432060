"""An act that was annulled and issued anew: both stay, with what became of each."""

import pytest
from django.urls import reverse

from offerings.certificates import record_issue
from offerings.selectors.certificates import acts_of, run_of_act
from office.annulments import certificate_annulment_decide, certificate_annulment_prepare
from office.models import Certificate
from office.review import ReviewState
from tests.answers import table_of
from tests.offerings.conftest import ISSUED_ON
from tests.offerings.rows import SLUG, make_acceptances
from tests.offerings.walks import text_of

CAUSE = "Firmó quien no debía."


@pytest.fixture
def reissue(mateo, ana):
    """Annuls the act of a record; gives the one that takes its place."""

    def run(record):
        asked = certificate_annulment_prepare(
            certificate_id=record.certificate_id,
            annulled_on=record.certificate.legal_date,
            user=mateo,
            cause=CAUSE,
        )
        certificate_annulment_decide(annulment_id=asked.pk, user=ana, outcome=ReviewState.APPROVED)
        return record_issue(
            adjudication_id=record.adjudication_id, user=mateo, legal_date=ISSUED_ON
        )

    return run


@pytest.fixture
def thrice(closed_stage, record, reissue):
    """The record of a run whose act is the third."""
    make_acceptances(closed_stage, [98])
    return reissue(reissue(record()))


@pytest.fixture
def run(thrice):
    return thrice.adjudication


def numbers(certificates):
    return [str(certificate) for certificate in certificates]


ALL = ["ACT-1995-000003", "ACT-1995-000002", "ACT-1995-000001"]


def test_the_page_of_the_adjudication_shows_each_act_and_what_became_of_it(run, client, aura):
    client.force_login(aura)
    page = text_of(client.get(reverse("adjudication", args=[run.pk])))
    for number in ALL:
        assert f"Acta {number}" in page
    assert page.count(CAUSE) >= 2
    assert "En su lugar se expidió ACT-1995-000002" in page
    assert "En su lugar se expidió ACT-1995-000003" in page


def test_annulled_and_not_issued_anew_it_is_shown_once_and_its_page_leads_on(
    closed_stage, record, client, mateo, ana
):
    make_acceptances(closed_stage, [98])
    issued = record()
    asked = certificate_annulment_prepare(
        certificate_id=issued.certificate_id,
        annulled_on=issued.certificate.legal_date,
        user=mateo,
        cause=CAUSE,
    )
    certificate_annulment_decide(annulment_id=asked.pk, user=ana, outcome=ReviewState.APPROVED)
    client.force_login(mateo)
    run = issued.adjudication_id
    page = text_of(client.get(reverse("adjudication", args=[run])))
    assert page.count("Acta ACT-1995-000001") == 1
    assert "En su lugar se expidió" not in page
    act = client.get(reverse("certificate", args=[issued.certificate_id])).content.decode()
    assert reverse("adjudication_record_new", args=[run]) in act
    assert reverse("adjudication", args=[run]) in act


def test_the_list_by_programme_holds_every_act_and_says_of_which(run, client, aura):
    client.force_login(aura)
    query = {"programa": SLUG, "clase": "ACT"}
    page = client.get(reverse("certificates"), query)
    assert numbers(page.context["page"]) == ALL
    headings, *rows = table_of(client.get(reverse("certificates_export", args=["csv"]), query))
    place = headings.index("Programa")
    assert {row[place] for row in rows} == {str(run.stage.programme)}
    assert len(rows) == len(ALL)


def test_acts_of_another_run_are_not_among_them(run):
    assert numbers(acts_of(run)) == ALL
    assert {run_of_act(act) for act in Certificate.objects.all()} == {run}
    run.pk += 1
    assert not acts_of(run).exists()
