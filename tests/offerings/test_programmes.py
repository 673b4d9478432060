"""Opening a programme and recording the references that precede its first stage."""

from datetime import date, timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from offerings.decrees.reader import decree_slugs, terms_of
from offerings.enums import StageState
from offerings.models import Programme
from offerings.selectors.programmes import programme_terms, stage_terms
from offerings.services.programmes import credit_line_record, notice_record, programme_open
from office.dates import bogota_day
from office.decisions import decisions_on
from office.refusals import Refused
from tests.offerings.programme_1995 import SLUG


@pytest.fixture
def programme(irene):
    return programme_open(slug=SLUG, user=irene)


def test_a_programme_opens_with_its_decree_and_a_planned_first_stage(programme, irene):
    stage = programme.stages.get()
    assert (stage.number, stage.state, stage.supply) == (1, StageState.PLANNED, None)
    assert programme.short_name == "Banco Popular 1995"
    decision = decisions_on([programme]).get()
    assert decision.actor == irene
    assert decision.article == "Decreto 1118 de 1995"


@pytest.mark.parametrize("slug", decree_slugs())
def test_each_of_the_five_decrees_can_be_opened_and_stays_with_its_own_text(slug, irene):
    programme = programme_open(slug=slug, user=irene)
    assert programme_terms(programme) == terms_of(slug)
    assert stage_terms(programme.stages.get()) == terms_of(slug)


def test_opening_a_programme_twice_gives_the_same_one(programme, mateo):
    assert programme_open(slug=SLUG, user=mateo) == programme
    assert Programme.objects.count() == 1
    assert decisions_on([programme]).count() == 1


def test_an_unknown_decree_is_refused(irene):
    with pytest.raises(Refused, match="decretos de la lista"):
        programme_open(slug="banco-popular-1893", user=irene)


@pytest.mark.parametrize("person", ["aura", "adela", "root", "bruno"])
def test_nobody_but_staff_opens_a_programme(person, request):
    with pytest.raises(Refused, match="analista o un supervisor"):
        programme_open(slug=SLUG, user=request.getfixturevalue(person))
    assert not Programme.objects.exists()


def test_a_notice_is_kept_with_its_day_and_article(programme, irene):
    notice = notice_record(
        programme=programme,
        user=irene,
        published_on=date(1995, 7, 12),
        medium="El Diario Ficticio",
        reference="página 4B",
    )
    decision = decisions_on([programme]).last()
    assert notice.published_on == date(1995, 7, 12)
    assert decision.article == "arts. 15 y 18"
    assert bogota_day(decision.legal_at) == date(1995, 7, 12)


def test_the_same_notice_sent_twice_is_one(programme, irene):
    sent = {"published_on": date(1995, 7, 12), "medium": "El Diario Ficticio", "reference": "4B"}
    first = notice_record(programme=programme, user=irene, **sent)
    assert notice_record(programme=programme, user=irene, **sent) == first
    assert decisions_on([programme]).count() == 2


def test_a_credit_line_is_kept_with_its_article_and_sent_twice_is_one(programme, irene):
    sent = {"lender": "Banco Inventado", "opened_on": date(1995, 7, 3), "reference": "carta 18"}
    line = credit_line_record(programme=programme, user=irene, **sent)
    assert credit_line_record(programme=programme, user=irene, **sent) == line
    assert decisions_on([programme]).last().article == "art. 7"


def test_a_notice_of_tomorrow_is_refused_at_its_date(programme, irene):
    tomorrow = bogota_day(timezone.now()) + timedelta(days=1)
    with pytest.raises(Refused, match="está en el futuro") as refusal:
        notice_record(
            programme=programme, user=irene, published_on=tomorrow, medium="D", reference="1"
        )
    assert refusal.value.field == "published_on"


def test_a_credit_line_of_tomorrow_is_refused_at_its_date(programme, irene):
    tomorrow = bogota_day(timezone.now()) + timedelta(days=1)
    with pytest.raises(Refused, match="está en el futuro") as refusal:
        credit_line_record(
            programme=programme, user=irene, lender="B", opened_on=tomorrow, reference="1"
        )
    assert refusal.value.field == "opened_on"


def test_a_notice_without_its_reference_is_not_saved(programme, irene):
    with pytest.raises(ValidationError):
        notice_record(
            programme=programme,
            user=irene,
            published_on=date(1995, 7, 12),
            medium="El Diario Ficticio",
            reference="",
        )
    assert not programme.notices.exists()


def test_an_auditor_records_neither_notice_nor_credit_line(programme, aura):
    with pytest.raises(Refused):
        notice_record(
            programme=programme, user=aura, published_on=date(1995, 7, 12), medium="D",
            reference="1",
        )  # fmt: skip
    with pytest.raises(Refused):
        credit_line_record(
            programme=programme, user=aura, lender="B", opened_on=date(1995, 7, 3), reference="1"
        )
