"""What the review of a file shows, what is decided on it, and what a part of it leaves."""

from decimal import Decimal

import pytest

from buyers.models import Buyer, Document
from offerings.enums import ImportMode, ImportState, RowChoice
from offerings.models import Acceptance, Participation
from offerings.services.imports import (
    errors_file,
    import_confirm,
    import_decide,
    import_discard,
)
from office.decisions import decisions_on
from office.refusals import Refused
from office.spreadsheets import read_csv
from tests.offerings.import_files import (
    confirmed,
    csv_of,
    differences,
    faults,
    loaded,
    many,
    outcomes,
    reviewed,
    row,
    warnings,
)
from tests.offerings.programme_1995 import open_stage_of as stage_of_1995

pytestmark = pytest.mark.usefixtures("broker", "exchange")


@pytest.fixture
def stage(ana, irene):
    return stage_of_1995(irene, ana)


def nothing_saved():
    return not any(
        model.objects.exists() for model in (Buyer, Document, Participation, Acceptance)
    )


def differing():
    """Says otherwise than ``row()`` in all that the register can say."""
    return row(
        nombre="Rosa Supuesta Peña", clase="Pensionado", directivo="sí", cantidad="10",
        patrimonio_bruto="21.000.000", referencia_documento="B-9", acciones_actuales="5",
        recibida="16/08/1995 9:00",
    )  # fmt: skip


def test_data_that_differ_from_what_is_known_are_shown_beside_it(stage, irene):
    loaded(stage, irene, csv_of(row()))
    source = loaded(stage, irene, csv_of(differing()))
    assert (faults(source), source.state) == ({}, ImportState.REVIEWED)
    assert differences(source) == {
        (2, "nombre"): ("Rosa Supuesta Peña", "Rosa Inventada Peña"),
        (2, "clase"): ("Pensionado", "Trabajador activo"),
        (2, "directivo"): ("sí", "no"),
        (2, "patrimonio_bruto"): ("21.000.000", "$20.000.000,00"),
        (2, "referencia_documento"): ("B-9", "B-000123"),
        (2, "acciones_actuales"): ("5", "0"),
    }
    assert Acceptance.objects.count() == 1


def test_a_file_with_differences_waits_until_somebody_decides(stage, irene):
    loaded(stage, irene, csv_of(row()))
    source = reviewed(stage, irene, csv_of(differing(), *many(2)))
    with pytest.raises(Refused, match="Decida primero qué hacer con 1 fila"):
        import_confirm(import_id=source.pk, mode=ImportMode.PARTIAL, user=irene)


def test_what_is_known_is_kept_and_the_row_loaded_with_it(stage, irene):
    loaded(stage, irene, csv_of(row()))
    source = reviewed(stage, irene, csv_of(differing(), *many(2)))
    assert import_decide(import_id=source.pk, choice=RowChoice.KEEP, numbers=[2], user=irene) == 1
    confirmed(source, irene)
    assert (source.state, source.loaded) == (ImportState.LOADED, 3)
    buyer = Buyer.objects.get(identity_number="51000123")
    part = Participation.objects.get(buyer=buyer)
    assert (buyer.name, part.buyer_class, part.is_executive, part.present_holding) == (
        "Rosa Inventada Peña", "worker", False, 0,
    )  # fmt: skip
    assert buyer.documents.get(kind="tax_return").gross_equity == Decimal("20000000.00")
    assert list(part.acceptances.order_by("serial").values_list("requested", flat=True)) == [
        1500, 10,
    ]  # fmt: skip


def test_a_row_left_out_is_not_loaded(stage, irene):
    loaded(stage, irene, csv_of(row()))
    source = reviewed(stage, irene, csv_of(differing(), *many(2)))
    choice = RowChoice.LEAVE_OUT
    assert import_decide(import_id=source.pk, choice=choice, numbers=None, user=irene) == 1
    with pytest.raises(Refused, match="no se puede cargar todas o ninguna"):
        import_confirm(import_id=source.pk, mode=ImportMode.ALL, user=irene)
    confirmed(source, irene, ImportMode.PARTIAL)
    assert (source.loaded, Acceptance.objects.count()) == (2, 3)
    acts = [decision.act for decision in decisions_on([source])]
    assert "import_decide" in acts


def test_what_changed_after_the_decision_is_asked_again(stage, irene):
    loaded(stage, irene, csv_of(row()))
    source = reviewed(stage, irene, csv_of(differing()))
    import_decide(import_id=source.pk, choice=RowChoice.KEEP, numbers=None, user=irene)
    Buyer.objects.update(name="Rosa Hipotética Peña", name_folded="rosa hipotetica pena")
    confirmed(source, irene)
    assert (source.state, Acceptance.objects.count()) == (ImportState.REVIEWED, 1)
    assert "desde la revisión cambió" in source.problems[0]
    assert differences(source)[2, "nombre"] == ("Rosa Supuesta Peña", "Rosa Hipotética Peña")
    assert source.lines.get().choice == ""


def test_one_bad_row_in_a_hundred_leaves_ninety_nine_saved_in_part(stage, irene):
    rows = many(100)
    rows[41]["cantidad"] = "16.829718"
    source = confirmed(reviewed(stage, irene, csv_of(*rows)), irene, ImportMode.PARTIAL)
    assert outcomes(source) == {"loaded": 99, "error": 1}
    serials = list(Acceptance.objects.order_by("serial").values_list("serial", flat=True))
    assert serials == list(range(1, 100))
    left = read_csv(errors_file(source, workbook=False, left_alone=True))
    assert [one.cells["numero_documento"] for one in left.rows] == ["52000041"]
    assert left.rows[0].cells["errores"].startswith("cantidad: Agrupación incorrecta")


def test_the_mended_file_registers_what_was_left_and_repeats_nothing(stage, irene):
    rows = many(100)
    rows[41]["cantidad"] = "16.829718"
    confirmed(reviewed(stage, irene, csv_of(*rows)), irene, ImportMode.PARTIAL)
    rows[41]["cantidad"] = "16"
    again = reviewed(stage, irene, csv_of(*rows))
    assert outcomes(again) == {"ready": 1, "already": 99}
    confirmed(again, irene)
    assert (again.loaded, Acceptance.objects.count()) == (1, 100)
    assert outcomes(again) == {"loaded": 1, "already": 99}


def test_what_hangs_on_a_bad_row_is_loaded_without_it(stage, irene):
    rows = [row(cantidad="0", nombre="Rosa Inventada Peña"), row(cantidad="20"), *many(1)]
    source = confirmed(reviewed(stage, irene, csv_of(*rows)), irene, ImportMode.PARTIAL)
    assert outcomes(source) == {"loaded": 2, "error": 1}
    assert Buyer.objects.count() == 2


def test_the_same_rows_in_another_file_are_registered_already(stage, irene):
    loaded(stage, irene, csv_of(*many(100)))
    again = reviewed(stage, irene, csv_of(*many(100), separator=","), "otro.csv")
    assert outcomes(again) == {"already": 100}
    assert warnings(again)[2, "numero_documento"] == "Ya registrada como A-000001: no se repite."
    with pytest.raises(Refused, match="No hay filas nuevas"):
        import_confirm(import_id=again.pk, mode=ImportMode.ALL, user=irene)
    assert Acceptance.objects.count() == 100


def test_two_same_rows_are_two_acceptances_and_stay_two(stage, irene):
    twice = csv_of(row(), row())
    source = reviewed(stage, irene, twice)
    assert "lo mismo que la fila 2" in warnings(source)[3, "cantidad"]
    confirmed(source, irene)
    again = reviewed(stage, irene, csv_of(row(), row(), row()))
    assert outcomes(again) == {"already": 2, "ready": 1}


def test_a_row_over_its_limit_is_told_how_it_will_be_taken(stage, irene):
    source = reviewed(stage, irene, csv_of(row(cantidad="1.000.000"), *many(1)))
    assert warnings(source) == {
        (2, "cantidad"): "Pasa su límite: se entenderá presentada por 990.099 (art. 6-1)."
    }
    assert nothing_saved()


def test_a_buyer_that_is_known_with_the_same_data_is_told(stage, irene):
    loaded(stage, irene, csv_of(row()))
    source = reviewed(stage, irene, csv_of(row(cantidad="7")))
    assert warnings(source) == {
        (2, "numero_documento"): "Este comprador ya consta con los mismos datos."
    }


def test_a_discarded_file_leaves_nothing_and_may_come_again(stage, irene, aura):
    source = reviewed(stage, irene, csv_of(row()))
    with pytest.raises(Refused, match="Solo analistas"):
        import_discard(import_id=source.pk, user=aura)
    import_discard(import_id=source.pk, user=irene)
    with pytest.raises(Refused, match="no se puede cargar"):
        import_confirm(import_id=source.pk, mode=ImportMode.ALL, user=irene)
    assert nothing_saved()
    assert loaded(stage, irene, csv_of(row())).state == ImportState.LOADED


def test_what_was_registered_meanwhile_stops_the_whole_or_is_left_out_of_the_part(stage, irene):
    first = reviewed(stage, irene, csv_of(*many(3)))
    again = reviewed(stage, irene, csv_of(*many(3), separator=","))
    confirmed(first, irene)
    confirmed(again, irene)
    assert (again.state, outcomes(again)) == (ImportState.REVIEWED, {"already": 3})
    assert Acceptance.objects.count() == 3


def test_a_buyer_registered_otherwise_meanwhile_is_left_out_of_the_part(stage, irene):
    source = reviewed(stage, irene, csv_of(row(), *many(2)))
    loaded(stage, irene, csv_of(row(nombre="Rosa Ficticia Peña", cantidad="9")))
    confirmed(source, irene, ImportMode.PARTIAL)
    assert outcomes(source) == {"loaded": 2, "error": 1}
    assert "cambió después de la revisión" in faults(source)[2, ""]


def test_a_file_with_a_buyer_registered_otherwise_meanwhile_is_not_loaded_whole(stage, irene):
    source = reviewed(stage, irene, csv_of(row(), *many(2)))
    loaded(stage, irene, csv_of(row(nombre="Rosa Ficticia Peña", cantidad="9")))
    confirmed(source, irene)
    assert (source.state, Acceptance.objects.count()) == (ImportState.REVIEWED, 1)
    assert set(differences(source)) == {(2, "nombre")}
