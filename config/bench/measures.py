"""The measures, each a table of lines: what, at which size, what it cost, the ratio."""

from collections.abc import Iterator

from django.conf import settings
from django.test import Client
from django.urls import reverse

from config.bench.rows import acceptances_make, file_of
from config.bench.spent import Spent, analyzed, best_of, spent_on, undone
from config.demo import SESSION_ON
from config.demo.acceptances import CLOSED_AT
from config.demo.people import acting, exchange_that_adjudicates, person
from offerings.certificates import award_notice_issue
from offerings.enums import ImportMode, RowOutcome
from offerings.models import AcceptanceImport, Adjudication, Award, Stage
from offerings.services.adjudications import (
    adjudication_decide,
    adjudication_open,
    adjudication_run,
)
from offerings.services.imports import import_confirm, import_open
from offerings.services.stages import stage_close
from offerings.tasks.imports import import_load_task, import_review_task
from office.certificates import certificate_draw
from office.review import ReviewState

FIRST_OF_FILES = 70_000_000
FEW = 100
TIMES = 5


def certificates(stage: Stage, count: int) -> Iterator[str]:
    """Drawing the PDFs of so many notices of award, one after the other in one process."""
    with undone():
        run = adjudicated(stage, count + 1)
        with acting("ana") as ana:
            adjudication_decide(adjudication_id=run.pk, user=ana, outcome=ReviewState.APPROVED)
            issued = [
                award_notice_issue(award_id=award.pk, user=ana, legal_date=SESSION_ON)
                for award in Award.objects.filter(adjudication=run).order_by("pk")
            ]
        first, *rest = issued
        certificate_draw(first.pk)  # fonts and stylesheets are read by the first one
        spent = spent_on(lambda: [certificate_draw(one.pk) for one in rest])
    yield f"{count} PDF: {_each(spent.cpu, count)} de procesador y {_each(spent.wall, count)} c/u"


def pages(stage: Stage, many: int) -> Iterator[str]:
    """The list of acceptances, first page, with few and with many of them."""
    few = min(FEW, many // 2)
    client = Client(SERVER_NAME=settings.ALLOWED_HOSTS[0])
    client.force_login(person("irene"))
    found = []
    with undone():
        for before, count in ((0, few), (few, many - few)):
            acceptances_make(stage, count, before)
            analyzed()
            spent = best_of(TIMES, lambda: shown(client, reverse("acceptances")))
            found.append(spent)
            yield f"{before + count} filas: {_milli(spent.wall)}, {spent.queries} consultas"
    yield f"razón {ratio(found[1].wall, found[0].wall)}"


def adjudications(stage: Stage, many: int) -> Iterator[str]:
    """Running the adjudication, its lines written, with a tenth and with all."""
    found = []
    for count in (many // 10, many):
        with undone():
            run = _opened(stage, count)
            spent = spent_on(
                lambda run=run: adjudication_run(adjudication_id=run.pk, report=_silent)
            )
        found.append(spent)
        yield f"{count} aceptaciones: {seconds(spent)}, {spent.queries} consultas"
    yield _growth(found)


def imports(stage: Stage, many: int) -> Iterator[str]:
    """A file of new buyers reviewed and loaded by the worker's tasks, a tenth and whole; then the
    whole again."""
    yield from _files(stage, many)
    source = _uploaded(stage, file_of(many, FIRST_OF_FILES) + b"\r\n")
    spent = spent_on(lambda: import_review_task(source.job_id))
    known = source.lines.filter(outcome=RowOutcome.ALREADY).count()
    yield f"las mismas {many} filas de nuevo: {known} ya registradas, {seconds(spent)}"


def _files(stage: Stage, many: int) -> Iterator[str]:
    found: list[tuple[Spent, Spent]] = []
    for count, first in ((many // 10, FIRST_OF_FILES + many), (many, FIRST_OF_FILES)):
        source = _uploaded(stage, file_of(count, first))
        review = spent_on(lambda source=source: import_review_task(source.job_id))
        with acting("irene") as irene:
            source = import_confirm(import_id=source.pk, mode=ImportMode.ALL, user=irene)
        load = spent_on(lambda source=source: import_load_task(source.job_id))
        found.append((review, load))
        rows = round(count / (review.wall + load.wall))
        yield (
            f"{count} filas: revisión {seconds(review)}, {review.queries} consultas; "
            f"carga {seconds(load)}, {load.queries} consultas; {rows} filas por segundo"
        )
    for place, name in enumerate(("revisión", "carga")):
        yield f"{name}: {_growth([one[place] for one in found])}"


def _uploaded(stage: Stage, data: bytes) -> AcceptanceImport:
    with acting("irene") as irene:
        return import_open(stage=stage, data=data, name="muestra.csv", user=irene)


def _opened(stage: Stage, count: int) -> Adjudication:
    acceptances_make(stage, count)
    with acting("ana") as ana:
        stage_close(stage=stage, user=ana, closed_at=CLOSED_AT)
    analyzed()
    with acting("irene") as irene:
        return adjudication_open(
            stage_id=stage.pk,
            exchange=exchange_that_adjudicates(),
            session_on=SESSION_ON,
            user=irene,
        )


def adjudicated(stage: Stage, count: int) -> Adjudication:
    run = _opened(stage, count)
    adjudication_run(adjudication_id=run.pk, report=_silent)
    return run


def shown(client: Client, address: str) -> None:
    response = client.get(address)
    assert response.status_code == 200, response.status_code


def _silent(*_told: object) -> None:
    """A report that nobody reads."""


def _growth(found: list[Spent]) -> str:
    small, large = found
    return (
        f"diez veces más cuesta {ratio(large.wall, small.wall)} veces el tiempo y "
        f"{ratio(large.queries, small.queries)} veces las consultas"
    )


def ratio(large: float, small: float) -> str:
    return f"{large / small:.2f}".replace(".", ",")


def seconds(spent: Spent) -> str:
    return f"{spent.wall:.2f} s ({spent.cpu:.2f} de procesador)".replace(".", ",")


def _milli(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms"


def _each(seconds: float, count: int) -> str:
    return _milli(seconds / count)
