"""Where a holder's shares are on any day, by legal dates alone; on its page and on paper."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from buyers.models import BrokerUser
from office.roles import Role
from pledges.certificates import release_certificate_issue
from pledges.models import Pledge
from pledges.rules.positions import History, Position, Span, position_on, position_total
from tests.conftest import make_user
from tests.offerings.rows import places
from tests.pdfs import text_of
from tests.pledges.befallen import attach, release
from tests.pledges.release_rows import make_paid_request, release_early
from tests.pledges.rows import make_pledge

OPENED, LAST = date(1995, 10, 2), date(1997, 9, 15)
PRICE = Decimal("60.60")


def history(**what):
    return History(shares=10, price=PRICE, starts=OPENED, last_day=LAST, **what)


def spans(*of):
    return tuple(Span(*one) for one in of)


def test_ten_shares_of_which_three_are_released_leave_seven_worth_424_20():
    of_three = history(released=spans((3, date(1996, 5, 2))))

    assert position_on(of_three, date(1996, 5, 1)).pledged == 10
    after = position_on(of_three, date(1996, 5, 2))
    assert (after.pledged, after.released, after.value) == (7, 3, Decimal("424.20"))


def test_nothing_is_pledged_before_the_payment():
    assert position_on(history(), OPENED - timedelta(days=1)) == Position()
    assert position_on(history(), OPENED).pledged == 10


def test_an_annulled_release_counts_from_its_day_to_that_of_its_annulment():
    undone = history(released=spans((3, date(1996, 5, 2), date(1996, 6, 1))))

    pledged = [position_on(undone, date(1996, *day)).pledged for day in ((5, 31), (6, 1))]
    assert pledged == [7, 10]


def test_an_attachment_holds_from_its_order_to_the_day_before_it_is_lifted():
    held = history(attached=spans((4, date(1996, 5, 2), date(1996, 6, 1))))

    days = [(5, 1), (5, 2), (5, 31), (6, 1)]
    assert [position_on(held, date(1996, *day)).attached for day in days] == [0, 4, 4, 0]


def test_what_heirs_had_is_not_the_dead_one_s_any_more():
    passed = position_on(history(passed_on=spans((10, date(1996, 5, 2)))), date(1996, 5, 2))
    assert (passed.pledged, passed.passed_on, passed.value) == (0, 10, Decimal("0.00"))


def test_the_last_day_is_still_in_the_term_and_the_next_is_over():
    assert not position_on(history(), LAST).is_over
    assert position_on(history(), LAST + timedelta(days=1)).is_over


def test_an_annulled_adjudication_leaves_nothing_pledged_from_its_act_on():
    undone = history(ends=date(1996, 5, 2))
    days = (date(1996, 5, 1), date(1996, 5, 2))
    assert [position_on(undone, day).pledged for day in days] == [10, 0]


days = st.dates(date(1995, 9, 1), date(1998, 12, 31))


@st.composite
def released_in_parts(draw):
    """Parts of a pledge, each released on a day, and perhaps annulled on a later one."""
    parts, left = [], 10
    while left and draw(st.booleans()):
        shares = draw(st.integers(1, left))
        since = draw(days)
        until = draw(st.none() | st.dates(since, date(1999, 12, 31)))
        parts.append(Span(shares, since, until))
        left -= shares
    return tuple(parts)


@given(released_in_parts(), days)
def test_shares_are_neither_lost_nor_made(released, day):
    at = position_on(history(released=released), day)

    assert at.pledged >= 0
    assert at.pledged + at.released + at.passed_on == (10 if day >= OPENED else 0)
    assert at.value == at.pledged * PRICE


@given(st.lists(days, min_size=1, max_size=4))
def test_a_total_is_the_sum_of_its_pledges(asked):
    each = [position_on(history(), day) for day in asked]
    assert position_total(each).value == sum(one.value for one in each)


# --- on the holder's page and on paper ---


@pytest.fixture
def pledge(irene, ana):
    """10 shares, 3 of them released at the end of 1996, 2 attached in between."""
    pledge = make_pledge(irene, ana, 10)
    attach(pledge, irene, 2, ordered_on=date(1996, 3, 1), lifted_on=date(1996, 4, 1))
    release(pledge, irene, ana, 3, released_on=date(1996, 5, 2))
    return Pledge.objects.get(pk=pledge.pk)


@pytest.fixture
def inside(client, irene):
    client.force_login(irene)
    return client


def asked(client, pledge, day):
    return client.get(reverse("holder_position", args=[pledge.holder_id]), {"al": day})


@pytest.mark.parametrize(
    ("day", "pledged", "attached", "value"),
    [
        ("01/10/1995", 0, 0, "0.00"),
        ("02/10/1995", 10, 0, "606.00"),
        ("01/03/1996", 10, 2, "606.00"),
        ("01/04/1996", 10, 0, "606.00"),
        ("02/05/1996", 7, 0, "424.20"),
    ],
)
def test_the_holder_s_page_tells_the_day_asked_for(inside, pledge, day, pledged, attached, value):
    total = asked(inside, pledge, day).context["holding"].total
    assert (total.pledged, total.attached, total.value) == (pledged, attached, Decimal(value))


@pytest.mark.parametrize("day", ["31/02/1996", "01/01/2090"])
def test_a_day_that_is_none_or_has_not_come_is_told(inside, pledge, day):
    answer = asked(inside, pledge, day)
    assert answer.status_code == 422
    assert answer.context["form"].errors["al"]


def test_the_statement_says_on_paper_what_the_page_says(inside, pledge):
    address = reverse("holder_statement_pdf", args=[pledge.holder_id])
    answer = inside.get(address, {"al": "02/05/1996"})

    text = " ".join(text_of(answer.content).split())
    assert "siete (7) acciones" in text
    assert "$424,20" in text
    assert "Levantamiento LV-" in text
    assert "María Ejemplo Ñáñez 1" in text


def test_a_certificate_is_told_from_its_own_day_on_and_never_before(inside, irene, ana):
    pledge = make_pledge(irene, ana, 10)
    line = release_early(make_paid_request(pledge, irene, 4), irene, ana).lines.get()
    paper = release_certificate_issue(line_id=line.pk, user=irene, legal_date=date(1997, 2, 10))
    address = reverse("holder_statement_pdf", args=[pledge.holder_id])

    for day, told in (("09/02/1997", False), ("10/02/1997", True)):
        page = asked(inside, pledge, day).content.decode()
        statement = text_of(inside.get(address, {"al": day}).content)
        assert line.release.code in page
        assert (paper.label in page, paper.label in statement) == (told, told)


def test_the_statement_tells_a_settled_figure_as_it_is_stored_and_none_before(inside, irene, ana):
    pledge = make_pledge(irene, ana, 10_000)
    request = make_paid_request(pledge, irene, 1_000)
    quote = request.quotes.get()
    address = reverse("holder_statement_pdf", args=[pledge.holder_id])

    after = " ".join(text_of(inside.get(address, {"al": "21/01/1997"}).content).split())
    told = [quote.steps[1]["shown"], "$141.702,20", quote.readings[0]["sentence"], request.code]
    assert [words for words in told if words not in after] == []

    before = " ".join(text_of(inside.get(address, {"al": "20/01/1997"}).content).split())
    assert "Sin liquidación fijada a esa fecha" in before
    assert "$141.702,20" not in before


def test_a_broker_sees_the_pledges_of_its_own_acceptances_alone(client, pledge, olga, bruno):
    BrokerUser.objects.filter(user=bruno).update(broker=places()["broker"])
    client.force_login(bruno)
    own = client.get(reverse("pledges"))
    assert [one.pk for one in own.context["pledges"]] == [pledge.pk]

    client.force_login(olga)
    assert not list(client.get(reverse("pledges")).context["pledges"])
    assert client.get(reverse("pledge", args=[pledge.pk])).status_code == 404


def test_movements_tell_who_reads_everything_what_happened(client, pledge):
    reader = make_user("lector", Role.AUDITOR, "Laura", "Lectora Prueba")
    client.force_login(reader)
    page = asked(client, pledge, "31/12/1996").content.decode()
    for words in ("Se constituyó la prenda", "Embargo, oficio 1", "Se levantó la medida", "−3"):
        assert words in page, words
