"""Files of acceptances: reviewed first, loaded once somebody has confirmed what was understood."""

from typing import Any

import pghistory
from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from offerings.enums import ImportMode, ImportState, RowChoice, RowOutcome
from offerings.models.programmes import Stage
from office.models import Job, StoredFile

PERSON = {"on_delete": models.PROTECT, "related_name": "+"}
WAITING = (
    ImportState.UPLOADED,
    ImportState.COLUMNS,
    ImportState.REVIEWED,
    ImportState.CONFIRMED,
)


@pghistory.track(exclude=["headings"])
class AcceptanceImport(models.Model):
    """A file of acceptances, from its upload to its report.

    `headings`: those of the file, each {heading, key, samples}. `mapping`: the column that each
    key stands for, "" for none, where the user had to say. `problems`: what is wrong with the
    file as a whole. `job` is the one that worked on it last.
    """

    stage = models.ForeignKey(Stage, on_delete=models.PROTECT, related_name="imports")
    file = models.ForeignKey(StoredFile, verbose_name="archivo", **PERSON)
    sha256 = models.CharField(max_length=64)
    state = models.CharField(
        "estado", max_length=10, choices=ImportState.choices, default=ImportState.UPLOADED
    )
    mode = models.CharField("cómo se carga", max_length=10, choices=ImportMode.choices, blank=True)
    rows = models.PositiveIntegerField("filas", default=0)
    loaded = models.PositiveIntegerField("cargadas", default=0)
    read_as = models.CharField("leído como", max_length=300, blank=True)
    headings = models.JSONField("títulos", default=list, blank=True)
    mapping = models.JSONField("columnas", default=dict, blank=True)
    problems = models.JSONField("problemas", default=list, blank=True)
    job = models.OneToOneField(Job, null=True, **PERSON)
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, **PERSON)
    uploaded_at = models.DateTimeField(db_default=Now())
    confirmed_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, **PERSON)

    class Meta:
        verbose_name = "importación"
        verbose_name_plural = "importaciones"
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["stage", "sha256"],
                condition=Q(state__in=WAITING),
                name="acceptanceimport_file_once",
                violation_error_message="Este archivo ya está en revisión.",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=[ImportState.CONFIRMED, ImportState.LOADED])
                | Q(confirmed_by__isnull=False) & ~Q(mode=""),
                name="acceptanceimport_confirmed",
            ),
        ]

    def __str__(self) -> str:
        return self.code

    @property
    def code(self) -> str:
        return f"IM-{self.pk:06d}"

    @property
    def is_waiting(self) -> bool:
        return self.state in WAITING

    @property
    def is_whole(self) -> bool:
        """Whether every row of it is registered."""
        done = (RowOutcome.LOADED, RowOutcome.ALREADY)
        left = self.lines.exclude(outcome__in=done)
        return self.state == ImportState.LOADED and not left.exists()


class ImportRow(models.Model):
    """What came of a row of the file: in its review, and then in its load.

    `cells`: what the pages show of it. `messages`: each {column, value, message, level}, level
    "error" or "warning". `differences`: what it says otherwise than the register, each {column,
    given, known}; `choice` is what somebody decided about them. `requested`: shares.
    """

    source = models.ForeignKey(AcceptanceImport, on_delete=models.CASCADE, related_name="lines")
    number = models.PositiveIntegerField("fila")
    outcome = models.CharField("resultado", max_length=10, choices=RowOutcome.choices)
    choice = models.CharField("decisión", max_length=10, choices=RowChoice.choices, blank=True)
    cells = models.JSONField("celdas", default=dict)
    messages = models.JSONField("mensajes", default=list, blank=True)
    differences = models.JSONField("diferencias", default=list, blank=True)
    requested = models.PositiveBigIntegerField("solicitado", default=0)

    class Meta:
        verbose_name = "fila de una importación"
        verbose_name_plural = "filas de importaciones"
        ordering = ["source", "number"]
        constraints = [
            models.UniqueConstraint(fields=["source", "number"], name="importrow_once"),
        ]

    def __str__(self) -> str:
        return f"{self.source_id}: {self.number}"

    def of_level(self, level: str) -> list[dict[str, Any]]:
        """Its messages of one level."""
        return [one for one in self.messages if one["level"] == level]
