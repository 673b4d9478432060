"""`manage.py check_cases FILE…`: worked cases against the rules."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from offerings.cases import CaseFileError, Outcome, run_file


class Command(BaseCommand):
    """Prints each case that differs with both values; ends with 1 when one does."""

    help = "Compara casos resueltos con las reglas y dice en cuáles difieren."
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")

    def handle(self, *args: Any, files: list[Path], **options: Any) -> None:
        outcomes = self._outcomes(files)
        failed = [outcome for outcome in outcomes if not outcome.passed]
        for outcome in failed:
            self.stdout.write(
                f"{outcome.name}\n  right: {outcome.wanted}\n  found: {outcome.found}"
            )
        self.stdout.write(f"{len(outcomes) - len(failed)} passed, {len(failed)} failed")
        if failed:
            raise SystemExit(1)

    def _outcomes(self, files: list[Path]) -> list[Outcome]:
        try:
            return [outcome for path in files for outcome in run_file(path)]
        except CaseFileError as error:
            raise CommandError(str(error)) from None
