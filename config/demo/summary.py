"""What the demonstration came to, in words for a terminal; all of it read from what is stored."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from django.db.models import Count, F, QuerySet

from buyers.enums import DocumentKind
from offerings.enums import AwardReason, Standing
from offerings.models import Adjudication, Award
from offerings.selectors.adjudications import key_figures, shares_by_class
from offerings.selectors.awards import award_explanation, awards_listed
from offerings.selectors.payments import awards_due, totals
from office.dates import write_date
from office.models import User
from office.numbers import write_amount, write_quantity
from office.text import fold

WIDE = 44
NAMED = 4  # of the acceptances that tied


def summary(run: Adjudication, user: User) -> Iterator[str]:
    """The lines of the summary, as `user` may see them."""
    yield from _figures(run)
    yield from _counts("Cómo están las aceptaciones", run, "acceptance__standing", Standing)
    yield from _counts("Qué obtuvieron", run, "reason", AwardReason)
    yield from _classes(run)
    yield from _money(run)
    for award in _explained(awards_listed(run, user)):
        yield from _explanation(award)


def _row(label: str, value: str) -> str:
    return f"  {label:.<{WIDE}} {value:>18}"


def _figures(run: Adjudication) -> Iterator[str]:
    session = write_date(run.session_on)
    yield f"Adjudicación {run.code}, versión {run.version}, sesión del {session}"
    yield _row("Demanda admitida", write_quantity(int(run.demand)))
    for figure in key_figures(run):
        yield _row(figure["label"], figure["value"])
    asked = Fraction(int(run.demand), int(run.supply))
    yield _row("Demanda por cada 100 acciones ofrecidas", write_quantity(int(asked * 100)))
    for tie in run.ties:
        yield _tie(tie)


def _tie(tie: dict[str, Any]) -> str:
    tied, shares = tie["references"], tie["shares"]
    named = ", ".join(tied[:NAMED]) + ("…" if len(tied) > NAMED else "")
    last = "la última acción" if shares == 1 else f"las últimas {write_quantity(shares)} acciones"
    return (
        f"  Empate en el resto por {last}: {write_quantity(len(tied))} aceptaciones ({named}); "
        "primero, las recibidas antes."
    )


def _counts(title: str, run: Adjudication, field: str, labels: type) -> Iterator[str]:
    yield ""
    yield title
    found = run.awards.order_by().values_list(field).annotate(count=Count("pk"))
    yield from _rows([(labels(code).label, count) for code, count in found])


def _rows(figures: list[tuple[str, int]]) -> Iterator[str]:
    """The largest first; equal ones by their label, so that two starts tell the same."""
    for label, figure in sorted(figures, key=lambda row: (-row[1], fold(row[0]))):
        yield _row(label, write_quantity(figure))


def _classes(run: Adjudication) -> Iterator[str]:
    yield ""
    yield "Acciones adjudicadas por clase, con sus aceptaciones"
    yield from _rows(
        [
            (f"{share.label} ({write_quantity(share.acceptances)})", share.awarded)
            for share in shares_by_class(run)
        ]
    )


def _money(run: Adjudication) -> Iterator[str]:
    money = totals(awards_due().filter(adjudication=run))
    yield ""
    yield "Pagos"
    yield _row("Valor de lo adjudicado", write_amount(money["due"]))
    yield _row("Pagado", write_amount(money["paid"]))
    yield _row("Por pagar", write_amount(money["balance"]))


def _explained(awards: QuerySet[Award]) -> Iterator[Award]:
    """One that was cut and pro-rated, one that refused reduction, one that would reach 5 %."""
    lacking = [{"code": DocumentKind.SUPERINTENDENCY_AUTHORISATION.value}]
    yield from awards.filter(admitted__lt=F("requested"), reason=AwardReason.PRO_RATA)[:1]
    yield from awards.filter(reason=AwardReason.REFUSES_REDUCTION)[:1]
    yield from awards.filter(acceptance__missing__contains=lacking)[:1]


def _explanation(award: Award) -> Iterator[str]:
    told = award_explanation(award)
    yield ""
    yield f"{told['title']}: {award.acceptance.code}, {award.acceptance.participation.buyer}"
    for step in told["steps"]:
        detail = f" ({step.detail})" if step.detail else ""
        cite = f" · {step.cite}" if step.cite else ""
        yield f"  {step.label}: {step.shown}{detail}{cite}"
    yield f"  {told['words']}"
