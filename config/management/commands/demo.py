"""The main job with made-up people: from the decree to the certificates (see config.demo)."""

import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.demo import SLUG
from config.demo.acceptances import file_ready, late_ready, stage_closed
from config.demo.adjudication import adjudication_ready
from config.demo.payments import certificates_copied, certificates_ready, payments_ready
from config.demo.people import accounts_told, is_demo, is_empty, people_ready, person
from config.demo.pledges import exits_ready, pledges_ready, term_ready
from config.demo.prices import prices_ready
from config.demo.programme import stage_ready
from config.demo.summary import summary
from offerings.models import Stage
from offerings.selectors.adjudications import adjudication_approved
from office.refusals import Refused

NOT_EMPTY = (
    "La base de datos ya tiene datos, y la demostración no borra ninguno: para empezar de nuevo, "
    "indique en DATABASE_URL una base vacía; para seguir con lo que hay, quite --fresh."
)
NOT_OURS = (
    "La base de datos tiene datos que no son de la demostración, y no se les agrega nada: indique "
    "en DATABASE_URL una base vacía."
)


class Command(BaseCommand):
    """`manage.py demo`: each part does what is missing, so that it goes on where it was."""

    help = "Hace el trabajo principal con personas inventadas, o sigue donde iba."

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("--fresh", action="store_true", help="exige una base de datos vacía")

    def handle(self, *args: Any, **options: Any) -> None:
        check_database(fresh=options["fresh"])
        try:
            self._work()
        except Refused as refusal:
            raise CommandError(refusal.message) from refusal
        self._conclude()

    def _work(self) -> None:
        tell = self._tell
        self._part("Personas, comisionistas y bolsas", people_ready)
        self._part("Programa, reglamento del Fondo y apertura de la etapa 1", stage_ready)
        self._part("Archivo de aceptaciones", lambda: file_ready(the_stage(), tell))
        self._part("Una aceptación tardía, con su hora legal", lambda: late_ready(the_stage()))
        self._part("Cierre de la etapa 1", lambda: stage_closed(the_stage()))
        self._part(
            "Adjudicación, y aprobación de otra persona",
            lambda: adjudication_ready(the_stage(), tell),
        )
        self._part(
            "Pagos de algunas aceptaciones adjudicadas",
            lambda: payments_ready(adjudication_approved(the_stage())),
        )
        self._part(
            "Certificados de lo pagado", lambda: certificates_ready(the_stage().programme, tell)
        )
        self._part(
            "IPC de 1993 a 2008, martillo y operaciones de referencia",
            lambda: prices_ready(the_stage().programme),
        )
        self._part("Prendas de lo pagado", lambda: pledges_ready(the_stage().programme, tell))
        self._part(
            "Salidas anticipadas, con su sanción, y un embargo",
            lambda: exits_ready(the_stage().programme),
        )
        self._part(
            "Fin del término: levantamiento y certificados",
            lambda: term_ready(the_stage().programme, tell),
        )

    def _part(self, title: str, work: Callable[[], Any]) -> None:
        started = time.monotonic()
        self._tell(title, indent="")
        work()
        self._tell(f"{time.monotonic() - started:.1f} s".replace(".", ","))

    def _conclude(self) -> None:
        stage = the_stage()
        self._tell("", indent="")
        for line in summary(adjudication_approved(stage), person("aura")):
            self._tell(line, indent="")
        self._tell("\nAlgunos certificados", indent="")
        for path in certificates_copied(stage.programme):
            self._tell(str(path))
        self._tell(f"\nQuiénes entran, en {settings.SITE_URL}/", indent="")
        for line in accounts_told():
            self._tell(line)

    def _tell(self, line: str, indent: str = "  ") -> None:
        self.stdout.write(f"{indent}{line}")
        self.stdout.flush()


def check_database(*, fresh: bool) -> None:
    """Refuse to add made-up people to anybody's data, and to begin anew over data."""
    if is_empty():
        return
    if fresh:
        raise CommandError(NOT_EMPTY)
    if not is_demo():
        raise CommandError(NOT_OURS)


def the_stage() -> Stage:
    """Stage 1 as it stands now."""
    stages = Stage.objects.select_related("programme", "rules")
    return stages.get(programme__slug=SLUG, number=1)
