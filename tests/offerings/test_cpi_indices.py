"""The index of one month: entered, corrected, withdrawn; nothing is written over in silence."""

from datetime import date
from decimal import Decimal
from uuid import uuid4

import pytest

from offerings.enums import FigureState
from offerings.models import CpiIndex
from offerings.selectors.cpi import base_in_force, cpi_by_month, index_versions
from offerings.services.cpi import IndexEntry, cpi_correct, cpi_record, cpi_withdraw
from office.models import Decision
from office.refusals import Refused
from tests.offerings.price_rows import BASE, SOURCE

MARCH = date(1995, 3, 1)


def enter(user, month=MARCH, value="19.75", *, base=BASE, key=None) -> CpiIndex:
    entry = IndexEntry(month, Decimal(value), base, SOURCE)
    return cpi_record(user=user, entry=entry, submission_key=key or uuid4())


def correct(index, user, value="19.76", *, reason="Se leyó mal", key=None) -> CpiIndex:
    return cpi_correct(
        index_id=index.pk,
        user=user,
        value=Decimal(value),
        source=SOURCE,
        reason=reason,
        submission_key=key or uuid4(),
    )


def test_first_index_chooses_the_base_of_all(irene, adela):
    enter(irene)
    enter(adela, date(1995, 4, 1), "20.19")
    assert base_in_force().month == BASE
    assert cpi_by_month() == {(1995, 3): Decimal("19.75"), (1995, 4): Decimal("20.19")}


def test_index_in_another_base_is_refused(irene):
    enter(irene)
    with pytest.raises(Refused, match="La base en uso es diciembre de 2018 = 100") as refused:
        enter(irene, date(1995, 4, 1), "31.30", base=date(2008, 12, 1))
    assert refused.value.field == "base"


@pytest.mark.parametrize("value", ["31.30", "2.27", "0.44"])
def test_value_that_does_not_go_on_from_the_month_before_is_refused(irene, value):
    enter(irene)
    with pytest.raises(Refused, match="salto") as refused:
        enter(irene, date(1995, 4, 1), value)
    assert refused.value.field == "value"


@pytest.mark.parametrize(("value", "taken"), [("100.05", True), ("100.06", False)])
def test_month_of_the_base_is_100(irene, value, taken):
    if taken:
        enter(irene, BASE, value)
        return
    with pytest.raises(Refused, match="otra base"):
        enter(irene, BASE, value)


def test_month_that_is_loaded_is_never_written_over(irene, mateo):
    enter(irene)
    with pytest.raises(Refused, match="ya está cargado: 19,75"):
        enter(mateo, value="19.76")
    assert cpi_by_month() == {(1995, 3): Decimal("19.75")}


def test_month_that_has_not_ended_is_refused(irene):
    with pytest.raises(Refused, match="no ha terminado"):
        enter(irene, date(2090, 1, 1), "100")


def test_form_sent_twice_enters_one_index(irene):
    key = uuid4()
    assert enter(irene, key=key) == enter(irene, key=key)
    assert CpiIndex.objects.count() == 1


def test_correction_keeps_who_when_before_and_why(irene, mateo):
    before = enter(irene)
    key = uuid4()
    after = correct(before, mateo, key=key)
    assert correct(before, mateo, key=key) == after
    before.refresh_from_db()
    assert (before.state, before.value) == (FigureState.CORRECTED, Decimal("19.75"))
    assert (before.closed_by, before.closed_reason) == (mateo, "Se leyó mal")
    assert before.closed_at is not None
    assert cpi_by_month() == {(1995, 3): Decimal("19.76")}
    assert index_versions(after) == [before, after]
    told = Decision.objects.get(act="cpi_correct")
    assert told.sentence == "Corrigió el IPC de 03/1995: de 19,75 a 19,76."
    assert (told.reason, told.data["before"]) == ("Se leyó mal", "19.750000")


def test_correction_needs_a_reason_another_value_and_one_in_force(irene):
    index = enter(irene)
    with pytest.raises(Refused, match="motivo"):
        correct(index, irene, reason=" ")
    with pytest.raises(Refused, match="mismo valor"):
        correct(index, irene, "19.75")
    correct(index, irene)
    with pytest.raises(Refused, match="ya no está vigente"):
        correct(index, irene, "19.77")


def test_withdrawn_index_leaves_its_month_empty_until_it_is_entered_again(irene):
    index = enter(irene)
    assert cpi_withdraw(index_id=index.pk, user=irene, reason="Era de otro mes")
    assert cpi_withdraw(index_id=index.pk, user=irene, reason="Otra vez").state == "withdrawn"
    assert cpi_by_month() == {}
    assert Decision.objects.filter(act="cpi_withdraw").count() == 1
    enter(irene, value="19.76")
    assert cpi_by_month() == {(1995, 3): Decimal("19.76")}


def test_corrected_index_is_not_withdrawn(irene):
    index = enter(irene)
    correct(index, irene)
    with pytest.raises(Refused, match="ya no está vigente"):
        cpi_withdraw(index_id=index.pk, user=irene, reason="Prueba")


def test_whoever_only_reads_changes_no_index(irene, aura, bruno):
    index = enter(irene)
    for person in (aura, bruno):
        with pytest.raises(Refused):
            enter(person, date(1995, 4, 1), "20.19")
        with pytest.raises(Refused):
            correct(index, person)
        with pytest.raises(Refused):
            cpi_withdraw(index_id=index.pk, user=person, reason="Prueba")
