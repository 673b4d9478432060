"""What it costs that the terms of many pledges end on one day: to find, show and prepare them."""

import resource
from collections.abc import Callable, Generator, Iterator
from datetime import date
from typing import Any

from django.conf import settings
from django.db import connection
from django.test import Client
from django.urls import reverse

from config.bench.measures import adjudicated, ratio, seconds, shown
from config.bench.spent import Spent, analyzed, best_of, spent_on, undone
from config.demo import SESSION_ON
from config.demo.people import acting, person
from offerings.models import Adjudication, Award, Stage
from offerings.rules.months import last_day
from offerings.services.adjudications import adjudication_decide
from offerings.services.imports.copying import rows_copy
from office.review import ReviewState
from pledges.enums import Rank
from pledges.models import Pledge
from pledges.services.maturing import pledges_mature
from pledges.services.release_batches import releases_matured_prepare

TIMES, CHUNK = 3, 10_000
LAST_DAY = last_day(SESSION_ON, 24)
FREE_DAY = date(1997, 9, 16)
KIB = 1024


def maturing(stage: Stage, many: int) -> Iterator[str]:
    """A hundredth of the pledges, then all: the daily task, the lists, the batch at term."""
    found: list[dict[str, Spent]] = []
    for count in (many // 100, many):
        with undone():
            pledges_make(stage, count)
            _checked()  # what the making left to be checked is no cost of what follows
            analyzed()
            spent = yield from _measured(stage, count)
        found.append(spent)
    small, large = found
    for name in small:
        yield (
            f"{name}: cien veces más prendas cuestan {ratio(large[name].wall, small[name].wall)} "
            f"veces el tiempo y {ratio(large[name].queries, small[name].queries)} veces las "
            "consultas"
        )


def _measured(stage: Stage, count: int) -> Generator[str, None, dict[str, Spent]]:
    """Tells each cost, and gives them back by name."""
    client = Client(SERVER_NAME=settings.ALLOWED_HOSTS[0])
    client.force_login(person("irene"))
    spent: dict[str, Spent] = {}
    before = _peak()

    def told(name: str, cost: Spent) -> str:
        spent[name] = cost
        return f"{count} prendas, {name}: {seconds(cost)}, {cost.queries} consultas"

    yield told("hallarlas", spent_on(lambda: pledges_mature(day=FREE_DAY)))
    for name, address in (
        ("mostrarlas", f"{reverse('pledges')}?vista=cumplidas"),
        ("contarlas", reverse("releases")),
    ):
        yield told(name, best_of(TIMES, _page(client, address)))
    yield told("prepararlas", spent_on(lambda: _prepare(stage)))
    yield f"{count} prendas, memoria de más: {(_peak() - before) // KIB} MiB"
    return spent


def _page(client: Client, address: str) -> Callable[[], Any]:
    return lambda: shown(client, address)


def _prepare(stage: Stage) -> None:
    """The batch, and what waits for the end of its transaction."""
    with acting("irene") as irene:
        releases_matured_prepare(programme_id=stage.programme_id, released_on=FREE_DAY, user=irene)
    _checked()


def _checked() -> None:
    """What waits for the end of the transaction, done now."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def pledges_make(stage: Stage, count: int) -> None:
    """So many pledges, one for each line of an approved adjudication; nobody paid for them."""
    run = adjudicated(stage, count)
    with acting("ana") as ana:
        adjudication_decide(adjudication_id=run.pk, user=ana, outcome=ReviewState.APPROVED)
    awards = Award.objects.filter(adjudication=run).select_related("acceptance__participation")
    keys = list(awards.order_by("pk").values_list("pk", flat=True))
    for start in range(0, count, CHUNK):
        # Read before they are written: one connection does not do both at once.
        some = list(awards.filter(pk__in=keys[start : start + CHUNK]))
        rows_copy(Pledge, [_pledge(award, run) for award in some])


def _pledge(award: Award, run: Adjudication) -> Pledge:
    return Pledge(
        award=award,
        holder_id=award.acceptance.participation.buyer_id,
        shares=award.awarded,
        price=run.stage.price,
        purchased_on=SESSION_ON,
        opened_on=SESSION_ON,
        last_day=LAST_DAY,
        rank=Rank.FIRST,
        opened_by=run.prepared_by,
    )


def _peak() -> int:
    """The most memory that this process has had, in KiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
