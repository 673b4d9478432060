"""A bank's file of payments: read, matched by reference, recorded row by row, once."""

from datetime import date
from decimal import Decimal
from io import BytesIO

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from openpyxl import Workbook

from offerings.models import BankFile, BankFileRow, Payment
from offerings.rules.payment_reference import payment_reference
from offerings.selectors.bank_files import bank_file_counts
from offerings.selectors.payments import awards_due, left_to_return
from offerings.services.bank_files import (
    BankFileAlreadyUploaded,
    bank_file_columns,
    bank_file_confirm,
    bank_file_discard,
    bank_file_load,
    bank_file_review,
    errors_file,
)
from offerings.services.bank_files import load as loading
from office.decisions import decisions_on
from office.numbers import write_amount
from office.refusals import Refused
from tests.guards import refused_by, repeat
from tests.offerings.bank_rows import (
    HEADER,
    bank_csv,
    bank_loaded,
    bank_reviewed,
    bank_row,
    opened,
)
from tests.offerings.paid import make_awards, pay
from tests.offerings.rows import make_acceptances
from tests.offerings.test_payment_screens import annul


@pytest.fixture
def awards(closed_stage, irene, ana):
    """Of one, ten and a hundred shares at 60,60."""
    return make_awards(make_acceptances(closed_stage, [1, 10, 100]), irene, ana)


@pytest.fixture
def programme(closed_stage):
    return closed_stage.programme


def outcomes(source):
    return list(source.lines.values_list("outcome", flat=True))


def said(source, number):
    [line] = source.lines.filter(number=number)
    return {one["column"]: one["message"] for one in line.messages}


# Reading and matching


def test_each_row_finds_the_award_that_its_reference_names(awards, programme, irene):
    first, second, third = (payment_reference(award.pk) for award in awards)
    spaced, bare = f"{second[:5]} {second[5:]}", third.lstrip("0")
    data = bank_csv(bank_row(first), bank_row(f"{spaced[:3]}-{spaced[3:]}"), bank_row(bare))
    source = bank_reviewed(programme, irene, data)
    assert list(source.lines.values_list("award", flat=True)) == [one.pk for one in awards]
    assert outcomes(source) == ["ready"] * 3
    assert not Payment.objects.exists()


def test_reference_with_a_wrong_digit_or_of_no_award_is_without_an_award(awards, programme, irene):
    good = payment_reference(awards[0].pk)
    wrong = good[:-1] + str((int(good[-1]) + 1) % 10)
    data = bank_csv(bank_row(wrong), bank_row(payment_reference(987_654)), bank_row("Rosa"))
    source = bank_reviewed(programme, irene, data)
    assert outcomes(source) == ["unmatched"] * 3
    assert "dígito de verificación" in said(source, 2)["referencia"]
    assert "no hay una adjudicación con esa referencia" in said(source, 3)["referencia"]


@pytest.mark.parametrize(
    ("cells", "column", "words"),
    [
        ({"valor": "1,234.50"}, "valor", "Escriba 1.234,50"),
        ({"valor": "16.829718"}, "valor", "Escriba 16.829.718"),
        ({"valor": "0"}, "valor", "mayor que cero"),
        ({"valor": ""}, "valor", "Falta este dato"),
        ({"fecha": "31/02/1995"}, "fecha", "31/02/1995"),
        ({"fecha": "14/09/1995"}, "fecha", "anterior a la sesión"),
        ({"fecha": "01/01/2099"}, "fecha", "futuro"),
        ({"medio": "transferencia"}, "medio", "efectivo"),
        ({"medio": ""}, "medio", "Falta el medio"),
        ({"numero": "9" * 81}, "numero", "81"),
    ],
)
def test_cell_that_is_wrong_says_how_to_mend_it(awards, programme, irene, cells, column, words):
    source = bank_reviewed(programme, irene, bank_csv(bank_row(awards[0], **cells)))
    assert outcomes(source) == ["error"]
    assert words in said(source, 2)[column]


def test_means_of_the_file_stands_for_rows_that_say_none(awards, programme, irene):
    data = bank_csv(bank_row(awards[0], medio=""), bank_row(awards[1], medio="Cheque"))
    source = bank_loaded(programme, irene, data, means="cash")
    assert list(source.lines.values_list("means", flat=True)) == ["cash", "cheque"]
    assert set(Payment.objects.values_list("means", flat=True)) == {"cash", "cheque"}


@pytest.mark.parametrize("separator", [";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_file_is_read_in_each_encoding_and_separator(
    awards, programme, irene, separator, encoding
):
    row = bank_row(awards[0], numero="Consignación Ñ 1")
    data = bank_csv(row, separator=separator, encoding=encoding)
    source = bank_reviewed(programme, irene, data)
    assert source.lines.get().reference == "Consignación Ñ 1"


def test_workbook_with_numbers_and_dates_of_its_own_is_read(awards, programme, irene):
    book = Workbook()
    book.active.append(HEADER)
    reference = int(payment_reference(awards[0].pk))
    book.active.append([reference, date(1995, 10, 2), 60.6, "cheque", 4118])
    target = BytesIO()
    book.save(target)
    source = bank_reviewed(programme, irene, target.getvalue(), name="banco.xlsx")
    line = source.lines.get()
    assert (line.outcome, line.award_id, line.reference) == ("ready", awards[0].pk, "4118")
    assert (line.amount, line.paid_on) == (Decimal("60.60"), date(1995, 10, 2))


def test_other_headings_wait_until_somebody_says_what_they_hold(awards, programme, irene):
    header = ("Referencia de pago", "Fecha movimiento", "Crédito", "medio", "numero")
    source = bank_reviewed(programme, irene, bank_csv(bank_row(awards[0]), header=header))
    assert source.state == "columns"
    told = {
        "referencia_de_pago": "referencia",
        "fecha_movimiento": "fecha",
        "credito": "valor",
        "medio": "medio",
        "numero": "numero",
    }
    with pytest.raises(Refused, match="«valor»"):
        bank_file_columns(bank_file_id=source.pk, mapping=told | {"credito": ""}, user=irene)
    bank_file_columns(bank_file_id=source.pk, mapping=told, user=irene)
    bank_file_review(bank_file_id=source.pk, report=lambda *told: None)
    assert outcomes(source) == ["ready"]


def test_file_without_a_needed_column_is_refused_whole(awards, programme, irene):
    data = bank_csv(["0000000018", "02/10/1995"], header=("referencia", "fecha"))
    source = bank_reviewed(programme, irene, data)
    assert source.state == "refused"
    assert "«valor»" in source.problems[0]


def test_rest_late_and_annulled_are_said_in_the_review(awards, programme, irene, ana):
    data = bank_csv(
        bank_row(awards[0], "61,00", numero="1"),
        bank_row(awards[0], "60,60", numero="2"),
        bank_row(awards[1], "1,00", fecha="16/10/1995"),
    )
    source = bank_reviewed(programme, irene, data)
    assert outcomes(source) == ["ready"] * 3
    assert "sobran $0,40, por devolver" in said(source, 2)["valor"]
    assert "sobran $60,60, por devolver" in said(source, 3)["valor"]
    assert "Después del último día, el 15/10/1995" in said(source, 4)["fecha"]
    bank_file_discard(bank_file_id=source.pk, user=irene)
    annul(awards[0], irene, ana)
    again = bank_reviewed(programme, irene, data)
    assert outcomes(again) == ["ready"] * 3
    assert "no se debe nada por ella" in said(again, 2)["referencia"]


def test_same_payment_twice_in_one_file_is_an_error_and_with_its_own_number_it_is_not(
    awards, programme, irene
):
    row, numbered = bank_row(awards[1]), bank_row(awards[1], numero="4118")
    source = bank_reviewed(programme, irene, bank_csv(row, row, numbered))
    assert outcomes(source) == ["ready", "error", "ready"]
    assert "La fila 2 tiene la misma referencia, fecha y valor" in said(source, 3)["numero"]


# Recording


def test_confirmed_rows_become_payments_with_their_receipts(awards, programme, irene):
    data = bank_csv(
        bank_row(awards[0], "61,00"), bank_row(awards[1], "100,00"), bank_row("0000000000")
    )
    source = bank_loaded(programme, irene, data)
    assert (source.state, source.loaded) == ("loaded", 2)
    assert outcomes(source) == ["loaded", "loaded", "unmatched"]
    assert awards_due().get(pk=awards[0].pk).balance == 0
    assert left_to_return(awards[0]) == Decimal("0.40")
    assert awards_due().get(pk=awards[1].pk).balance == Decimal("506.00")
    assert Payment.objects.get(award=awards[1]).recorded_by == irene
    told = decisions_on([source]).last().sentence
    assert told == f"Registró 2 pagos del archivo {source.code}, por $161,00."
    counts = bank_file_counts(source)
    assert (counts.recorded, counts.excess) == (Decimal("161.00"), Decimal("0.40"))


def test_payment_registered_before_is_not_repeated(awards, programme, irene):
    first = pay(awards[1], irene, "100.00", payment_reference(awards[1].pk))
    source = bank_reviewed(programme, irene, bank_csv(bank_row(awards[1], "100,00")))
    assert outcomes(source) == ["already"]
    assert first.receipt in said(source, 2)["referencia"]
    with pytest.raises(Refused, match="No hay pagos nuevos"):
        bank_file_confirm(bank_file_id=source.pk, user=irene)


def test_payment_registered_while_the_file_waited_is_not_repeated(awards, programme, irene):
    source = bank_reviewed(programme, irene, bank_csv(bank_row(awards[1], "100,00")))
    bank_file_confirm(bank_file_id=source.pk, user=irene)
    pay(awards[1], irene, "100.00", payment_reference(awards[1].pk))
    bank_file_load(bank_file_id=source.pk, report=lambda *told: None)
    assert outcomes(source) == ["already"]
    assert Payment.objects.count() == 1


def test_more_left_over_than_whoever_confirmed_was_shown_is_held_back(
    awards, programme, irene, ana
):
    """Annulled or paid by another since the review: uploaded again, the review says it."""
    data = bank_csv(bank_row(awards[1], "100,00"))
    source = bank_reviewed(programme, irene, data)
    bank_file_confirm(bank_file_id=source.pk, user=irene)
    annul(awards[1], irene, ana)
    bank_file_load(bank_file_id=source.pk, report=lambda *told: None)
    assert outcomes(source) == ["error"]
    assert "sobrarían $100,00, y al revisarlo nada" in said(source, 2)[""]
    assert b"sobrar" in errors_file(source, workbook=False)
    assert not Payment.objects.exists()
    again = bank_loaded(programme, irene, data)
    assert outcomes(again) == ["loaded"]
    assert left_to_return(awards[1]) == Decimal("100.00")


def test_what_was_shown_as_left_over_is_taken_in(awards, programme, irene):
    pay(awards[1], irene, awards[1].total)
    source = bank_loaded(programme, irene, bank_csv(bank_row(awards[1], "100,00")))
    assert outcomes(source) == ["loaded"]
    assert left_to_return(awards[1]) == Decimal("100.00")


def test_money_registered_for_another_award_is_an_error_that_names_it(awards, programme, irene):
    first = pay(awards[0], irene, "1.00", "4118")
    source = bank_reviewed(
        programme, irene, bank_csv(bank_row(awards[1], numero="4118"), bank_row(awards[2]))
    )
    assert outcomes(source) == ["error", "ready"]
    words = said(source, 2)["numero"]
    for part in (first.receipt, awards[0].acceptance.code, awards[0].adjudication.code):
        assert part in words
    assert first.receipt.encode() in errors_file(source, workbook=False)


def test_money_registered_for_another_award_while_the_file_waited_is_an_error(
    awards, programme, irene
):
    source = bank_reviewed(programme, irene, bank_csv(bank_row(awards[1], numero="4118")))
    bank_file_confirm(bank_file_id=source.pk, user=irene)
    first = pay(awards[0], irene, "1.00", "4118")
    bank_file_load(bank_file_id=source.pk, report=lambda *told: None)
    assert outcomes(source) == ["error"]
    assert first.receipt in said(source, 2)[""]


def test_more_than_all_that_is_offered_costs_is_no_payment(awards, programme, irene):
    offered = awards[0].acceptance.stage.supply * awards[0].acceptance.stage.price
    source = bank_reviewed(
        programme, irene, bank_csv(bank_row(awards[1], "99.999.999.999.999.999,00"))
    )
    assert outcomes(source) == ["error"]
    assert write_amount(offered) in said(source, 2)["valor"]
    with pytest.raises(Refused, match="todo lo que se ofrece"):
        pay(awards[1], irene, offered + 1, gives_back=True)


def test_same_file_again_adds_nothing(awards, programme, irene):
    data = bank_csv(bank_row(awards[0]), bank_row(awards[1]))
    first = bank_loaded(programme, irene, data)
    with pytest.raises(BankFileAlreadyUploaded) as refusal:
        opened(programme, irene, data)
    assert refusal.value.first == first
    assert "0 nuevas" in refusal.value.message


def test_same_file_again_after_a_fault_adds_only_what_was_left(awards, programme, irene):
    data = bank_csv(bank_row(awards[0]), bank_row("0000000000"))
    bank_loaded(programme, irene, data)
    again = bank_reviewed(programme, irene, data)
    assert outcomes(again) == ["already", "unmatched"]
    assert Payment.objects.count() == 1


def test_file_in_review_is_not_taken_in_twice(awards, programme, irene):
    data = bank_csv(bank_row(awards[0]))
    source = opened(programme, irene, data)
    with pytest.raises(BankFileAlreadyUploaded, match="está en revisión"):
        opened(programme, irene, data)
    with refused_by("bankfile_file_once"):
        repeat(source, job=None)


def test_begun_again_after_it_stopped_it_goes_on_where_it_was(
    awards, programme, irene, monkeypatch
):
    data = bank_csv(*(bank_row(award) for award in awards))
    source = bank_reviewed(programme, irene, data)
    bank_file_confirm(bank_file_id=source.pk, user=irene)
    record, calls = loading.payment_record, []

    def dies(**given):
        calls.append(given)
        if len(calls) == 2:
            raise RuntimeError("the worker is gone")
        return record(**given)

    monkeypatch.setattr(loading, "payment_record", dies)
    with pytest.raises(RuntimeError):
        bank_file_load(bank_file_id=source.pk, report=lambda *told: None)
    assert outcomes(source) == ["loaded", "ready", "ready"]
    told = []
    bank_file_load(bank_file_id=source.pk, report=lambda *given: told.append(given))
    assert told[0] == (1, 1, 3, "pagos")
    assert outcomes(source) == ["loaded"] * 3
    assert Payment.objects.count() == 3
    assert not bank_file_load(bank_file_id=source.pk, report=lambda *given: None)


def test_discarded_file_records_nothing(awards, programme, irene):
    source = bank_reviewed(programme, irene, bank_csv(bank_row(awards[0])))
    bank_file_discard(bank_file_id=source.pk, user=irene)
    with pytest.raises(Refused, match="Descartada"):
        bank_file_confirm(bank_file_id=source.pk, user=irene)
    assert not Payment.objects.exists()


@pytest.mark.parametrize("name", ["aura", "bruno", "adela", "root"])
def test_who_may_not_prepare_touches_no_file(awards, programme, irene, name, request):
    person = request.getfixturevalue(name)
    with pytest.raises(Refused, match="Solo analistas"):
        opened(programme, person, bank_csv(bank_row(awards[0])))
    source = bank_reviewed(programme, irene, bank_csv(bank_row(awards[0])))
    for act in (bank_file_confirm, bank_file_discard):
        with pytest.raises(Refused, match="Solo analistas"):
            act(bank_file_id=source.pk, user=person)


def test_database_keeps_rows_apart_and_who_confirmed(awards, programme, irene):
    source = bank_reviewed(programme, irene, bank_csv(bank_row(awards[0])))
    with refused_by("bankfilerow_once"):
        repeat(source.lines.get())
    with refused_by("bankfile_confirmed"):
        BankFile.objects.filter(pk=source.pk).update(state="confirmed")


# Given back, and how much it asks of the database


def test_file_comes_back_with_what_is_wrong_and_mended_it_is_taken(awards, programme, irene):
    header = ("referencia", "fecha", "valor", "medio", "numero", "oficina")
    rows = [
        [*bank_row(awards[0]), "Centro"],
        [*bank_row(awards[1], "1,234.50"), "=HYPERLINK(1)"],
    ]
    source = bank_reviewed(programme, irene, bank_csv(*rows, header=header))
    told = {name: name if name != "oficina" else "" for name in header}
    bank_file_columns(bank_file_id=source.pk, mapping=told, user=irene)
    bank_file_review(bank_file_id=source.pk, report=lambda *told: None)
    text = errors_file(source, workbook=False).decode("utf-8-sig")
    heading, *lines = text.split("\r\n")
    assert heading.endswith(";oficina;errores")
    assert len([line for line in lines if line]) == 2
    assert "valor: Separadores cambiados" in text
    assert "'=HYPERLINK(1)" in text


def test_review_asks_as_much_for_fifty_rows_as_for_five(awards, programme, irene):
    def taken(count):
        rows = (bank_row(awards[n % 3], f"{n},00", numero=str(n)) for n in range(1, count + 1))
        source = opened(programme, irene, bank_csv(*rows))
        with CaptureQueriesContext(connection) as captured:
            bank_file_review(bank_file_id=source.pk, report=lambda *told: None)
        assert BankFileRow.objects.filter(source=source, outcome="ready").count() == count
        return len(captured)

    assert taken(5) == taken(50)
