"""A file of acceptances is reviewed, and then loaded whole or in part, once."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from buyers.models import Buyer, Document, Presentation
from offerings.enums import ImportMode, ImportState, RowChoice, Standing
from offerings.models import Acceptance, Participation
from offerings.services.imports import (
    AlreadyUploaded,
    errors_file,
    import_confirm,
    import_decide,
    import_discard,
    import_load,
    import_open,
    import_review,
)
from offerings.services.stages import stage_close
from office.decisions import decisions_on
from office.models import Job
from office.refusals import Refused
from office.spreadsheets import read_csv
from tests.conftest import CLOSED
from tests.offerings.import_files import (
    COOPERATIVE,
    confirmed,
    csv_of,
    differences,
    faults,
    loaded,
    many,
    outcomes,
    reviewed,
    row,
    silent,
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


def test_a_row_becomes_a_buyer_with_its_paper_and_its_acceptance(stage, irene, broker):
    source = loaded(stage, irene, csv_of(row()))
    assert (faults(source), source.state, source.rows) == ({}, ImportState.LOADED, 1)
    one = Acceptance.objects.get()
    assert (one.code, one.requested, one.minimum) == ("A-000001", 1500, None)
    assert one.received_at == datetime(1995, 8, 15, 15, 42, tzinfo=UTC)
    assert (one.standing, one.admitted, one.limit_shares) == (Standing.COMPLETE, 1500, 990_099)
    assert (one.source_import, one.source_row) == (source, 2)
    buyer = one.participation.buyer
    assert (buyer.name, buyer.identity) == ("Rosa Inventada Peña", "C.C. 51.000.123")
    assert buyer.documents.get(kind="tax_return").gross_equity == Decimal("20000000.00")
    assert Presentation.objects.get().broker == broker


def test_an_organisation_comes_with_its_representative_and_no_limit(stage, irene):
    loaded(stage, irene, csv_of(COOPERATIVE))
    one = Acceptance.objects.get()
    assert (one.standing, one.limit_shares) == (Standing.COMPLETE, None)
    buyer = one.participation.buyer
    assert buyer.identity == "NIT 860.530.751-7"
    assert buyer.representative_identity == "C.C. 79.000.118"


def test_two_rows_of_one_new_identity_are_one_buyer_under_one_limit(stage, irene):
    rows = [
        row(cantidad="800.000", recibida="16/08/1995 9:00"),
        row(cantidad="500.000", recibida="15/08/1995 9:00", numero_documento="51000123"),
    ]
    loaded(stage, irene, csv_of(*rows))
    assert Buyer.objects.count() == Participation.objects.count() == 1
    late, early = Acceptance.objects.order_by("serial")
    assert (early.serial, early.admitted, early.standing) == (2, 500_000, Standing.COMPLETE)
    assert (late.admitted, late.standing) == (490_099, Standing.CUT)


def test_a_known_identity_is_attached_and_its_acceptances_are_worked_out_anew(stage, irene):
    loaded(stage, irene, csv_of(row(cantidad="800.000")))
    again = row(
        nombre="ROSA  INVENTADA PENA", cantidad="500.000", recibida="14/08/1995 9:00",
        directivo="", ultimo_anio_declarado="",
    )  # fmt: skip
    loaded(stage, irene, csv_of(again))
    assert Buyer.objects.count() == Document.objects.filter(kind="tax_return").count() == 1
    first, second = Acceptance.objects.order_by("serial")
    assert (second.admitted, first.admitted) == (500_000, 490_099)
    assert first.standing == Standing.CUT


def test_the_same_number_under_another_type_is_another_person(stage, irene):
    rows = [row(numero_documento="123456"), row(tipo_documento="C.E.", numero_documento="123456")]
    loaded(stage, irene, csv_of(*rows))
    assert Buyer.objects.count() == 2


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


def test_two_rows_of_one_buyer_that_differ_name_each_other(stage, irene):
    rows = [row(), row(nombre="Otra Persona Ficticia", clase="Pensionado")]
    found = faults(loaded(stage, irene, csv_of(*rows)))
    assert set(found) == {(3, "nombre"), (3, "clase")}
    assert found[3, "nombre"].startswith("La fila 2 dice otra cosa")
    assert nothing_saved()


def test_one_bad_row_in_a_hundred_leaves_nothing_saved(stage, irene):
    rows = many(100)
    rows[41]["cantidad"] = "16.829718"
    source = loaded(stage, irene, csv_of(*rows))
    assert (source.state, source.rows) == (ImportState.REVIEWED, 100)
    assert faults(source) == {
        (43, "cantidad"): "Agrupación incorrecta. Escriba 16.829.718 o 16829718."
    }
    assert nothing_saved()
    stage.refresh_from_db()
    assert stage.last_serial == 0
    with pytest.raises(Refused, match="no se puede cargar todas o ninguna"):
        import_confirm(import_id=source.pk, mode=ImportMode.ALL, user=irene)


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


def test_every_fault_of_a_row_is_told_not_only_the_first(stage, irene):
    bad = row(
        tipo_documento="T.I.", nombre="", clase="jefe", patrimonio_bruto="1,234.50",
        cantidad="10", minimo="11", comisionista="860.530.751-7", bolsa="Otra",
        recibida="31/09/1995 10:00",
    )  # fmt: skip
    found = faults(loaded(stage, irene, csv_of(bad)))
    assert {column for _, column in found} == {
        "tipo_documento", "nombre", "clase", "patrimonio_bruto", "comisionista", "bolsa",
        "recibida",
    }  # fmt: skip


def test_faults_of_the_acceptance_are_told_beside_those_of_the_buyer(stage, irene):
    bad = row(minimo="1.501", recibida="13/07/1995 10:00", referencia_documento="", bolsa="Otra")
    found = faults(loaded(stage, irene, csv_of(bad)))
    assert {column for _, column in found} == {
        "minimo", "recibida", "referencia_documento", "bolsa"
    }  # fmt: skip


def test_the_decree_does_not_list_a_class(stage, irene):
    bad = row(clase="Trabajador activo", tipo_documento="NIT", numero_documento="860.530.751-1")
    found = faults(loaded(stage, irene, csv_of(bad)))
    assert found == {
        (2, "numero_documento"): "El dígito de verificación de «860.530.751-1» debe ser 7. "
        "Revise el número y el dígito."
    }


def test_the_number_of_queries_does_not_grow_with_the_rows(stage, irene):
    loaded(stage, irene, csv_of(*many(3)))
    counts = []
    for count in (100, 300):
        data = csv_of(*many(count, cantidad=str(count)))
        source = import_open(stage=stage, data=data, name="a.csv", user=irene)
        with CaptureQueriesContext(connection) as review:
            assert import_review(import_id=source.pk, report=silent)
        import_confirm(import_id=source.pk, mode=ImportMode.ALL, user=irene)
        with CaptureQueriesContext(connection) as load:
            assert import_load(import_id=source.pk, report=silent)
        source.refresh_from_db()
        assert source.state == ImportState.LOADED
        counts.append((len(review), len(load)))
    assert counts[0] == counts[1]
    assert Acceptance.objects.count() == 403


def test_the_numbers_follow_the_rows_and_those_given_before(stage, irene):
    loaded(stage, irene, csv_of(row()))
    loaded(stage, irene, csv_of(*many(3)))
    serials = Acceptance.objects.order_by("serial").values_list("serial", "source_row")
    assert list(serials) == [(1, 2), (2, 2), (3, 3), (4, 4)]
    stage.refresh_from_db()
    assert stage.last_serial == 4


def test_the_same_file_again_brings_nothing_new_and_names_the_first(stage, irene, mateo):
    data = csv_of(*many(100))
    first = loaded(stage, irene, data)
    with pytest.raises(AlreadyUploaded) as refusal:
        import_open(stage=stage, data=data, name="otro.csv", user=mateo)
    assert refusal.value.first == first
    assert "100 filas ya están registradas: 0 nuevas" in str(refusal.value)
    assert Acceptance.objects.count() == 100


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


def test_a_refused_file_may_come_again_once_what_kept_it_out_is_mended(stage, irene, broker):
    broker.is_active = False
    broker.save()
    data = csv_of(row())
    first = loaded(stage, irene, data)
    assert set(faults(first)) == {(2, "comisionista")}
    import_discard(import_id=first.pk, user=irene)
    broker.is_active = True
    broker.save()
    assert loaded(stage, irene, data).state == ImportState.LOADED


def test_the_load_leaves_its_rows_and_fingerprint_in_the_decisions(stage, irene):
    source = loaded(stage, irene, csv_of(*many(2)))
    acts = {decision.act: decision for decision in decisions_on([source])}
    assert set(acts) == {"import_open", "import_review", "import_confirm", "import_load"}
    data = acts["import_load"].data
    assert (data["rows"], data["sha256"]) == (2, source.sha256)


def test_only_who_prepares_uploads(stage, aura, bruno, root):
    for user in (aura, bruno, root):
        with pytest.raises(Refused, match="Solo analistas y supervisores"):
            import_open(stage=stage, data=csv_of(row()), name="a.csv", user=user)
    assert not Job.objects.exists()


def test_a_closed_stage_takes_no_file(closed_stage, irene):
    with pytest.raises(Refused, match="ya no recibe aceptaciones"):
        import_open(stage=closed_stage, data=csv_of(row()), name="a.csv", user=irene)


def test_a_stage_closed_after_the_upload_refuses_the_file(stage, irene, ana):
    source = import_open(stage=stage, data=csv_of(row()), name="a.csv", user=irene)
    late = reviewed(stage, irene, csv_of(*many(2)))
    import_confirm(import_id=late.pk, mode=ImportMode.ALL, user=irene)
    stage_close(stage=stage, user=ana, closed_at=CLOSED)
    assert import_review(import_id=source.pk, report=silent)
    assert import_load(import_id=late.pk, report=silent)
    late.refresh_from_db()
    assert late.state == ImportState.REFUSED
    source.refresh_from_db()
    assert source.state == ImportState.REFUSED
    assert "ya no recibe aceptaciones" in faults(source)[0, ""]
    assert nothing_saved()


def test_a_file_run_twice_is_loaded_once(stage, irene):
    source = loaded(stage, irene, csv_of(row()))
    assert not import_load(import_id=source.pk, report=silent)
    assert not import_review(import_id=source.pk, report=silent)
    assert import_confirm(import_id=source.pk, mode=ImportMode.ALL, user=irene) == source
    assert Acceptance.objects.count() == 1


def test_a_run_cut_short_leaves_nothing_and_can_be_done_again(stage, irene):
    source = reviewed(stage, irene, csv_of(*many(3)))
    import_confirm(import_id=source.pk, mode=ImportMode.ALL, user=irene)

    def killed(step, *told):
        if step == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_load(import_id=source.pk, report=killed)
    assert nothing_saved()
    assert import_load(import_id=source.pk, report=silent)
    assert Acceptance.objects.count() == 3


def test_an_acceptance_without_its_paper_is_loaded_as_incomplete(stage, irene):
    bare = row(anio_gravable="", patrimonio_bruto="", referencia_documento="")
    loaded(stage, irene, csv_of(bare))
    one = Acceptance.objects.get()
    assert (one.standing, one.admitted) == (Standing.INCOMPLETE, 0)


def test_who_does_not_file_brings_a_certificate_of_income(stage, irene):
    cells = {"declara_renta": "no", "patrimonio_bruto": "", "ingresos_anuales": "6.060.000"}
    loaded(stage, irene, csv_of(row(**cells)))
    one = Acceptance.objects.get()
    assert (one.limit_shares, one.standing) == (300_000, Standing.COMPLETE)
    bad = row(numero_documento="777", declara_renta="no", ingresos_anuales="1")
    assert set(faults(loaded(stage, irene, csv_of(bad)))) == {(2, "patrimonio_bruto")}


def test_a_file_that_says_what_nobody_had_said_completes_the_part(stage, irene):
    loaded(stage, irene, csv_of(row(ultimo_anio_declarado="", anio_gravable="1993")))
    first = Acceptance.objects.get()
    assert first.standing == Standing.COMPLETE

    later = {"anio_gravable": "", "patrimonio_bruto": "", "referencia_documento": ""}
    source = loaded(stage, irene, csv_of(row(ultimo_anio_declarado="1994", **later)))

    assert faults(source) == {}
    first.refresh_from_db()
    assert Participation.objects.get().last_year_filed == 1994
    assert first.standing == Standing.INCOMPLETE
