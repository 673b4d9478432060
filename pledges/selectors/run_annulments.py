"""What the annulment of an adjudication meets in its pledges: what goes with it, and what has to
be undone first, in which order."""

from collections.abc import Iterable, Iterator

from django.db.models import Q, QuerySet, Sum

from offerings.models import Adjudication
from office.numbers import write_count, write_quantity
from pledges.enums import LineState, PledgeState, TransferKind
from pledges.models import (
    Attachment,
    Pledge,
    ReleaseLine,
    ReleaseRequest,
    ShareholderRights,
    Transfer,
)
from pledges.models.requests import ON_FOOT

OF_RUN = "award__adjudication"
NAMED_AT_MOST = 5


def pledges_of_run(run: Adjudication) -> QuerySet[Pledge]:
    """The pledges of an adjudication's shares, those of heirs too."""
    return Pledge.objects.filter(**{OF_RUN: run})


def run_pledges_told(run: Adjudication) -> str:
    """The pledges that go, or went, without effect with the adjudication, in words."""
    gone = Q(state=PledgeState.ANNULLED)
    found = pledges_of_run(run).filter(gone if run.annulled_at else ~gone)
    counted = found.aggregate(shares=Sum("shares", filter=Q(inherited_from=None), default=0))
    count = found.count()
    if not count:
        return ""
    shares = write_quantity(int(counted["shares"]))
    return f"{write_count(count, 'prenda', 'prendas')}, de {shares} acciones"


def run_pledges_block(run: Adjudication) -> str:
    """Why an adjudication cannot be annulled as its pledges stand; "" where it can."""
    passed = Transfer.objects.filter(
        ~Q(kind=TransferKind.INHERITANCE), pledge__in=pledges_of_run(run)
    )
    if passed.exists():
        codes = _codes(row.pledge.code for row in passed.select_related("pledge").order_by("pk"))
        return (
            f"{run.code} no se puede anular aquí: acciones de {codes} ya pasaron a otros, "
            "y una transferencia registrada no se deshace. Decídalo con el área jurídica."
        )
    steps = [f"{number}) {words}" for number, words in enumerate(_steps(run), start=1)]
    if not steps:
        return ""
    return (
        f"{run.code} no se puede anular mientras sus acciones tengan actos en pie. Deshágalos "
        f"primero, en este orden: {'; '.join(steps)}."
    )


def _steps(run: Adjudication) -> Iterator[str]:
    """What has to be undone first, each kind once, in the order in which it can be."""
    pledges = pledges_of_run(run)
    lines = ReleaseLine.objects.filter(pledge__in=pledges).select_related("release", "pledge")
    done = lines.filter(state=LineState.DONE).order_by("-done_at", "-pk")
    if done:
        codes = _codes(f"{line.release.code} de {line.pledge.code}" for line in done)
        yield f"anule los levantamientos, del último al primero: {codes}"
    planned = lines.filter(state=LineState.PLANNED).order_by("pk")
    if planned:
        codes = _codes(dict.fromkeys(line.release.code for line in planned))
        yield f"devuelva o rechace los levantamientos que no han terminado: {codes}"
    asked = ReleaseRequest.objects.filter(pledge__in=pledges, state__in=ON_FOOT).order_by("pk")
    if asked:
        yield f"cierre las solicitudes: {_codes(request.code for request in asked)}"
    held = Attachment.objects.filter(pledge__in=pledges, lifted_on=None).select_related("pledge")
    if held:
        codes = _codes(f"oficio {one.number} sobre {one.pledge.code}" for one in held)
        yield f"registre que se levantaron las medidas: {codes}"
    rights = ShareholderRights.objects.filter(pledge__in=pledges, until=None)
    if rights:
        codes = _codes(one.pledge.code for one in rights.select_related("pledge"))
        yield f"termine el ejercicio de derechos del Fondo: {codes}"


def _codes(codes: Iterable[str]) -> str:
    """The first of them by name, and how many more there are."""
    found = list(codes)
    shown = ", ".join(found[:NAMED_AT_MOST])
    more = len(found) - NAMED_AT_MOST
    return f"{shown} y {write_quantity(more)} más" if more > 0 else shown
