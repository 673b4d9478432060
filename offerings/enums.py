"""States of what the programmes hold: English key, Spanish label."""

from django.db import models


class StageState(models.TextChoices):
    PLANNED = "planned", "Sin empezar"
    OPEN = "open", "Abierta"
    CLOSED = "closed", "Cerrada"


class AcceptanceState(models.TextChoices):
    """What was done with the acceptance; awarded or not is read from the approved run."""

    PRESENTED = "presented", "Presentada"
    REJECTED = "rejected", "Rechazada"
    WITHDRAWN = "withdrawn", "Retirada"


class Standing(models.TextChoices):
    """How a presented acceptance stands after documents and limits."""

    COMPLETE = "complete", "Completa"
    CUT = "cut", "Recortada al límite"
    NOTHING_LEFT = "nothing_left", "Sin cupo en el límite"
    OVER_LIMIT = "over_limit", "Rechazada"
    INCOMPLETE = "incomplete", "Incompleta"
    NOT_COUNTED = "not_counted", "No cuenta"


class AwardReason(models.TextChoices):
    """Why an acceptance got what it got."""

    IN_FULL = "in_full", "Adjudicada en su totalidad"
    PRO_RATA = "pro_rata", "Prorrateada"
    REFUSES_REDUCTION = "refuses_reduction", "No admite reducción"
    READMITTED = "readmitted", "Atendida con lo que quedaba"
    RATIO_GIVES_NOTHING = "ratio_gives_nothing", "El prorrateo no le da acciones"
    NOTHING_LEFT = "nothing_left", "Sin cupo en el límite"
    OVER_LIMIT = "over_limit", "Rechazada"
    INCOMPLETE = "incomplete", "Incompleta"
    NOT_COUNTED = "not_counted", "No cuenta"
    REJECTED = "rejected", "Rechazada"
    WITHDRAWN = "withdrawn", "Retirada"


class PaymentMeans(models.TextChoices):
    """1995 art. 13, parágrafo: no other means is admissible."""

    CASH = "cash", "Dinero efectivo"
    CHEQUE = "cheque", "Cheque"


class DefaultMeasure(models.TextChoices):
    """What the Fund does about an award that was not paid in time (1995 art. 14)."""

    CLAIM = "claim", "Reclamar al comisionista y a la bolsa"
    UNDO = "undo", "Dejar sin efecto la adjudicación"


class AnnexKind(models.TextChoices):
    PDF = "pdf", "PDF"
    XLSX = "xlsx", "Excel"


class ImportState(models.TextChoices):
    UPLOADED = "uploaded", "En cola"
    COLUMNS = "columns", "Columnas por emparejar"
    REVIEWED = "reviewed", "Por confirmar"
    CONFIRMED = "confirmed", "En curso"
    LOADED = "loaded", "Completa"
    REFUSED = "refused", "Con error"
    DISCARDED = "discarded", "Descartada"


class ImportMode(models.TextChoices):
    ALL = "all", "Todas o ninguna"
    PARTIAL = "partial", "Las filas sin errores"


class RowOutcome(models.TextChoices):
    """What came of a row of a file; `ready` until it is loaded."""

    READY = "ready", "Se cargará"
    ERROR = "error", "Con error"
    ALREADY = "already", "Ya registrada"
    LOADED = "loaded", "Registrada"


class BankRowOutcome(models.TextChoices):
    """What came of a row of a bank's file; `ready` until it is loaded."""

    READY = "ready", "Se registrará"
    ERROR = "error", "Con error"
    UNMATCHED = "unmatched", "Sin adjudicación"
    ALREADY = "already", "Ya registrado"
    LOADED = "loaded", "Registrado"


class RowChoice(models.TextChoices):
    """What to do with a row that says otherwise than the register."""

    KEEP = "keep", "Conservar lo que consta"
    LEAVE_OUT = "leave_out", "Dejar la fila fuera"


class FigureState(models.TextChoices):
    """Of an index, an auction or a trade: only one in force is used."""

    IN_FORCE = "in_force", "Vigente"
    CORRECTED = "corrected", "Corregida"
    WITHDRAWN = "withdrawn", "Retirada"


class CpiLayout(models.TextChoices):
    """How a file of the index is laid out."""

    ANNEX = "annex", "Meses en filas y años en columnas"
    SERIES = "series", "Una fila por mes: fecha e índice"
    PARTS = "parts", "Una fila por mes: año, mes e índice"


class CpiOutcome(models.TextChoices):
    """What a month in a file is to what is loaded."""

    NEW = "new", "Se cargará"
    ALREADY = "already", "Ya registrado"
    DIFFERS = "differs", "Con error"
