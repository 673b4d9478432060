"""The certificate of a pledge's release as it is printed: the same bytes, all its facts, in its
frame, also with a name of 154 letters and quantities of 14 digits."""

from datetime import date
from decimal import Decimal
from io import BytesIO

import pytest
from pdfminer.high_level import extract_pages

from buyers.models import Buyer
from office.certificates import STYLESHEET, certificate_draw, certificate_html
from office.files import file_read
from office.models import Certificate
from office.pdf import render_pdf
from office.words import amount_phrase, quantity_phrase
from pledges.certificates import release_certificate_issue
from pledges.models import Pledge
from tests.offerings.test_papers_printed import INNER_RULE, day_long, letters_of, squeezed
from tests.pledges.release_rows import (
    OUTCOME,
    READINGS,
    STEPS,
    make_paid_request,
    release_at_term,
    release_early,
)
from tests.pledges.rows import make_pledge

GREAT = 77_777_777_777_777
AMOUNT = Decimal("7777777777777777.77")
LONG_OUTCOME = OUTCOME | {
    "reference": OUTCOME["reference"]
    | {"shares": GREAT, "in_auction": False, "reference": "Bolsa de Valores de Prueba"},
    "price": "77777.77",
}
LONG_READINGS = [
    *READINGS,
    {"sentence": "Las operaciones anteriores al martillo no cuentan."},
    {"sentence": "El umbral es el de las acciones en circulación."},
    {"sentence": "El mes que corre es el que cierra en su aniversario."},
]


@pytest.fixture(params=["plain", "long", "term", "term-long"])
def paper(request, irene, ana):
    """Of an early exit or at term; of an ordinary buyer, or of a name that fills two lines."""
    long = request.param.endswith("long")
    pledge = make_pledge(irene, ana, GREAT if long else 407_184)
    if long:
        Buyer.objects.filter(pk=pledge.holder_id).update(
            name="W" * 154, kind="organisation", identity_type="NIT", check_digit="1",
            representative_name="Rosa Inventada Peña", representative_identity_type="CC",
            representative_identity_number="41000902",
        )  # fmt: skip
    if request.param.startswith("term"):
        programme = pledge.award.adjudication.stage.programme
        line = release_at_term(programme, irene, ana).lines.get()
    else:
        said = {"outcome": LONG_OUTCOME, "readings": LONG_READINGS, "steps": STEPS} if long else {}
        paid = make_paid_request(
            Pledge.objects.get(pk=pledge.pk), irene, GREAT - 1 if long else 10_000,
            **({"amount": AMOUNT} if long else {}), **said,
        )  # fmt: skip
        line = release_early(paid, irene, ana).lines.get()
    day = date(1997, 9, 17)
    issued = release_certificate_issue(line_id=line.pk, user=irene, legal_date=day)
    return certificate_draw(issued.pk)


def bare(text):
    """Without the hyphens that break words at the end of a line."""
    return squeezed(text).replace("-", "").replace("\u2010", "")


def frozen_sentences(paper):
    """What the frozen facts say, as the paper must bear it."""
    facts = paper.facts
    yield from (facts["fund"], facts["programme"], facts["decree"], facts["issuer"]["of"])
    yield from (facts["holder"]["name"], paper.label, paper.code)
    yield quantity_phrase(facts["release"]["quantity"])
    yield from (facts["pledge"]["number"], facts["release"]["number"])
    yield amount_phrase(Decimal(facts["pledge"]["price"]))
    yield day_long(facts["pledge"]["purchased_on"])
    yield from (f"{who['name']}{who['post']}" for who in facts["signatories"])
    yield "subsisten y no se afectan"
    if facts["early"] is None:
        yield day_long(facts["term"]["last_day"])
        return
    yield amount_phrase(Decimal(facts["early"]["amount"]))
    yield from (facts["request"]["number"], facts["early"]["number"])
    yield quantity_phrase(facts["early"]["reference"]["shares"])
    yield from (one["index"].replace(".", ",") for one in facts["early"]["cpi"])
    yield from facts["payment"]["receipts"]
    yield from (reading.removesuffix(".") for reading in facts["early"]["readings"])


def test_drawn_again_from_its_frozen_facts_it_is_the_same_to_the_byte(paper):
    stored = Certificate.objects.select_related("series").get(pk=paper.pk)
    again = render_pdf(certificate_html(stored), stylesheet=STYLESHEET)
    assert again == file_read(paper.file)


def test_the_text_in_it_is_that_of_its_facts_on_one_page_and_inside_the_frame(paper):
    pages = list(extract_pages(BytesIO(file_read(paper.file))))
    letters = [letter for page in pages for letter in letters_of(page)]
    text = bare("".join(letter.get_text() for letter in letters))
    left, bottom, right, top = INNER_RULE
    outside = [
        letter
        for letter in letters
        if letter.x0 < left or letter.x1 > right or letter.y0 < bottom or letter.y1 > top
    ]
    assert [words for words in frozen_sentences(paper) if bare(words) not in text] == []
    assert outside == []
    assert len(pages) == 1
