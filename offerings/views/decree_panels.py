"""A decree's values in sections, each with its clause and its note, as its page shows them."""

from collections.abc import Iterator
from typing import Any

from buyers.enums import BuyerClass
from offerings.decrees.fund_values import (
    FUND_KEYS,
    READING_LABELS,
    READING_VALUE_LABELS,
)
from offerings.decrees.merging import readings_of
from offerings.decrees.penalties import penalty_readings
from offerings.rules.terms import Cited, DocumentTerm, Limb, Reading, Terms
from offerings.views.penalty_panels import base_price_rows, penalty_rows, pledge_rows
from office.dates import write_date_long
from office.numbers import write_amount, write_decimal, write_percent, write_quantity

WITHDRAWAL = {
    "never": "Nunca",
    "fund_rules": "Solo si el reglamento del Fondo lo permite",
    "after_validity": "No dentro de la vigencia mínima; después, según el reglamento del Fondo",
}
RANKS = {
    "first": "Primer grado",
    "second": "Segundo grado",
    "first_or_second": "Primer grado, o segundo tras el crédito de compra",
    "none": "Sin prenda",
}


def decree_sections(terms: Terms) -> list[dict[str, Any]]:
    """The sections that hold something, in the order of a programme's life."""
    sections = [
        ("Programa", _programme(terms)),
        ("Etapa 1", _stage(terms)),
        ("Destinatarios de las condiciones especiales", _classes(terms)),
        ("Límites de compra", _limits(terms)),
        ("Documentos y compromisos", _documents(terms)),
        ("Adjudicación, pago y permanencia", _after(terms)),
        ("Prenda", pledge_rows(terms)),
        ("Sanción por salida anticipada", penalty_rows(terms)),
        ("Martillo", base_price_rows(terms)),
        ("Lecturas", _readings(readings_of(terms))),
        ("Lecturas de la sanción", _readings(penalty_readings(terms))),
        ("Lo que deja al Fondo", _asks(terms)),
        ("Avisos y derogatorias", _notices(terms)),
    ]
    filled = [(title, list(rows)) for title, rows in sections]
    return [{"title": title, "rows": rows} for title, rows in filled if rows]


def _row(label: str, value: str, cite: str, note: str = "") -> dict[str, str]:
    return {"label": label, "value": value, "cite": cite, "note": note}


def _cited(label: str, cited: Cited | None, write=str) -> Iterator[dict[str, str]]:
    if cited is not None:
        yield _row(label, write(cited.value), cited.cite, cited.note)


def _yes_no(value: bool) -> str:
    return "Sí" if value else "No"


def _programme(terms: Terms) -> Iterator[dict[str, str]]:
    yield from _cited("Decreto", terms.decree)
    yield from _cited("Emisor", terms.issuer)
    yield from _cited("Enajenante", terms.seller)
    yield from _cited("Publicación", terms.published, write_date_long)
    yield from _cited("Acciones ofrecidas", terms.shares, write_quantity)
    yield from _cited("Precio fijo por acción", terms.price, write_amount)
    yield from _cited("Por comisionista y bolsa", terms.through_broker, _yes_no)
    yield from _cited("Cargos de nivel directivo", terms.executives)
    if terms.authorisation:
        yield _row(
            "Autorización previa de la Superintendencia desde",
            f"{write_percent(terms.authorisation.percent)} de las acciones del emisor",
            terms.authorisation.cite,
            terms.authorisation.note,
        )


def _stage(terms: Terms) -> Iterator[dict[str, str]]:
    yield from _cited("Duración", terms.stage.months, lambda months: f"{months} meses")
    yield from _cited("Último día", terms.stage.latest_day, write_date_long)
    yield from _cited("Línea de crédito antes de abrir", terms.stage.credit_line, _yes_no)
    yield from _cited("Aviso público antes de abrir", terms.stage.public_notice, _yes_no)


def _classes(terms: Terms) -> Iterator[dict[str, str]]:
    for group in terms.classes.groups:
        names = "; ".join(BuyerClass(code).label for code in group.codes)
        yield _row("Clases", names, group.cite, group.note)
    complete = "Sí" if terms.classes.complete else "No: el texto que tenemos no la trae entera"
    yield _row("Lista completa", complete, terms.classes.cite)


def _limits(terms: Terms) -> Iterator[dict[str, str]]:
    for limb in terms.limits.limbs:
        yield _row(limb.label, _limb_value(limb), limb.cite, limb.note)
    for scope in terms.limits.scopes:
        if scope.note:
            yield _row(f"Alcance: {scope.kind.label.lower()}", scope.note, scope.cite)


def _limb_value(limb: Limb) -> str:
    words = [limb.kind.label.lower()]
    if limb.files_tax_return is not None:
        words.append("obligada a declarar" if limb.files_tax_return else "no obligada a declarar")
    if limb.executive:
        words.append("directivo")
    if limb.members_below:
        words.append(f"con menos de {limb.members_below} afiliados")
    if limb.less_held_through_others:
        words.append("menos las acciones por interpuesta persona")
    if limb.shares is not None:
        return f"{write_quantity(limb.shares)} acciones; {', '.join(words)}"
    return f"× {write_decimal(limb.multiple)}; {', '.join(words)}"


def _documents(terms: Terms) -> Iterator[dict[str, str]]:
    for document in terms.documents.required:
        yield _row(document.label, _document_value(document), document.cite, document.note)
    for declaration in terms.documents.declarations:
        how = "Expreso, por escrito" if declaration.express else "Se infiere de la aceptación"
        yield _row(declaration.kind.label, how, declaration.cite, declaration.note)


def _document_value(document: DocumentTerm) -> str:
    words = [document.kind.label if document.kind else "Todos"]
    if document.files_tax_return is not None:
        declares = document.files_tax_return
        words.append("que declara renta" if declares else "que no declara renta")
    if document.executive:
        words.append("directivo")
    if document.years:
        words.append(f"de {' o '.join(str(year) for year in document.years)}")
    if document.year_before_stage:
        words.append("del año anterior a la etapa")
    return ", ".join(words)


def _after(terms: Terms) -> Iterator[dict[str, str]]:
    rule = terms.adjudication
    if rule:
        yield _row("Aceptaciones que cuentan", "Las completas y válidas", rule.valid_cite)
        yield _row("Si la oferta alcanza", "A cada uno lo que pidió", rule.in_full_cite)
        yield _row("Reducción", "El silencio acepta cualquiera", rule.consent_cite)
        yield _row("Si no alcanza", "A prorrata de lo demandado", rule.pro_rata_cite, rule.note)
    if terms.payment:
        guarantee = ", con garantía" if terms.payment.guarantee else ""
        days = f"{terms.payment.days} días calendario{guarantee}"
        yield _row("Plazo de pago", days, terms.payment.cite, terms.payment.note)
    months = f"{terms.lock_up.months} meses"
    yield _row("Sin transferir durante", months, terms.lock_up.cite, terms.lock_up.note)
    yield from _cited("Prenda", terms.pledge_rank, lambda rank: RANKS[rank])
    yield from _cited("Condiciones de la prenda", terms.pledge_terms)
    yield from _cited("Retiro de la aceptación", terms.withdrawal, lambda when: WITHDRAWAL[when])


def _readings(readings: dict[str, Reading]) -> Iterator[dict[str, str]]:
    for name, reading in readings.items():
        yield _row(READING_LABELS[name], _reading_value(name, reading), reading.cite, reading.note)


def _reading_value(name: str, reading: Reading) -> str:
    labels = READING_VALUE_LABELS[name]
    others = [labels[value] for value in reading.alternatives if value != reading.value]
    if not others:
        return f"{labels[reading.value]}: así lo dice el texto"
    return f"{labels[reading.value]} (propuesta). Alternativa: {'; '.join(others).lower()}"


def _asks(terms: Terms) -> Iterator[dict[str, str]]:
    for ask in terms.asks:
        needed = "Obligatorio antes de abrir" if ask.required else "Opcional"
        yield _row(FUND_KEYS[ask.key].label, needed, ask.cite, ask.why)


def _notices(terms: Terms) -> Iterator[dict[str, str]]:
    for notice in terms.notices:
        yield _row("Se advierte", notice.text, notice.cite)
    for repeal in terms.repeals:
        yield _row("Deroga", repeal.decree, repeal.cite)
