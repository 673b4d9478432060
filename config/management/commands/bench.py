"""What the work costs, as ratios (see config.bench); script/bench gives it its own database."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.bench.measures import adjudications, certificates, imports, pages
from config.bench.pledges import maturing
from config.demo.people import is_empty, people_ready
from config.demo.programme import stage_ready

NOT_EMPTY = (
    "La base de datos ya tiene datos, y medir la llenaría de personas inventadas: use "
    "script/bench, que se hace una y la quita."
)


class Command(BaseCommand):
    """`manage.py bench`: makes people up, measures, tells; never a test."""

    help = "Mide el trabajo en una base de datos vacía y dice las razones."

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("--rows", type=int, default=10_000, help="filas del archivo mayor")
        parser.add_argument(
            "--acceptances", type=int, default=100_000, help="aceptaciones de la etapa mayor"
        )
        parser.add_argument(
            "--pledges", type=int, default=100_000, help="prendas que se cumplen en un día"
        )
        parser.add_argument("--certificates", type=int, default=50, help="PDF que se dibujan")

    def handle(self, *args: Any, **options: Any) -> None:
        if not is_empty():
            raise CommandError(NOT_EMPTY)
        people_ready()
        stage = stage_ready()
        for title, lines in (
            ("Constancias dibujadas", certificates(stage, options["certificates"])),
            ("Lista de aceptaciones", pages(stage, options["acceptances"])),
            ("Adjudicación", adjudications(stage, options["acceptances"])),
            ("Prendas que se cumplen en un día", maturing(stage, options["pledges"])),
            ("Archivo de aceptaciones", imports(stage, options["rows"])),
        ):
            self.stdout.write(title)
            for line in lines:
                self.stdout.write(f"  {line}")
                self.stdout.flush()
