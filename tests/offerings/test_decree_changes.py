"""A decree's file corrected after the approval: what was decided stays, word for word."""

import re
from datetime import date
from decimal import Decimal
from importlib.resources import files

import pytest
from django.urls import reverse

from offerings.certificates import certificate_allotment_issue
from offerings.decrees import reader
from offerings.services.adjudications import (
    adjudication_decide,
    adjudication_open,
    adjudication_run,
)
from offerings.services.stages import stage_close
from office.certificates import certificate_draw, certificate_html
from office.files import file_read
from office.models import Certificate
from office.pdf import render_pdf
from office.review import ReviewState
from tests.conftest import CLOSED
from tests.offerings.paid import SESSION, pay_in_full
from tests.offerings.programme_1995 import SLUG, open_stage_of
from tests.offerings.rows import make_acceptance

ISSUED_ON = date(1995, 10, 3)
CORRECTIONS = {
    "60.60": "70.70",
    "art. 9-3": "art. 99",
    "art. 6-3": "art. 66",
    "days = 30": "days = 90",
    "months = 24": "months = 48",
    "Decreto 1118 de 1995": "Decreto ficticio 2 de 1995",
}


@pytest.fixture
def decree_corrected(monkeypatch, tmp_path):
    """Call it to put another text in the place of the 1995 decree's file."""

    def correct():
        source = files("offerings.decrees") / f"{SLUG}.toml"
        text = source.read_text(encoding="utf-8")
        for before, after in CORRECTIONS.items():
            assert before in text, before
            text = text.replace(before, after)
        (tmp_path / f"{SLUG}.toml").write_text(text, encoding="utf-8")
        monkeypatch.setattr(reader, "files", lambda package: tmp_path)
        reader._bundled.cache_clear()
        assert reader.terms_of(SLUG).price.value == Decimal("70.70")

    yield correct
    reader._bundled.cache_clear()


@pytest.fixture
def run(irene, ana, exchange):
    """An approved adjudication, pro rata, of a stage opened and closed by its acts."""
    stage = open_stage_of(irene, ana)
    half = stage.supply // 2 + 1_000
    cut = {"admitted": half, "limit_shares": half, "standing": "cut"}
    make_acceptance(stage, 1, half * 2, **cut)
    make_acceptance(stage, 2, half)
    stage_close(stage=stage, user=ana, closed_at=CLOSED)
    opened = adjudication_open(
        stage_id=stage.pk, exchange=exchange, session_on=SESSION, user=irene
    )
    adjudication_run(adjudication_id=opened.pk, report=lambda *told: None)
    return adjudication_decide(adjudication_id=opened.pk, user=ana, outcome=ReviewState.APPROVED)


@pytest.fixture
def award(run):
    return run.awards.get(acceptance__serial=1)


def words_of(client, address):
    """What a page says, without the hour in its foot and the tokens in its forms."""
    page = client.get(address).content.decode()
    plain = re.sub(r"<time>[^<]*</time>|<[^>]+>", " ", page)
    return re.sub(r"\s+", " ", plain)


def test_the_explanation_stays_when_the_decree_is_corrected_after_the_approval(
    client, irene, run, award, decree_corrected
):
    client.force_login(irene)
    addresses = [
        reverse("award", args=[award.pk]),
        reverse("adjudication", args=[run.pk]),
        reverse("payment_award", args=[award.pk]),
        reverse("acceptance", args=[award.acceptance_id]),
        reverse("programme", args=[SLUG]),
    ]
    before = [words_of(client, address) for address in addresses]
    assert "art. 9-3" in before[0].replace("\u2011", "-").replace("\u00a0", " ")

    decree_corrected()

    assert [words_of(client, address) for address in addresses] == before


def test_the_pdf_stays_when_the_decree_is_corrected_after_the_approval(
    irene, award, decree_corrected
):
    pay_in_full(award, irene)
    issued = certificate_allotment_issue(award_id=award.pk, user=irene, legal_date=ISSUED_ON)
    certificate = certificate_draw(issued.pk)
    stored = file_read(certificate.file)

    decree_corrected()

    again = Certificate.objects.select_related("series").get(pk=certificate.pk)
    assert file_read(again.file) == stored
    assert render_pdf(certificate_html(again), stylesheet="certificate.css") == stored


def test_a_certificate_issued_after_the_correction_states_what_was_adjudicated(
    irene, award, decree_corrected
):
    decree_corrected()
    pay_in_full(award, irene)
    facts = certificate_allotment_issue(award_id=award.pk, user=irene, legal_date=ISSUED_ON).facts
    assert facts["decree"] == "Decreto 1118 de 1995"
    assert facts["award"]["price"] == "60.60"
    assert facts["adjudication"]["cites"] == ["art. 9-3"]
    assert facts["lock_up"]["last_day"] == "1997-09-15"
