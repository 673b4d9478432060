"""The states in which office keeps jobs and certificates."""

from django.db import models


class JobState(models.TextChoices):
    QUEUED = "queued", "En cola"
    RUNNING = "running", "En curso"
    DONE = "done", "Completa"
    FAILED = "failed", "Con error"
    INTERRUPTED = "interrupted", "Interrumpida"
    STOPPED = "stopped", "Detenida"


class CertificateState(models.TextChoices):
    PENDING = "pending", "Por generar"
    ISSUED = "issued", "Vigente"
    ANNULLED = "annulled", "Anulada"
