"""Every kind of paper of an award, and the act of its run, as they are printed: the same bytes,
all their facts, inside their frame, and PDFs that an archive takes."""

from copy import deepcopy
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from io import BytesIO

import pikepdf
import pytest
from pdfminer.high_level import extract_pages
from pdfminer.layout import LTChar, LTContainer

from buyers.models import Broker, Buyer, Exchange
from offerings.certificates import (
    award_notice_issue,
    certificate_allotment_issue,
    record_issue,
)
from offerings.models import Acceptance
from offerings.services.adjudications import (
    adjudication_decide,
    adjudication_open,
    adjudication_run,
)
from office.certificates import certificate_draw, certificate_pdf
from office.dates import write_date_long
from office.files import file_read
from office.models import Certificate
from office.numbers import write_quantity
from office.review import ReviewState
from office.words import amount_phrase, quantity_phrase
from tests.offerings.paid import SESSION, make_awards, pay, pay_in_full
from tests.offerings.rows import make_acceptance, places
from tests.offerings.walks import silent

INNER_RULE = (46.5, 46.5, 612 - 46.5, 792 - 46.5)
ISSUED_ON = date(1995, 10, 3)
LONGEST = 154
LONGEST_EXCHANGE = 120
GREAT = 77_777_777_777_777
ISSUERS = {"ADJ": certificate_allotment_issue, "CON": award_notice_issue}
ACT = "ACT"
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


CASES = [(kind, name) for kind in (*ISSUERS, ACT) for name in ("María Ejemplo", "W" * LONGEST)]


@pytest.fixture(params=CASES, ids=lambda case: f"{case[0]}-{len(case[1])}")
def paper(request, closed_stage, irene, ana):
    """Of an ordinary buyer, or of one with a name of 154 letters and quantities of 14 digits."""
    kind, name = request.param
    if kind == ACT:
        return act_of(closed_stage, name, irene, ana)
    long = len(name) == LONGEST
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
    return drawn_of(issued)


def act_of(stage, name, preparer, reviewer):
    """Of a run with one line through a broker and an exchange; `name`: the broker's, with 154
    letters also the exchange's as far as it goes, and quantities of 14 digits."""
    long = len(name) == LONGEST
    through = places()
    if long:
        Broker.objects.update(name=name)
        Exchange.objects.update(name=name[:LONGEST_EXCHANGE])
        through = {"broker": Broker.objects.get(), "exchange": Exchange.objects.get()}
    for serial in (1, 2):  # what passes the supply goes pro rata, with figures as great
        make_acceptance(
            stage, serial, GREAT if long else 407_184, buyer_class="cooperative", **through
        )
    run = adjudication_open(
        stage_id=stage.pk, exchange=through["exchange"], session_on=SESSION, user=preparer
    )
    adjudication_run(adjudication_id=run.pk, report=silent)
    adjudication_decide(adjudication_id=run.pk, user=reviewer, outcome=ReviewState.APPROVED)
    record = record_issue(adjudication_id=run.pk, user=preparer, legal_date=ISSUED_ON)
    return drawn_of(record.certificate)


def drawn_of(issued):
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
    yield from (paper.facts["fund"], paper.facts["programme"], paper.facts["decree"])
    yield from (paper.facts["issuer"]["of"], paper.certificate.label, paper.certificate.code)
    yield from act_sentences(paper.facts) if "annex" in paper.facts else award_sentences(paper)


def act_sentences(facts):
    session, offer, result = facts["session"], facts["offer"], facts["result"]
    yield from (session["run"], session["exchange"], day_long(session["on"]))
    yield from (quantity_phrase(offer["shares"]), amount_phrase(Decimal(offer["price"])))
    yield from (amount_phrase(Decimal(offer["total"])), day_long(offer["opened_on"]))
    for row in (*facts["outcomes"], facts["received"]):
        yield from (row["label"], write_quantity(row["requested"]))
    for row in (*facts["classes"], *facts["brokers"], *facts["exchanges"]):
        yield from (row["label"], write_quantity(row["admitted"]), row["percent"])
    yield from (quantity_phrase(facts["demand"][name]) for name in ("shares", "kept", "supply"))
    if facts["rule"]["pro_rata"]:
        yield facts["rule"]["factor"]
        yield "÷".join(write_quantity(facts["demand"][name]) for name in ("supply", "kept"))
    yield quantity_phrase(result["awarded"])
    yield from (amount_phrase(Decimal(result["total"])), quantity_phrase(result["unsold"]))
    yield from (facts["annex"][f"{name}_sha256"] for name in ("result", "input", "terms"))
    for pair in facts["signatories"]:
        yield from (who["post"] for who in pair)


def award_sentences(paper):
    certificate, facts = paper.certificate, paper.facts
    yield from (facts["holder"]["name"], facts["holder"]["class"])
    yield quantity_phrase(facts["award"]["quantity"])
    yield from (amount_phrase(Decimal(facts["award"][name])) for name in ("total", "price"))
    yield from (facts["acceptance"]["number"], day_long(facts["acceptance"]["received_on"]))
    yield from (facts["acceptance"]["broker"], facts["acceptance"]["exchange"])
    yield from (facts["adjudication"]["number"], facts["adjudication"]["exchange"])
    yield day_long(facts["adjudication"]["session_on"])
    yield from (f"{who['name']}{who['post']}" for who in facts["signatories"])
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
    assert certificate_pdf(stored) == paper.data


def test_the_text_in_it_is_that_of_its_facts_on_its_pages_and_inside_the_frame(paper):
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
    assert (len(pages) == 1) == (paper.certificate.series.kind != ACT)


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


# The longest facts


def with_longest_facts(certificate, receipts):
    """Its facts with the longest holder, the longest representative and 14-digit quantities."""
    facts = deepcopy(certificate.facts)
    facts["holder"] |= {
        "name": "W" * LONGEST,
        "representative": {
            "name": "M" * LONGEST,
            "identity": {"type": "CC", "number": "1234567890"},
        },
    }
    facts["acceptance"]["requested"] = 98_765_432_109_876
    facts["limit"] = {"admitted": 87_654_321_098_765, "cites": ["art. 6-1", "art. 6-3"]}
    facts["award"] |= {"quantity": GREAT, "total": "4713333333333286.20"}
    if receipts:
        facts["payment"]["receipts"] = [f"PG-1995-{n:06d}" for n in range(1, receipts + 1)]
    certificate.facts = facts
    return certificate


@pytest.mark.parametrize("paper", [("ADJ", "María Ejemplo"), ("CON", "María Ejemplo")],
                         indirect=True, ids=["ADJ", "CON"])  # fmt: skip
def test_the_longest_holder_and_representative_and_figures_fit_on_one_page(paper):
    receipts = 3 if paper.certificate.series.kind == "ADJ" else 0
    longest = with_longest_facts(paper.certificate, receipts)
    (page,) = extract_pages(BytesIO(certificate_pdf(longest)))
    text = squeezed("".join(letter.get_text() for letter in letters_of(page)))
    assert text.count("w" * LONGEST) == 1
    assert squeezed(quantity_phrase(GREAT)) in text
    assert "página" not in text


@pytest.mark.parametrize("paper", [("ADJ", "María Ejemplo")], indirect=True, ids=["ADJ"])
def test_what_no_page_holds_has_number_and_page_on_each_and_one_code_at_the_end(paper):
    longest = with_longest_facts(paper.certificate, 99)
    pages = [
        squeezed("".join(letter.get_text() for letter in letters_of(page)))
        for page in extract_pages(BytesIO(certificate_pdf(longest)))
    ]
    label = squeezed(f"Certificado de adjudicación {paper.certificate.label}, página ")
    for number, text in enumerate(pages, start=1):
        assert f"{label}{number}de{len(pages)}" in text
    signed = [squeezed("Se expide en Bogotá") in text for text in pages]
    assert signed == [False] * (len(pages) - 1) + [True]
    assert len(pages) > 1
    assert [paper.certificate.code.casefold() in text for text in pages] == signed


@pytest.mark.parametrize("paper", [("ACT", "María Ejemplo")], indirect=True, ids=["ACT"])
def test_the_signatures_of_an_act_stand_on_one_page_with_its_date_and_its_annex(paper):
    pages = [
        squeezed("".join(letter.get_text() for letter in letters_of(page)))
        for page in extract_pages(BytesIO(paper.data))
    ]
    posts = [squeezed(who["post"]) for pair in paper.facts["signatories"] for who in pair]
    for said in (*posts, squeezed("7. Anexo"), squeezed("Se expide en Bogotá")):
        assert said in pages[-1]
        assert not any(said in page for page in pages[:-1])
