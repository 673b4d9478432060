"""A report on one programme shows that programme alone."""

import pytest
from django.urls import reverse

from offerings.models import Programme, Stage
from tests.answers import text_of
from tests.offerings.paid import make_awards, pay_in_full
from tests.offerings.rows import make_acceptance, make_stage

OTHER = "banco-popular-1996"


@pytest.fixture
def stages(irene, ana):
    """The 1995 programme with an acceptance of 1,995 shares, another with one of 1,996."""
    stage = make_stage(irene, ana, supply=9_000)
    other = Programme.objects.create(
        slug=OTHER, name="Otro programa", short_name="Otro", opened_by=irene
    )
    second = Stage.objects.create(
        programme=other,
        number=1,
        state="open",
        rules=stage.rules,
        supply=9_000,
        price=stage.price,
        opened_at=stage.opened_at,
        last_moment=stage.last_moment,
    )
    return stage, second


@pytest.fixture
def awards(stages, irene, ana):
    found = [
        make_awards([make_acceptance(stage, number, shares)], irene, ana)[0]
        for number, (stage, shares) in enumerate(zip(stages, (1_995, 1_996), strict=True), start=1)
    ]
    for award in found:
        pay_in_full(award, irene)
    return found


def shows_one(page, this, other):
    text = text_of(page)
    return this in text and other not in text


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("payments", lambda stage: {"programa": stage.programme.slug}),
        ("acceptances", lambda stage: {"etapa": stage.pk}),
        ("acceptances_export/csv", lambda stage: {"etapa": stage.pk}),
    ],
)
def test_a_list_of_one_programme_shows_that_programme_alone(
    client, irene, stages, awards, name, asked
):
    client.force_login(irene)
    name, _, kind = name.partition("/")
    address = reverse(name, args=[kind] if kind else [])
    codes = [award.acceptance.code for award in awards]
    for stage, this, other in zip(stages, codes, codes[::-1], strict=True):
        assert shows_one(client.get(address, asked(stage)), this, other)


def test_what_is_due_in_one_programme_is_added_up_alone(client, irene, stages, awards):
    client.force_login(irene)
    for stage, award in zip(stages, awards, strict=True):
        page = client.get(reverse("payments"), {"programa": stage.programme.slug})
        assert page.context["totals"]["due"] == award.total


def test_the_demand_of_one_programme_counts_its_acceptances_alone(client, irene, stages, awards):
    client.force_login(irene)
    for stage, this, other in zip(stages, ("1995", "1996"), ("1996", "1995"), strict=True):
        address = reverse("stage_demand", args=[stage.programme.slug, 1, "semana", "csv"])
        rows = text_of(client.get(address)).splitlines()[1:]
        shares = {cell for row in rows for cell in row.split(";")[2:4]}
        assert this in shares
        assert other not in shares


def acts_of(page):
    text = " ".join(text_of(page).split())
    return [
        label
        for label in (
            "Nueva aceptación, Banco Popular 1995", "Importar archivo, Banco Popular 1995",
            "Nueva aceptación, Otro", "Importar archivo, Otro", "Nueva aceptación<",
        )
        if label in text
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["home", "acceptances"])
def test_acts_of_two_open_programmes_say_whose_they_are(client, irene, stages, name):
    client.force_login(irene)
    assert acts_of(client.get(reverse(name))) == [
        "Nueva aceptación, Banco Popular 1995", "Importar archivo, Banco Popular 1995",
        "Nueva aceptación, Otro", "Importar archivo, Otro",
    ]  # fmt: skip


def test_acts_of_a_list_of_one_programme_are_that_programmes_alone(client, irene, stages):
    client.force_login(irene)
    page = client.get(reverse("acceptances"), {"etapa": stages[1].pk})
    assert acts_of(page) == ["Nueva aceptación, Otro", "Importar archivo, Otro"]
