"""The certificate's page and PDF from sample facts: no database."""

from copy import deepcopy
from datetime import UTC, date, datetime
from io import BytesIO
from types import SimpleNamespace

import pikepdf
import pytest
from django.template.loader import render_to_string
from pdfminer.high_level import extract_pages
from pdfminer.layout import LTChar, LTContainer

from office.pdf import page_count, render_pdf

INNER_RULE = (46.5, 46.5, 612 - 46.5, 792 - 46.5)

MARIA = {
    "fund": "Fondo de Garantías de Instituciones Financieras",
    "programme": "Programa de enajenación de las acciones de la Nación en el Banco Popular",
    "decree": "Decreto 1118 de 1995",
    "issuer": {"name": "Banco Popular", "of": "del Banco Popular"},
    "seller": {"name": "la Nación", "represented": True},
    "stage": 1,
    "holder": {
        "name": "María Fernanda Ejemplo Ñáñez",
        "kind": "natural",
        "class": "trabajadora activa del Banco Popular",
        "identity": {"type": "CC", "number": "51000123"},
    },
    "acceptance": {
        "number": "A-040712",
        "received_on": "1995-09-14",
        "broker": "Valores Ficticios S. A.",
        "exchange": "Bolsa de Bogotá",
        "requested": 600000,
    },
    "limit": {"admitted": 495049, "cites": ["art. 6-1", "art. 6-3"]},
    "award": {
        "quantity": 407184,
        "price": "60.60",
        "total": "24675350.40",
        "price_cites": ["art. 4-1"],
    },
    "adjudication": {
        "number": "AD-000007",
        "session_on": "1995-09-15",
        "exchange": "Bolsa de Bogotá",
        "cites": ["art. 9-3"],
    },
    "payment": {"paid_on": "1995-10-02", "receipts": ["PG-004118"]},
    "lock_up": {"months": 24, "last_day": "1997-09-15", "cites": ["art. 6-4"]},
    "pledge": {"rank": 2},
    "cover": {"cites": ["art. 21", "art. 22"]},
    "signatories": [
        {"name": "Ana Ficticia Rey", "post": "Supervisora de enajenaciones"},
        {"name": "Tomás Inventado Sáenz", "post": "Secretario general del Fondo"},
    ],
}

ASSOCIATION = {
    "name": "Asociación Nacional de Empleados de Ejemplo del Banco Popular",
    "kind": "organisation",
    "class": "asociación de empleados y exempleados",
    "identity": {"type": "NIT", "number": "800123789", "check_digit": "2"},
    "representative": {
        "name": "Rosa Inventada Peña",
        "identity": {"type": "CC", "number": "41000902"},
    },
}


def facts_with(**changes):
    """María's facts with some groups changed; a group that is None is left out."""
    facts = deepcopy(MARIA)
    for group, change in changes.items():
        if isinstance(change, dict) and group in facts:
            facts[group].update(change)
        else:
            facts[group] = change
    return facts


def drawn(facts, issued=date(1995, 10, 3)):
    certificate = SimpleNamespace(
        title="Certificado de adjudicación",
        label="ADJ-1995-000001",
        code="7K4M2QXR9TBD",
        legal_date=issued,
        issued_at=datetime(1995, 10, 3, 14, 12, tzinfo=UTC),
    )
    context = {
        "certificate": certificate,
        "facts": facts,
        "verify_url": f"https://fondo.example/verificar/{certificate.code}",
    }
    html = render_to_string("certificates/allotment.html", context)
    return render_pdf(html, stylesheet="certificate.css")


def letters_of(node):
    if isinstance(node, LTChar):
        yield node
    elif isinstance(node, LTContainer):
        for child in node:
            yield from letters_of(child)


def letters_in(data):
    return [letter for page in extract_pages(BytesIO(data)) for letter in letters_of(page)]


def squeezed(text):
    return "".join(text.split()).replace("\u2011", "-")


def text_in(data):
    """All the letters in their order, without blanks: where lines break does not matter."""
    return squeezed("".join(letter.get_text() for letter in letters_in(data)))


def says(facts, *sentences, **options):
    text = text_in(drawn(facts, **options)).casefold()
    return [sentence for sentence in sentences if squeezed(sentence).casefold() not in text]


def test_certificate_states_every_fact_in_words_and_figures():
    missing = says(
        MARIA,
        "Fondo de Garantías de Instituciones Financieras",
        "Programa de enajenación de las acciones de la Nación en el Banco Popular",
        "Decreto 1118 de 1995",
        "Certificado de adjudicación",
        "ADJ-1995-000001",
        "El Fondo, en nombre y representación de la Nación, certifica que a",
        "María Fernanda Ejemplo Ñáñez",
        "con cédula de ciudadanía 51.000.123",
        "en la primera etapa se adjudicaron, y fueron pagadas en su totalidad,",
        "cuatrocientas siete mil ciento ochenta y cuatro (407.184) acciones del Banco Popular",
        "por un valor total de veinticuatro millones seiscientos setenta y cinco mil "
        "trescientos cincuenta pesos con cuarenta centavos ($24.675.350,40).",
        "trabajadora activa del Banco Popular",
        "A-040712 del 14 de septiembre de 1995, por Valores Ficticios S. A. en la Bolsa de Bogotá",
        "seiscientas mil (600.000) acciones",
        "cuatrocientas noventa y cinco mil cuarenta y nueve (495.049) acciones (arts. 6-1 y 6-3)",
        "sesenta pesos con sesenta centavos ($60,60) por acción (art. 4-1)",
        "adjudicación AD-000007, sesión de la Bolsa de Bogotá del 15 de septiembre de 1995 "
        "(art. 9-3)",
        "en su totalidad, el 2 de octubre de 1995, recibo PG-004118",
        "en segundo grado a favor del Fondo; el término de dos años vence a la medianoche del "
        "15 de septiembre de 1997",
        "los términos de la venta y la cobertura de contingencias (arts. 21 y 22)",
        "no transferir las acciones dentro de los dos años siguientes a la compra (art. 6-4)",
        "Este certificado no es título de acciones",
        "Se expide en Bogotá, D. C., a los tres (3) días del mes de octubre de mil novecientos "
        "noventa y cinco (1995).",
        "Ana Ficticia Rey",
        "Secretario general del Fondo",
        "7K4M 2QXR 9TBD",
        "fondo.example/verificar/7K4M2QXR9TBD",
        "Datos congelados el 3 de octubre de 1995, 9:12 a. m., hora de Bogotá",
    )
    assert missing == []


def test_organisation_bears_its_legal_name_with_its_representative_beside_it():
    facts = facts_with(
        holder=ASSOCIATION,
        acceptance={"requested": 12000000},
        limit={"admitted": 12000000, "article": "6", "cites": []},
        pledge={"rank": 1},
    )
    missing = says(
        facts,
        "certifica que a Asociación Nacional de Empleados de Ejemplo del Banco Popular con NIT "
        "800.123.789-2, representada por Rosa Inventada Peña, C.C. 41.000.902",
        "doce millones (12.000.000) de acciones",
        "la misma cantidad: el artículo 6 no fija límite a las organizaciones",
        "en primer grado a favor del Fondo",
    )
    assert missing == []


def test_organisation_without_known_representative_is_certified_by_its_name():
    unnamed = {key: value for key, value in ASSOCIATION.items() if key != "representative"}
    assert says(facts_with(holder=unnamed), "representada por") == ["representada por"]

    nameless = unnamed | {"representative": {"name": "Rosa Inventada Peña"}}
    sentence = "con NIT 800.123.789-2, representada por Rosa Inventada Peña en la primera etapa"
    assert says(facts_with(holder=nameless), sentence) == []


def test_fund_that_sells_its_own_shares_is_named_as_the_seller():
    facts = facts_with(seller={"name": "el Fondo", "represented": False})
    assert says(facts, "El Fondo, como enajenante, certifica que a") == []


def test_figure_without_a_clause_is_stated_without_brackets():
    facts = facts_with(award={"price_cites": []}, adjudication={"cites": []}, limit={"cites": []})
    assert says(facts, "()", "por acción Adjudicación adjudicación") == ["()"]


def test_one_share_was_awarded_and_paid_for_in_the_singular():
    facts = facts_with(award={"quantity": 1, "total": "60.60"})
    sentence = "se adjudicó, y fue pagada en su totalidad, una (1) acción del Banco Popular"
    assert says(facts, sentence) == []


def test_the_act_of_the_adjudication_is_named_where_it_was_issued():
    facts = facts_with(adjudication={"record": "ACT-1995-000001"})
    assert says(facts, "adjudicación AD-000007, acta ACT-1995-000001, sesión de la Bolsa") == []


def test_an_exchange_whose_name_lacks_the_noun_gets_it():
    facts = facts_with(
        acceptance={"exchange": "Mercado de Prueba"},
        adjudication={"exchange": "Mercado de Prueba"},
    )
    told = "en la bolsa «Mercado de Prueba»", "sesión de la bolsa «Mercado de Prueba» del 15"
    assert says(facts, *told) == []


def test_limit_that_did_not_cut_is_said_with_its_article():
    facts = facts_with(
        acceptance={"requested": 495049}, limit={"admitted": 495049, "cites": ["art. 6-2"]}
    )
    assert says(facts, "la misma cantidad, que no pasa del límite (art. 6-2)") == []


def test_first_day_of_the_month_is_written_as_an_ordinal():
    assert says(MARIA, "al primer (1er) día del mes de octubre", issued=date(1995, 10, 1)) == []


def test_second_stage_carries_no_term_and_no_pledge():
    facts = facts_with(stage=2, limit=None, pledge=None, lock_up=None)
    absent = says(facts, "en la segunda etapa", "prenda", "no transferir", "medianoche")

    assert absent == ["prenda", "no transferir", "medianoche"]


def test_term_without_a_pledge_is_stated():
    facts = facts_with(pledge=None)
    assert says(facts, "dos años, hasta la medianoche del 15 de septiembre de 1997") == []


@pytest.mark.parametrize(
    ("readings", "sentence"),
    [
        (["Lo que pasa se recorta."], "Lectura usada: lo que pasa se recorta."),
        (
            ["Lo que pasa se recorta.", "Un resto igual favorece a la primera."],
            "Lecturas usadas: lo que pasa se recorta; un resto igual favorece a la primera.",
        ),
    ],
)
def test_several_receipts_and_readings_are_all_stated(readings, sentence):
    facts = facts_with(payment={"receipts": ["PG-000001", "PG-000002"]}, readings=readings)

    assert says(facts, "recibos PG-000001, PG-000002", sentence) == []


def test_same_facts_give_the_same_bytes():
    assert drawn(deepcopy(MARIA)) == drawn(MARIA)


def test_certificate_is_one_page_under_60_kilobytes():
    data = drawn(MARIA)

    assert page_count(data) == 1
    assert len(data) < 60_000


def test_fonts_are_ours_and_nothing_is_attached():
    with pikepdf.open(BytesIO(drawn(MARIA))) as document:
        assert not document.attachments
        names = {
            str(obj.BaseFont).split("+")[-1]
            for obj in document.objects
            if isinstance(obj, pikepdf.Dictionary) and obj.get("/Type") == "/Font"
        }
    assert names
    assert all(name.startswith("Source-Serif-4") for name in names)


@pytest.mark.parametrize(
    ("name", "requested", "awarded", "total"),
    [
        ("W" * 154, 4877777777, 4877777777, "295593333286.20"),
        ("W" * 154, 98777777777777, 77777777777777, "4713333333333286.20"),
        ("Ñáñez" * 30 + "Güiz", 98777777777777, 77777777777777, "4713333333333286.20"),
    ],
)
def test_long_name_and_great_figures_stay_inside_the_frame_on_one_page(
    name, requested, awarded, total
):
    facts = facts_with(
        holder=ASSOCIATION | {"name": name},
        acceptance={"requested": requested},
        limit={"admitted": awarded, "cites": ["art. 6-1", "art. 6-3"]},
        award={"quantity": awarded, "total": total},
    )
    data = drawn(facts)
    left, bottom, right, top = INNER_RULE
    outside = [
        letter
        for letter in letters_in(data)
        if letter.x0 < left or letter.x1 > right or letter.y0 < bottom or letter.y1 > top
    ]
    assert len(name) == 154
    assert page_count(data) == 1
    assert outside == []
    assert name in text_in(data)


def test_markup_in_a_name_is_printed_as_text():
    names = [
        '<link rel=attachment href="file:///etc/passwd">',
        '<img src="http://ejemplo.example/x.png">',
        "{{ facts.fund }} & <b>Ñáñez</b> Güiza $ º",
    ]
    for name in names:
        data = drawn(facts_with(holder={"name": name}))
        assert squeezed(name) in text_in(data)
        with pikepdf.open(BytesIO(data)) as document:
            assert not document.attachments
