"""A file of acceptances is reviewed, and then loaded whole or in part, once."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from buyers.enums import DeclarationKind
from buyers.models import Buyer, Document, Presentation
from offerings.enums import ImportMode, ImportState, Standing
from offerings.models import Acceptance, Participation
from offerings.services.imports import (
    AlreadyUploaded,
    import_confirm,
    import_discard,
    import_load,
    import_open,
    import_review,
)
from offerings.services.imports.cells import DECLARATION_NAMES, declarations
from offerings.services.stages import stage_close
from office.decisions import decisions_on
from office.models import Decision, Job
from office.refusals import Refused
from tests.conftest import CLOSED
from tests.offerings.import_files import (
    COOPERATIVE,
    csv_of,
    faults,
    loaded,
    many,
    reviewed,
    row,
    silent,
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


def test_what_a_file_did_to_one_from_before_stands_in_its_history(stage, irene):
    loaded(stage, irene, csv_of(row(cantidad="800.000")))
    before = Acceptance.objects.get()

    source = loaded(
        stage, irene, csv_of(row(cantidad="900.000", recibida="15/08/1995 9:00", papeles="Caja 2"))
    )

    last = decisions_on([before]).last()
    assert (last.act, last.actor) == ("acceptance_change", irene)
    assert f"Hizo cambiar {before.code} al cargar el archivo {source.code}: " in last.sentence
    assert "tenía 800.000 acciones (completa); tiene 90.099 acciones" in last.sentence
    assert "art. 6" in last.article


def test_telling_what_changed_takes_as_many_queries_for_20_acceptances_as_for_2(stage, irene):
    taken = []
    for count, clock in ((2, "9"), (20, "8")):
        loaded(stage, irene, csv_of(*many(count, cantidad="900.000", papeles=f"Caja {count}")))
        rows = many(count, cantidad="800.000", recibida=f"15/08/1995 {clock}:00")
        source = import_open(stage=stage, data=csv_of(*rows), name="a.csv", user=irene)
        assert import_review(import_id=source.pk, report=silent)
        import_confirm(import_id=source.pk, mode=ImportMode.ALL, user=irene)
        before = Decision.objects.filter(act="acceptance_change").count()
        with CaptureQueriesContext(connection) as load:
            assert import_load(import_id=source.pk, report=silent)
        assert Decision.objects.filter(act="acceptance_change").count() >= before + count
        taken.append(len(load))
    assert taken[0] == taken[1]


def test_the_number_of_queries_does_not_grow_with_the_rows(stage, irene):
    loaded(stage, irene, csv_of(*many(3)))
    counts = []
    for count in (100, 400):
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
    assert Acceptance.objects.count() == 503


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
    source = loaded(
        stage, irene, csv_of(row(cantidad="20", ultimo_anio_declarado="1994", **later))
    )

    assert faults(source) == {}
    first.refresh_from_db()
    assert Participation.objects.get().last_year_filed == 1994
    assert first.standing == Standing.INCOMPLETE


@pytest.mark.parametrize(
    "said",
    [
        "no_transferir no_subrogar",
        "NO_TRANSFERIR, no_subrogar",
        "no_transfer no_subrogation",
        "No negociar ni transferir las acciones durante el plazo | no_subrogar",
    ],
)
def test_declarations_are_told_by_their_spanish_name_their_sentence_or_their_code(said):
    found = declarations(said)
    assert found == {DeclarationKind.NO_TRANSFER, DeclarationKind.NO_SUBROGATION}


def test_every_declaration_has_a_name_in_a_file():
    assert declarations(DECLARATION_NAMES) == set(DeclarationKind)
