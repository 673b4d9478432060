"""All that is held on one person: who may take it, what is in it, what is left of the taking."""

import io
import re
import uuid
import zipfile

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from python_calamine import CalamineWorkbook

from buyers.models import Presentation
from buyers.selectors.dossier import dossier_of, person_of
from buyers.services import buyer_change, buyer_merge, buyer_register, buyer_token, document_add
from buyers.services.dossiers import dossier_export
from offerings.services.drafts import draft_save
from office.decisions import decisions_on
from office.files import file_store, zip_stream
from office.refusals import Refused
from tests.buyers.conftest import PERSON, person
from tests.buyers.files import pdf_bytes, upload
from tests.offerings.paid import make_awards, pay_in_full
from tests.offerings.rows import make_acceptance, make_buyer, make_stage

pytestmark = pytest.mark.django_db

REASON = "Petición ficticia 7 de la titular."


@pytest.fixture
def nanez(irene):
    return person(irene, "51000123", "María Fernanda Ñáñez Ejemplo")


def opened(response):
    """The archive, and the rows of its workbook by sheet."""
    archive = zipfile.ZipFile(io.BytesIO(b"".join(response.streaming_content)))
    assert archive.testzip() is None
    book = CalamineWorkbook.from_filelike(io.BytesIO(archive.read("datos.xlsx")))
    return archive, {name: book.get_sheet_by_name(name).to_python() for name in book.sheet_names}


def exported(client, buyer, reason=REASON):
    return client.post(reverse("buyer_dossier", args=[buyer.pk]), {"reason": reason})


def words(rows):
    return "\n".join(str(cell) for row in rows for cell in row)


def test_a_buyer_with_a_paper_is_exported_whole(client, irene, nanez, broker):
    paper = pdf_bytes()
    document_add(user=irene, buyer=nanez, kind="class_proof", file=upload(paper))
    Presentation.objects.create(buyer=nanez, broker=broker)
    buyer_change(
        user=irene, buyer_id=nanez.pk, seen=buyer_token(nanez), reason="Acento.",
        **PERSON, identity_number="51000123", name="María Fernanda Ñáñez Supuesta",
    )  # fmt: skip
    client.force_login(irene)

    response = exported(client, nanez)
    assert response["Content-Type"] == "application/zip"
    assert response.streaming
    archive, sheets = opened(response)

    assert "María Fernanda Ñáñez Supuesta" in words(sheets["Identidad"])
    assert "Cédula de ciudadanía" in words(sheets["Identidad"])
    assert "Valores Ficticios S. A." in words(sheets["Presentaciones"])
    assert "Constancia de la clase" in words(sheets["Documentos"])
    assert "Corrigió los datos del comprador." in words(sheets["Decisiones"])
    history = words(sheets["Historia de los cambios"])
    assert "María Fernanda Ñáñez Ejemplo" in history
    assert "Irene Ejemplo Ñáñez" in words(sheets["Decisiones"])
    [name] = [one for one in archive.namelist() if one.startswith("documentos/")]
    assert archive.read(name) == paper
    assert name in words(sheets["Archivos"])


def test_what_the_programmes_hold_is_in_it_and_nothing_of_others(client, irene, ana):
    stage = make_stage(irene, ana, closed=True)
    mine, other = make_acceptance(stage, 1, 100), make_acceptance(stage, 2, 50)
    award, _ = make_awards([mine, other], irene, ana)
    pay_in_full(award, irene)
    client.force_login(ana)

    _, sheets = opened(exported(client, mine.participation.buyer))

    assert "Banco Popular 1995" in words(sheets["Programas"])
    assert "A-000001" in words(sheets["Aceptaciones"])
    assert "AD-" in words(sheets["Adjudicaciones"])
    assert "6060" in words(sheets["Pagos"])
    everything = "\n".join(words(rows) for rows in sheets.values())
    assert "A-000002" not in everything
    assert "51000002" not in everything


def test_where_others_name_the_person_is_in_it(client, irene, ana, nanez):
    buyer_register(
        user=irene, kind="organisation", identity_type="NIT", identity_number="860530751-7",
        name="Cooperativa Ficticia del Valle", representative_name=nanez.name,
        representative_identity_type="CC", representative_identity_number="51000123",
    )  # fmt: skip
    make_acceptance(
        make_stage(irene, ana), 3, 10, beneficial_owner="María",
        beneficial_owner_identity_type="CC", beneficial_owner_identity_number="51000123",
    )  # fmt: skip
    client.force_login(irene)
    _, sheets = opened(exported(client, nanez))
    assert "Cooperativa Ficticia del Valle" in words(sheets["Actúa por"])
    assert "A-000003" in words(sheets["Beneficiario real de"])
    assert "860530751" not in words(sheets["Actúa por"])


def test_the_drafts_that_name_the_person_are_in_it_and_nothing_of_others(
    client, irene, mateo, ana, nanez
):
    stage = make_stage(irene, ana)

    def keep(**content):
        draft_save(
            stage=stage, content={name: [typed] for name, typed in content.items()}, user=mateo,
            submission_key=uuid.uuid4(), seen="",
        )  # fmt: skip

    keep(buyer="María Ñáñez · C.C. 51.000.123", quantity="1.234")
    keep(buyer="51000123", quantity="2.345")
    keep(buyer="Otra · C.E. 51.000.123", quantity="3.456")
    keep(buyer="1..51000123", quantity="4.567")
    keep(
        buyer="Julián D’Alemán · C.C. 80.123.789", quantity="5.678", beneficial_owner="María",
        beneficial_owner_identity_type="CC", beneficial_owner_identity_number="51.000.123",
    )  # fmt: skip
    client.force_login(irene)
    _, sheets = opened(exported(client, nanez))
    drafts = words(sheets["Borradores"])
    assert "1.234" in drafts
    assert "2.345" in drafts
    assert "Mateo" in drafts
    owned = sheets["Beneficiario en borrador"]
    assert len(owned) == 2
    assert "María" in words(owned)
    everything = "\n".join(words(rows) for rows in sheets.values())
    for other in ("3.456", "4.567", "5.678", "80.123.789"):
        assert other not in everything


def test_a_merged_record_is_exported_with_the_one_that_is_kept(client, ana, irene, nanez):
    twin = person(irene, "510001234", nanez.name)
    buyer_merge(
        user=ana, merged_id=twin.pk, kept_id=nanez.pk, typed="510001234", reason="Una de más."
    )
    client.force_login(ana)
    _, sheets = opened(exported(client, twin))
    assert {"51000123", "510001234"} <= set(words(sheets["Identidad"]).split("\n"))
    assert decisions_on([nanez]).last().act == "buyer_dossier"


def test_who_exported_and_why_stays_and_is_told_the_next_time(client, aura, ana, nanez):
    client.force_login(aura)
    opened(exported(client, nanez))
    decision = decisions_on([nanez]).last()
    assert (decision.act, decision.actor, decision.reason) == ("buyer_dossier", aura, REASON)
    assert decision.data["rows"]["Identidad"] == 1

    client.force_login(ana)
    page = client.get(reverse("buyer_dossier", args=[nanez.pk])).content.decode()
    assert "Aura Supuesta Vélez" in page
    _, sheets = opened(exported(client, nanez, "Revisión ficticia."))
    assert "Aura Supuesta Vélez" in words(sheets["Exportaciones anteriores"])
    assert "Revisión" not in words(sheets["Exportaciones anteriores"])


def test_it_is_not_given_without_a_reason(client, irene, nanez):
    client.force_login(irene)
    answer = exported(client, nanez, "  ")
    assert answer.status_code == 422
    assert "Escriba quién lo pide y para qué" in answer.content.decode()
    assert not decisions_on([nanez]).filter(act="buyer_dossier").exists()


@pytest.mark.parametrize("who", ["bruno", "adela", "root"])
def test_it_is_not_given_to_who_does_not_see_everything(request, client, nanez, broker, who):
    user = request.getfixturevalue(who)
    Presentation.objects.create(buyer=nanez, broker=broker)
    client.force_login(user)
    assert exported(client, nanez).status_code == 403
    with pytest.raises(Refused):
        dossier_export(buyer=nanez, reason=REASON, user=user)


def test_a_name_that_runs_as_a_formula_stays_text(client, irene):
    buyer = person(irene, "52000999", '=HYPERLINK("http://fuera.example";"Ejemplo")')
    client.force_login(irene)
    archive, sheets = opened(exported(client, buyer))
    assert '=HYPERLINK("http://fuera.example";"Ejemplo")' in words(sheets["Identidad"])
    book = zipfile.ZipFile(io.BytesIO(archive.read("datos.xlsx")))
    for name in book.namelist():
        assert b"<f>" not in book.read(name)


def test_every_column_has_a_spanish_heading(irene, nanez):
    english = re.compile(r"\b(by|at|of|is|buyer|award|document|programme|stage)\b")
    for table in dossier_of(person_of(nanez)).tables:
        assert not [one for one in table.columns if not one or english.search(one)], table.title


def test_it_takes_as_many_queries_for_50_records_as_for_5(irene, ana):
    stage = make_stage(irene, ana)
    buyer = make_buyer(irene, 1)

    def taken(first, last):
        for serial in range(first, last):
            make_acceptance(stage, serial, 10, buyer=buyer)
            document_add(user=irene, buyer=buyer, kind="class_proof", file=upload(pdf_bytes()))
        with CaptureQueriesContext(connection) as captured:
            dossier_of(person_of(buyer))
        return len(captured)

    assert taken(1, 6) == taken(6, 51)


def test_a_file_that_changed_on_disk_leaves_an_archive_that_nobody_opens(irene, tmp_path):
    stored = file_store(
        data=b"de prueba", name="a.pdf", content_type="application/pdf", user=irene
    )
    (tmp_path / "files" / stored.path).write_bytes(b"otra cosa")
    pieces = []
    with pytest.raises(ValueError, match="SHA-256"):
        pieces.extend(zip_stream([("../a b.pdf", stored)]))
    with pytest.raises(zipfile.BadZipFile):
        zipfile.ZipFile(io.BytesIO(b"".join(pieces)))


def test_a_file_that_is_not_in_the_store_is_told(client, irene, nanez, tmp_path):
    paper = document_add(user=irene, buyer=nanez, kind="class_proof", file=upload(pdf_bytes()))
    (tmp_path / "files" / paper.file.path).unlink()
    client.force_login(irene)
    archive, sheets = opened(exported(client, nanez))
    assert archive.namelist() == ["datos.xlsx"]
    assert "no está en el almacén" in words(sheets["Archivos"])


def test_names_in_the_archive_lead_nowhere_else():
    data = b"".join(zip_stream([("../../etc/pas\x00swd", b"x"), ("documentos/a.pdf", b"y")]))
    names = zipfile.ZipFile(io.BytesIO(data)).namelist()
    assert names[1] == "documentos/a.pdf"
    assert ".." not in names[0]
