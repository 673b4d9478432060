"""Every kind of paper of an award, as it is printed: the same bytes, all its facts, inside its
frame, and a PDF that an archive takes."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from io import BytesIO

import pikepdf
import pytest
from pdfminer.high_level import extract_pages
from pdfminer.layout import LTChar, LTContainer

from buyers.models import Buyer
from offerings.certificates import award_notice_issue, certificate_allotment_issue
from offerings.models import Acceptance
from office.certificates import STYLESHEET, certificate_draw, certificate_html
from office.dates import write_date_long
from office.files import file_read
from office.models import Certificate
from office.pdf import render_pdf
from office.words import amount_phrase, quantity_phrase
from tests.offerings.paid import make_awards, pay, pay_in_full
from tests.offerings.rows import make_acceptance

INNER_RULE = (46.5, 46.5, 612 - 46.5, 792 - 46.5)
ISSUED_ON = date(1995, 10, 3)
GREAT = 77_777_777_777_777
ISSUERS = {"ADJ": certificate_allotment_issue, "CON": award_notice_issue}
ACTIVE = ("/JavaScript", "/JS", "/Launch", "/SubmitForm", "/RichMedia", "/EmbeddedFile")


@dataclass
class Paper:
    certificate: Certificate
    data: bytes

    @property
    def facts(self):
        return self.certificate.facts


@pytest.fixture
def supply():
    return GREAT


CASES = [(kind, name) for kind in ISSUERS for name in ("María Ejemplo", "W" * 154)]


@pytest.fixture(params=CASES, ids=lambda case: f"{case[0]}-{len(case[1])}")
def paper(request, closed_stage, irene, ana):
    """Of an ordinary buyer, or of one with a name of 154 letters and quantities of 14 digits."""
    kind, name = request.param
    long = len(name) == 154
    quantity = GREAT if long else 407_184
    acceptance = make_acceptance(
        closed_stage, 1, quantity, buyer_class="cooperative" if long else "worker"
    )
    if long:
        Buyer.objects.filter(pk=acceptance.participation.buyer_id).update(
            name=name, representative_name="Rosa Inventada Peña",
            representative_identity_type="CC", representative_identity_number="41000902",
        )  # fmt: skip
    award = make_awards([Acceptance.objects.get(pk=acceptance.pk)], irene, ana)[0]
    if kind == "ADJ":
        pay_in_full(award, irene)
    elif long:
        pay(award, irene, Decimal(award.total) - Decimal("0.01"))
    issued = ISSUERS[kind](award_id=award.pk, user=irene, legal_date=ISSUED_ON)
    drawn = certificate_draw(issued.pk)
    return Paper(drawn, file_read(drawn.file))


def letters_of(node):
    if isinstance(node, LTChar):
        yield node
    elif isinstance(node, LTContainer):
        for child in node:
            yield from letters_of(child)


def squeezed(text):
    return "".join(text.split()).replace("\u2011", "-").casefold()


def day_long(text):
    return write_date_long(date.fromisoformat(text))


def frozen_sentences(paper):
    """What the frozen facts say, as the paper must bear it."""
    certificate, facts = paper.certificate, paper.facts
    yield from (facts["fund"], facts["programme"], facts["decree"], facts["issuer"]["of"])
    yield from (facts["holder"]["name"], facts["holder"]["class"])
    yield from (quantity_phrase(facts["award"]["quantity"]), certificate.label)
    yield from (amount_phrase(Decimal(facts["award"][name])) for name in ("total", "price"))
    yield from (facts["acceptance"]["number"], day_long(facts["acceptance"]["received_on"]))
    yield from (facts["acceptance"]["broker"], facts["acceptance"]["exchange"])
    yield from (facts["adjudication"]["number"], facts["adjudication"]["exchange"])
    yield day_long(facts["adjudication"]["session_on"])
    yield from (f"{who['name']}{who['post']}" for who in facts["signatories"])
    yield certificate.code
    if certificate.series.kind == "CON":
        yield facts["payment"]["reference"]
        yield day_long(facts["payment"]["last_day"])
        if Decimal(facts["paid"]):
            yield amount_phrase(Decimal(facts["paid"]))
    else:
        yield quantity_phrase(facts["acceptance"]["requested"])
        yield from facts["payment"]["receipts"]
        yield day_long(facts["payment"]["paid_on"])
        yield day_long(facts["lock_up"]["last_day"])


def test_drawn_again_from_its_frozen_facts_it_is_the_same_to_the_byte(paper):
    stored = Certificate.objects.select_related("series").get(pk=paper.certificate.pk)
    again = render_pdf(certificate_html(stored), stylesheet=STYLESHEET)
    assert again == paper.data


def test_the_text_in_it_is_that_of_its_facts_on_one_page_and_inside_the_frame(paper):
    pages = list(extract_pages(BytesIO(paper.data)))
    letters = [letter for page in pages for letter in letters_of(page)]
    text = squeezed("".join(letter.get_text() for letter in letters))
    absent = [words for words in frozen_sentences(paper) if squeezed(words) not in text]
    left, bottom, right, top = INNER_RULE
    outside = [
        letter
        for letter in letters
        if letter.x0 < left or letter.x1 > right or letter.y0 < bottom or letter.y1 > top
    ]
    assert absent == []
    assert outside == []
    assert len(pages) == 1


def test_it_is_a_pdf_for_the_archive_and_does_nothing_by_itself(paper):
    with pikepdf.open(BytesIO(paper.data)) as document:
        with document.open_metadata() as metadata:
            assert metadata.pdfa_status == "3A"
        assert str(document.Root.OutputIntents[0].S) == "/GTS_PDFA1"
        assert document.Root.OutputIntents[0].DestOutputProfile.read_bytes()
        assert str(document.Root.Lang) == "es-CO"
        assert "/OpenAction" not in document.Root
        assert "/AA" not in document.Root
        assert not document.is_encrypted
        written = b"".join(
            obj.unparse() for obj in document.objects if isinstance(obj, pikepdf.Dictionary)
        )
        assert not [name for name in ACTIVE if f"{name} ".encode() in written]
        fonts = [obj for obj in document.objects if is_font(obj)]
        assert fonts
        assert all("/FontFile2" in font.DescendantFonts[0].FontDescriptor for font in fonts)


def is_font(obj):
    return isinstance(obj, pikepdf.Dictionary) and obj.get("/Subtype") == "/Type0"
