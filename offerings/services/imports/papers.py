"""The papers that a row brings: what its figures and references say, paper by paper."""

from collections.abc import Iterator
from typing import Any

from buyers.enums import BuyerKind, DocumentKind, kind_of
from buyers.models import YEARLY_KINDS, Document, Exchange
from buyers.services import document_draft
from buyers.services.stated import stated_words
from offerings.rules.documents import same_name
from offerings.rules.terms import Base, Terms
from offerings.selectors.on_file import is_asked
from offerings.services.imports.known import BuyerCase
from offerings.services.imports.reading import RowGiven
from offerings.services.participations import (
    PaperGiven,
    paper_differences,
    same_kind,
    same_paper,
)
from office.models import User
from office.refusals import Refused
from office.text import quoted

PAPER_COLUMNS = {
    "gross_equity": "patrimonio_bruto",
    "net_equity": "patrimonio_liquido",
    "annual_income": "ingresos_anuales",
    "annual_remuneration": "remuneracion_anual",
    "statutory_limit": "limite_legal",
    "members": "afiliados",
    "norm": "norma",
    "year": "anio_gravable",
    "exchange_reference": "referencia_documento",
}
_EQUITY_AND_INCOME = {
    Base.GROSS_EQUITY: "patrimonio_bruto",
    Base.NET_EQUITY: "patrimonio_liquido",
    Base.ANNUAL_INCOME: "ingresos_anuales",
}
_INCOME = {Base.ANNUAL_INCOME: "ingresos_anuales"}
_REFERENCES = {
    DocumentKind.CLASS_PROOF: "referencia_clase",
    DocumentKind.SUPERINTENDENCY_AUTHORISATION: "referencia_autorizacion",
    DocumentKind.OTHER: "otros_documentos",
}
_SIMPLE = (DocumentKind.CLASS_PROOF, DocumentKind.SUPERINTENDENCY_AUTHORISATION)
_MAIN_REFERENCE = "referencia_documento"
# Which paper the figures come from: by the buyer's kind and whether it files a return.
_MAIN_PAPERS = {
    (BuyerKind.NATURAL, True): (DocumentKind.TAX_RETURN, _EQUITY_AND_INCOME),
    (BuyerKind.NATURAL, False): (DocumentKind.INCOME_CERTIFICATE, _INCOME),
    (BuyerKind.ORGANISATION, True): (DocumentKind.TAX_RETURN, _EQUITY_AND_INCOME),
    (BuyerKind.ORGANISATION, False): (DocumentKind.CERTIFIED_STATEMENTS, _EQUITY_AND_INCOME),
}


def papers_match(
    row: RowGiven, case: BuyerCase, exchange: Exchange, terms: Terms, user: User
) -> None:
    """Invoke each paper of the row: the known one that it repeats, or a new one."""
    for paper in (*_papers(row, exchange), *_other_papers(row, terms, exchange)):
        if row.values["bolsa"] is None:
            row.fault(
                "bolsa",
                "Diga qué bolsa conserva los documentos de la fila. Si llegaron directamente al "
                "Fondo, deje vacíos sus datos y regístrelos con su archivo.",
            )
        _paper_match(row, case, paper, user)


def on_file_match(case: BuyerCase, terms: Terms) -> None:
    """Invoke the papers that are proved by their file, of those that the decree asks for: no
    column of the row names them."""
    for document in case.documents:
        if document.file_id is not None and is_asked(document, terms):
            case.invoke(document)


def _paper_match(row: RowGiven, case: BuyerCase, paper: PaperGiven, user: User) -> None:
    column = _column_of_reference(paper)
    if not paper.exchange_reference:
        row.fault(
            column,
            f"Falta la referencia con que la bolsa guarda: {paper.kind.label.lower()}. "
            "Escríbala, o deje vacíos los datos de ese documento.",
        )
        return
    known = next((one for one in case.documents if same_paper(one, paper)), None)
    known = known or _invoked_like(case, paper)
    if known is None:
        _add_new(row, case, paper, user)
        return
    if known.pk is None:  # a row before brought it
        for fault in paper_differences(known, paper):
            row.fault(PAPER_COLUMNS[fault.field], fault.message)
    else:
        for fault in paper_differences(known, paper):
            said = stated_words(fault.field, getattr(known, fault.field))
            row.differ(PAPER_COLUMNS[fault.field], said)
    _same_place_match(row, known, paper)
    case.invoke(known)


def _invoked_like(case: BuyerCase, paper: PaperGiven) -> Document | None:
    """The paper that proves the same in this programme already: one is enough, and a file that
    names another reference differs from what is known."""
    if paper.kind in YEARLY_KINDS:
        return None
    return next((one for one in case.invoked if same_kind(one, paper)), None)


def _column_of_reference(paper: PaperGiven) -> str:
    return _REFERENCES.get(paper.kind, _MAIN_REFERENCE)


def _same_place_match(row: RowGiven, known: Document, paper: PaperGiven) -> None:
    reference = known.exchange_reference
    if not reference or reference == paper.exchange_reference:
        return
    column = _column_of_reference(paper)
    if known.pk is not None:
        row.differ(column, reference)
        return
    row.fault(
        column,
        f"Otra fila da «{known}» con la referencia «{reference}». Escriba lo mismo en las dos.",
    )


def _add_new(row: RowGiven, case: BuyerCase, paper: PaperGiven, user: User) -> None:
    try:
        document = document_draft(
            user=user,
            buyer=case.buyer,
            kind=paper.kind,
            label=paper.label,
            year=paper.year,
            members=paper.members,
            norm=paper.norm,
            exchange=paper.exchange,
            exchange_reference=paper.exchange_reference,
            figures={base.value: amount for base, amount in paper.figures.items()},
        )
    except Refused as refusal:
        row.fault(_column_of(refusal, paper), refusal.message)
        return
    case.documents.append(document)
    case.invoke(document)


def _column_of(refusal: Refused, paper: PaperGiven) -> str:
    if refusal.field == "year" and paper.kind == DocumentKind.REMUNERATION_CERTIFICATE:
        return "anio_remuneracion"
    return PAPER_COLUMNS.get(refusal.field, _MAIN_REFERENCE)


def _papers(row: RowGiven, exchange: Exchange) -> Iterator[PaperGiven]:
    """Every paper of which the row says something."""
    kind = kind_of(row.values["clase"])
    for simple in _SIMPLE:
        reference = row.values[_REFERENCES[simple]]
        if reference:
            yield PaperGiven(simple, exchange, reference)
    yield from _main_paper(row, kind, exchange)
    if kind == BuyerKind.NATURAL:
        yield from _remuneration(row, exchange)
    else:
        yield from _organisation_papers(row, exchange)


def _main_paper(row: RowGiven, kind: BuyerKind, exchange: Exchange) -> Iterator[PaperGiven]:
    """The return, the certificate or the statements that the figures come from."""
    files = row.values["declara_renta"]
    figures = _given(row, _EQUITY_AND_INCOME)
    said = bool(figures) or row.values["anio_gravable"] is not None
    if kind == BuyerKind.NATURAL:
        said = said or (bool(row.values[_MAIN_REFERENCE]) and _remunerated(row) is None)
    if not said:
        return
    if files is None:
        row.fault("declara_renta", "Diga «sí» o «no»: de ello depende qué documento es.")
        return
    paper, proved = _MAIN_PAPERS[kind, files]
    for base in figures.keys() - proved.keys():
        row.fault(
            _EQUITY_AND_INCOME[base],
            f"Dice que no declara renta: un documento «{paper.label}» no prueba este dato. "
            "Déjelo vacío.",
        )
    yield _dated(row, exchange, paper, {base: figures[base] for base in proved if base in figures})


def _dated(
    row: RowGiven, exchange: Exchange, kind: DocumentKind, figures: dict[Base, Any]
) -> PaperGiven:
    year = row.values["anio_gravable"]
    if year is None and kind in YEARLY_KINDS:
        row.fault("anio_gravable", "Falta el año gravable de ese documento, por ejemplo 1994.")
    return PaperGiven(
        kind, exchange, row.values[_MAIN_REFERENCE] or "", year=year, figures=figures
    )


def _remunerated(row: RowGiven) -> Any:
    return row.values["remuneracion_anual"]


def _remuneration(row: RowGiven, exchange: Exchange) -> Iterator[PaperGiven]:
    for column in ("limite_legal", "afiliados", "norma"):
        if row.values[column] is not None:
            row.fault(column, "Es un dato de organizaciones. Déjelo vacío.")
    if _remunerated(row) is None:
        if row.values["anio_remuneracion"] is not None:
            row.fault("remuneracion_anual", "Falta la remuneración de ese año.")
        return
    yield PaperGiven(
        DocumentKind.REMUNERATION_CERTIFICATE,
        exchange,
        row.values[_MAIN_REFERENCE] or "",
        year=row.values["anio_remuneracion"],
        figures={Base.ANNUAL_REMUNERATION: _remunerated(row)},
    )


def _organisation_papers(row: RowGiven, exchange: Exchange) -> Iterator[PaperGiven]:
    reference = row.values[_MAIN_REFERENCE] or ""
    for column in ("remuneracion_anual", "anio_remuneracion"):
        if row.values[column] is not None:
            row.fault(column, "Es un dato de personas naturales. Déjelo vacío.")
    if reference:
        yield PaperGiven(DocumentKind.EXISTENCE_CERTIFICATE, exchange, reference)
    if row.values["limite_legal"] is not None:
        yield PaperGiven(
            DocumentKind.STATUTORY_LIMIT_PROOF,
            exchange,
            reference,
            figures={Base.STATUTORY_LIMIT: row.values["limite_legal"]},
        )
    if row.values["norma"]:
        if row.values["limite_legal"] is not None:
            row.fault(
                "norma",
                "Trae un límite legal y la norma que no le fija ninguno. Deje uno de los dos.",
            )
        yield PaperGiven(
            DocumentKind.NO_STATUTORY_LIMIT, exchange, reference, norm=row.values["norma"]
        )
    if row.values["afiliados"] is not None:
        yield PaperGiven(
            DocumentKind.MEMBERS_CERTIFICATE,
            exchange,
            reference,
            members=row.values["afiliados"],
        )


def _other_papers(row: RowGiven, terms: Terms, exchange: Exchange) -> Iterator[PaperGiven]:
    """Those that the Fund's rules add, by the name that they bear there."""
    kind, column = kind_of(row.values["clase"]), _REFERENCES[DocumentKind.OTHER]
    asked = [
        term.label
        for term in terms.documents.required
        if DocumentKind.OTHER in term.kinds and term.kind in (None, kind)
    ]
    for name, reference in row.values[column] or ():
        label = next((label for label in asked if same_name(label, name)), None)
        if label is None:
            listed = "; ".join(asked) or "ninguno"
            row.fault(
                column, f"{quoted(name)} no lo pide el reglamento del Fondo. Pide: {listed}."
            )
            continue
        yield PaperGiven(DocumentKind.OTHER, exchange, reference, label=label)


def _given(row: RowGiven, columns: dict[Base, str]) -> dict[Base, Any]:
    return {
        base: row.values[column]
        for base, column in columns.items()
        if row.values[column] is not None
    }
