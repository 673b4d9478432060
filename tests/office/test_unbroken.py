"""What print keeps on one line, in the tree of a page."""

from xml.etree import ElementTree

import pytest

from office.unbroken import keep_together

NO_BREAK = "\u00a0"


def kept(page):
    """The page's text after it was looked over, with "_" for a blank that does not break."""
    root = ElementTree.fromstring(page)
    keep_together(root)
    return "".join(root.itertext()).replace(NO_BREAK, "_")


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("a los quince (15) días", "a los quince_(15)_días"),
        ("cien mil (100.000) acciones", "cien mil_(100.000)_acciones"),
        ("un millón (1.000.000) de acciones", "un millón_(1.000.000)_de_acciones"),
        ("sesenta centavos ($60,60) por", "sesenta centavos_($60,60) por"),
        ("Valores S. A. S. en Bogotá, D. C.", "Valores S._A._S. en Bogotá, D._C."),
        ("a las 9:33 a. m.", "a las 9:33 a._m."),
        ("con C.C. 51.000.123", "con C.C._51.000.123"),
        ("el 1,49 %", "el 1,49_%"),
        ("el precio (art. 4-1) y la venta", "el precio (art. 4-1) y la venta"),
    ],
)
def test_a_figure_and_an_abbreviation_do_not_break(written, printed):
    assert kept(f"<td>{written}</td>") == printed


def test_the_last_line_of_a_long_text_has_more_than_one_short_word():
    long = "Esta constancia no prueba el pago, no lo reemplaza y no es título de acciones."
    assert kept(f"<p>{long}</p>").endswith("no es título_de_acciones.")
    assert kept("<p>No es título de acciones.</p>") == "No es título de acciones."


def test_a_narrow_cell_may_break_but_a_fact_keeps_its_last_words():
    long = "adjudicación de la primera etapa, en la sesión del 15 de septiembre de 1995 a las 9"
    assert kept(f"<table><tr><td>{long}</td></tr></table>") == long
    facts = kept(f'<table class="facts"><tr><td>{long}</td></tr></table>')
    assert facts.endswith("de_1995_a_las_9")


def test_a_blank_beside_another_element_still_breaks():
    start = "Referencia de pago 0000000042; último día de pago, 15 de octubre de 1995."
    assert kept(f"<p>{start} <b>Pagada.</b></p>") == f"{start} Pagada."


def test_a_line_break_ends_the_last_line():
    start = "Programa de enajenación de las acciones de la Nación en el Banco"
    assert kept(f"<p>{start}<br/>\n  Decreto 1 de 1995\n</p>").startswith(start)
