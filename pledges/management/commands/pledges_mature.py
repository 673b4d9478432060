"""The daily look at whose term is over, by hand, for today or for a day that was missed."""

from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from office.dates import bogota_day, read_date, write_date
from office.numbers import write_count, write_shares
from office.refusals import Refused
from pledges.services.maturing import pledges_mature


class Command(BaseCommand):
    """`manage.py pledges_mature --date 16/09/1997`: the same again changes nothing."""

    help = "Marca como cumplidas las prendas cuyo término venció antes del día."

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument(
            "--date", default="", help="día, dd/mm/aaaa o aaaa-mm-dd; si falta, hoy en Bogotá"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            found = pledges_mature(day=_day(options["date"]))
        except (Refused, ValueError) as refusal:
            raise CommandError(str(refusal)) from refusal
        matured = write_count(found.count, "prenda cumplida", "prendas cumplidas")
        self.stdout.write(f"{write_date(found.day)}: {matured}.")
        if found.attached:
            held = write_count(found.attached, "prenda cumplida", "prendas cumplidas")
            self.stdout.write(
                f"{held} con medida de una autoridad: {write_shares(found.attached_shares)} que "
                "no se levantan mientras siga."
            )


def _day(text: str) -> date:
    if not text:
        return bogota_day(timezone.now())
    try:
        return date.fromisoformat(text)
    except ValueError:
        return read_date(text)
