"""What the acceptance pages show of figures already worked out: panel, answers, checklist."""

from typing import Any

from django.urls import reverse

from buyers.enums import BuyerClass, BuyerKind, DocumentKind
from buyers.models import Buyer, Document
from offerings.enums import Standing as StandingLabel
from offerings.forms.acceptances import AcceptanceForm
from offerings.models import Acceptance, Stage
from offerings.rules.documents import same_name
from offerings.rules.standings import Standing
from offerings.rules.terms import NoticeCode, Terms
from offerings.selectors.documents import verified_words
from offerings.selectors.foreign import Foreign, ruling_told
from offerings.selectors.programmes import stage_terms
from offerings.services.evaluation import missing_as_data, ruling_as_data
from office.dates import write_clock, write_date, write_date_long
from office.numbers import write_amount, write_shares
from office.words import amount_words, shares_words

EYEBROW = "Límite de compra"


def acceptance_panel(acceptance: Acceptance, foreign: Foreign) -> dict[str, Any]:
    """The Why panel of a stored acceptance, from what was stored with it."""
    return _panel(
        ruling_told(acceptance.ruling, acceptance.missing, foreign),
        title=f"Por qué {write_shares(acceptance.admitted)}",
        tag=acceptance.get_standing_display(),
        decree=stage_terms(acceptance.stage).decree.value,
    )


def limit_panel(
    standing: Standing, stage: Stage, foreign: Foreign, requested: int | None = None
) -> dict[str, Any]:
    """The Why panel of what is being typed."""
    if requested is None and foreign.any:
        return {"title": EYEBROW, "outcome": "Escriba la cantidad: se verá la que queda."}
    decree = stage_terms(stage).decree.value
    data = ruling_told(ruling_as_data(standing), missing_as_data(standing), foreign)
    if requested is None:
        return _panel(data, title=_limit_title(standing), tag="", decree=decree, still_open=True)
    return _panel(
        data,
        title=f"Por qué {write_shares(standing.admitted)}",
        tag=StandingLabel(standing.code.value).label,
        decree=decree,
    )


def _limit_title(standing: Standing) -> str:
    if standing.limit is None:
        return "Falta un documento" if standing.missing else "Sin límite de compra"
    return f"Hasta {write_shares(standing.limit)}"


def _panel(
    data: dict[str, Any], *, title: str, tag: str, decree: str, still_open: bool = False
) -> dict[str, Any]:
    cites = ", ".join(data.get("cites", []))
    return {
        "eyebrow": EYEBROW,
        "title": title,
        "steps": [step | {"cite": ""} for step in data.get("steps", [])],
        "tag": tag,
        "outcome": data.get("conclusion", ""),
        "readings": data.get("readings", []),
        "cite": f"{decree}, {cites}." if cites else "",
        "open": still_open,
        "heading_id": "por-que",
    }


def checklist_tasks(
    acceptance: Acceptance, foreign: Foreign, *, by_name: bool
) -> list[dict[str, str]]:
    """The papers that it rests on, each with its second look, and those that are missing; of what
    is missing beside others' papers, the article alone. `by_name`: whoever asks may know who
    verified."""
    page = reverse("participation", args=[acceptance.participation_id])
    held = [
        {
            "label": str(document),
            "url": page,
            "tag": _held_tag(document, acceptance.missing),
            "detail": _where(document, by_name=by_name),
        }
        for document in acceptance.participation.held
    ]
    if acceptance.attested_on:
        attested = f"del {write_date(acceptance.attested_on)}"
        held.append(
            {
                "label": DocumentKind.BROKER_ATTESTATION.label,
                "url": "",
                "tag": "Completa",
                "detail": attested,
            }
        )
    return held + [
        {"label": gap["label"], "url": page, "tag": "Incompleta", "detail": _gap(gap, foreign)}
        for gap in acceptance.missing
    ]


def _held_tag(document: Document, missing: list[dict[str, str]]) -> str:
    """A paper that is there, but lacks something: the gap stands below with what it is."""
    lacking = any(
        gap["code"] == document.kind
        and (document.kind != DocumentKind.OTHER or same_name(gap["label"], document.label))
        for gap in missing
    )
    return "En curso" if lacking else "Completa"


def _where(document: Document, *, by_name: bool) -> str:
    reference = document.exchange_reference
    where = f"En la bolsa: {reference}. " if reference else ""
    return f"{where}{verified_words(document, by_name=by_name)}"


def _gap(gap: dict[str, str], foreign: Foreign) -> str:
    if foreign.any:
        return gap["cite"]
    return f"{gap['why']} ({gap['cite']})" if gap["cite"] else gap["why"]


def answers(
    acceptance: Acceptance, form: AcceptanceForm, buyer: Buyer, foreign: Foreign
) -> list[dict[str, Any]]:
    """The lines of check-your-answers; `field` is the one that «Cambiar» leads to. `buyer`: as
    `buyers_shown` gives it."""
    told = ruling_told(acceptance.ruling, acceptance.missing, foreign)
    lines = [
        _line("Comprador", buyer.name, "buyer", detail=buyer.identity),
        _line("Clase", BuyerClass(acceptance.participation.buyer_class).label, "buyer_class"),
        _line(
            "Cantidad solicitada",
            write_shares(acceptance.requested),
            "requested",
            words=shares_words(acceptance.requested),
        ),
        _line(
            "Tras el límite",
            write_shares(acceptance.admitted),
            "requested",
            big=True,
            tag=acceptance.get_standing_display(),
            words=shares_words(acceptance.admitted),
            detail=told.get("conclusion", ""),
        ),
        _minimum_line(acceptance, form),
        _line(
            "Valor máximo",
            write_amount(acceptance.total),
            "requested",
            big=True,
            words=amount_words(acceptance.total),
        ),
    ]
    return [*lines, *_paper_lines(buyer, form), *_receipt_lines(acceptance)]


def _line(label: str, value: str, field: str, **more: Any) -> dict[str, Any]:
    return {"label": label, "value": value, "field": field, **more}


def _minimum_line(acceptance: Acceptance, form: AcceptanceForm) -> dict[str, Any]:
    if acceptance.minimum is None:
        foot = form.fields["minimum"].foot.removeprefix("En blanco: a")
        return _line("Mínimo admisible", "Ninguno", "minimum", detail=f"A{foot}")
    return _line(
        "Mínimo admisible",
        write_shares(acceptance.minimum),
        "minimum",
        words=shares_words(acceptance.minimum),
        detail="Si el prorrateo da menos, no recibe ninguna.",
    )


def _paper_lines(buyer: Buyer, form: AcceptanceForm) -> list[dict[str, Any]]:
    lines = []
    for group in form.paper_groups(BuyerKind(buyer.kind), form.files_return()):
        reference = group.reference.value()
        if not reference:
            continue
        figures = [
            f"{field.label.lower()} {write_amount(form.cleaned_data[field.name])}"
            for field in group.figures
            if form.cleaned_data.get(field.name) is not None
        ]
        year = f"año gravable {group.year.value()}" if group.year and group.year.value() else ""
        detail = "; ".join(filter(None, [year, *figures]))
        lines.append(
            _line(group.term.label, f"Referencia {reference}", group.reference.name, detail=detail)
        )
    if not buyer.is_natural and buyer.representative_name and buyer.shows_acting:
        lines.append(_line("Representante", buyer.representative_name, "buyer"))
    if buyer.attorney_name and buyer.shows_acting:
        lines.append(
            _line("Apoderado", buyer.attorney_name, "buyer", detail=buyer.attorney_identity)
        )
    return lines


def _receipt_lines(acceptance: Acceptance) -> list[dict[str, Any]]:
    received = acceptance.received_at
    return [
        _line(
            "Recibo",
            f"{write_date_long(received)}, {write_clock(received)}, hora de Bogotá",
            "received_on",
        ),
        _line(
            "Comisionista y bolsa",
            through_words(acceptance),
            "broker",
            detail=attested_words(acceptance),
        ),
        _line(
            "Dónde reposan los papeles",
            acceptance.papers_reference or "Sin anotar",
            "papers_reference",
        ),
        _line(
            "Beneficiario real",
            acceptance.beneficial_owner or "Compra para sí",
            "beneficial_owner",
            detail=acceptance.beneficial_owner_identity,
        ),
    ]


def through_words(acceptance: Acceptance) -> str:
    """Through whom it came, and who keeps its papers."""
    broker = str(acceptance.broker) if acceptance.broker else "Directamente al Fondo"
    keeper = str(acceptance.exchange) if acceptance.exchange else "conserva los papeles el Fondo"
    return f"{broker} · {keeper}"


def attested_words(acceptance: Acceptance) -> str:
    """What its broker attested; nothing where there is none."""
    if acceptance.attested_on:
        return f"Certificó los límites el {write_date(acceptance.attested_on)}"
    return "Sin certificación de los límites" if acceptance.broker else ""


def notice_words(terms: Terms, code: NoticeCode) -> str:
    """The sentence that the decree binds people to, with its article; "" where it has none."""
    return next(
        (
            f"{notice.text.removesuffix('.')} ({notice.cite})."
            for notice in terms.notices
            if notice.code == code
        ),
        "",
    )
