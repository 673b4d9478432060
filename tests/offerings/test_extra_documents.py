"""The documents that the Fund's rules add, from the reglamento to checklist, form and file."""

import re
from decimal import Decimal
from uuid import uuid4

import pytest
from django.urls import reverse

from buyers.enums import BuyerClass, BuyerKind, DeclarationKind
from buyers.models import Document
from buyers.services import buyer_register, document_add
from offerings.decrees.fund_values import FundValue
from offerings.decrees.reader import terms_of
from offerings.models import Acceptance
from offerings.rules.documents import ChecklistFacts, checklist
from offerings.services.stages import stage_open
from office.refusals import Refused
from tests.buyers.files import pdf_bytes, upload
from tests.conftest import OPENED
from tests.offerings.import_files import COOPERATIVE, csv_of, differences, faults, loaded, row
from tests.offerings.programme_1995 import ACT, SLUG, given_1995, ready_stage_of

NEW = reverse("acceptance_new", args=[SLUG, 1])


def text(response):
    plain = re.sub(r"<[^>]+>", " ", response.content.decode())
    return re.sub(r"\s+", " ", plain).replace("\u00a0", " ")


@pytest.fixture
def stage(irene, ana):
    given = given_1995() | {"extra_documents": FundValue(("Paz y salvo", "Hoja de vida"), ACT)}
    return stage_open(stage=ready_stage_of(irene, ana, given=given), user=ana, opened_at=OPENED)


@pytest.fixture
def nanez(irene):
    return buyer_register(
        user=irene,
        kind="natural",
        identity_type="CC",
        identity_number="51000123",
        name="Rosa Inventada Peña",
    )


@pytest.fixture
def typed(stage, nanez, broker, exchange):
    return {
        "buyer": "51.000.123",
        "buyer_class": "worker",
        "files_tax_return": "si",
        "paper0_reference": "CL-7781",
        "paper1_gross_equity": "10.000.000",
        "paper1_year": "1994",
        "paper1_reference": "DR-118",
        "requested": "1.000",
        "received_on": "14/09/1995",
        "received_time": "10:42",
        "broker": str(broker.pk),
        "exchange": str(exchange.pk),
        "attested_on": "14/09/1995",
        "declares_not_disqualified": "on",
        "submission_key": str(uuid4()),
        "paso": "registrar",
    }


@pytest.fixture
def desk(client, irene):
    client.force_login(irene)
    return client


def paper_field(page, label):
    """The prefix of the fields under that heading."""
    found = re.search(
        rf"<legend>{label}</legend>.*?name=\"(paper\d+)_reference\"", page, re.DOTALL
    )
    return found[1]


def test_the_form_asks_for_them_and_the_checklist_rests_on_them(desk, typed):
    page = desk.get(NEW).content.decode()
    clearance, life = (paper_field(page, label) for label in ("Paz y salvo", "Hoja de vida"))
    desk.post(NEW, typed | {f"{clearance}_reference": "PS-1"})
    acceptance = Acceptance.objects.get()
    assert [gap["label"] for gap in acceptance.missing] == ["Hoja de vida"]
    assert acceptance.missing[0]["cite"] == ACT
    again = {"submission_key": str(uuid4()), f"{life}_reference": "HV-1"}
    desk.post(NEW, typed | {f"{clearance}_reference": "PS-1"} | again)
    assert set(Acceptance.objects.values_list("standing", flat=True)) == {"complete"}
    own = Document.objects.filter(kind="other")
    assert sorted(own.values_list("label", flat=True)) == ["Hoja de vida", "Paz y salvo"]
    assert "Paz y salvo" in text(desk.get(reverse("acceptance", args=[acceptance.pk])))


def test_what_is_missing_leads_to_where_it_is_registered_under_its_name(desk, typed):
    desk.post(NEW, typed)
    part = Acceptance.objects.get().participation
    page = desk.get(reverse("participation", args=[part.pk])).content.decode()
    address = next(
        one.replace("&amp;", "&")
        for one in re.findall(r'href="([^"]+)"', page)
        if "label=Hoja+de+vida" in one
    )
    form = desk.get(address).content.decode()
    assert 'value="Hoja de vida"' in form
    said = {"kind": "other", "label": "hoja de  VIDA", "submission_key": str(uuid4())}
    done = desk.post(address, said | {"file": upload(pdf_bytes())})
    assert done.url == reverse("participation_documents", args=[part.pk])
    chosen = [document.pk for document in Document.objects.all()]
    desk.post(done.url, {"documents": chosen, "paso": "confirmar"})
    gaps = Acceptance.objects.get().missing
    assert [gap["label"] for gap in gaps] == ["Paz y salvo"]


def test_another_document_without_its_name_is_refused(irene, nanez):
    with pytest.raises(Refused) as caught:
        document_add(user=irene, buyer=nanez, kind="other", file=upload(pdf_bytes()))
    assert caught.value.field == "label"


def test_a_row_brings_them_by_their_name_and_reference(stage, broker, exchange, irene):
    cell = "PAZ y salvo = PS-1 | Hoja de vida = HV=1"
    source = loaded(stage, irene, csv_of(row(otros_documentos=cell)))
    # The last «=» parts them: a name may bear one, a reference may not.
    assert "no lo pide el reglamento" in faults(source)[2, "otros_documentos"]
    assert "Pide: Paz y salvo; Hoja de vida." in faults(source)[2, "otros_documentos"]
    good = cell.replace("HV=1", "HV-1")
    assert faults(loaded(stage, irene, csv_of(row(otros_documentos=good)))) == {}
    acceptance = Acceptance.objects.get()
    assert acceptance.standing == "complete"
    own = Document.objects.filter(kind="other").values_list("label", "exchange_reference")
    assert sorted(own) == [("Hoja de vida", "HV-1"), ("Paz y salvo", "PS-1")]


@pytest.mark.parametrize("cell", ["Paz y salvo", "= PS-1", "Paz y salvo =", "Paz y salvo = 1 |"])
def test_a_cell_that_does_not_name_each_with_its_reference_is_refused(
    stage, broker, exchange, irene, cell
):
    source = loaded(stage, irene, csv_of(row(otros_documentos=cell)))
    assert "su nombre en el reglamento" in faults(source)[2, "otros_documentos"]


def test_a_row_with_another_reference_than_is_known_differs(stage, broker, exchange, irene):
    cell = "Paz y salvo = PS-1 | Hoja de vida = HV-1"
    loaded(stage, irene, csv_of(row(otros_documentos=cell)))
    other = row(otros_documentos=cell.replace("PS-1", "PS-2"), cantidad="200")
    found = differences(loaded(stage, irene, csv_of(other)))
    assert found[2, "otros_documentos"][1] == "PS-1"


def test_an_organisation_brings_what_the_fund_asks_of_organisations_alone(
    irene, ana, broker, exchange
):
    organisation = {"organisation_documents": FundValue(("Acta de la asamblea",), ACT)}
    terms = terms_of("financiera-america-2004", organisation)
    facts = ChecklistFacts(
        BuyerKind.ORGANISATION, BuyerClass.COOPERATIVE, declarations=frozenset(DeclarationKind)
    )
    asked = [line.label for line in checklist(facts, terms).value.missing]
    assert asked == ["Constancia de la clase", "Acta de la asamblea"]


def test_the_limit_that_the_fund_leaves_to_each_entity_needs_its_proof():
    values = {
        "price": FundValue(Decimal(100), ACT),
        "organisation_documents": FundValue(("Acta de la asamblea",), ACT),
        "organisation_limit": FundValue("statutory_limit", ACT),
    }
    terms = terms_of("financiera-america-2004", values)
    facts = ChecklistFacts(
        BuyerKind.ORGANISATION, BuyerClass.COOPERATIVE, declarations=frozenset(DeclarationKind)
    )
    codes = {line.code for line in checklist(facts, terms).value.missing}
    assert codes == {"class_proof", "other", "statutory_limit_proof"}


def test_an_organisation_may_bring_a_papers_name_only_where_it_is_asked(
    stage, broker, exchange, irene
):
    cell = "Paz y salvo = PS-1 | Hoja de vida = HV-1"
    source = loaded(stage, irene, csv_of(COOPERATIVE | {"otros_documentos": cell}))
    assert faults(source) == {}
    assert Acceptance.objects.get().standing == "complete"
