"""The annex of an act of adjudication: every line, as a workbook and as PDFs of some lines each.

Each part is drawn once and kept, so work that was cut short goes on with the part it was at.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.template.loader import render_to_string

from buyers.models import Buyer
from offerings.certificates.statement import heading_facts
from offerings.decrees.reader import terms_from_data
from offerings.enums import AnnexKind, AwardReason
from offerings.models import Adjudication, AdjudicationRecord, AnnexFile, Award
from offerings.selectors.awards import outside_words, result_words
from offerings.selectors.workbook_facts import holder_cells, run_about
from office.certificates import verify_url
from office.exports import Summed
from office.files import file_store
from office.identities import write_identity
from office.pdf import render_pdf
from office.spreadsheets import Value, write_xlsx

PART_LINES = 1_000  # of a PDF: about 100 MB and some seconds of a worker each
ROWS = 2_000  # read at a time for the workbook
STYLESHEET = "annex.css"
TEMPLATE = "certificates/documents/annex.html"
TITLE = "Anexo del acta de adjudicación"
XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
COLUMNS = [
    "Línea", "Aceptación", "Recibida", "Tipo de documento", "Documento", "Comprador", "Clase",
    "Comisionista", "Bolsa", "Solicitado", "Tras el límite", "Mínimo", "Cociente", "Resto",
    "Por residuo", "Adjudicado", "Precio", "Valor", "Resultado", "Causa",
]  # fmt: skip
SUMMED = ("Solicitado", "Tras el límite", "Adjudicado", "Valor")

Report = Callable[[int, int], None]


def annex_workbook_write(record: AdjudicationRecord, report: Report) -> AnnexFile | None:
    """Write all lines into one workbook, unless it is there already; None without lines."""
    run = record.adjudication
    known = record.annexes.filter(kind=AnnexKind.XLSX).first()
    if known or not run.lines:
        report(run.lines, run.lines)
        return known
    lines = _workbook_rows(_lines(run.awards.all()), run, report)
    rows = Summed(COLUMNS, lines, SUMMED)
    about = _about(record, rows)
    data = write_xlsx(COLUMNS, rows, title=f"Anexo {run.code}", about=about)
    part = _Part(AnnexKind.XLSX, 1, 1, run.lines)
    return _keep(record, part, data, f"{run.code}-anexo.xlsx", XLSX_TYPE)


def _about(record: AdjudicationRecord, rows: Summed) -> Iterator[tuple[str, Value]]:
    """What the annex is of, and its sums; without a clock, so that it is the same again."""
    yield "Contenido", TITLE
    yield "Acta", record.certificate.label
    yield from run_about(record.adjudication)
    yield "Líneas", rows.count
    for name, total in rows.sums.items():
        yield f"Total, {name.lower()}", total


def _lines(awards: QuerySet[Award]) -> QuerySet[Award]:
    return awards.select_related(
        "acceptance__stage",
        "acceptance__participation__buyer",
        "acceptance__broker",
        "acceptance__exchange",
    ).order_by("acceptance__received_at", "acceptance__serial")


def _workbook_rows(
    awards: QuerySet[Award], run: Adjudication, report: Report
) -> Iterator[list[Value]]:
    for number, award in enumerate(awards.iterator(chunk_size=ROWS), start=1):
        if number % ROWS == 0 or number == run.lines:
            report(number, run.lines)
        yield _workbook_row(number, award)


def _workbook_row(number: int, award: Award) -> list[Value]:
    acceptance = award.acceptance
    return [
        number,
        acceptance.code,
        acceptance.received_at,
        *holder_cells(award),
        acceptance.participation.get_buyer_class_display(),
        acceptance.broker.name if acceptance.broker else "",
        acceptance.exchange.name if acceptance.exchange else "",
        award.requested,
        award.admitted,
        award.least,
        award.quotient,
        None if award.remainder is None else int(award.remainder),
        int(award.got_left_over),
        award.awarded,
        acceptance.stage.price,
        award.total,
        result_words(award),
        outside_words(award),
    ]


# In PDFs


@dataclass(frozen=True)
class Sums:
    """What some lines add up to. value: pesos."""

    requested: int = 0
    admitted: int = 0
    awarded: int = 0
    value: Decimal = Decimal("0.00")

    def plus(self, awards: Sequence[Award]) -> "Sums":
        """With these lines, too."""
        return replace(
            self,
            requested=self.requested + sum(award.requested for award in awards),
            admitted=self.admitted + sum(award.admitted for award in awards),
            awarded=self.awarded + sum(award.awarded for award in awards),
            value=self.value + sum((award.total for award in awards), Decimal("0.00")),
        )


@dataclass(frozen=True)
class _Part:
    kind: AnnexKind
    number: int
    first_line: int
    last_line: int


@dataclass(frozen=True)
class _Heading:
    """What a document's template reads of a certificate: an annex is none by itself."""

    title: str
    label: str
    issued_at: datetime


def annex_pages_write(record: AdjudicationRecord, report: Report) -> int:
    """Draw each part that is not there yet, and say how many were drawn. Raises PdfError."""
    run = record.adjudication
    in_order = _lines(run.awards.all()).values_list("pk", flat=True)
    wanted = list(in_order)
    starts = range(0, len(wanted), PART_LINES)
    there = set(record.annexes.filter(kind=AnnexKind.PDF).values_list("number", flat=True))
    carried, drawn = Sums(), 0
    report(0, len(wanted))
    for number, start in enumerate(starts, start=1):
        awards = list(_lines(run.awards.filter(pk__in=wanted[start : start + PART_LINES])))
        if number not in there:
            part = _Part(AnnexKind.PDF, number, start + 1, start + len(awards))
            data = _drawn(record, part, len(starts), awards, carried)
            name = f"{run.code}-anexo-{number:04d}-de-{len(starts):04d}.pdf"
            _keep(record, part, data, name, "application/pdf")
            drawn += 1
        carried = carried.plus(awards)
        report(start + len(awards), len(wanted))
    return drawn


def _drawn(
    record: AdjudicationRecord,
    part: _Part,
    parts: int,
    awards: Sequence[Award],
    carried: Sums,
) -> bytes:
    run, act = record.adjudication, record.certificate
    terms = terms_from_data(run.terms)
    context = {
        "certificate": _Heading(TITLE, f"{run.code}, parte {part.number}", run.reviewed_at),
        "act": act,
        "verify_url": verify_url(act),
        "facts": heading_facts(terms),
        "run": run,
        "part": part,
        "parts": parts,
        "lines": [
            _printed(number, award) for number, award in enumerate(awards, start=part.first_line)
        ],
        "carried": carried if part.number > 1 else None,
        "sums": Sums().plus(awards),
        "so_far": carried.plus(awards),
        "is_last": part.number == parts,
    }
    html = render_to_string(TEMPLATE, context)
    return render_pdf(html, stylesheet=STYLESHEET, one_page=False)


def _printed(number: int, award: Award) -> dict[str, Any]:
    buyer = award.acceptance.participation.buyer
    return {
        "number": number,
        "award": award,
        "buyer": buyer,
        "identity": _unbroken(buyer),
        "result": _result(award),
    }


def _unbroken(buyer: Buyer) -> str:
    """Its identity, which goes to the next line whole."""
    written = write_identity(buyer.identity_type, buyer.identity_number, buyer.check_digit)
    return written.replace(" ", "\u00a0")


def _result(award: Award) -> str:
    """The cause of a line that does not enter, the least that one asks for that was left out."""
    said = outside_words(award)
    if said:
        return f"{said[:1].upper()}{said[1:]}"
    if award.reason == AwardReason.REFUSES_REDUCTION:
        return "No admite reducción"
    return result_words(award)


@transaction.atomic
def _keep(
    record: AdjudicationRecord, part: _Part, data: bytes, name: str, content_type: str
) -> AnnexFile:
    """Store a part once: where another worker was quicker, its part is the one that stays."""
    AdjudicationRecord.objects.select_for_update().get(pk=record.pk)
    known = record.annexes.filter(kind=part.kind, number=part.number).first()
    if known:
        return known
    return AnnexFile.objects.create(
        record=record,
        kind=part.kind,
        number=part.number,
        first_line=part.first_line,
        last_line=part.last_line,
        file=file_store(data=data, name=name, content_type=content_type),
    )
